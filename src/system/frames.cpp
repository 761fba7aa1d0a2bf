// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// θ inside = θ · q, Ω inside = R(q)ᵀ Ω, r inside = r − origin, with q from principal axes to the
// body axes of the model. In the plane q is no rotation.
#include "system/frames.hpp"

#include <algorithm>

#include "system/state.hpp"

namespace trammel {

template <class Space>
void import_state(const SystemIn<Space>& system, const std::vector<BodyState>& bodies, double* z) {
  using V = Vector3<double>;
  const State<Space> inside(system.topology.layout, z);
  for (int b = 0; b < inside.n_bodies(); ++b) {
    const BodyState& state = bodies[b];
    inside.set_position(b, Space::import_linear(V::load(state.position.data()) - system.origin));
    double theta[4];
    multiply4(state.orientation.data(), system.principal[b].data(), theta);
    Space::import_orientation(theta, inside.y(b));
    inside.set_velocity(b, Space::import_linear(V::load(state.velocity.data())));
    const Matrix3<double> Q = calc_rotation(system.principal[b].data());
    inside.set_angular_velocity(
        b, Space::import_angular(transposed_times(Q, V::load(state.angular_velocity.data()))));
  }
}

template <class Space>
Vec3 export_angular(const SystemIn<Space>& system, const Angular<double, Space>& angular,
                    int body) {
  Vec3 result;
  export_body_axes(system, Space::export_angular(angular), body).store(result.data());
  return result;
}

template <class Space>
Vector3<double> export_body_axes(const SystemIn<Space>& system, const Vector3<double>& vector,
                                 int body) {
  if (Space::dimension == 2) return vector;
  return calc_rotation(system.principal[body].data()) * vector;
}

template <class Space>
BodyState export_body(const SystemIn<Space>& system, const double* z, int body) {
  const ConstState<Space> inside(system.topology.layout, z);
  const EulerParameters& q = system.principal[body];
  const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
  BodyState state;
  (Space::export_linear(inside.position(body)) + system.origin).store(state.position.data());
  double theta[4];
  Space::export_orientation(inside.y(body), theta);
  if (Space::dimension == 2) {
    std::copy(theta, theta + 4, state.orientation.begin());
  } else {
    multiply4(theta, conjugate, state.orientation.data());
  }
  Space::export_linear(inside.velocity(body)).store(state.velocity.data());
  state.angular_velocity = export_angular(system, inside.angular_velocity(body), body);
  return state;
}

template void import_state(const SystemIn<Spatial>&, const std::vector<BodyState>&, double*);
template void import_state(const SystemIn<Planar>&, const std::vector<BodyState>&, double*);
template BodyState export_body(const SystemIn<Spatial>&, const double*, int);
template BodyState export_body(const SystemIn<Planar>&, const double*, int);
template Vec3 export_angular(const SystemIn<Spatial>&, const Vector3<double>&, int);
template Vec3 export_angular(const SystemIn<Planar>&, const Vector1<double>&, int);
template Vector3<double> export_body_axes(const SystemIn<Spatial>&, const Vector3<double>&, int);
template Vector3<double> export_body_axes(const SystemIn<Planar>&, const Vector3<double>&, int);

}  // namespace trammel
