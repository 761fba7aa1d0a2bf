// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Places (places.hpp): a body whose pose, frames and shapes are read when they are needed, in the scope of
// its entry.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "format/places.hpp"

namespace trammel {

// What names mean in an entry: parameters of its file, indices of `repeat`, names of `let`.
struct Places::Scope {
  VariableNames variables;
  std::vector<double> values;
  Reader::Names part_names;
  Unit length_unit;
  bool repeated = false;
};

// Of a body in the world.
struct Places::Pose {
  Vector3<double> r = Vector3<double>::zero();
  Matrix3<double> R = Matrix3<double>::identity();
};

struct Places::WaitingFrame {
  NodeId id = no_node;
  Scope scope;
  State state = State::waiting;
  NamedFrame frame;
};

struct Places::Waiting {
  int body = 0;
  NodeId entry = no_node;
  Scope scope;
  State pose = State::waiting, shapes = State::waiting;
  bool has_position = false;  // `position` of the body is that in the world
  bool frames_listed = false;
  std::vector<WaitingFrame> frames;
  std::unordered_map<std::string_view, std::size_t> frame_of;  // views into `frames`
};

}  // namespace trammel
