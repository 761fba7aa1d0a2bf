// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Loop and stepper apart: an implicit stepper that is written here is driven by the loop of the library,
// with output between steps, breaks, stops and restarts. The problem is stiff,
//
//   ż = −λ(z − cos t) − sin t,  z(0) = 1  ⇒  z = cos t,
//
// and an explicit method needs steps of about 1/λ.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "integrate/loop.hpp"
#include "integrate/steppers/explicit_rk.hpp"
#include "integrate/steppers/lanes.hpp"

using namespace trammel;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct StiffProblem {
  double lambda = 1e6;
  double tolerance = 1e-6;
  double level = 0.0;  // z = cos t + level
  int evaluations = 0;

  int dimension() const { return 1; }
  double calc_slope(double t, double z) {
    ++evaluations;
    return -lambda * (z - std::cos(t) - level) - std::sin(t);
  }
  bool calc_derivative(double t, const double* z, double* rate) {
    *rate = calc_slope(t, *z);
    return true;
  }
  bool finish_step(double t, double, double* z, double* rate) {
    return calc_derivative(t, z, rate);
  }
  double calc_error_norm(const double*, const double*, const double* e) const {
    return std::abs(*e) / tolerance;
  }
  double calc_state_norm(const double* z) const { return std::abs(*z) / tolerance; }
};

// Radau IIA with two stages (order 3) for one unknown. ż is linear in z: one Newton iteration is exact.
//
//   Zᵢ = h Σ aᵢⱼ f(t + cⱼh, z + Zⱼ),  A = (5 −1; 9 3)/12,  c = (1/3, 1),  z₁ = z + Z₂
//
// Error: z₁ less an implicit Euler step, O(h²), filtered by both. Dense output: the parabola through both
// stages. It alternates between this and plain implicit Euler where it is told to, to change its order.
class Radau {
 public:
  Radau(StiffProblem& problem, bool alternates = false)
      : problem_(problem), alternates_(alternates) {}

  int dimension() const { return 1; }
  StepLaw law() const { return {is_low_ ? 1.0 / 2 : 1.0 / 3, 0.1, 8.0, 0.04}; }
  void start(const double*, const double*) { ++starts; }
  bool restart(double, double*) {
    ++restarts;
    return true;
  }
  double estimate_step(double, double t_end, const double*) {
    ++estimates;
    return std::min(1e-4, t_end);
  }

  Attempt attempt(const Step& step, double* z) {
    const double h = step.h, lambda = problem_.lambda;
    // f at Z = 0 of both stages, and of the Euler step
    const double f1 = problem_.calc_slope(step.t + h / 3, *z),
                 f2 = problem_.calc_slope(step.t + h, *z);
    const double euler = h * f2 / (1 + h * lambda);
    // (I + hλA) Z = hA f
    const double a11 = 1 + h * lambda * 5 / 12, a12 = -h * lambda / 12;
    const double a21 = h * lambda * 9 / 12, a22 = 1 + h * lambda * 3 / 12;
    const double b1 = h * (5 * f1 - f2) / 12, b2 = h * (9 * f1 + 3 * f2) / 12;
    const double determinant = a11 * a22 - a12 * a21;
    z0_ = *z;
    Z1_ = (b1 * a22 - a12 * b2) / determinant;
    Z2_ = (a11 * b2 - a21 * b1) / determinant;
    z_end_ = *z + (is_low_ ? euler : Z2_);
    const double e = Z2_ - euler;
    return {true, problem_.calc_error_norm(z, z, &e), step.t_end, h, &z_end_};
  }

  void prepare_dense(double, const Attempt&, const double*) { ++prepared; }
  // The parabola through (0, 0), (1/3, Z₁), (1, Z₂).
  struct Parabola {
    double z0, Z1, Z2;
    void calc(double theta, double* z) const {
      *z = z0 + theta * (4.5 * (1 - theta) * Z1 + 1.5 * (theta - 1.0 / 3) * Z2);
    }
  };
  Parabola dense() const { return {z0_, Z1_, Z2_}; }

  void accept(const Attempt& made, double* z) {
    *z = *made.z_end;
    ++accepted;
    if (alternates_) is_low_ = !is_low_;
  }
  void reject(const Attempt&) { ++rejected; }
  void forget_history() { ++forgotten; }

