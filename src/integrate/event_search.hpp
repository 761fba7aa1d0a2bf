// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where functions g of the state change their sign within steps. A change is located in two stages:
//
//   1. on the dense output of an attempt that could be accepted: signs at points within the step, lowest
//      points between them, then the root (Illinois method);
//   2. by attempts that end there, each corrected by −g/ġ until the correction is rounding: the state at the
//      event is the end of a step, on the manifold and as precise as any other.
//
// Each function has a side, the sign it had last. Zero belongs to neither: a function that starts at zero has
// the side to which it moves first, and one that has just changed its sign has the new one, whatever rounding
// has left of it. Knows no mechanics; allocates at the start only.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace trammel {

struct EventFunction {
  int direction = 0;       // +1 rising, −1 falling, 0 either
  bool is_precise = true;  // located to rounding; else by one attempt, as a corner of a law
};

class EventSearch {
 public:
  // What becomes of an attempt.
  enum class Verdict {
    take,      // no event in it, or those of fired() at its end
    retry,     // another one has to end at target()
    at_start,  // those of fired() are at its start: no step is made
  };

  void start(std::vector<EventFunction> functions, double resolution, double t_end) {
    functions_ = std::move(functions);
    resolution_ = resolution;
    spacing_ = 8.0 * std::numeric_limits<double>::epsilon() * t_end;
    const std::size_t n = functions_.size();
    for (auto* list : {&side_, &end_side_, &point_side_, &is_at_zero_, &has_fired_})
      list->assign(n, 0);
    for (auto* list : {&g0_, &slope0_, &band_, &low_, &middle_, &high_, &scratch_}) {
      list->assign(n, 0.0);
    }
    fired_.reserve(n);
    changed_.reserve(2 * n);
    target_ = {};
  }
  bool is_empty() const { return functions_.empty(); }
  std::size_t count() const { return functions_.size(); }

  // g and ġ where the next step starts. A function that is zero there, or has just had its event, goes where
  // its slope says.
  void set_start(const double* g, const double* slope) {
    std::copy(g, g + count(), g0_.begin());
    std::copy(slope, slope + count(), slope0_.begin());
    for (std::size_t k = 0; k < count(); ++k) {
      if (side_[k] == 0) side_[k] = sign(g[k]);
      const bool follows_slope = side_[k] == 0 || (has_fired_[k] != 0 && band_[k] > 0.0);
      if (follows_slope && functions_[k].is_precise && std::abs(slope[k]) > 0.0) {
        side_[k] = sign(slope[k]);
      }
    }
  }
  // The state has jumped to one with these g. True: some have changed their sign by that, fired() has them.
  bool find_jumped(const double* g) {
    fired_.clear();
    for (std::size_t k = 0; k < count(); ++k) {
      if (std::abs(g[k]) <= band_[k]) continue;
      if (is_event(k, side_[k], g[k])) fired_.push_back(static_cast<int>(k));
      if (sign(g[k]) != 0) side_[k] = sign(g[k]);
      band_[k] = 0.0;
      has_fired_[k] = 0;
    }
    return !fired_.empty();
  }
  // Function k is another one from here on, of side +1: the corner has a new branch, or, at ∞, none.
  void renew(std::size_t k) {
    side_[k] = 1;
    band_[k] = std::isinf(g0_[k]) ? 0.0 : 2.0 * std::abs(g0_[k]);
  }

  bool has_target() const { return target_.event >= 0; }
  double target() const { return target_.t; }
  void drop_target() { target_ = {}; }
  const std::vector<int>& fired() const { return fired_; }
  void clear_fired() { fired_.clear(); }

  // Corners among the functions that have fired since the last call of forget_changed.
  const std::vector<int>& changed() const { return changed_; }
  void forget_changed() { changed_.clear(); }
  void note_changed() {
    for (const int k : fired_) {
      if (!functions_[static_cast<std::size_t>(k)].is_precise) changed_.push_back(k);
    }
  }

