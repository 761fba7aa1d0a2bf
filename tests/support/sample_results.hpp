// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results filled by hand, for the tests of the writers: two bodies, one joint, two output times.
#pragma once

#include <trammel/trammel.hpp>

namespace trammel::test {

inline CheckReport make_sample_check() {
  CheckReport check;
  check.model_name = "two bars";
  check.bodies = 2;
  check.joints = 1;
  check.rows = 3;
  check.rank = 3;
  check.dof = 9;
  check.components = 1;
  check.body_names = {"bar", "rod"};
  check.assembly.converged = true;
  check.assembly.iterations = 2;
  check.assembly.residual_before = 3.5e-3;
  check.assembly.residual_after = 1e-16;
  check.assembly.worst_row = "pin.C.y";
  check.assembly.moved_distance = {1e-3, 2e-3};
  check.assembly.moved_angle = {0.0, 1e-4};
  check.smallest_pivot = 0.25;
  check.smallest_pivot_row = "pin.C.z";
  return check;
}

inline Results make_sample_results() {
  Results results;
  results.version = "0.1.0";
  results.model_name = "two bars";
  results.check = make_sample_check();
  results.status = {Outcome::finished, 10.0, "reached t_end = 10 s"};
  results.counts.accepted = 120;
  results.counts.rejected = 3;
  results.counts.projection = 4;
  results.counts.iterations = 6;
  results.counts.iterations_max = 2;
  results.cpu_seconds = {0.5, 0.25, 0.125};
  results.violation = {1e-13, 2e-13, 3e-16, "pin.C.x", "pin.C.y"};
  results.energy = {8.0, -5.0, 3.0, 1e-12, 2e-12, 20.0};
  results.body_names = {"bar", "rod"};
  results.joint_names = {"pin"};
  results.final.resize(2);
  results.final[0].position = {0.1, -0.0, 1e-300};
  results.final[1].orientation = {0.5, 0.5, 0.5, 0.5};

  const auto fill = [](std::vector<double>& column, std::size_t size, double start) {
    for (std::size_t i = 0; i < size; ++i) column.push_back(start + 0.1 * static_cast<double>(i));
  };
  results.time = {0.0, 10.0};
  fill(results.position, 2 * 2 * 3, 100);
  fill(results.orientation, 2 * 2 * 4, 200);
  fill(results.velocity, 2 * 2 * 3, 300);
  fill(results.angular_velocity, 2 * 2 * 3, 400);
  fill(results.reaction_force, 2 * 3, 500);
  fill(results.reaction_moment, 2 * 3, 600);
  for (std::vector<double>* column :
       {&results.kinetic, &results.potential, &results.external_work, &results.balance_error,
        &results.violation_position, &results.violation_velocity, &results.smallest_pivot}) {
    fill(*column, 2, 700);
  }
  return results;
}

}  // namespace trammel::test
