// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Free-body balance: for each body, mass times acceleration against gravity, the reactions of its
// joints as recorded, and given loads; moments about its centre of mass likewise.
#pragma once

#include <algorithm>
#include <functional>

#include "math/euler_parameters.hpp"
#include "support/reference.hpp"

namespace trammel::test {

// A load on a body beside gravity and joints: force and moment about the centre of mass, world
// frame.
struct Load {
  Vec3 force{};
  Vec3 moment{};
};
using Loads = std::function<Load(std::size_t body, const BodyState&)>;

inline BodyState state_of(const Results& results, std::size_t row, std::size_t body) {
  const std::size_t k = row * results.body_names.size() + body;
  BodyState state;
  for (std::size_t c = 0; c < 3; ++c) {
    state.position[c] = results.position[3 * k + c];
    state.velocity[c] = results.velocity[3 * k + c];
    state.angular_velocity[c] = results.angular_velocity[3 * k + c];
  }
  for (std::size_t c = 0; c < 4; ++c) state.orientation[c] = results.orientation[4 * k + c];
  return state;
}

// The largest |Σ forces − m a| and |Σ moments − rate of spin| of one output row, in parts of the
// largest force and moment that takes part. Bodies give their mass and inertia, joints their points
// in the bodies' frames or one in the world at t = 0.
inline double calc_imbalance(const Model& model, const Results& results, std::size_t row,
                             const Loads& loads = {}) {
  using V = Vector3<double>;
  const auto load = [](const Vec3& v) { return V::load(v.data()); };
  const std::size_t n = model.bodies.size();
  std::vector<BodyState> states;
  for (std::size_t b = 0; b < n; ++b) states.push_back(state_of(results, row, b));
  const Accelerations a = calc_accelerations(compile(model), states);
  std::vector<V> force(n, V::zero()), moment(n, V::zero());
  double largest_force = 1e-12, largest_moment = 1e-12;
  const auto add = [&](std::size_t b, const V& F, const V& M) {
    force[b] += F;
    moment[b] += M;
    largest_force = std::max(largest_force, std::sqrt(dot(F, F)));
    largest_moment = std::max(largest_moment, std::sqrt(dot(M, M)));
  };
  for (std::size_t b = 0; b < n; ++b) {
    const Body& body = model.bodies[b];
    const Matrix3<double> R = calc_rotation(states[b].orientation.data());
    const auto times_inertia = [&](const V& w) {
      const Mat3& I = *body.inertia;
      return V{dot(load(I[0]), w), dot(load(I[1]), w), dot(load(I[2]), w)};
    };
    const V Omega = load(states[b].angular_velocity);
    const V spin = times_inertia(load(a.angular[b])) + cross(Omega, times_inertia(Omega));
    add(b, *body.mass * load(model.gravity), V::zero());
    add(b, -(*body.mass * load(a.linear[b])), -(R * spin));
    if (loads) {
      const Load extra = loads(b, states[b]);
      add(b, load(extra.force), load(extra.moment));
    }
  }
  const auto index_of = [&](const std::string& name) -> int {
    for (std::size_t b = 0; b < n; ++b) {
      if (model.bodies[b].name == name) return static_cast<int>(b);
    }
    return -1;  // the ground
  };
  // where the joint's point on body j is now: the reaction acts there
  const auto point_of = [&](const Joint& joint) {
    const int j = index_of(joint.body_j);
    V local = V::zero();
    if (const auto* placement = std::get_if<LocalPlacement>(&joint.placement)) {
      local = load(placement->point_j);
    } else {
      const V world = load(std::get<WorldPlacement>(joint.placement).point);
      if (j < 0) return world;
      local = transposed_times(calc_rotation(model.bodies[j].orientation.data()),
                               world - load(model.bodies[j].position));
    }
    if (j < 0) return local;
    return load(states[j].position) + calc_rotation(states[j].orientation.data()) * local;
  };
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    const std::size_t at = 3 * (row * model.joints.size() + k);
    const V F = V::load(&results.reaction_force[at]), M = V::load(&results.reaction_moment[at]);
    const V x = point_of(joint);
    const int i = index_of(joint.body_i), j = index_of(joint.body_j);
    if (j >= 0) add(j, F, M + cross(x - load(states[j].position), F));
    if (i >= 0) add(i, -F, -(M + cross(x - load(states[i].position), F)));
  }
  double worst = 0.0;
  for (std::size_t b = 0; b < n; ++b) {
    worst = std::max({worst, std::sqrt(dot(force[b], force[b])) / largest_force,
                      std::sqrt(dot(moment[b], moment[b])) / largest_moment});
  }
  return worst;
}

}  // namespace trammel::test
