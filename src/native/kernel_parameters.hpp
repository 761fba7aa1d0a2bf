// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel reads of a system, as a copy with any kind of number: constants of a trace, or inputs
// of it where runs differ (native/step_code.hpp).
#pragma once

#include "system/parameters.hpp"

namespace trammel {

// Parameters with what the kernel reads; the rest is empty.
template <class Real, class Space>
struct KernelParameters : Parameters<Real, Space> {
  // make(x): the number of this kind for a number of the system, in the order of the system.
  template <class Make>
  KernelParameters(const Parameters<double, Space>& of, const Make& make) {
    const auto linear = [&](const Linear<double, Space>& v) { return make_vector(v, make); };
    const auto angular = [&](const Angular<double, Space>& v) { return make_vector(v, make); };
    this->gravity = linear(of.gravity);
    for (const auto& b : of.bodies) {
      BodyParameters<Real, Space> body;
      body.mass = make(b.mass);
      body.inverse_mass = make(b.inverse_mass);
      body.inertia = angular(b.inertia);
      body.inverse_inertia = angular(b.inverse_inertia);
      this->bodies.push_back(body);
    }
    const auto make_joint = [&](const JointParameters<double, Space>& j) {
      JointParameters<Real, Space> joint;
      joint.point_i = linear(j.point_i);
      joint.point_j = linear(j.point_j);
      for (int k = 0; k < 2; ++k) {
        joint.vector_i[k] = linear(j.vector_i[k]);
        joint.vector_j[k] = linear(j.vector_j[k]);
        joint.offset[k] = make(j.offset[k]);
      }
      joint.length = make(j.length);
      joint.curve = j.curve;
      return joint;
    };
    for (const auto& j : of.joints) this->joints.push_back(make_joint(j));
    for (const auto& j : of.basics) this->basics.push_back(make_joint(j));
    for (const auto& l : of.loads) {
      ConstantLoad<Real, Space> load;
      load.body = l.body;
      load.point = linear(l.point);
      load.force_W = linear(l.force_W);
      load.torque_W = angular(l.torque_W);
      load.force_B = linear(l.force_B);
      load.torque_B = angular(l.torque_B);
      this->loads.push_back(load);
    }
    for (const auto& s : of.springs) {
      SpringDamperParameters<Real, Space> spring;
      spring.body_i = s.body_i;
      spring.body_j = s.body_j;
      spring.point_i = linear(s.point_i);
      spring.point_j = linear(s.point_j);
      spring.stiffness = make(s.stiffness);
      spring.damping = make(s.damping);
      spring.free_length = make(s.free_length);
      this->springs.push_back(spring);
    }
    for (const auto& d : of.dampers) {
      RotationalDamperParameters<Real, Space> damper;
      damper.body_i = d.body_i;
      damper.body_j = d.body_j;
      damper.axis_j = angular(d.axis_j);
      damper.damping = make(d.damping);
      this->dampers.push_back(damper);
    }
  }

 private:
  template <class Make>
  static Vector3<Real> make_vector(const Vector3<double>& v, const Make& make) {
    const Real x = make(v.x), y = make(v.y), z = make(v.z);
    return {x, y, z};
  }
  template <class Make>
  static Vector2<Real> make_vector(const Vector2<double>& v, const Make& make) {
    const Real x = make(v.x), y = make(v.y);
    return {x, y};
  }
  template <class Make>
  static Vector1<Real> make_vector(const Vector1<double>& v, const Make& make) {
    return {make(v.z)};
  }
};

}  // namespace trammel
