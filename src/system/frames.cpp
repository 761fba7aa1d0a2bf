// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// θ inside = θ · q, Ω inside = R(q)ᵀ Ω, r inside = r − origin, with q from principal axes to the
// body axes of the model. In the plane q is no rotation.
#include "system/frames.hpp"

namespace trammel {

template <class Space>
void import_state(const SystemIn<Space>& system, const std::vector<BodyState>& bodies, double* z) {
  using V = Vector3<double>;
  const StateLayout& layout = system.topology.layout;
  for (int b = 0; b < layout.n_bodies; ++b) {
    const BodyState& state = bodies[b];
    double* y = z + layout.y(b);
    double* u = z + layout.u(b);
    Space::import_linear(V::load(state.position.data()) - system.origin).store(y);
    double theta[4];
    multiply4(state.orientation.data(), system.principal[b].data(), theta);
    Space::import_orientation(theta, y);
    Space::import_linear(V::load(state.velocity.data())).store(u);
    const Matrix3<double> Q = calc_rotation(system.principal[b].data());
    Space::import_angular(transposed_times(Q, V::load(state.angular_velocity.data())))
        .store(u + Space::dimension);
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
  return calc_rotation(system.principal[body].data()) * vector;
}

template <class Space>
BodyState export_body(const SystemIn<Space>& system, const double* z, int body) {
  const StateLayout& layout = system.topology.layout;
  const double* y = z + layout.y(body);
  const double* u = z + layout.u(body);
  const EulerParameters& q = system.principal[body];
  const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
  BodyState state;
  (Space::export_linear(Linear<double, Space>::load(y)) + system.origin)
      .store(state.position.data());
  double theta[4];
  Space::export_orientation(y, theta);
  multiply4(theta, conjugate, state.orientation.data());
  Space::export_linear(Linear<double, Space>::load(u)).store(state.velocity.data());
  state.angular_velocity =
      export_angular(system, Angular<double, Space>::load(u + Space::dimension), body);
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
