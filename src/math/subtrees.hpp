// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of an elimination that know nothing of each other, for several threads: subtrees of the
// elimination tree. What remains above them, the top, comes after all of them.
#pragma once

#include <vector>

#include "math/elimination_order.hpp"

namespace trammel {

// Subtrees in the first place, the steps of each together, which also keeps what belongs together
// near in memory; then the top. Within both the order is the one it was: minimum degree goes from
// branch to branch, and a step seldom waits for the numbers of the one before, as it would have to
// along a branch.
struct Partition {
  std::vector<int> new_step;  // [steps]
  std::vector<int> end;       // [subtrees] the first new step behind each
};

// Does not depend on the number of threads, so that bits do not either. None where there are few: the
// two halves of a chain are faster step by step in turn on one thread than one after the other.
Partition find_subtrees(const std::vector<int>& sizes, const Elimination& elimination);

// The same elimination with its steps numbered anew; a step must stay before its parent.
Elimination renumber(const Elimination& elimination, const std::vector<int>& new_step);

}  // namespace trammel
