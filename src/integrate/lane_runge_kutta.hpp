// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Four runs at once, each with its own time and step (`Run`: a RungeKutta of one run, which decides all
// that is to be decided). Stages, sums and ends of steps are computed for all four together; number i
// of lane l stands at [4i + l]. A lane whose run is over takes the next one.
//
// Lanes computes: void evaluate(const double* t, double* z, double* rate, bool* fine), and
// void finish(const bool* wanted, const double* t, const double* h, double* z, double* rate, bool* fine);
// it knows errors: void calc_errors(double* z0, double* z1, double* high, double* low, Errors* errors).
// A stage that cannot be computed together makes its run take this step alone.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "integrate/tableau.hpp"
#include "math/combination.hpp"

namespace trammel {

template <class Run, class Lanes>
class LaneRungeKutta {
 public:
  static constexpr int lanes = 4;

  // tableau: one whose errors, two of them, are known from the stages
  LaneRungeKutta(const Tableau& tableau, int dimension, Lanes& computes)
      : tableau_(tableau),
        n_(dimension),
        computes_(computes),
        z_(lanes * n_),
        z_end_(lanes * n_),
        z_stage_(lanes * n_),
        error_(lanes * n_),
        error_low_(lanes * n_),
        storage_((tableau.n_stages + 1) * lanes * n_) {
    for (int s = 0; s <= tableau.n_stages; ++s) k_.push_back(&storage_[s * lanes * n_]);
  }

  // next(lane): the next run for a lane, started, or null. done(lane, run): it is over.
  template <class Next, class Done>
  void integrate(const Next& next, const Done& done) {
    bool any = false;
    for (int lane = 0; lane < lanes; ++lane) any |= refill(lane, next, done);
    while (any) {
      make_attempts();
      any = false;
      for (int lane = 0; lane < lanes; ++lane) {
        if (run_[lane] == nullptr) continue;
        conclude(lane);
        if (!run_[lane]->next_attempt()) {
          done(lane, *run_[lane]);
          refill(lane, next, done);
        }
        any |= run_[lane] != nullptr;
      }
    }
  }

 private:
  template <class Next, class Done>
  bool refill(int lane, const Next& next, const Done& done) {
    while ((run_[lane] = next(lane)) != nullptr) {
      put(run_[lane]->z(), lane, z_.data());
      put(run_[lane]->stage(0), lane, k_[0]);
      if (run_[lane]->next_attempt()) return true;
      done(lane, *run_[lane]);
    }
    return false;
  }

  void add_up(const StageSum& sum, const double* base, double* out) {
    combine_lanes(n_, base, h_.data(), static_cast<int>(sum.stage.size()), sum.stage.data(),
                  sum.weight.data(), k_.data(), out);
  }

  // Stages, errors and ends of the steps in hand, and of those that are alone with it as well.
  void make_attempts() {
    std::array<bool, lanes> wanted{};
    for (int lane = 0; lane < lanes; ++lane) {
      evaluated_[lane] = together_[lane] = run_[lane] != nullptr;
      h_[lane] = together_[lane] ? run_[lane]->attempt().h : 0.0;
      t_end_[lane] = together_[lane] ? run_[lane]->attempt().t_end : 0.0;
    }
    bool fine[lanes];
    for (int s = 1; s < tableau_.n_stages; ++s) {
      add_up(tableau_.a[s], z_.data(), z_stage_.data());
      for (int lane = 0; lane < lanes; ++lane) {
        t_stage_[lane] =
            run_[lane] == nullptr ? 0.0 : run_[lane]->attempt().t + tableau_.c[s] * h_[lane];
      }
      computes_.evaluate(t_stage_.data(), z_stage_.data(), k_[s], fine);
      for (int lane = 0; lane < lanes; ++lane) together_[lane] &= fine[lane];
    }
    add_up(tableau_.b, z_.data(), z_end_.data());
    add_up(tableau_.error, nullptr, error_.data());
    add_up(tableau_.error_low, nullptr, error_low_.data());
    typename Lanes::Errors errors[lanes];
    computes_.calc_errors(z_.data(), z_end_.data(), error_.data(), error_low_.data(), errors);
    for (int lane = 0; lane < lanes; ++lane) {
      if (!together_[lane]) continue;
      const double error = Run::combine_errors(errors[lane].high, errors[lane].low);
      run_[lane]->attempt().error = error;
      evaluated_[lane] = std::isfinite(error);
      wanted[lane] = error <= 1.0;
    }
    computes_.finish(wanted.data(), t_end_.data(), h_.data(), z_end_.data(), k_[tableau_.n_stages],
                     fine);
    for (int lane = 0; lane < lanes; ++lane) {
      if (wanted[lane] && !fine[lane]) evaluated_[lane] = false;
      if (run_[lane] != nullptr && !together_[lane]) evaluated_[lane] = run_[lane]->try_step();
    }
  }

  // The run takes over what was computed for it, and the lane what it has become.
  void conclude(int lane) {
    Run& run = *run_[lane];
    const bool accepted = evaluated_[lane] && run.attempt().error <= 1.0;
    if (accepted && together_[lane]) {
      get(z_end_.data(), lane, run.z_end());
      get(k_[tableau_.n_stages], lane, run.stage(tableau_.n_stages));
      if (run.wants_output()) {
        for (int s = 0; s < tableau_.n_stages; ++s) get(k_[s], lane, run.stage(s));
      }
    }
    run.conclude(evaluated_[lane]);
    if (!accepted) return;
    put(run.z(), lane, z_.data());
    put(run.stage(0), lane, k_[0]);
  }

  void get(const double* from, int lane, double* to) const {
    for (int i = 0; i < n_; ++i) to[i] = from[lanes * i + lane];
  }
  void put(const double* from, int lane, double* to) const {
    for (int i = 0; i < n_; ++i) to[lanes * i + lane] = from[i];
  }

  const Tableau& tableau_;
  int n_;
  Lanes& computes_;
  std::array<Run*, lanes> run_{};
  std::array<double, lanes> h_{}, t_stage_{}, t_end_{};
  std::array<bool, lanes> evaluated_{}, together_{};
  std::vector<double> z_, z_end_, z_stage_, error_, error_low_;
  std::vector<double> storage_;
  std::vector<double*> k_;  // [stages + 1]
};

}  // namespace trammel
