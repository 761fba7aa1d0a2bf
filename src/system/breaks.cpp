// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "system/breaks.hpp"

#include <algorithm>
#include <cstdint>

namespace trammel {

namespace {

class BreakList {
 public:
  explicit BreakList(double t_end) : t_end_(t_end) {}

  void add(const Spline* of_time) {
    if (of_time != nullptr) of_time->add_breaks(t_end_, most_breaks, times_);
  }
  void add(const Expression* expression) {
    if (expression != nullptr) expression->add_breaks(time_slot, t_end_, most_breaks, times_);
  }
  template <class Function>
  void add_function(const Function& function) {
    add(function.spline());
    add(function.expression());
  }
  // Times at which a state is sampled.
  void add_samples(double period) {
    for (std::int64_t k = 1; times_.size() < most_breaks; ++k) {
      const double t = static_cast<double>(k) * period;
      if (!(t < t_end_)) return;
      times_.push_back(t);
    }
  }
  // Two that are closer than a step could be count as one.
  std::vector<double> take() {
    const double apart = 1e-12 * t_end_;
    std::sort(times_.begin(), times_.end());
    std::vector<double> result;
    for (const double t : times_) {
      const double before = result.empty() ? 0.0 : result.back();
      if (t - before > apart && t_end_ - t > apart) result.push_back(t);
    }
    return result;
  }

 private:
  static constexpr std::size_t most_breaks = 1'000'000;
  double t_end_;
  std::vector<double> times_;
};

}  // namespace

template <class Space>
std::vector<double> find_breaks(const Parameters<double, Space>& parameters, double t_end) {
  BreakList list(t_end);
  for (const CompiledFunction& driver : parameters.drivers) list.add_function(driver);
  for_each_force(parameters.forces, [&](const auto& force) {
    if constexpr (requires { force.formula(); }) {
      if (const StateFunction* formula = force.formula()) list.add_function(*formula);
    }
  });
  for (const StateParameters<double>& state : parameters.states) {
    if (state.is_sampled())
      list.add_samples(state.period);
    else
      list.add_function(state.rate);
  }
  return list.take();
}

template std::vector<double> find_breaks(const Parameters<double, Spatial>&, double);
template std::vector<double> find_breaks(const Parameters<double, Planar>&, double);

}  // namespace trammel
