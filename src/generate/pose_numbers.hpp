// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a body's pose (r, R, v, Ω) as inputs of a tape, and the local directions in which they
// change: a displacement δr, a small turn φ with δR = R[φ]×, and changes δv, δΩ of the velocities.
#pragma once

#include <type_traits>
#include <vector>

#include "math/derivatives.hpp"
#include "math/trace.hpp"
#include "space/pose.hpp"

namespace trammel {

// f(number) for the numbers of a rotation; in the plane there are two, R = (c, −s; s, c).
template <class Real, class Function>
void visit_rotation(Matrix3<Real>& R, Function&& f) {
  for (Vector3<Real>& row : R.row) {
    f(row.x);
    f(row.y);
    f(row.z);
  }
}
template <class Real, class Function>
void visit_rotation(Matrix2<Real>& R, Function&& f) {
  f(R.row[0].x);
  f(R.row[1].x);
  R.row[1].y = R.row[0].x;
  R.row[0].y = -R.row[1].x;
}

// f(number) for r, R, v and Ω; ω = R Ω is not among them.
template <class Space, class Real, class Function>
void visit_numbers(Pose<Real, Space>& pose, Function&& f) {
  const auto visit = [&]<class Vector>(Vector& vector, int size) {
    Real numbers[3];
    vector.store(numbers);
    for (int k = 0; k < size; ++k) f(numbers[k]);
    vector = Vector::load(numbers);
  };
  visit(pose.r, Space::dimension);
  visit_rotation(pose.R, f);
  visit(pose.v, Space::dimension);
  visit(pose.Omega, Space::n_angular);
}

// The same numbers to an array; returns its end.
template <class Space>
double* write_numbers(const Pose<double, Space>& pose, double* into) {
  Pose<double, Space> copy = pose;
  visit_numbers<Space>(copy, [&](double& number) { *into++ = number; });
  return into;
}

// δR = R[φ]×, φ = e_k: f(number, k, its tangent)
template <class Function>
void visit_turns(const Matrix3<Traced>& R, Function&& f) {
  for (const Vector3<Traced>& row : R.row) {
    f(row.y, 0, row.z);
    f(row.z, 0, -row.y);
    f(row.z, 1, row.x);
    f(row.x, 1, -row.z);
    f(row.x, 2, row.y);
    f(row.y, 2, -row.x);
  }
}
template <class Function>
void visit_turns(const Matrix2<Traced>& R, Function&& f) {
  f(R.row[0].x, 0, -R.row[1].x);
  f(R.row[1].x, 0, R.row[0].x);
}

// Seeds of a pose whose numbers are inputs: directions q … of (δr, φ), u … of (δv, δΩ). The current trace
// gets their tangents.
template <class Space>
void add_seeds(const Pose<Traced, Space>& pose, int q, int u, std::vector<Seed>& seeds) {
  const int one = Traced(1.0).node;
  const auto add_vector = [&](const auto& vector, int first, int size) {
    Traced numbers[3];
    vector.store(numbers);
    for (int k = 0; k < size; ++k) seeds.push_back({numbers[k].node, first + k, one});
  };
  add_vector(pose.r, q, Space::dimension);
  visit_turns(pose.R, [&](const Traced& number, int k, const Traced& tangent) {
    seeds.push_back({number.node, q + Space::dimension + k, tangent.node});
  });
  add_vector(pose.v, u, Space::dimension);
  add_vector(pose.Omega, u + Space::dimension, Space::n_angular);
}

}  // namespace trammel
