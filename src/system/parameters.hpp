// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters: the numbers of a mechanism (masses, points, loads), constant during a run.
// Body frames are the frames of principal axes, so that every inertia is diagonal. Vectors are
// those of the space; without a second argument the types are those of spatial models.
#pragma once

#include <vector>

#include "math/compiled_function.hpp"
#include "math/large_vector.hpp"
#include "math/spline_curve.hpp"
#include "system/force_elements.hpp"
#include "system/space.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct BodyParameters {
  Real mass;                             // kg
  Real inverse_mass;                     // 1/kg
  Angular<Real, Space> inertia;          // kg m², principal
  Angular<Real, Space> inverse_inertia;  // 1/(kg m²)
};

// Points in m and unit vectors, in the frames of body i and body j.
template <class Real, class Space = Spatial>
struct JointParameters {
  Linear<Real, Space> point_i, point_j;
  Linear<Real, Space> vector_i[2];  // a_i, b_i
  Linear<Real, Space> vector_j[2];  // a_j, b_j
  Real offset[2];                   // m, ⟨a_i, χ_i⟩, ⟨b_i, χ_i⟩ of the O rows
  Real length;                      // m, of the D row
  int curve;                        // of the K rows: index into `curves`
};

// A load that does not depend on the state except by turning with the body or not.
template <class Real, class Space = Spatial>
struct ConstantLoad {
  int body;
  Linear<Real, Space> point;      // m, where force_W acts, body frame
  Linear<Real, Space> force_W;    // N, world components
  Angular<Real, Space> torque_W;  // N m, world components
  Linear<Real, Space> force_B;    // N, body components
  Angular<Real, Space> torque_B;  // N m, body components, about the centre of mass
};

template <class Real, class Space = Spatial>
struct SpringDamperParameters {
  int body_i, body_j;
  Linear<Real, Space> point_i, point_j;  // m
  Real stiffness;                        // N/m
  Real damping;                          // N s/m
  Real free_length;                      // m
};

template <class Real, class Space = Spatial>
struct RotationalDamperParameters {
  int body_i, body_j;
  Angular<Real, Space> axis_j;  // unit vector in body j
  Real damping;                 // N m s/rad
};

// The data of a coordinate (coordinate.hpp), in the frames of body i and body j.
template <class Real, class Space = Spatial>
struct CoordinateParameters {
  Linear<Real, Space> vector_i[2], vector_j[2];  // angle: s, s' and t, t'; travel: vector_i[0] = s
  Linear<Real, Space> point_i, point_j;          // m, of a distance; a travel uses point_j
  Real offset;                                   // m, c of a travel
  Real start;                                    // rad or m, at the configuration of the drawing
};

// A constraint on coordinates: factor·(Σ coefficient·q − offset) = 0 (coordinate_rows.hpp).
template <class Real>
struct CoordinateRowParameters {
  Real factor;
  Real offset;  // not used where a driver gives it
};

// The numbers that the kernel reads, as plain pointers (src/kernel).
template <class Real, class Space>
struct ParameterArrays {
  Linear<Real, Space> gravity;
  const BodyParameters<Real, Space>* bodies;
  const JointParameters<Real, Space>* joints;
  const JointParameters<Real, Space>* basics;
  const ConstantLoad<Real, Space>* loads;
  int n_loads;
  const SpringDamperParameters<Real, Space>* springs;
  int n_springs;
  const RotationalDamperParameters<Real, Space>* dampers;
  int n_dampers;
};

template <class Real, class Space = Spatial>
struct Parameters {
  Linear<Real, Space> gravity;                       // m/s²
  LargeVector<BodyParameters<Real, Space>> bodies;   // [bodies + 1], ground: all inverses 0
  LargeVector<JointParameters<Real, Space>> joints;  // [joints]
  std::vector<JointParameters<Real, Space>> basics;  // [topology.basics], of generic joints
  std::vector<SplineCurve> curves;                   // in the frames of the bodies i
  std::vector<ConstantLoad<Real, Space>> loads;
  std::vector<SpringDamperParameters<Real, Space>> springs;
  std::vector<RotationalDamperParameters<Real, Space>> dampers;
  std::vector<CoordinateParameters<Real, Space>> coordinates;    // [coordinates]
  std::vector<CoordinateRowParameters<Real>> coordinate_rows;    // [coordinate rows]
  std::vector<Real> coefficients;                                // [terms]
  std::vector<CompiledFunction> drivers;                         // [drivers] of t
  ForceElements<Real, Space> elements;

  ParameterArrays<Real, Space> arrays() const {
    return {gravity,
            bodies.data(),
            joints.data(),
            basics.data(),
            loads.data(),
            static_cast<int>(loads.size()),
            springs.data(),
            static_cast<int>(springs.size()),
            dampers.data(),
            static_cast<int>(dampers.size())};
  }
};

}  // namespace trammel
