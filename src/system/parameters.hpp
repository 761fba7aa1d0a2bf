// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters: the numbers of a mechanism (masses, points, loads), constant during a run.
// Body frames are the frames of principal axes, so that every inertia is diagonal. Vectors are
// those of the space; without a second argument the types are those of spatial models.
#pragma once

#include <memory>
#include <vector>

#include "elements/coordinate.hpp"
#include "elements/forces/forces.hpp"
#include "math/compiled_function.hpp"
#include "math/large_vector.hpp"
#include "math/spline_curve.hpp"
#include "space/space.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct BodyParameters {
  Real mass;                             // kg
  Real inverse_mass;                     // 1/kg
  Angular<Real, Space> inertia;          // kg m², principal
  Angular<Real, Space> inverse_inertia;  // 1/(kg m²)

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.mass, self.inverse_mass, self.inertia, self.inverse_inertia);
  }
};

// Points in m and unit vectors, in the frames of body i and body j.
template <class Real, class Space = Spatial>
struct JointParameters {
  Linear<Real, Space> point_i, point_j;
  Linear<Real, Space> vector_i[2];  // a_i, b_i
  Linear<Real, Space> vector_j[2];  // a_j, b_j
  Real offset[2];  // m, ⟨a_i, χ_i⟩ plus that of the joint, ⟨b_i, χ_i⟩; O rows
  Real length;     // m, of the D, R or X row; the cosine of the A row
  int curve;       // of the K rows: index into `curves`

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.point_i, self.point_j, self.vector_i, self.vector_j, self.offset,
                    self.length, self.curve);
  }
};

// A constraint on coordinates: factor·(Σ coefficient·q − offset) = 0 (coordinate_rows.hpp).
template <class Real>
struct CoordinateRowParameters {
  Real factor;
  Real offset;  // not used where a driver gives it

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.factor, self.offset);
  }
};

// A state of the model: ẋ as a formula. One that is held has the rate 0 within steps: it is sampled, and
// takes the value of the formula every period, or only events and corners change it.
template <class Real>
struct StateParameters {
  StateFunction rate;
  Real scale;  // times atol: the absolute tolerance
  int is_held;
  double period;  // s; 0: not sampled

  bool is_sampled() const { return period > 0.0; }

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.rate, self.scale, self.is_held);
  }
};

// The numbers that the kernel reads, as plain pointers (src/evaluate).
template <class Real, class Space>
struct ParameterArrays {
  Linear<Real, Space> gravity;
  const BodyParameters<Real, Space>* bodies;
  const JointParameters<Real, Space>* joints;
  const JointParameters<Real, Space>* basic_constraints;
};

template <class Real, class Space = Spatial>
struct Parameters {
  Linear<Real, Space> gravity;                       // m/s²
  LargeVector<BodyParameters<Real, Space>> bodies;   // [bodies + 1], ground: all inverses 0
  LargeVector<JointParameters<Real, Space>> joints;  // [joints]
  std::vector<JointParameters<Real, Space>>
      basic_constraints;  // [topology.basic_constraints], of generic joints
  std::vector<std::shared_ptr<const SplineCurve>> curves;      // in the frames of the bodies i
  std::vector<CoordinateParameters<Real, Space>> coordinates;  // [coordinates]
  std::vector<CoordinateRowParameters<Real>> coordinate_rows;  // [coordinate rows]
  std::vector<Real> coefficients;                              // [terms]
  std::vector<CompiledFunction> drivers;                       // [drivers] of t
  std::vector<std::shared_ptr<const CompiledFunction>> term_functions;  // of terms f(q)
  std::vector<Signal<Real, Space>> signals;  // what formulas read, slots from first_signal_slot on
  Forces<Real, Space> forces;
  std::vector<StateParameters<Real>> states;  // those of the model, then the branches of corners

  // Nothing but the weight acts, and nothing but the motion is integrated.
  bool is_free() const { return forces.empty() && states.empty(); }

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.gravity, self.bodies, self.joints, self.basic_constraints, self.curves,
                    self.coordinates, self.coordinate_rows, self.coefficients, self.drivers,
                    self.term_functions, self.signals, self.forces, self.states);
  }
  ParameterArrays<Real, Space> arrays() const {
    return {gravity, bodies.data(), joints.data(), basic_constraints.data()};
  }
};

}  // namespace trammel
