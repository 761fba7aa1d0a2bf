// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of the run (time, energies, violations) and of the steps are kept in full, in double
// precision. The motion is in single precision, and thinned where a page would become too large for
// a browser.
#include <algorithm>
#include <cmath>

#include "page/page_run.hpp"

namespace trammel {

namespace {

constexpr std::size_t most_values = 16'000'000;  // of the motion: 64 MB, 85 MB as text

// The numbers of every k-th row and of the last; a row has `width` of them.
std::vector<double> thin(const std::vector<double>& column, std::size_t width, std::size_t rows,
                         std::size_t k) {
  std::vector<double> kept;
  kept.reserve((rows / k + 2) * width);
  const auto add = [&](std::size_t row) {
    const auto begin = column.begin() + static_cast<std::ptrdiff_t>(row * width);
    kept.insert(kept.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
  };
  for (std::size_t row = 0; row < rows; row += k) add(row);
  if (rows > 0 && (rows - 1) % k != 0) add(rows - 1);
  return kept;
}

// The mean of all positions where that is much farther from the world's origin than the motion is
// wide; else the origin itself.
Vec3 choose_origin(const std::vector<double>& position) {
  if (position.empty()) return {};
  Vec3 mean{}, low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) low[k] = high[k] = position[k];
  for (std::size_t i = 0; i < position.size(); ++i) {
    mean[i % 3] += position[i];
    low[i % 3] = std::min(low[i % 3], position[i]);
    high[i % 3] = std::max(high[i % 3], position[i]);
  }
  const auto n = static_cast<double>(position.size() / 3);
  for (double& x : mean) x = std::round(x / n);
  const double extent = std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return std::hypot(mean[0], mean[1], mean[2]) > 50.0 * extent ? mean : Vec3{};
}

// Largest | |θ|² − 1 | of a row.
std::vector<double> calc_unit_violation(const Results& results) {
  const std::size_t rows = results.time.size(), bodies = results.body_names.size();
  std::vector<double> violation(rows, 0.0);
  for (std::size_t i = 0; i < rows && results.orientation.size() == rows * bodies * 4; ++i) {
    for (std::size_t b = 0; b < bodies; ++b) {
      const double* q = results.orientation.data() + 4 * (i * bodies + b);
      const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
      violation[i] = std::max(violation[i], std::abs(square - 1.0));
    }
  }
  return violation;
}

void add_steps(DataBlock& block, const std::vector<StepRecord>& steps) {
  std::vector<double> t, h, newton;
  std::string accepted;
  for (const StepRecord& step : steps) {
    t.push_back(step.t);
    h.push_back(step.h);
    newton.push_back(step.iterations);
    accepted.push_back(step.accepted ? '\1' : '\0');
  }
  block.add_double("step_time", t);
  block.add_single("step_size", h);
  block.add_single("step_newton", newton);
  block.add_bytes("step_accepted", accepted);
}

void add_motion(PageColumns& columns, const Results& results) {
  const std::size_t rows = results.time.size();
  const std::size_t bodies = results.body_names.size(), joints = results.joint_names.size();
  const std::size_t coordinates = results.coordinate_names.size();
  const std::size_t loads = results.load_names.size();
  const std::size_t elements = results.element_names.size(), outputs = results.output_names.size();
  std::size_t numbers = 0;  // recorded, of all rows
  for (const std::vector<double>* column :
       {&results.position, &results.orientation, &results.velocity, &results.angular_velocity,
        &results.acceleration, &results.angular_acceleration, &results.reaction_force,
        &results.reaction_moment, &results.coordinate, &results.coordinate_rate,
        &results.coordinate_acceleration, &results.load, &results.element, &results.output}) {
    numbers += column->size();
  }
  columns.thinning = std::max<std::size_t>(1, (numbers + most_values - 1) / most_values);
  columns.origin = choose_origin(results.position);
  DataBlock& block = columns.block;
  block.add_double("motion_time", thin(results.time, 1, rows, columns.thinning));
  // a column that was not recorded is left out
  const auto add = [&](const char* name, const std::vector<double>& column, std::size_t of_row) {
    if (of_row == 0 || column.size() != rows * of_row) return;
    std::vector<double> kept = thin(column, of_row, rows, columns.thinning);
    if (&column == &results.position) {
      for (std::size_t i = 0; i < kept.size(); ++i) kept[i] -= columns.origin[i % 3];
    }
    block.add_single(name, kept);
  };
  add("position", results.position, 3 * bodies);
  add("orientation", results.orientation, 4 * bodies);
  add("velocity", results.velocity, 3 * bodies);
  add("angular_velocity", results.angular_velocity, 3 * bodies);
  add("acceleration", results.acceleration, 3 * bodies);
  add("angular_acceleration", results.angular_acceleration, 3 * bodies);
  add("reaction_force", results.reaction_force, 3 * joints);
  add("reaction_moment", results.reaction_moment, 3 * joints);
  add("coordinate", results.coordinate, coordinates);
  add("coordinate_rate", results.coordinate_rate, coordinates);
  add("coordinate_acceleration", results.coordinate_acceleration, coordinates);
  add("load", results.load, loads);
  add("element", results.element, elements);
  add("output", results.output, outputs);
}

}  // namespace

PageColumns make_columns(const PageRun& run) {
  const Results& results = *run.results;
  PageColumns columns;
  DataBlock& block = columns.block;
  block.add_double("time", results.time);
  block.add_double("kinetic", results.kinetic);
  block.add_double("potential", results.potential);
  block.add_double("external_work", results.external_work);
  block.add_double("balance_error", results.balance_error);
  block.add_double("violation_position", results.violation_position);
  block.add_double("violation_velocity", results.violation_velocity);
  block.add_double("violation_euler_parameters", calc_unit_violation(results));
  add_steps(block, results.steps);
  if (run.motion) add_motion(columns, results);
  return columns;
}

}  // namespace trammel
