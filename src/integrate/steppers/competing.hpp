// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// An explicit and an implicit stepper that compete for a run: whichever takes less work per unit of time makes
// the steps. Work is counted in operations, never measured by a clock: a run has the same bits each time.
//
// No property of the problem at a point tells which is cheaper: near the solution an explicit error estimate
// can be bounded by stiff terms long before its stability is. So the rival is tried, again and again, with
// steps that count as progress:
//
//   the run starts with explicit steps, unless it is known that those cannot be trusted
//   after `wait` accepted steps   the rival makes a few, from the step size at hand, and the last of them give
//                                 its price, once it has found its own size
//   price below 0.8 of the other's   the rival goes on, and the other one becomes the rival; it is tried at
//                                 once when implicit steps have come to cost more than explicit ones did
//   else                          the run goes back to where it was, with the step size it had, and waits
//                                 twice as long
//
// A trial that has cost several times what its progress is worth ends at once, and all of them together cost a
// small part of the run. The implicit stepper is made for its first trial, which waits until the run has taken
// as many operations as that takes: short runs do without.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "integrate/concepts.hpp"

namespace trammel {

// work()   operations so far, of whatever has been done
template <class M>
concept CountsWork = requires(const M& c) {
  { c.work() } -> std::convertible_to<double>;
};

// A stepper that others can take over from: rate() is ż where the last accepted step ended.
template <class S>
concept HandsOver = Stepper<S> && requires(const S& c) {
  { c.rate() } -> std::convertible_to<const double*>;
};

// find() makes a stepper between two steps, and may allocate; null: it is not possible.
template <class M>
concept MakesStepper = requires(M& m) {
  requires HandsOver<std::remove_pointer_t<decltype(m.find())>>;
};

template <HandsOver Explicit, MakesStepper Maker, CountsWork Meter>
class CompetingSteppers {
  using Implicit = std::remove_pointer_t<decltype(std::declval<Maker&>().find())>;

 public:
  // implicit_first: the run starts with implicit steps, where they are possible.
  CompetingSteppers(Explicit& explicit_stepper, Maker& implicit_stepper, const Meter& meter,
                    bool implicit_first)
      : explicit_(explicit_stepper), maker_(implicit_stepper), meter_(meter) {
    is_implicit_ = implicit_first && find_implicit();
    if (is_implicit_) wait_ = implicit_wait;
  }

  // A first trial is over, or there will be none.
  bool is_decided() const { return is_decided_; }
  bool is_implicit() const { return is_implicit_; }

  // ---- what the loop calls

  int dimension() const { return explicit_.dimension(); }
  StepLaw law() const {
    StepLaw law = is_implicit_law_ ? implicit_->law() : explicit_.law();
    if (forced_ratio_ > 0.0) {
      law.shrink = law.grow = forced_ratio_;
      law.keep = 1.0;
    }
    return law;
  }
  void start(const double* z, const double* rate) {
    is_implicit_ ? implicit_->start(z, rate) : explicit_.start(z, rate);
  }
  bool restart(double t, double* z) {
    forced_ratio_ = 0.0;
    return is_implicit_ ? implicit_->restart(t, z) : explicit_.restart(t, z);
  }
  bool renew(double t, double* z) {
    return is_implicit_ ? implicit_->renew(t, z) : explicit_.renew(t, z);
  }
  const double* rate() const { return is_implicit_ ? implicit_->rate() : explicit_.rate(); }
  const double* end_rate() const {
    return is_implicit_ ? implicit_->end_rate() : explicit_.end_rate();
  }
  double estimate_step(double t, double t_end, const double* z) {
    return is_implicit_ ? implicit_->estimate_step(t, t_end, z)
                        : explicit_.estimate_step(t, t_end, z);
  }
  Attempt attempt(const Step& step, double* z) {
    forced_ratio_ = 0.0;
    is_implicit_law_ = is_implicit_;
    const double before = meter_.work();
    const Attempt made = is_implicit_ ? implicit_->attempt(step, z) : explicit_.attempt(step, z);
    attempt_work_ += meter_.work() - before;
    z_ = z;
    return made;
  }
  void prepare_dense(double t, const Attempt& made, const double* z) {
    is_implicit_ ? implicit_->prepare_dense(t, made, z) : explicit_.prepare_dense(t, made, z);
  }
  // Points within the step, of whichever stepper made it.
  class Dense {
   public:
    explicit Dense(const CompetingSteppers& of) : of_(of) {}
    void calc(double theta, double* z) const {
      if (of_.is_implicit_) {
        of_.implicit_->dense().calc(theta, z);
      } else {
        of_.explicit_.dense().calc(theta, z);
      }
    }

   private:
    const CompetingSteppers& of_;
  };
  Dense dense() const { return Dense(*this); }

  void accept(const Attempt& made, double* z) {
    is_implicit_ ? implicit_->accept(made, z) : explicit_.accept(made, z);
    recent_.add(attempt_work_, made.h, kept());
    work_ += attempt_work_;
    if (is_trial_) trial_cost_ += attempt_work_ - rival_price_ * made.h;
    attempt_work_ = 0.0;
    ++steps_;
    if (is_trial_) {
      judge_trial(made.h);
    } else if ((steps_ >= wait_ || is_dear()) && has_rival()) {
      begin_trial(made.h);
    }
  }
  void reject(const Attempt& made) {
    is_implicit_ ? implicit_->reject(made) : explicit_.reject(made);
    const bool is_wanted_shorter = made.evaluated && made.error <= 1.0;  // to end at an event
    if (is_trial_ && !is_wanted_shorter &&
        (++trial_rejections_ > most_rejections || is_too_expensive())) {
      work_ += attempt_work_;
      trial_cost_ += attempt_work_;
      attempt_work_ = 0.0;
      end_trial();
      forced_ratio_ = rival_h_ / made.h;
    }
  }
  void forget_history() {
    if constexpr (KeepsHistory<Explicit>) explicit_.forget_history();
    if constexpr (KeepsHistory<Implicit>) {
      if (implicit_ != nullptr) implicit_->forget_history();
    }
  }

