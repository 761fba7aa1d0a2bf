// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The coordinates of all joints at a point of a run, with unwrapped (continuous) angles.
//
// A pose gives an angle up to whole revolutions. Their number follows from the last point seen, (t₀, q₀,
// q̇₀):
//
//   q ≈ q₀ + (t − t₀)(q̇₀ + q̇)/2             accurate enough to count revolutions
//
// Points are seen at accepted steps, as often as a body may have rotated by a radian since the last
// one; in the plane β itself is continuous. Where a reference of the state or a driver gives the number
// of revolutions, that is used.
#pragma once

#include <vector>

#include "problem/mechanical_problem.hpp"

namespace trammel {

template <class Space>
class CoordinateTracker {
 public:
  explicit CoordinateTracker(const SystemIn<Space>& system);

  // The first point; ws has the point's positions and velocities, here and below. near: [coordinates] values
  // that tell how often angles have turned; null: those of the model.
  void start(const double* z, const Workspace<double, Space>& ws, double t = 0.0,
             const std::vector<double>* near = nullptr);
  // The end of each accepted step, of size h. true: so much may have turned that it has to be kept.
  bool on_step(double h, const double* z);
  void keep(double t, const double* z, const Workspace<double, Space>& ws);

  // A point within the current step, in the order of time, for calc at points between it and the next;
  // all of them are forgotten at once.
  void note(double t, const double* z, const Workspace<double, Space>& ws);
  void forget_notes() { seen_.resize(1); }

  // Evaluates the coordinates of a point near the last one seen.
  void calc(double t, const double* z, const Workspace<double, Space>& ws);
  const std::vector<double>& value() const { return value_; }  // [coordinates] rad or m
  const std::vector<double>& rate() const { return rate_; }    // [coordinates] rad/s or m/s

 private:
  double calc_fastest(const double* z) const;
  double calc_turn(std::size_t c, const double* z, const Workspace<double, Space>& ws) const;
  struct Seen {
    double t = 0.0;
    std::vector<double> value, rate, turn;  // [coordinates]
  };
  double guess(std::size_t c, double t, const double* z, const Workspace<double, Space>& ws,
               const Seen& seen) const;
  void see(double t, const double* z, const Workspace<double, Space>& ws, Seen& seen) const;

  const SystemIn<Space>& system_;
  std::vector<int> reference_;  // [coordinates] of the state, or −1
  std::vector<int> driver_;     // [coordinates] that gives its value, or −1
  std::vector<double> value_, rate_;
  std::vector<Seen> seen_;  // the last point that was kept, then notes
  double fastest_ = 0.0;    // rad/s, largest |Ω| at the last step
  double turned_ = 0.0;     // rad, bound of any relative turn since the last point seen
};

}  // namespace trammel