  // Is it certain that nothing changes its sign within a step of size h, without a look at points in it?
  // Bézier points of the cubic through both ends and slopes tell.
  bool is_quiet(double h, const double* g1, const double* slope1) const {
    if (h > resolution_ && has_precise()) return false;
    for (std::size_t k = 0; k < count(); ++k) {
      if (std::isinf(g1[k])) continue;
      const double s = side_[k];
      if (s == 0.0) return false;
      const double a = s * g0_[k], d = s * g1[k];
      const double b = a + s * h / 3.0 * slope0_[k], c = d - s * h / 3.0 * slope1[k];
      const bool is_at_zero = band_[k] > 0.0;
      const double least = is_at_zero ? std::min({b, c, d}) : std::min({a, b, c, d});
      const double most = std::max({a, b, c, d});
      constexpr double margin = 0.25;  // for what a cubic misses
      if (!(least > margin * (most - std::min(least, a)))) return false;
    }
    return true;
  }
  void accept_quietly(const double* g1) {
    fired_.clear();
    target_ = {};
    for (std::size_t k = 0; k < count(); ++k) end_side_[k] = side_[k];
    finish(g1);
  }

  // The attempt from t to t_end, g1 at its end; calc(t, g) within it, by dense output.
  template <class Calc>
  Verdict judge(double t, double t_end, const double* g1, const Calc& calc) {
    fired_.clear();
    if (has_target() && t_end == target_.t) return judge_target(t, t_end, g1, calc);
    target_ = {};
    tries_ = 0;
    const Root first = find_first(t, t_end, g1, calc);
    if (first.event < 0) {
      end_side_ = point_side_;
      finish(g1);
      return Verdict::take;
    }
    if (first.t - t <= spacing_) {
      fire_at_start(static_cast<std::size_t>(first.event), t_end - t);
      return Verdict::at_start;
    }
    target_ = first;
    if (first.t >= t_end) return judge_target(t, t_end, g1, calc);
    return Verdict::retry;
  }

 private:
  struct Root {
    double t = std::numeric_limits<double>::infinity();
    double slope = 0.0;  // ġ there
    int event = -1;      // −1: none
  };
  static constexpr int most_tries = 8, n_points = 8;

  static int sign(double x) { return (x > 0.0) - (x < 0.0); }
  bool has_precise() const {
    return std::any_of(functions_.begin(), functions_.end(),
                       [](const EventFunction& f) { return f.is_precise; });
  }
  // Does g lie on the other side, and does this change count?
  bool has_changed(std::size_t k, int side, double g) const {
    return side != 0 && sign(g) == -side && std::abs(g) > band_[k];
  }
  bool is_event(std::size_t k, int side, double g) const {
    const int direction = functions_[k].direction;
    return has_changed(k, side, g) && (direction == 0 || direction == -side);
  }

  void set_at_zero(std::size_t k, double g) {
    band_[k] = std::max(2.0 * std::abs(g), std::numeric_limits<double>::min());
  }

  void fire_at_start(std::size_t k, double h) {
    fired_.push_back(static_cast<int>(k));
    side_[k] = -side_[k];
    const bool is_jump = std::abs(g0_[k]) > 1e-4 * h * std::abs(slope0_[k]);
    if (!is_jump) set_at_zero(k, g0_[k]);
    std::fill(has_fired_.begin(), has_fired_.end(), 0);
    has_fired_[k] = 1;
  }

  // The step is taken: what its end is for the next one. Functions that are at zero there have changed their
  // side, whatever rounding says.
  void finish(const double* g1) {
    for (std::size_t k = 0; k < count(); ++k) {
      has_fired_[k] = 0;
      if (is_at_zero_[k] != 0) {
        end_side_[k] = -side_[k];
        set_at_zero(k, g1[k]);
      } else if (std::abs(g1[k]) > band_[k]) {
        band_[k] = 0.0;
        if (sign(g1[k]) != 0) end_side_[k] = sign(g1[k]);
      }
      is_at_zero_[k] = 0;
    }
    for (const int k : fired_) has_fired_[k] = 1;
    side_ = end_side_;
    target_ = {};
  }

