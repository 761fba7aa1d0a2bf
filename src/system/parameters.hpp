// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters: the numbers of a mechanism (masses, points, loads), constant during a run.
// Body frames are the frames of principal axes, so that every inertia is diagonal.
#pragma once

#include <vector>

#include "math/vector3.hpp"

namespace trammel {

template <class Real>
struct BodyParameters {
  Real mass;                      // kg
  Real inverse_mass;              // 1/kg
  Vector3<Real> inertia;          // kg m², principal
  Vector3<Real> inverse_inertia;  // 1/(kg m²)
};

// Points in m and unit vectors, in the frames of body i and body j.
template <class Real>
struct JointParameters {
  Vector3<Real> point_i, point_j;
  Vector3<Real> vector_i[2];  // a_i, b_i
  Vector3<Real> vector_j[2];  // a_j, b_j
  Real offset[2];             // m, ⟨a_i, χ_i⟩, ⟨b_i, χ_i⟩ of the O rows
};

// A load that does not depend on the state except by turning with the body or not.
template <class Real>
struct ConstantLoad {
  int body;
  Vector3<Real> point;     // m, where force_W acts, body frame
  Vector3<Real> force_W;   // N, world components
  Vector3<Real> torque_W;  // N m, world components
  Vector3<Real> force_B;   // N, body components
  Vector3<Real> torque_B;  // N m, body components, about the centre of mass
};

template <class Real>
struct SpringDamperParameters {
  int body_i, body_j;
  Vector3<Real> point_i, point_j;  // m
  Real stiffness;                  // N/m
  Real damping;                    // N s/m
  Real free_length;                // m
};

template <class Real>
struct RotationalDamperParameters {
  int body_i, body_j;
  Vector3<Real> axis_j;  // unit vector in body j
  Real damping;          // N m s/rad
};

template <class Real>
struct Parameters {
  Vector3<Real> gravity;                                    // m/s²
  std::vector<BodyParameters<Real>> bodies;                 // [bodies + 1], ground: all inverses 0
  std::vector<JointParameters<Real>> joints;                // [joints]
  std::vector<ConstantLoad<Real>> loads;
  std::vector<SpringDamperParameters<Real>> springs;
  std::vector<RotationalDamperParameters<Real>> dampers;
};

}  // namespace trammel
