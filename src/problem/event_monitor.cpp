// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "problem/event_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"

namespace trammel {

namespace {

// So many events of one name within this part of the run are no motion any more; nor is one that follows
// another one of its name at once, again and again.
constexpr int most_in_moment = 20, most_at_once = 3;
constexpr double moment = 1e-7, at_once = 1e-10;

constexpr int least_wait = 5, longest_wait = 200;  // steps

}  // namespace

template <class Space>
EventMonitor<Space>::EventMonitor(RunPoint<Space>& point, bool with_corners)
    : point_(point),
      system_(point.system),
      n_events_(static_cast<int>(system_.events.size())),
      n_corners_(with_corners ? system_.corners.size() : 0),
      bursts_(static_cast<std::size_t>(n_events_)),
      corners_(n_corners_),
      values_(system_.parameters.states.size()) {}

template <class Space>
ForceSite<double, Space> EventMonitor<Space>::prepare(double t, const double* z) {
  Workspace<double, Space>& ws = point_.ws;
  point_.poses_are_current = false;
  ws.time = t;
  calc_positions(system_.topology, z, ws);
  calc_velocities(system_.topology, z, ws);
  return prepare_force_site(system_.topology, system_.parameters, ws);
}

template <class Space>
double EventMonitor<Space>::calc_argument(const CornerParameters& corner,
                                          const ForceSite<double, Space>& site) const {
  // the length or angle of the element and its rate are among the numbers that its law reads
  if (corner.list >= 0) {
    visit_list(system_.parameters.forces, corner.list,
               [&](const auto& list) { list[corner.index].add_force(site); });
  }
  return corner.corner.argument.evaluate(std::span<const double>(site.slots));
}

template <class Space>
double& EventMonitor<Space>::branch(double* z, std::size_t corner) const {
  return z[system_.topology.layout.state(system_.corners[corner].branch)];
}

template <class Space>
void EventMonitor<Space>::calc(double t, const double* z, double* g) {
  const ForceSite<double, Space> site = prepare(t, z);
  for (const EventParameters& event : system_.events) {
    *g++ = event.when.evaluate(std::span<const double>(site.slots));
  }
  for (std::size_t k = 0; k < n_corners_; ++k) {
    const CornerParameters& corner = system_.corners[k];
    const auto on = static_cast<int>(z[system_.topology.layout.state(corner.branch)]);
    *g++ = on == 0 ? std::numeric_limits<double>::infinity()
                   : corner.corner.calc_inside(on, calc_argument(corner, site));
  }
}

template <class Space>
bool EventMonitor<Space>::settle(double t, double* z) {
  bool any_free = false;
  for (std::size_t k = 0; k < n_corners_; ++k) {
    if (branch(z, k) != 0.0) continue;
    if (corners_[k].waiting > 0) {
      --corners_[k].waiting;
    } else {
      any_free = true;
    }
  }
  if (!any_free) return false;
  bool any_settled = false;
  const ForceSite<double, Space> site = prepare(t, z);
  for (std::size_t k = 0; k < n_corners_; ++k) {
    if (branch(z, k) != 0.0 || corners_[k].waiting > 0) continue;
    const CornerParameters& corner = system_.corners[k];
    const double x = calc_argument(corner, site);
    if (!std::isfinite(x)) continue;
    branch(z, k) = corner.corner.find_branch(x);
    any_settled |= branch(z, k) != 0.0;
  }
  return any_settled;
}

template <class Space>
bool EventMonitor<Space>::set(int k, double t, double* z) {
  const EventParameters& event = system_.events[static_cast<std::size_t>(k)];
  if (event.set.empty()) return false;
  const ForceSite<double, Space> site = prepare(t, z);
  for (std::size_t i = 0; i < event.set.size(); ++i) {
    values_[i] = event.set[i].value.evaluate(std::span<const double>(site.slots));
  }
  bool any = false;
  for (std::size_t i = 0; i < event.set.size(); ++i) {
    double& x = z[system_.topology.layout.state(event.set[i].state)];
    any |= x != values_[i];
    x = values_[i];
  }
  return any;
}

template <class Space>
bool EventMonitor<Space>::is_too_often(int k, double t) {
  Burst& burst = bursts_[static_cast<std::size_t>(k)];
  const double t_end = point_.options.t_end;
  burst.at_once = burst.count > 0 && t - burst.last <= at_once * t_end ? burst.at_once + 1 : 0;
  burst.last = t;
  if (burst.count == 0 || t - burst.since > moment * t_end) burst.since = t, burst.count = 0;
  return ++burst.count > most_in_moment || burst.at_once >= most_at_once;
}

template <class Space>
void EventMonitor<Space>::cross(int function, double t, double h, double* z) {
  const auto k = static_cast<std::size_t>(function - n_events_);
  const Corner& corner = system_.corners[k].corner;
  CornerState& state = corners_[k];
  const auto on = static_cast<int>(branch(z, k));
  const ForceSite<double, Space> site = prepare(t, z);
  const double x = calc_argument(system_.corners[k], site);
  const bool is_pushed_back = t - state.last <= 1e-6 * h;
  state.pushed_back = is_pushed_back ? state.pushed_back + 1 : 0;
  branch(z, k) = is_pushed_back ? 0 : corner.find_next(on, x);
  if (is_pushed_back) {
    state.waiting = std::min(least_wait << std::min(state.pushed_back, 8), longest_wait);
  }
  state.last = t;
}

template class EventMonitor<Spatial>;
template class EventMonitor<Planar>;

}  // namespace trammel
