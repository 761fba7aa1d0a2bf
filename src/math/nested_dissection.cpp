// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Nested dissection by METIS (G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998) 359), the only
// file that knows it.
#include <metis.h>
#include <stdlib.h>

#include <array>
#include <mutex>
#include <stdexcept>

#include "math/elimination_order.hpp"

namespace trammel {

namespace {

// METIS draws from rand() of the C library, which the whole process shares: while this lives rand()
// has a state of its own, so that the order is always the same and the caller's numbers go on as if
// nothing had been drawn.
class OwnRandomState {
 public:
  OwnRandomState() : before_(::initstate(1, state_.data(), state_.size())) {}
  ~OwnRandomState() { ::setstate(before_); }
  OwnRandomState(const OwnRandomState&) = delete;
  OwnRandomState& operator=(const OwnRandomState&) = delete;

 private:
  std::array<char, 128> state_{};
  char* before_;
};

}  // namespace

std::vector<int> order_by_nested_dissection(const std::vector<int>& sizes,
                                            const BlockGraph& graph) {
  static_assert(sizeof(idx_t) == sizeof(int), "METIS was built with 64-bit indices");
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const OwnRandomState random;
  // its interface takes no const, but writes only the permutations
  idx_t n = graph.n_blocks();
  std::vector<idx_t> begin(graph.begin.begin(), graph.begin.end());
  std::vector<idx_t> neighbour(graph.neighbour.begin(), graph.neighbour.end());
  std::vector<idx_t> weight(sizes.begin(), sizes.end());
  std::vector<idx_t> order(n), position(n);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  const int status = METIS_NodeND(&n, begin.data(), neighbour.data(), weight.data(), options,
                                  order.data(), position.data());
  if (status != METIS_OK) throw std::runtime_error("METIS found no order of elimination");
  return order;
}

}  // namespace trammel
