// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The problems of the study of invariants, and slightly perturbed starts of each.
#pragma once

#include <cstdint>
#include <string>
#include <trammel/trammel.hpp>
#include <vector>

namespace trammel::study {

struct Problem {
  std::string name;
  Model model;
  bool dissipative = false;  // the energy is held with the dampers' work, which a run refuses
  int body = -1;             // whose error counts; −1: all
  double arm = 0.0;          // m, its points so far from the centre of mass count too
};

std::vector<Problem> make_problems();

// Every mass and inertia by up to 1 % (a density stays), every velocity by up to 1 % of the problem's fastest. Joints
// and assembly make the start consistent. The same index gives the same start on every machine.
Model perturb(const Model& model, std::uint32_t index);

}  // namespace trammel::study
