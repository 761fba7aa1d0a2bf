// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the parts of a state are in its array.
#include "system/state.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

using namespace trammel;

TEST_CASE_TEMPLATE("a view finds coordinates, velocities, work and references", Space, Spatial,
                   Planar) {
  constexpr int n_bodies = 3, n_components = 2, n_references = 2, d = Space::dimension;
  const StateLayout layout = make_layout<Space>(n_bodies, n_components, n_references);
  std::vector<double> z(layout.size());
  std::iota(z.begin(), z.end(), 0.0);
  const ConstState<Space> state(layout, z.data(), 1.5);
  CHECK(state.t() == 1.5);
  CHECK(state.n_bodies() == n_bodies);
  for (int b = 0; b < n_bodies; ++b) {
    const double y = Space::n_y * b, u = Space::n_y * n_bodies + Space::n_u * b;
    CHECK(*state.y(b) == y);
    CHECK(*state.u(b) == u);
    CHECK(state.position(b).x == y);
    CHECK(state.position(b).y == y + 1);
    CHECK(state.velocity(b).x == u);
    CHECK(state.velocity(b).y == u + 1);
    CHECK(state.angular_velocity(b).z == u + Space::n_u - 1);
  }
  // y, u, then one number per component, then the references
  const double rest = (Space::n_y + Space::n_u) * n_bodies;
  CHECK(state.work(1) == rest + 1);
  CHECK(state.total_work() == 2 * rest + 1);
  CHECK(state.reference(1) == rest + 3);
  CHECK(static_cast<int>(rest) + 4 == layout.size());
  CHECK(Space::n_u == d + Space::n_angular);
}

TEST_CASE_TEMPLATE("changes of a body stay in this body", Space, Spatial, Planar) {
  OwnedState<Space> owned(make_layout<Space>(3, 1), 0.5);
  const State<Space> state = owned.view();
  CHECK(state.t() == 0.5);
  const double v[3] = {1.0, 2.0, 3.0}, w[3] = {4.0, 5.0, 6.0};
  const auto linear = Linear<double, Space>::load(v);
  const auto angular = Angular<double, Space>::load(w);
  if constexpr (std::is_same_v<Space, Spatial>) state.y(1)[3] = 1.0;  // θ = 1
  state.set_position(1, linear);
  state.set_velocity(1, linear);
  state.set_angular_velocity(1, angular);
  state.add_velocity(1, linear, -angular);
  state.move(1, linear, Angular<double, Space>::zero());
  state.work(0) = 7.0;
  const ConstState<Space> seen = std::as_const(owned).view();
  CHECK(seen.position(1).y == 4.0);
  CHECK(seen.velocity(1).y == 4.0);
  CHECK(dot(seen.angular_velocity(1), seen.angular_velocity(1)) == 0.0);
  CHECK(seen.work(0) == 7.0);
  for (const int other : {0, 2}) {
    for (int i = 0; i < Space::n_y; ++i) CHECK(seen.y(other)[i] == 0.0);
    for (int i = 0; i < Space::n_u; ++i) CHECK(seen.u(other)[i] == 0.0);
  }
  const ConstState<Space> readable = state;
  CHECK(readable.z() == state.z());
}