  // An attempt that was made to end at target_.
  template <class Calc>
  Verdict judge_target(double t, double t_end, const double* g1, const Calc& calc) {
    // slopes of all functions at the end
    const double d = 1e-3 * (t_end - t);
    calc(t_end - d, low_.data());
    const double tolerance = spacing_ + 1e-13 * (t_end - t);
    ++tries_;
    const auto k = static_cast<std::size_t>(target_.event);
    const double slope = (g1[k] - low_[k]) / d;
    double shift = slope != 0.0 ? -g1[k] / slope : 0.0;
    // a correction that is not small compared with d is that of a jump: the root is right as it is
    const bool is_near = std::abs(shift) <= tolerance || !(std::abs(shift) < 0.1 * d);
    const bool is_settled = tries_ > 1 && std::abs(shift) > 0.5 * last_shift_;
    last_shift_ = std::abs(shift);
    // another one that comes clearly before it
    Root before = {t_end - 1e-6 * (t_end - t), 0.0, -1};
    for (std::size_t j = 0; j < count(); ++j) {
      if (j == k || !is_event(j, side_[j], g1[j]) || !functions_[j].is_precise) continue;
      const double own = (g1[j] - low_[j]) / d;
      const double at = own != 0.0 ? t_end - g1[j] / own : t_end;
      if (at < t_end - tolerance && at > t + tolerance && tries_ < most_tries) {
        if (before.event < 0 || at < before.t) before = {at, own, static_cast<int>(j)};
      }
    }
    if (before.event >= 0) {
      target_ = before;
      return Verdict::retry;
    }
    if (functions_[k].is_precise && !is_near && !is_settled && tries_ < most_tries) {
      target_.t = t_end + shift;
      if (target_.t != t_end) return Verdict::retry;
    }
    // all that happen now, in the order of the functions
    for (std::size_t j = 0; j < count(); ++j) {
      const double own = (g1[j] - low_[j]) / d;
      const bool is_reached = side_[j] * own < 0.0 && std::abs(g1[j]) <= std::abs(own) * tolerance;
      const bool counts = functions_[j].direction == 0 || functions_[j].direction == -side_[j];
      const bool is_small = std::abs(g1[j]) <= 0.1 * d * std::abs(own);
      is_at_zero_[j] = is_reached || (j == k && is_small);
      if (j == k || is_event(j, side_[j], g1[j]) || (is_reached && counts)) {
        fired_.push_back(static_cast<int>(j));
        is_at_zero_[j] = is_small;
      }
    }
    end_side_ = side_;
    finish(g1);
    return Verdict::take;
  }

  // ---- the first event in (t, t_end]

  template <class Calc>
  Root find_first(double t, double t_end, const double* g1, const Calc& calc) {
    const double h = t_end - t;
    point_side_ = side_;
    low_ = g0_;
    double from = t;
    bool has_middle = false;
    double middle_t = t;
    const auto visit = [&](double to, bool is_end) {
      if (is_end) {
        std::copy(g1, g1 + count(), high_.begin());
      } else {
        calc(to, high_.data());
      }
      Root first = find_crossing(from, to, calc);
      if (has_middle) {
        const Root dip = find_dip(middle_t, from, to, calc);
        if (dip.t < first.t) first = dip;
      }
      for (std::size_t k = 0; k < count(); ++k) {
        if (sign(high_[k]) != 0 && std::abs(high_[k]) > band_[k]) point_side_[k] = sign(high_[k]);
      }
      middle_t = from;
      std::swap(middle_, low_);
      std::swap(low_, high_);
      from = to;
      has_middle = true;
      return first;
    };
    const auto wanted = has_precise() ? std::ceil(h / resolution_) : 1.0;
    const auto n = static_cast<std::int64_t>(std::max<double>(n_points, wanted));
    const double near_end = std::min(1e-2, 0.5 / static_cast<double>(n));
    // soon after an event functions are near zero: points closer and closer to the start
    if (std::any_of(band_.begin(), band_.end(), [](double b) { return b > 0.0; })) {
      for (double part = 1e-8; part < near_end; part *= 10.0) {
        if (const Root found = visit(t + part * h, false); found.event >= 0) return found;
      }
    }
    if (const Root found = visit(t + near_end * h, false); found.event >= 0) return found;
    for (std::int64_t i = 1; i < n; ++i) {
      const double to = t + h * (static_cast<double>(i) / static_cast<double>(n));
      if (const Root found = visit(to, false); found.event >= 0) return found;
    }
    if (const Root found = visit(t_end - near_end * h, false); found.event >= 0) return found;
    return visit(t_end, true);
  }

