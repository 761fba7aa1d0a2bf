// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// An evaluation of one mechanism as a tape, with its numbers as constants: for derivatives, for C, and as a
// reference in any precision (math/tape_values.hpp).
#pragma once

#include <vector>

#include "math/tape.hpp"
#include "system/system.hpp"

namespace trammel {

struct EvaluationTape {
  // arrays
  static constexpr int state = 0;        // in: z
  static constexpr int rate = 1;         // out: ż
  static constexpr int multipliers = 2;  // out: λ
  static constexpr int margin =
      3;                           // out: positive where no pivot is dropped; else nothing is valid
  static constexpr int given = 4;  // in: time and laws (traced_system.hpp)
  Tape tape;
};

// left_out: [rows] those that take no part, or empty
template <class Space>
EvaluationTape record_evaluation(const SystemIn<Space>& system, double drop_tolerance,
                                 const std::vector<char>& left_out = {});

}  // namespace trammel