  int starts = 0, restarts = 0, estimates = 0, prepared = 0, accepted = 0, rejected = 0,
      forgotten = 0;

 private:
  StiffProblem& problem_;
  bool alternates_;
  bool is_low_ = false;
  double z0_ = 0.0, Z1_ = 0.0, Z2_ = 0.0, z_end_ = 0.0;
};

// Output on a grid; notes the ends of steps; stops at a time where asked.
struct Notes {
  double interval = infinity;
  double stop_step_at = infinity, stop_output_at = infinity;
  std::vector<double> ends, sizes, outputs, values;
  int rejected = 0;

  bool on_step(const StepReport& step) {
    if (!step.accepted) {
      ++rejected;
      return true;
    }
    ends.push_back(step.t_end);
    sizes.push_back(step.h);
    return step.t_end < stop_step_at;
  }
  double next_output() const { return interval * static_cast<double>(outputs.size() + 1); }
  void on_output(double t, double, double* z) {
    outputs.push_back(t);
    values.push_back(*z);
  }
  bool is_stopped() const { return !outputs.empty() && outputs.back() >= stop_output_at; }
};

// At a given time the derivative jumps: the solution moves to another level, or jumps with it.
struct Jumps : Notes {
  StiffProblem* problem = nullptr;
  double jump_at = infinity, jump = 0.0;
  bool change_state(double t, double* z) {
    if (t != jump_at) return false;
    problem->level += 1.0;
    *z += jump;
    return true;
  }
};

struct LaneErrors {
  double high, low;
};
struct StiffLanes {
  using Errors = LaneErrors;
  StiffProblem* problem[n_lanes] = {};
  bool refuses = false;
  void evaluate(const double* t, const double* z, double* rate, bool* fine) {
    for (int lane = 0; lane < n_lanes; ++lane) {
      fine[lane] = problem[lane] != nullptr && !refuses;
      if (fine[lane]) rate[lane] = problem[lane]->calc_slope(t[lane], z[lane]);
    }
  }
  void calc_errors(const double*, const double*, const double* high, const double* low,
                   Errors* errors) {
    for (int lane = 0; lane < n_lanes; ++lane) {
      if (problem[lane] == nullptr) continue;
      errors[lane] = {problem[lane]->calc_error_norm(nullptr, nullptr, high + lane),
                      problem[lane]->calc_error_norm(nullptr, nullptr, low + lane)};
    }
  }
  void finish(const bool* wanted, const double* t, const double*, const double* z, double* rate,
              bool* fine) {
    for (int lane = 0; lane < n_lanes; ++lane) {
      fine[lane] = wanted[lane];
      if (wanted[lane]) rate[lane] = problem[lane]->calc_slope(t[lane], z[lane]);
    }
  }
};

struct WithoutAttempt {
  int dimension() const { return 1; }
  StepLaw law() const { return {1.0 / 3, 0.1, 8.0, 0.04}; }
  void start(const double*, const double*) {}
  bool restart(double, double*) { return true; }
  double estimate_step(double, double, const double*) { return 1.0; }
  void prepare_dense(double, const Attempt&, const double*) {}
  Radau::Parabola dense() const { return {}; }
  void accept(const Attempt&, double*) {}
  void reject(const Attempt&) {}
};
struct WithAttempt : WithoutAttempt {
  Attempt attempt(const Step&, double*) { return {}; }
};
struct WithoutDense : WithAttempt {
  int dense() const { return 0; }
};

static_assert(Problem<StiffProblem>);
static_assert(Stepper<ExplicitRungeKutta<StiffProblem>>);
static_assert(Stepper<LaneStepper<StiffProblem, StiffLanes>>);
static_assert(Stepper<Radau> && KeepsHistory<Radau>);
static_assert(!KeepsHistory<ExplicitRungeKutta<StiffProblem>>);
static_assert(Stepper<WithAttempt>);
static_assert(!Stepper<WithoutAttempt>);
static_assert(!Stepper<WithoutDense>);
static_assert(Observer<Notes> && StopsAtOutput<Notes> && !ChangesState<Notes>);
static_assert(ChangesState<Jumps> && !Observer<StiffProblem>);

const double no_rate = 0.0;

}  // namespace