  // Between two points, where a function has changed its sign.
  template <class Calc>
  Root find_crossing(double from, double to, const Calc& calc) {
    Root first;
    for (std::size_t k = 0; k < count(); ++k) {
      if (!is_event(k, point_side_[k], high_[k])) continue;
      const Root root = find_root(k, from, to, low_[k], high_[k], calc);
      if (root.t < first.t) first = root;
    }
    return first;
  }

  // Among three points: functions nearest to zero at the middle one may change their sign twice around it.
  // The lowest point of the parabola through the three is tried, and once more around that.
  template <class Calc>
  Root find_dip(double a, double b, double c, const Calc& calc) {
    Root first;
    for (std::size_t k = 0; k < count(); ++k) {
      const double s = point_side_[k];
      double f[3] = {s * middle_[k], s * low_[k], s * high_[k]}, x[3] = {a, b, c};
      if (s == 0.0 || !(f[1] <= f[0] && f[1] <= f[2]) || !(f[1] > 0.0)) continue;
      for (int i = 0; i < 3; ++i) {
        const double p = (f[1] - f[0]) / (x[1] - x[0]), q = (f[2] - f[1]) / (x[2] - x[1]);
        const double curvature = (q - p) / (x[2] - x[0]);
        const double at = curvature > 0.0 ? 0.5 * (x[0] + x[1]) - 0.5 * p / curvature : x[1];
        const double lowest = f[1] - curvature * (at - x[1]) * (at - x[1]);
        if (!(at > x[0] && at < x[2]) || at == x[1] || lowest > 0.5 * f[1]) break;
        calc(at, scratch_.data());
        const double value = scratch_[k];
        if (is_event(k, static_cast<int>(s), value)) {
          const Root root = find_root(k, x[0], at, s * f[0], value, calc);
          if (root.t < first.t) first = root;
          break;
        }
        const int i_new = at < x[1] ? 0 : 2;
        if (s * value < f[1]) {  // the new point is the middle one
          x[i_new == 0 ? 2 : 0] = x[1], f[i_new == 0 ? 2 : 0] = f[1];
          x[1] = at, f[1] = s * value;
        } else {
          x[i_new] = at, f[i_new] = s * value;
        }
      }
    }
    return first;
  }

  // The root of g_k in (from, to], where its sign changes: regula falsi in which the value at an end that
  // stays is halved (Illinois), down to neighbouring numbers.
  template <class Calc>
  Root find_root(std::size_t k, double from, double to, double g_from, double g_to,
                 const Calc& calc) {
    const auto value = [&](double at) {
      calc(at, scratch_.data());
      return scratch_[k];
    };
    const int side = -sign(g_to);
    double a = from, b = to, g_a = g_from, g_b = g_to;
    // at the very start of a step g may be rounding, on either side
    if (sign(g_a) != side) g_a = side * std::numeric_limits<double>::min();
    int last = 0;
    for (int i = 0; i < 200; ++i) {
      if (b - a <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(b) || g_b == 0.0) break;
      double c = b - g_b * (b - a) / (g_b - g_a);
      if (!(c > a && c < b) || i > 40) c = 0.5 * (a + b);
      const double g_c = value(c);
      if (sign(g_c) == side) {
        a = c, g_a = g_c;
        if (last == -1) g_b *= 0.5;
        last = -1;
      } else {
        b = c, g_b = g_c;
        if (last == +1) g_a *= 0.5;
        last = +1;
      }
    }
    return {b, 0.0, static_cast<int>(k)};
  }

  std::vector<EventFunction> functions_;
  double resolution_ = 0.0, spacing_ = 0.0;
  std::vector<int> side_;                    // at the start of the step: −1, +1, 0: not known
  std::vector<int> end_side_;                // at its end
  std::vector<int> point_side_;              // at a point within it
  std::vector<int> is_at_zero_, has_fired_;  // at the end of a step; at the start of this one
  std::vector<double> g0_, slope0_;          // at the start of the step
  std::vector<double> band_;  // |g| up to this is rounding or left over from the event at the start
  std::vector<double> low_, middle_, high_, scratch_;
  std::vector<int> fired_, changed_;
  Root target_;
  int tries_ = 0;
  double last_shift_ = 0.0;
};

}  // namespace trammel
