// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The events of a model and the corners of its laws as functions of the state, whose changes of sign the
// integrator looks for (integrate/event_search.hpp):
//
//   g_k = when(t, z)                   of event k
//   g   = how far inside of its branch a law is; the branch, a number of z, is constant within steps
//
// A corner at which both branches lead back to it (dry friction at rest) has no branch that could hold: for
// some steps its law is as it stands, with branch 0.
#pragma once

#include <vector>

#include "problem/run_point.hpp"

namespace trammel {

template <class Space>
class EventMonitor {
 public:
  EventMonitor(RunPoint<Space>& point, bool with_corners);

  int n_events() const { return n_events_; }  // functions 0 … n_events() − 1; corners follow
  int n_corners() const { return static_cast<int>(n_corners_); }
  void calc(double t, const double* z, double* g);

  // Corners without a branch get that of z where they may; true: one has got it.
  bool settle(double t, double* z);

  // Event k happens: the new values of its states into z; true: one is another value.
  bool set(int k, double t, double* z);
  // More events of this name within a moment than a motion can have?
  bool is_too_often(int k, double t);
  // The corner of this function is crossed at the end of a step of size h.
  void cross(int function, double t, double h, double* z);

 private:
  struct Burst {
    double since = 0.0, last = 0.0;  // s
    int count = 0;                   // since `since`
    int at_once = 0;                 // right after one another
  };
  struct CornerState {
    double last = -1.0;   // s, when it was crossed
    int pushed_back = 0;  // times in a row, at once
    int waiting = 0;      // steps until it may have a branch again
  };

  ForceSite<double, Space> prepare(double t, const double* z);
  double calc_argument(const CornerParameters& corner, const ForceSite<double, Space>& site) const;
  double& branch(double* z, std::size_t corner) const;

  RunPoint<Space>& point_;
  const SystemIn<Space>& system_;
  int n_events_;
  std::size_t n_corners_;
  std::vector<Burst> bursts_;         // [events]
  std::vector<CornerState> corners_;  // [corners]
  std::vector<double> values_;        // of an event that sets states
};

}  // namespace trammel
