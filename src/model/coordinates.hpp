// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which coordinates a joint has, and couplers as sums over them.
#pragma once

#include <optional>
#include <string>
#include <variant>
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

// A coordinate of two frames without a joint. Wheel: the angle of body i about z of its frame, against the
// line from its origin to that of the other. Turn: that of x of frame j against x of frame i, about z of frame
// i. Along x, along z: of the origin of frame j, from that of frame i, along an axis of frame i.
struct FrameCoordinate {
  enum class Kind { wheel, turn, along_x, along_z };
  Kind kind;
  CoupledFrames frames;
  std::string moving;  // the body after which its load is called
  bool is_angle() const { return kind == Kind::wheel || kind == Kind::turn; }
};

// factor·(Σ coefficient·q − value) = 0; the value as of the start where there is none.
struct CouplerSum {
  struct Term {
    double coefficient = 1.0;
    std::variant<LinearCoupler::Term, FrameCoordinate> of;
  };
  std::vector<Term> terms;
  double factor = 1.0;
  std::optional<double> value;
};

// For a coupler that check_model accepts.
CouplerSum make_sum(const ModelIndex& index, const Coupler& coupler);

}  // namespace trammel
