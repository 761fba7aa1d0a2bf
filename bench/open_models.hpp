// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mechanisms without loops, on hinges: what codes in joint coordinates are made for. They solve for
// one unknown a body, we for six and five reactions.
#pragma once

#include <trammel/trammel.hpp>

namespace trammel::bench {

// An arm of seven links on hinges about z, y, z, …, stretched out, let go with a swing.
Model make_arm();

// Each rod carries two, 30 in all, hinges about z and y in turn.
Model make_hinge_tree();

}  // namespace trammel::bench
