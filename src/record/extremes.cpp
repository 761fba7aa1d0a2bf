// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/extremes.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {
namespace {

constexpr std::size_t most_columns = 1000;  // a chain of a million joints is not listed whole

// A range of rows of one table.
struct Rows {
  const double* time;
  std::size_t begin, end;
};

void add_table(const Rows& rows, const std::vector<double>& table, std::size_t width,
               std::vector<Extremes>& extremes) {
  if (width == 0 || table.size() < rows.end * width) return;  // not recorded
  const std::size_t kept = std::min(width, most_columns);
  std::size_t first = rows.begin;
  if (extremes.empty()) {
    for (std::size_t k = 0; k < kept; ++k) {
      const double value = table[first * width + k], t = rows.time[first];
      extremes.push_back({value, value, t, t});
    }
    ++first;
  }
  for (std::size_t row = first; row < rows.end; ++row) {
    const double* const values = &table[row * width];
    for (std::size_t k = 0; k < kept; ++k) {
      Extremes& of = extremes[k];
      if (values[k] < of.low) {
        of.low = values[k];
        of.t_low = rows.time[row];
      } else if (values[k] > of.high) {
        of.high = values[k];
        of.t_high = rows.time[row];
      }
    }
  }
}

void add_reactions(const Rows& rows, const std::vector<double>& table, std::size_t joints,
                   PeakReaction& peak) {
  if (table.size() < rows.end * joints * 3) return;
  double largest = peak.value * peak.value;
  bool found = false;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    for (std::size_t k = 0; k < joints; ++k) {
      const double* const v = &table[3 * (row * joints + k)];
      const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      if (!(square > largest)) continue;
      largest = square;
      found = true;
      peak.t = rows.time[row];
      peak.joint = static_cast<int>(k);
    }
  }
  if (found) peak.value = std::sqrt(largest);
}

}  // namespace

void add_rows(const Results& results, std::size_t begin, std::size_t end, RunExtremes& extremes) {
  if (begin >= end) return;
  const Rows rows = {results.time.data(), begin, end};
  add_table(rows, results.coordinate, results.coordinate_names.size(), extremes.coordinate);
  add_table(rows, results.load, results.load_names.size(), extremes.load);
  add_table(rows, results.element, results.element_names.size(), extremes.element);
  add_reactions(rows, results.reaction_force, results.joint_names.size(), extremes.reaction_force);
  add_reactions(rows, results.reaction_moment, results.joint_names.size(),
                extremes.reaction_moment);
  extremes.rows += static_cast<std::int64_t>(end - begin);
}

RunExtremes calc_extremes(const Results& results) {
  RunExtremes extremes = results.taken;
  // a sink that is not ours may take rows away without looking
  if (extremes.rows != results.first_row) return {};
  add_rows(results, 0, results.time.size(), extremes);
  return extremes;
}

}  // namespace trammel
