// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What was done to a Simulator since its start, as bytes: where it started, then steps, advances and inputs
// in their order, and the state that they led to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyses/prepared_run.hpp"

namespace trammel {

struct Action {
  enum class Kind : std::uint8_t { steps, advance, input };
  Kind kind;
  std::uint32_t index = 0;  // steps: how many; input: which
  double value = 0.0;       // advance: s, to this time; input: its value
};

struct Checkpoint {
  RunStart start;  // z is empty where the run began as the model says
  std::vector<Action> actions;
  double t = 0.0;         // s, reached
  std::vector<double> z;  // there
};

std::string to_bytes(const Checkpoint& checkpoint);

// Throws std::invalid_argument where it is damaged.
Checkpoint read_checkpoint(const std::string& bytes);

}  // namespace trammel
