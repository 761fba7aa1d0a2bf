// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Gravitation between a point χ_i of body i (of the ground: a fixed centre) and the centre of mass
// of body j: Newton's law.
//
//   d = r_j − x_i,   F = −k d/|d|³ on body j at r_j, its opposite on body i at x_i
//   U = −k/|d|,      k = μ m_j,  μ the gravitational parameter of body i
#pragma once

#include <cmath>

#include "system/force_elements.hpp"
#include "system/pose.hpp"

namespace trammel {

// d = r_j − x_i and 1/|d|
template <class Real, class Space>
struct AttractionGeometry {
  Linear<Real, Space> d;
  Real inverse;
};

template <class Real, class Space>
inline AttractionGeometry<Real, Space> calc_attraction_geometry(
    const AttractionParameters<Real, Space>& at, const Pose<Real, Space>& i,
    const Pose<Real, Space>& j) {
  using std::sqrt;
  const Linear<Real, Space> d = j.r - (i.r + i.R * at.point_i);
  return {d, Real(1) / sqrt(dot(d, d))};
}

// Adds sign·F to the forces of both bodies: 1 for the force, −1 for the gradient of U.
template <class Real, class Space>
inline void add_attraction(const AttractionParameters<Real, Space>& at, const Pose<Real, Space>& i,
                           const Pose<Real, Space>& j, Real sign, Linear<Real, Space>* force_W,
                           Angular<Real, Space>* torque_B) {
  const AttractionGeometry<Real, Space> geometry = calc_attraction_geometry(at, i, j);
  const Real inverse = geometry.inverse;
  const Linear<Real, Space> pull = (sign * at.strength * inverse * inverse * inverse) * geometry.d;
  force_W[at.body_j] -= pull;
  force_W[at.body_i] += pull;
  torque_B[at.body_i] += cross(at.point_i, transposed_times(i.R, pull));
}

template <class Real, class Space>
inline Real calc_attraction_energy(const AttractionParameters<Real, Space>& at,
                                   const Pose<Real, Space>& i, const Pose<Real, Space>& j) {
  return -at.strength * calc_attraction_geometry(at, i, j).inverse;
}

}  // namespace trammel