TEST_CASE("an implicit stepper of a test runs in the same loop, with output between its steps") {
  StiffProblem problem;
  Radau stepper(problem);
  Notes notes;
  notes.interval = 0.01;
  double z = 1.0;
  LoopSettings limited;
  limited.max_step = 0.05;  // a parabola is off by h³/24 at most
  Loop loop(limited, stepper, notes);
  CHECK(loop.run(3.0, &z, &no_rate) == Stop::finished);
  CHECK(std::abs(z - std::cos(3.0)) < 1e-6);
  CHECK(notes.ends.back() == 3.0);
  CHECK(stepper.starts == 1);
  CHECK(stepper.accepted == static_cast<int>(notes.ends.size()));
  // dense output is prepared once per step, however many points are in it
  REQUIRE(notes.outputs.size() == 300);
  int with_points = 0;
  for (std::size_t k = 0; k < notes.ends.size(); ++k) {
    const double begin = k == 0 ? 0.0 : notes.ends[k - 1];
    with_points += std::any_of(notes.outputs.begin(), notes.outputs.end(),
                               [&](double t) { return t > begin && t < notes.ends[k]; });
  }
  CHECK(stepper.prepared == with_points);
  CHECK(with_points < stepper.accepted);
  double largest = 0.0;
  for (std::size_t k = 0; k < 300; ++k) {
    CHECK(notes.outputs[k] == 0.01 * static_cast<double>(k + 1));
    largest = std::max(largest, std::abs(notes.values[k] - std::cos(notes.outputs[k])));
  }
  CHECK(largest < 0.05 * 0.05 * 0.05 / 24);

  // an explicit pair needs steps of about 1/λ
  StiffProblem other;
  ExplicitRungeKutta pair(dopri5(), other);
  Notes alike;
  LoopSettings settings;
  settings.max_steps = 10'000;
  double y = 1.0;
  CHECK(Loop(settings, pair, alike).run(3.0, &y, &no_rate) == Stop::too_many_steps);
  MESSAGE("steps: Radau ", stepper.accepted, " for 3 s, DOPRI5 ", alike.ends.size(), " for ",
          alike.ends.back(), " s");
}

TEST_CASE("steps end at breaks, and a stepper with a history forgets it there") {
  StiffProblem problem;
  Radau stepper(problem);
  Notes notes;
  LoopSettings settings;
  settings.breaks = {0.7, 1.9};
  double z = 1.0;
  CHECK(Loop(settings, stepper, notes).run(3.0, &z, &no_rate) == Stop::finished);
  CHECK(std::count(notes.ends.begin(), notes.ends.end(), 0.7) == 1);
  CHECK(std::count(notes.ends.begin(), notes.ends.end(), 1.9) == 1);
  CHECK(stepper.forgotten == 3);  // and at the end
  CHECK(stepper.restarts == 0);
}

TEST_CASE("an observer stops the run after a step or at an output point") {
  StiffProblem problem;
  double z = 1.0;
  SUBCASE("after a step") {
    Radau stepper(problem);
    Notes notes;
    notes.stop_step_at = 1.0;
    CHECK(Loop(LoopSettings{}, stepper, notes).run(3.0, &z, &no_rate) == Stop::by_observer);
    CHECK(notes.ends.back() >= 1.0);
    CHECK(notes.ends[notes.ends.size() - 2] < 1.0);
    CHECK(std::abs(z - std::cos(notes.ends.back())) < 1e-6);
  }
  SUBCASE("at an output point, whose state is left") {
    Radau stepper(problem);
    Notes notes;
    notes.interval = 0.001;
    notes.stop_output_at = 0.5;
    CHECK(Loop(LoopSettings{}, stepper, notes).run(3.0, &z, &no_rate) == Stop::by_observer);
    CHECK(notes.outputs.size() == 500);
    CHECK(z == notes.values.back());
    CHECK(notes.ends.back() > 0.5);  // within a step
    CHECK(stepper.accepted == static_cast<int>(notes.ends.size()) - 1);
  }
  SUBCASE("after too many attempts") {
    Radau stepper(problem);
    Notes notes;
    LoopSettings settings;
    settings.max_steps = 5;
    CHECK(Loop(settings, stepper, notes).run(3.0, &z, &no_rate) == Stop::too_many_steps);
    CHECK(stepper.accepted + stepper.rejected == 5);
  }
}

