// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The limit: quadrangle and crank as a person would write them for one purpose, with the one
// coordinate φ = angle of the first body about its own e₃,
//
//   A(φ) φ¨ + ½ A'(φ) φ˙² + U'(φ) = Q,       T = ½ A φ˙²,
//
// closed-form kinematics, DOP853 for two unknowns with our own step control, energy held by scaling
// φ˙. A general program cannot be faster than this; by how much it is slower is one of its targets.
// In long double, on a fine grid, the same equations are the reference of these two models.
#pragma once

#include <string>
#include <trammel/trammel.hpp>
#include <vector>

#include "measurement.hpp"
#include "reference_motion.hpp"

namespace trammel::bench {

bool has_one_coordinate(const std::string& model);  // "quadrangle", "crank"

// model: perturbed in masses, not in lengths; start: as `assemble` gives it.
ReferenceMotion make_exact_reference(const std::string& name, const Model& model,
                                     const std::vector<BodyState>& start);

// The limit program at a tolerance: error at its own steps, CPU of its loop, evaluations.
Measurement measure_one_coordinate(const std::string& name, const Model& model,
                                   const std::vector<BodyState>& start, double tolerance,
                                   bool hold_energy, const ReferenceMotion& reference);

}  // namespace trammel::bench
