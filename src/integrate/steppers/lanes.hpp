// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Four runs at once, one per lane of the vector unit. Each has its own loop, time and step, and its own
// LaneStepper; the attempts of all four are computed together by a LanePack, ahead of the loops that ask
// for them. Number i of lane l is at [4i + l]. A lane whose run is over takes the next one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "integrate/steppers/explicit_rk.hpp"
#include "integrate/tableau.hpp"
#include "math/combination.hpp"

namespace trammel {

inline constexpr int n_lanes = 4;

// What computes the problems of all lanes together; arrays have one entry per lane, or four per number.
// evaluate(t, z, rate, fine)                  ż of a stage; fine: where it could be computed
// calc_errors(z0, z1, high, low, errors)      norms of both errors of the steps from z0 to z1
// finish(wanted, t, h, z, rate, fine)         ends the steps of the wanted lanes
template <class C>
concept LaneComputer = requires(C& c, const bool* wanted, const double* t, const double* h,
                                double* z, double* rate, bool* fine, typename C::Errors* errors) {
  c.evaluate(t, z, rate, fine);
  c.calc_errors(z, z, z, z, errors);
  c.finish(wanted, t, h, z, rate, fine);
};

template <LaneComputer Computer>
class LanePack {
 public:
  struct Made {
    bool together = false;  // computed here; otherwise the run has to make this step alone
    bool evaluated = false;
    double error = 0.0;
  };

  // tableau: one whose errors, two of them, are known from the stages
  LanePack(const Tableau& tableau, int dimension, Computer& computer)
      : tableau_(tableau),
        n_(dimension),
        computer_(computer),
        z_(n_lanes * n_),
        z_end_(n_lanes * n_),
        z_stage_(n_lanes * n_),
        error_(n_lanes * n_),
        error_low_(n_lanes * n_),
        storage_((tableau.n_stages + 1) * n_lanes * n_) {
    for (int s = 0; s <= tableau.n_stages; ++s) k_.push_back(&storage_[s * n_lanes * n_]);
  }

  const Tableau& tableau() const { return tableau_; }

  // ---- the state of a lane: where its run is, and what the last attempt gave

  void put_start(int lane, const double* z, const double* slope) {
    put(z, lane, z_.data());
    put(slope, lane, k_[0]);
  }
  const Made& made(int lane) const { return made_[lane]; }
  void get_end(int lane, double* z) const { get(z_end_.data(), lane, z); }
  void get_slope(int lane, int s, double* slope) const { get(k_[s], lane, slope); }

  // ---- the next attempts

  // The step that a lane attempts next, or null: there is no run in it.
  void set_step(int lane, const Step* step) {
    made_[lane] = {step != nullptr, step != nullptr, 0.0};
    step_[lane] = step != nullptr ? *step : Step{};
    h_[lane] = step_[lane].h;
    t_end_[lane] = step_[lane].t_end;
  }

  // Stages, errors and ends of the steps of all lanes. A stage that cannot be computed together leaves the
  // step to its run.
  void attempt() {
    bool fine[n_lanes];
    for (int s = 1; s < tableau_.n_stages; ++s) {
      // k_s of all lanes, each at its own time
      add_up(tableau_.a[s], z_.data(), z_stage_.data());
      for (int lane = 0; lane < n_lanes; ++lane) {
        t_stage_[lane] = step_[lane].t + tableau_.c[s] * h_[lane];
      }
      computer_.evaluate(t_stage_.data(), z_stage_.data(), k_[s], fine);
      for (int lane = 0; lane < n_lanes; ++lane) made_[lane].together &= fine[lane];
    }
    // z₁, the errors, and the end of the steps that they accept
    add_up(tableau_.b, z_.data(), z_end_.data());
    const std::array<bool, n_lanes> wanted = judge_errors();
    computer_.finish(wanted.data(), t_end_.data(), h_.data(), z_end_.data(), k_[tableau_.n_stages],
                     fine);
    for (int lane = 0; lane < n_lanes; ++lane) {
      if (wanted[lane] && !fine[lane]) made_[lane].evaluated = false;
    }
  }

 private:
  // Which steps are worth to be ended.
  std::array<bool, n_lanes> judge_errors() {
    add_up(tableau_.error, nullptr, error_.data());
    add_up(tableau_.error_low, nullptr, error_low_.data());
    typename Computer::Errors errors[n_lanes];
    computer_.calc_errors(z_.data(), z_end_.data(), error_.data(), error_low_.data(), errors);
    std::array<bool, n_lanes> wanted{};
    for (int lane = 0; lane < n_lanes; ++lane) {
      Made& made = made_[lane];
      if (!made.together) continue;
      made.error = combine_errors(errors[lane].high, errors[lane].low);
      made.evaluated = std::isfinite(made.error);
      wanted[lane] = made.error <= 1.0;
    }
    return wanted;
  }