TEST_CASE("where the state jumps the loop restarts the stepper, with a step as at the start") {
  LoopSettings settings;
  settings.breaks = {1.0};
  Jumps notes;
  notes.interval = 0.01;
  notes.jump_at = 1.0;
  double z = 1.0;
  SUBCASE("implicit") {
    StiffProblem problem;
    notes.problem = &problem;
    notes.jump = 1.0;
    Radau stepper(problem);
    CHECK(Loop(settings, stepper, notes).run(2.0, &z, &no_rate) == Stop::finished);
    CHECK(stepper.restarts == 1);
    CHECK(stepper.estimates == 2);
    const auto at = std::find(notes.ends.begin(), notes.ends.end(), 1.0) - notes.ends.begin();
    CHECK(notes.sizes[at + 1] == 1e-4);
    CHECK(std::abs(z - std::cos(2.0) - 1.0) < 1e-6);
  }
  SUBCASE("explicit: a first stage from before the jump would be off by λ") {
    StiffProblem problem;
    problem.lambda = 10.0;
    notes.problem = &problem;
    ExplicitRungeKutta stepper(dop853(), problem);
    CHECK(Loop(settings, stepper, notes).run(2.0, &z, &no_rate) == Stop::finished);
    CHECK(notes.rejected == 0);
    CHECK(std::abs(z - std::cos(2.0) - 1.0 + std::exp(-10.0)) < 1e-6);
  }
}

TEST_CASE("a stepper may change its order from step to step") {
  StiffProblem problem;
  problem.lambda = 10.0;
  problem.tolerance = 1e-5;
  Radau stepper(problem, true);
  Notes notes;
  LoopSettings settings;
  settings.initial_step = 1.0;  // too large
  double z = 1.0;
  CHECK(Loop(settings, stepper, notes).run(3.0, &z, &no_rate) == Stop::finished);
  CHECK(stepper.accepted > 20);
  CHECK(stepper.rejected > 0);
  CHECK(stepper.rejected == notes.rejected);
  CHECK(std::abs(z - std::cos(3.0)) < 1e-3);
}

TEST_CASE("loops in lanes make the steps of a loop alone, together or not") {
  for (const bool refuses : {false, true}) {
    StiffProblem problems[6];
    StiffLanes lanes;
    lanes.refuses = refuses;
    LanePack pack(dop853(), 1, lanes);
    using InLane = LaneStepper<StiffProblem, StiffLanes>;
    struct Run {
      Run(LanePack<StiffLanes>& pack, int lane, StiffProblem& problem, double interval)
          : stepper(pack, lane, problem), loop(LoopSettings{}, stepper, notes) {
        notes.interval = interval;
      }
      Notes notes;
      InLane stepper;
      Loop<InLane, Notes> loop;
      double z = 1.0;
    };
    std::unique_ptr<Run> runs[6];
    int n = 0, over = 0;
    run_in_lanes(
        pack,
        [&](int lane) -> Loop<InLane, Notes>* {
          lanes.problem[lane] = nullptr;
          if (n == 6) return nullptr;
          problems[n].lambda = 10.0 * (n + 1);
          lanes.problem[lane] = &problems[n];
          runs[n] = std::make_unique<Run>(pack, lane, problems[n], 0.1 * (n + 1));
          runs[n]->loop.start(2.0, &runs[n]->z, &no_rate);
          return &runs[n++]->loop;
        },
        [&](int) { ++over; });
    CHECK(over == 6);
    for (int k = 0; k < 6; ++k) {
      StiffProblem problem;
      problem.lambda = 10.0 * (k + 1);
      ExplicitRungeKutta stepper(dop853(), problem);
      Notes notes;
      notes.interval = 0.1 * (k + 1);
      double z = 1.0;
      CHECK(Loop(LoopSettings{}, stepper, notes).run(2.0, &z, &no_rate) == Stop::finished);
      CHECK(runs[k]->loop.stop() == Stop::finished);
      CHECK(runs[k]->z == z);
      CHECK(runs[k]->notes.ends == notes.ends);
      CHECK(runs[k]->notes.values == notes.values);
    }
  }
}
