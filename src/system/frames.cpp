// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// θ inside = θ · q, Ω inside = R(q)ᵀ Ω, with q from principal axes to the body axes of the model (in the
// plane q is no rotation); r inside = r + R(θ) c − origin, v inside = v + R(θ)(Ω × c), with c the centre of
// mass in the body frame of the model.
#include "system/frames.hpp"

#include <algorithm>

#include "system/state.hpp"

namespace trammel {

namespace {

using V = Vector3<double>;

// Of the centre of mass against the origin of the body's frame: R c and R (Ω × c).
struct Lever {
  V position, velocity;
};

Lever calc_lever(const SystemData& system, const BodyState& state, int body) {
  const V c = V::load(system.com[body].data());
  const Matrix3<double> R = calc_rotation(state.orientation.data());
  return {R * c, R * cross(V::load(state.angular_velocity.data()), c)};
}

void add(const V& v, double factor, Vec3& to) {
  to = {to[0] + factor * v.x, to[1] + factor * v.y, to[2] + factor * v.z};
}

}  // namespace

template <class Space>
void import_state(const SystemIn<Space>& system, const std::vector<BodyState>& bodies, double* z) {
  const State<Space> inside(system.topology.layout, z);
  for (int b = 0; b < inside.n_bodies(); ++b) {
    BodyState state = bodies[b];
    if (!system.com.empty()) {
      const Lever lever = calc_lever(system, state, b);
      add(lever.position, 1.0, state.position);
      add(lever.velocity, 1.0, state.velocity);
    }
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
  if (!system.com.empty()) {
    const Lever lever = calc_lever(system, state, body);
    add(lever.position, -1.0, state.position);
    add(lever.velocity, -1.0, state.velocity);
  }
  return state;
}

// v̇ − R (Ω̇ × c + Ω × (Ω × c))
template <class Space>
UserAcceleration export_acceleration(const SystemIn<Space>& system, const Twist<double, Space>& u1,
                                     const double* z, int body) {
  UserAcceleration result;
  Space::export_linear(u1.linear).store(result.linear.data());
  result.angular = export_angular(system, u1.angular, body);
  if (system.com.empty()) return result;
  const BodyState state = export_body(system, z, body);
  const V c = V::load(system.com[body].data()), Omega = V::load(state.angular_velocity.data());
  const V a = cross(V::load(result.angular.data()), c) + cross(Omega, cross(Omega, c));
  add(calc_rotation(state.orientation.data()) * a, -1.0, result.linear);
  return result;
}

template void import_state(const SystemIn<Spatial>&, const std::vector<BodyState>&, double*);
template void import_state(const SystemIn<Planar>&, const std::vector<BodyState>&, double*);
template BodyState export_body(const SystemIn<Spatial>&, const double*, int);
template BodyState export_body(const SystemIn<Planar>&, const double*, int);
template UserAcceleration export_acceleration(const SystemIn<Spatial>&,
                                              const Twist<double, Spatial>&, const double*, int);
template UserAcceleration export_acceleration(const SystemIn<Planar>&, const Twist<double, Planar>&,
                                              const double*, int);
template Vec3 export_angular(const SystemIn<Spatial>&, const Vector3<double>&, int);
template Vec3 export_angular(const SystemIn<Planar>&, const Vector1<double>&, int);
template Vector3<double> export_body_axes(const SystemIn<Spatial>&, const Vector3<double>&, int);
template Vector3<double> export_body_axes(const SystemIn<Planar>&, const Vector3<double>&, int);

}  // namespace trammel
