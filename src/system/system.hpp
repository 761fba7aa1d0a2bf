// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// System: a mechanism compiled into flat arrays. Topology + Parameters + the initial state + the
// tables that turn indices back into names. Immutable; shared between threads.
#pragma once

#include <string>
#include <vector>

#include "system/parameters.hpp"
#include "system/topology.hpp"
#include "trammel/types.hpp"

namespace trammel {

struct SystemData {
  Topology topology;
  Parameters<double> parameters;

  // ---- state at t = 0 as the model gives it, before assembly
  std::vector<double> initial;  // [layout.size()]

  // ---- from the frames of the user to those inside and back
  Vector3<double> origin;                 // m, world point that is the zero of r inside
  std::vector<EulerParameters> principal;  // [bodies] principal axes to the body frame of the model

  // ---- scales
  std::vector<double> length;          // [bodies] m, size of the mechanism the body belongs to
  double shortest_length = 0.0;        // m, the smallest of these
  std::vector<double> row_scale;       // [rows] natural size of g: length, or 1 for SO
  double potential_of_origin = 0.0;    // J, added to U in reports: zero level at the world's origin

  // ---- names, for reports only
  std::string model_name;
  std::string model_text;
  std::vector<std::string> body_names;
  std::vector<std::string> joint_names;
  std::vector<std::string> row_names;  // "shaft.C.x"
};

}  // namespace trammel
