// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The two spaces a mechanism can live in, and how the state lies in the state vector.
//
//   z = (y, u, W, ρ):  y and u per body, W per connected component, ρ where turns are counted
//
// W: work of all forces and drivers without a potential (J). ρ: reference angles (coordinate.hpp) and
// the integrals of given rates (coordinate_rows.hpp). A space (spatial.hpp, planar.hpp) says what y and
// u are: types of linear and angular vectors, rotation, rate, retraction, effective torque, sizes
// of rotations. The kernel is written once for `Space` and instantiated for both.
#pragma once

#include "space/planar.hpp"
#include "space/spatial.hpp"

namespace trammel {

template <class Real, class Space>
using Linear = typename Space::template Linear<Real>;
template <class Real, class Space>
using Angular = typename Space::template Angular<Real>;
template <class Real, class Space>
using Rotation = typename Space::template Rotation<Real>;

// Offsets in the state vector of a system with n bodies.
struct StateLayout {
  int n_y = 0;  // coordinates of a body
  int n_u = 0;  // velocities of a body
  int n_bodies = 0;
  int n_components = 0;
  int n_references = 0;
  int n_states = 0;  // of the user's own
  int y(int body) const { return n_y * body; }
  int u(int body) const { return n_y * n_bodies + n_u * body; }
  int work(int component) const { return (n_y + n_u) * n_bodies + component; }
  int reference(int k) const { return work(n_components) + k; }
  int state(int k) const { return reference(n_references) + k; }
  int size() const { return state(n_states); }
};

template <class Space>
StateLayout make_layout(int n_bodies, int n_components, int n_references = 0, int n_states = 0) {
  return {Space::n_y, Space::n_u, n_bodies, n_components, n_references, n_states};
}

}  // namespace trammel
