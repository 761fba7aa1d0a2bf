// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which coordinates a joint has, and couplers as sums over them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model_index.hpp"
#include "trammel/model.hpp"

namespace trammel {

// In the order in which they are recorded.
std::vector<JointCoordinate> list_coordinates(JointKind kind, bool planar);
bool has_coordinate(JointKind kind, bool planar, JointCoordinate coordinate);

// The one that is named, or the only one that the joint has, or none.
std::optional<JointCoordinate> find_coordinate(const Joint& joint, bool planar,
                                               std::optional<JointCoordinate> named);

const char* to_word(JointCoordinate coordinate);
constexpr bool is_angle(JointCoordinate coordinate) {
  return coordinate != JointCoordinate::travel;
}

// The body that two joints have in common; empty where they have none, or both.
std::string find_common_body(const Joint& a, const Joint& b);

// factor·(Σ coefficient·q − value) = 0; the value as of the start where there is none.
struct CouplerSum {
  std::vector<LinearCoupler::Term> terms;
  double factor = 1.0;
  std::optional<double> value;
};

// For a coupler that check_model accepts.
CouplerSum make_sum(const ModelIndex& index, const Coupler& coupler);

}  // namespace trammel
