// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The exact motion of IFToMM's A02 (models/gallery/n_four_bar.yaml) for any number of loops and any
// masses: all cranks stay parallel, and the mechanism is a pendulum with the angle φ of its cranks,
//
//   A φ¨ = −B g cos φ,    A = Σ_cranks (I + m/4) + Σ_couplers m,    B = Σ_cranks m/2 + Σ_couplers
//   m.
//
// In long double, on an even grid. A run of our own at a fine tolerance would cost minutes with
// many loops, at the instants where they all lie flat.
#pragma once

#include <vector>

#include "reference_motion.hpp"

namespace trammel::bench {

ReferenceMotion make_four_bar_reference(const Model& model, const std::vector<BodyState>& start,
                                        double interval);

}  // namespace trammel::bench
