// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/light.hpp"

#include <algorithm>
#include <array>

namespace trammel {

namespace {

// A body is light below this part of the mass it is joined to: rounding of loads between heavy bodies,
// divided by its mass, would be taken for an error of the step.
constexpr double light_below = 1e-5;
// It is then given this part in the metric.
constexpr double given_part = 1e-2;

// [bodies] the largest mass joined to each body
template <class Space>
std::vector<double> find_joined_masses(const SystemIn<Space>& system) {
  const Topology& topology = system.topology;
  const auto& bodies = system.parameters.bodies;
  std::vector<double> joined(topology.n_bodies, 0.0);
  const auto is_light = [&](int b) { return bodies[b].mass < light_below * joined[b]; };
  bool changes = true;
  while (changes) {
    changes = false;
    const auto see = [&](int b, int other) {
      if (b >= topology.n_bodies || other >= topology.n_bodies) return;
      const double mass = is_light(other) ? joined[other] : bodies[other].mass;
      if (mass <= joined[b]) return;
      // a second pass is needed only where the news goes on through light bodies
      const bool was_light = is_light(b);
      joined[b] = mass;
      if (is_light(b) || was_light) changes = true;
    };
    for (const JointTopology& joint : topology.joints) {
      see(joint.body_i, joint.body_j);
      see(joint.body_j, joint.body_i);
    }
  }
  return joined;
}

// [bodies] the smallest body joined to each, 0 where there is none
std::vector<double> find_joined_sizes(const SystemData& system) {
  const Topology& topology = system.topology;
  std::vector<double> joined(topology.n_bodies, 0.0);
  const auto see = [&](int b, int other) {
    if (b >= topology.n_bodies || other >= topology.n_bodies) return;
    joined[b] = joined[b] == 0.0 ? system.size[other] : std::min(joined[b], system.size[other]);
  };
  for (const JointTopology& joint : topology.joints) {
    see(joint.body_i, joint.body_j);
    see(joint.body_j, joint.body_i);
  }
  return joined;
}

}  // namespace

template <class Space>
void compile_light(SystemIn<Space>& system) {
  using Spin = Angular<double, Space>;
  constexpr int n_angular = Space::n_u - Space::dimension;
  const int n = system.topology.n_bodies;
  const std::vector<double> joined = find_joined_masses(system);
  const std::vector<double> joined_size = find_joined_sizes(system);
  double heaviest = 0.0;
  for (int b = 0; b < n; ++b) heaviest = std::max(heaviest, system.parameters.bodies[b].mass);
  for (int b = 0; b < n; ++b) {
    BodyParameters<double, Space>& body = system.parameters.bodies[b];
    double mass = std::max(joined[b], body.mass);
    if (mass == 0.0) mass = heaviest > 0.0 ? heaviest : 1.0;
    const double arm = std::max(system.size[b], joined_size[b]);
    const double inertia = mass * arm * arm;
    LightBody<Space> light{b, 0.0, Spin::zero()};
    if (body.mass < light_below * mass) light.extra_mass = given_part * mass - body.mass;
    std::array<double, n_angular> moments, inverse, extra{};
    body.inertia.store(moments.data());
    body.inverse_inertia.store(inverse.data());
    bool any = light.extra_mass > 0.0;
    for (int k = 0; k < n_angular; ++k) {
      if (moments[k] >= light_below * inertia) continue;
      extra[k] = given_part * inertia - moments[k];
      if (moments[k] == 0.0) inverse[k] = 1.0 / extra[k];
      any = true;
    }
    if (!any) continue;
    light.extra_inertia = Spin::load(extra.data());
    if (body.mass == 0.0) body.inverse_mass = 1.0 / light.extra_mass;
    body.inverse_inertia = Spin::load(inverse.data());
    system.light_candidates.push_back(light);
  }
}

template void compile_light(SystemIn<Spatial>&);
template void compile_light(SystemIn<Planar>&);

}  // namespace trammel
