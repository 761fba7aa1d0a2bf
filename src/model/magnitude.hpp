// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How large and how small the numbers of a model may be (docs/reference/model_file.md, Limits). Doubles end
// at 1e308, and an evaluation multiplies several of them: J M⁻¹ Jᵀ has lengths squared over moments of
// inertia, the energy masses times velocities squared. Within these limits no such product
// overflows or vanishes. Directions are not limited: they are normalised (math/unit_vector.hpp).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>

namespace trammel {

inline constexpr double largest_magnitude = 1e50;
inline constexpr double smallest_magnitude = 1e-50;  // of what is divided by

// ---- why a number cannot be used; empty: it can

inline std::string find_problem(std::span<const double> values) {
  for (const double x : values) {
    if (!std::isfinite(x)) return "must be finite numbers";
  }
  for (const double x : values) {
    if (!(std::abs(x) <= largest_magnitude)) {
      return fmt::format("must be at most {} in magnitude, got {}", largest_magnitude, x);
    }
  }
  return {};
}

inline std::string find_problem(double value) {
  if (!std::isfinite(value)) return "must be a finite number";
  return find_problem(std::span(&value, 1));
}

inline std::string find_problem_of_positive(double value) {
  if (!(value > 0) || !std::isfinite(value)) {
    return fmt::format("must be greater than 0, got {}", value);
  }
  if (value >= smallest_magnitude && value <= largest_magnitude) return {};
  return fmt::format("must be between {} and {}, got {}", smallest_magnitude, largest_magnitude,
                     value);
}

// 0 is allowed.
inline std::string find_problem_of_size(double value) {
  if (value == 0) return {};
  if (!(value > 0) || !std::isfinite(value)) {
    return fmt::format("must not be negative, got {}", value);
  }
  return find_problem_of_positive(value);
}

// Either sign, but not 0.
inline std::string find_problem_of_nonzero(double value) {
  if (value == 0) return "must not be zero";
  if (!std::isfinite(value)) return "must be a finite number";
  const double size = std::abs(value);
  if (size >= smallest_magnitude && size <= largest_magnitude) return {};
  return fmt::format("must be between {} and {} in magnitude, got {}", smallest_magnitude,
                     largest_magnitude, value);
}

// least < most, one of them may be infinite: no limit on that side.
inline std::string find_problem_of_range(double least, double most) {
  if (std::isnan(least) || std::isnan(most)) return "must be numbers";
  if (!std::isfinite(least) && !std::isfinite(most)) return "limits neither side";
  if (std::isfinite(least) && !find_problem(least).empty()) return find_problem(least);
  if (std::isfinite(most) && !find_problem(most).empty()) return find_problem(most);
  if (least < most) return {};
  return fmt::format("must be increasing, got [{}, {}]", least, most);
}

}  // namespace trammel