 private:
  static constexpr std::int64_t explicit_wait = 100, implicit_wait = 25, longest_wait = 5000;
  static constexpr int implicit_trial = 9, implicit_judged = 4;
  static constexpr int explicit_trial = 20, explicit_judged = 10;
  static constexpr int most_rejections = 12;
  static constexpr double least_work =
      4e6;  // before the first trial: what it takes to make derivatives
  static constexpr double most_for_trials = 0.15;
  static constexpr double clearly_cheaper = 0.8, hopeless = 4.0, hopeless_at_once = 8.0;

  // Work and time of the last steps.
  struct Recent {
    static constexpr int most = 16;
    double work[most] = {}, time[most] = {};
    int n = 0;
    void add(double w, double h, int keep) {
      if (n == keep) {
        std::copy(work + 1, work + n, work);
        std::copy(time + 1, time + n, time);
        --n;
      }
      work[n] = w;
      time[n] = h;
      ++n;
    }
    double price() const {
      double w = 0.0, t = 0.0;
      for (int k = 0; k < n; ++k) {
        w += work[k];
        t += time[k];
      }
      return w / t;
    }
  };

  int kept() const { return is_implicit_ ? implicit_judged : explicit_judged; }
  int trial_steps() const { return is_implicit_ ? implicit_trial : explicit_trial; }

  bool has_rival() { return implicit_ != nullptr || (work_ >= least_work && find_implicit()); }
  bool find_implicit() {
    if (implicit_ == nullptr && !is_decided_) {
      implicit_ = maker_.find();
      is_decided_ = implicit_ == nullptr;
    }
    return implicit_ != nullptr;
  }

  void begin_trial(double h) {
    rival_price_ = recent_.price();
    rival_h_ = h;
    change();
    is_trial_ = true;
    trial_cost_ = 0.0;
    trial_rejections_ = 0;
    forced_ratio_ = 1.0;
  }

  // Implicit steps have come to cost more than explicit ones did: the motion is another.
  bool is_dear() const {
    return is_implicit_ && steps_ >= implicit_judged && recent_.price() > left_price_;
  }

  // All trials together may cost this part of the work of the run more than their progress is worth.
  bool is_too_expensive() const {
    return trials_cost_ + trial_cost_ + attempt_work_ > most_for_trials * work_;
  }

  void judge_trial(double h) {
    const bool is_over = steps_ >= trial_steps();
    const double limit = (steps_ >= trial_steps() / 2 ? hopeless : hopeless_at_once) * rival_price_;
    const bool is_hopeless = steps_ >= 2 && recent_.price() > limit;
    if (!is_over && !is_hopeless && !is_too_expensive()) return;
    if (is_over && recent_.price() < clearly_cheaper * rival_price_) {
      left_price_ = rival_price_;
      is_trial_ = false;
      is_decided_ = true;
      wait_ = is_implicit_ ? implicit_wait : explicit_wait;
      steps_ = 0;
      return;
    }
    left_price_ = recent_.price();
    end_trial();
    forced_ratio_ = rival_h_ / h;
  }
  void end_trial() {
    is_trial_ = false;
    is_decided_ = true;
    trials_cost_ += std::max(trial_cost_, 0.0);
    change();
    wait_ = std::min(2 * wait_, longest_wait);
  }

  // The other stepper goes on where the last accepted step ended.
  void change() {
    if (is_implicit_) {
      explicit_.start(z_, implicit_->rate());
    } else {
      implicit_->start(z_, explicit_.rate());
    }
    is_implicit_ = !is_implicit_;
    recent_ = {};
    steps_ = 0;
  }

  Explicit& explicit_;
  Maker& maker_;
  Implicit* implicit_ = nullptr;  // once it has been tried
  bool is_decided_ = false;
  const Meter& meter_;
  const double* z_ = nullptr;     // the state of the run
  bool is_implicit_ = false;      // who makes the next step
  bool is_implicit_law_ = false;  // who made the last attempt
  bool is_trial_ = false;
  double forced_ratio_ = 0.0;  // of the next step to the last one; 0: as the law says
  std::int64_t steps_ = 0;     // accepted since the last change or trial
  std::int64_t wait_ = explicit_wait;
  double attempt_work_ = 0.0;  // since the last accepted step
  double work_ = 0.0;          // of the run, in accepted steps
  double trial_cost_ = 0.0;    // of the current trial, less what its progress is worth
  double trials_cost_ = 0.0;   // of those before
  int trial_rejections_ = 0;
  double rival_price_ = 0.0;  // operations per second of motion, before the trial
  double rival_h_ = 0.0;      // its step size
  // of the stepper that does not make the steps, when it last did
  double left_price_ = std::numeric_limits<double>::infinity();
  Recent recent_;
};

}  // namespace trammel
