// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// θ inside = θ · q, Ω inside = R(q)ᵀ Ω, r inside = r − origin, with q from principal axes to the
// body axes of the model.
#include "system/frames.hpp"

namespace trammel {

void import_state(const SystemData& system, const std::vector<BodyState>& bodies, double* z) {
  const StateLayout& layout = system.topology.layout;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const BodyState& state = bodies[b];
    double* y = z + layout.y(b);
    double* u = z + layout.u(b);
    (Vector3<double>::load(state.position.data()) - system.origin).store(y);
    multiply4(state.orientation.data(), system.principal[b].data(), y + 3);
    normalise4(y + 3);
    Vector3<double>::load(state.velocity.data()).store(u);
    const Matrix3<double> Q = calc_rotation(system.principal[b].data());
    transposed_times(Q, Vector3<double>::load(state.angular_velocity.data())).store(u + 3);
  }
}

BodyState export_body(const SystemData& system, const double* z, int body) {
  const StateLayout& layout = system.topology.layout;
  const double* y = z + layout.y(body);
  const double* u = z + layout.u(body);
  const EulerParameters& q = system.principal[body];
  const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
  BodyState state;
  (Vector3<double>::load(y) + system.origin).store(state.position.data());
  multiply4(y + 3, conjugate, state.orientation.data());
  Vector3<double>::load(u).store(state.velocity.data());
  (calc_rotation(q.data()) * Vector3<double>::load(u + 3)).store(state.angular_velocity.data());
  return state;
}

}  // namespace trammel
