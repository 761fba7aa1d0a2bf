// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the bodies should be: positions and velocities on a fine even grid, by cubic Hermite
// interpolation at any time between (error h⁴/384 |r⁗|; a line that
// flattens at its own steps but not on the grid would show an interval that is too long).
#pragma once

#include <functional>
#include <trammel/trammel.hpp>
#include <vector>

namespace trammel::bench {

class ReferenceMotion {
 public:
  // positions, velocities: [points × bodies × 3], the first point at t = 0
  ReferenceMotion(double interval, int bodies, std::vector<double> positions,
                  std::vector<double> velocities);

  int bodies() const { return bodies_; }

  // The largest distance of a body from where it should be at t. position(b): its centre of mass,
  // m.
  double calc_error(double t, const std::function<Vec3(int)>& position) const;

 private:
  double interval_;
  int bodies_;
  std::size_t points_;
  std::vector<double> positions_, velocities_;
};

// From a run of our own at tolerance 1e-13, without holding the energy: no method of the bench,
// since it may share no error with those that are measured beyond the formulation.
ReferenceMotion make_own_reference(const System& system, double t_end, double interval);

}  // namespace trammel::bench
