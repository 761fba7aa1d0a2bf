// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the numbers are that code for a step reads and writes.
#include <utility>

#include "generate/step_code.hpp"

namespace trammel {

template <class Space>
StepCode<Space>::Layout::Layout(const Topology& topology, int n_parameters) {
  int offset = 0;
  const auto take = [&](int& place, int size) {
    place = offset;
    offset += size;
  };
  const int rows = topology.n_rows, bodies = topology.n_bodies;
  const int components = topology.n_components();
  take(values, static_cast<int>(topology.program.n_values));
  take(inverse, rows);
  factor_size = std::exchange(offset, n_parameters);
  take(start_energy, components);
  take(step_kinetic, components);
  take(tolerance, 1);
  take(energy_rtol, 1);
  take(energy_atol, 1);
  take(shift_limit, 1);
  take(step, 1);
  take(error, 2);
  take(time, 1);
  take(laws, 3 * static_cast<int>(topology.drivers.size()));
  take(curve_frames, Space::dimension * Space::dimension * topology.n_curves);
  parameters_size = std::exchange(offset, 0);
  for (int* one : {&margin, &largest_g, &noise, &size2, &small, &largest_before, &largest_rate,
                   &defect, &shift_norm2, &shift}) {
    take(*one, 1);
  }
  for (int* of_rows : {&g, &pivot, &rates}) take(*of_rows, rows);
  for (int* of_components : {&reach, &kinetic_before, &gradient_power, &steepness, &deficit,
                             &growth, &kinetic, &potential}) {
    take(*of_components, components);
  }
  take(moved, Space::n_y * bodies);
  take(normalised, Space::n_y * bodies);
  take(u, Space::n_u * bodies);
  take(projected, Space::n_u * bodies);
  take(reference_value, static_cast<int>(topology.references.size()));
  take(sigma, topology.n_curves);
  take(lambda, rows);
  take(refined, rows);
  take(refined_by, 1);
  take(refined_of, 1);
  take(reactions, Space::n_u * topology.n_joints);
  results_size = offset;
}

template StepCode<Spatial>::Layout::Layout(const Topology&, int);
template StepCode<Planar>::Layout::Layout(const Topology&, int);

}  // namespace trammel