  void add_up(const StageSum& sum, const double* base, double* out) {
    combine_lanes(n_, base, h_.data(), static_cast<int>(sum.stage.size()), sum.stage.data(),
                  sum.weight.data(), k_.data(), out);
  }

  void get(const double* from, int lane, double* to) const {
    for (int i = 0; i < n_; ++i) to[i] = from[n_lanes * i + lane];
  }
  void put(const double* from, int lane, double* to) const {
    for (int i = 0; i < n_; ++i) to[n_lanes * i + lane] = from[i];
  }

  const Tableau& tableau_;
  int n_;
  Computer& computer_;
  std::array<Step, n_lanes> step_{};
  std::array<Made, n_lanes> made_{};
  std::array<double, n_lanes> h_{}, t_stage_{}, t_end_{};
  std::vector<double> z_, z_end_, z_stage_, error_, error_low_;
  std::vector<double> storage_;
  std::vector<double*> k_;  // [stages + 1]
};

// The stepper of the run in one lane: takes what the pack has computed for it, and makes the steps itself
// that the pack could not make.
template <Problem P, LaneComputer Computer>
class LaneStepper : private ExplicitRungeKutta<P> {
  using Alone = ExplicitRungeKutta<P>;

 public:
  LaneStepper(LanePack<Computer>& pack, int lane, P& problem)
      : Alone(pack.tableau(), problem), pack_(pack), lane_(lane) {}

  using Alone::dense, Alone::dimension, Alone::end_rate, Alone::estimate_step, Alone::law,
      Alone::rate, Alone::reject;

  void start(const double* z, const double* slope_at_z) {
    Alone::start(z, slope_at_z);
    pack_.put_start(lane_, z, slope_at_z);
  }
  bool restart(double t, double* z) {
    if (!Alone::restart(t, z)) return false;
    pack_.put_start(lane_, z, this->slope(0));
    return true;
  }

  bool renew(double t, double* z) {
    if (!Alone::renew(t, z)) return false;
    pack_.put_start(lane_, z, this->slope(0));
    return true;
  }

  Attempt attempt(const Step& step, double* z) {
    const auto& made = pack_.made(lane_);
    if (!made.together) return Alone::attempt(step, z);
    if (made.evaluated && made.error <= 1.0) {
      pack_.get_end(lane_, this->z_end());
      pack_.get_slope(lane_, n_stages(), this->slope(n_stages()));
    }
    return {made.evaluated, made.error, step.t_end, step.h, this->z_end()};
  }

  void prepare_dense(double t, const Attempt& made, const double* z) {
    if (pack_.made(lane_).together) {
      // dense output needs all slopes of the step
      for (int s = 1; s < n_stages(); ++s) pack_.get_slope(lane_, s, this->slope(s));
    }
    Alone::prepare_dense(t, made, z);
  }

  void accept(const Attempt& made, double* z) {
    Alone::accept(made, z);
    pack_.put_start(lane_, z, this->slope(0));
  }

 private:
  int n_stages() const { return pack_.tableau().n_stages; }

  LanePack<Computer>& pack_;
  int lane_;
};

// Runs loops on LaneSteppers of the pack until there are no more. next(lane): the next loop for a lane,
// started, or null. done(lane): its loop is over.
template <LaneComputer Computer, class Next, class Done>
void run_in_lanes(LanePack<Computer>& pack, const Next& next, const Done& done) {
  std::array<std::invoke_result_t<const Next&, int>, n_lanes> loops{};
  // a run may be over before its first step
  const auto refill = [&](int lane) {
    while ((loops[lane] = next(lane)) != nullptr && !loops[lane]->choose_step()) done(lane);
  };
  for (int lane = 0; lane < n_lanes; ++lane) refill(lane);
  while (std::any_of(loops.begin(), loops.end(), [](auto* loop) { return loop != nullptr; })) {
    for (int lane = 0; lane < n_lanes; ++lane) {
      pack.set_step(lane, loops[lane] != nullptr ? &loops[lane]->step() : nullptr);
    }
    pack.attempt();
    for (int lane = 0; lane < n_lanes; ++lane) {
      if (loops[lane] == nullptr) continue;
      loops[lane]->make_step();
      if (loops[lane]->choose_step()) continue;
      done(lane);
      refill(lane);
    }
  }
}

}  // namespace trammel
