// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "trammel/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "analyses/check.hpp"
#include "analyses/prepared_run.hpp"
#include "manifold/light_bodies.hpp"
#include "problem/mechanical_problem.hpp"
#include "system/frames.hpp"
#include "system/state.hpp"
#include "trammel/checked_model.hpp"

namespace trammel {

namespace {

// A number and its derivatives at both ends of an interval of length h.
struct Ends {
  double x0, v0, a0, x1, v1, a1;
};

// At s = τ/h: the cubic with x and ẋ of both ends, or the quintic with ẍ, too.
double interpolate(const Ends& e, bool has_accelerations, double h, double s) {
  const double s2 = s * s, s3 = s2 * s;
  if (!has_accelerations) {
    const double b = 3 * s2 - 2 * s3;
    return (1 - b) * e.x0 + b * e.x1 + h * ((s3 - 2 * s2 + s) * e.v0 + (s3 - s2) * e.v1);
  }
  const double s4 = s3 * s, s5 = s4 * s, b = 10 * s3 - 15 * s4 + 6 * s5;
  return (1 - b) * e.x0 + b * e.x1 +
         h * ((s - 6 * s3 + 8 * s4 - 3 * s5) * e.v0 + (-4 * s3 + 7 * s4 - 3 * s5) * e.v1) +
         0.5 * h * h * ((s2 - 3 * s3 + 3 * s4 - s5) * e.a0 + (s3 - 2 * s4 + s5) * e.a1);
}

// The slope of the same.
double interpolate_rate(const Ends& e, bool has_accelerations, double h, double s) {
  const double s2 = s * s, s3 = s2 * s;
  if (!has_accelerations) {
    return 6 * (s - s2) * (e.x1 - e.x0) / h + (3 * s2 - 4 * s + 1) * e.v0 + (3 * s2 - 2 * s) * e.v1;
  }
  const double s4 = s3 * s, b = 30 * (s2 - 2 * s3 + s4);
  return b * (e.x1 - e.x0) / h + (1 - 18 * s2 + 32 * s3 - 15 * s4) * e.v0 +
         (-12 * s2 + 28 * s3 - 15 * s4) * e.v1 +
         0.5 * h * ((2 * s - 9 * s2 + 12 * s3 - 5 * s4) * e.a0 + (3 * s2 - 8 * s3 + 5 * s4) * e.a1);
}

using Theta = std::array<double, 4>;

// θ∘(0, w)
Theta multiply(const Theta& q, const double* w) {
  return {-q[1] * w[0] - q[2] * w[1] - q[3] * w[2], q[0] * w[0] + q[2] * w[2] - q[3] * w[1],
          q[0] * w[1] + q[3] * w[0] - q[1] * w[2], q[0] * w[2] + q[1] * w[1] - q[2] * w[0]};
}

// The rows before and after a time, and where between them it is.
struct Between {
  std::size_t row = 0;
  double h = 0.0, s = 0.0;  // s = 0: at the row
};

// Moves states onto the joints.
class Closer {
 public:
  virtual ~Closer() = default;
  // Why it could not, or empty. moved_: the largest move of a body, relative to the mechanism.
  virtual std::string close(double t, const std::vector<double>& coordinates,
                            std::vector<BodyState>& bodies) = 0;
  double moved() const { return moved_; }

 protected:
  double moved_ = 0.0;
};

template <class Space>
class CloserIn final : public Closer {
 public:
  // Throws std::runtime_error where the mechanism cannot be started.
  explicit CloserIn(const System& handle, const SystemIn<Space>& system)
      : handle_(handle), system_(system) {
    const CheckedState checked = check_and_assemble(system);
    if (!checked.report.ok()) throw std::runtime_error(checked.report.reasons.front());
    initial_ = checked.assembled.z;
    lightened_ = make_lightened(system, initial_.data(), 0.0);
    SimulationOptions options;
    options.kernel = KernelChoice::loops;
    options.record.reactions = false;
    ProblemSettings settings;
    settings.rank = &checked.assembled.rank;
    problem_ = std::make_unique<MechanicalProblem<Space>>(lightened_ ? *lightened_ : system,
                                                          options, settings);
    std::vector<double> z = initial_, rate(z.size());
    if (!problem_->start(z.data(), rate.data(), 0.0)) {
      throw std::runtime_error(explain(system, problem_->point().failure));
    }
  }

  std::string close(double t, const std::vector<double>& coordinates,
                    std::vector<BodyState>& bodies) override {
    const Topology& topology = system_.topology;
    std::vector<double> z = initial_;
    import_state(system_, bodies, z.data());
    // what counts the revolutions of angles, and integrals of given rates
    const State<Space> state(topology.layout, z.data());
    for (std::size_t k = 0; k < topology.references.size(); ++k) {
      const int c = topology.references[k].coordinate;
      if (c >= 0)
        state.reference(static_cast<int>(k)) = coordinates.at(static_cast<std::size_t>(c));
    }
    const ConstState<Space> initial(topology.layout, initial_.data());
    for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
      const int r = topology.drivers[k].reference;
      if (r < 0) continue;
      state.reference(r) = initial.reference(r) + system_.parameters.drivers[k].integrate(0.0, t);
    }
    problem_->point().ws.forget_references();
    if (!problem_->projector().finish_output(t, 0.0, z.data())) {
      return explain(system_, problem_->point().failure);
    }
    moved_ = 0.0;
    for (int b = 0; b < topology.n_bodies; ++b) {
      const Vec3 open = bodies[b].position;
      bodies[b] = export_body(system_, z.data(), b);
      for (std::size_t k = 0; k < 3; ++k) {
        moved_ = std::max(moved_, std::abs(bodies[b].position[k] - open[k]) / system_.length[b]);
      }
    }
    return {};
  }

 private:
  System handle_;  // keeps system_
  const SystemIn<Space>& system_;
  std::unique_ptr<SystemIn<Space>> lightened_;
  std::unique_ptr<MechanicalProblem<Space>> problem_;
  std::vector<double> initial_;
};

std::unique_ptr<Closer> make_closer(const Results& results) {
  if (results.model_text.empty()) throw std::runtime_error("they have no text of the model");
  const Model model = read_model_text(results.model_text, results.model_name);
  const System handle = compile(model);
  if (handle.data().body_names != results.body_names) {
    throw std::runtime_error("the model in them has other bodies");
  }
  return visit_space(handle.data(),
                     [&]<class Space>(const SystemIn<Space>& system) -> std::unique_ptr<Closer> {
                       return std::make_unique<CloserIn<Space>>(handle, system);
                     });
}

}  // namespace

class Interpolator::Implementation {
 public:
  explicit Implementation(const Results& results) : results_(results) {
    if (results.time.empty()) throw std::invalid_argument("there is no output time");
    const Recorded& record = results.options.record;
    const std::size_t n = results.time.size() * results.body_names.size();
    if (!record.positions || results.position.size() != 3 * n ||
        results.orientation.size() != 4 * n) {
      throw std::invalid_argument("positions were not recorded (see `record`)");
    }
    has_velocities_ = record.velocities && results.velocity.size() == 3 * n &&
                      results.angular_velocity.size() == 3 * n;
    has_accelerations_ = has_velocities_ && record.accelerations &&
                         results.acceleration.size() == 3 * n &&
                         results.angular_acceleration.size() == 3 * n;
  }

  std::vector<BodyState> at(double t) {
    const Between between = find(t);
    std::vector<BodyState> bodies(results_.body_names.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b] = calc_body(between, b);
    if (between.s > 0.0) close(t, between, bodies);
    return bodies;
  }
  const std::string& why_open() const { return why_open_; }

 private:
  Between find(double t) const {
    const std::vector<double>& time = results_.time;
    if (!(t >= time.front() && t <= time.back())) {
      throw std::invalid_argument(
          fmt::format("t = {} s is outside the run, {} s to {} s", t, time.front(), time.back()));
    }
    const auto after = std::lower_bound(time.begin(), time.end(), t);
    const auto row = static_cast<std::size_t>(after - time.begin());
    if (*after == t) return {row, 0.0, 0.0};
    if (!has_velocities_) {
      throw std::invalid_argument(
          fmt::format("t = {} s lies between output times, and velocities, which the interpolation "
                      "needs, were not recorded; there are t = {} s and t = {} s",
                      t, time[row - 1], time[row]));
    }
    const double h = time[row] - time[row - 1];
    return {row - 1, h, (t - time[row - 1]) / h};
  }

  const double* item(const std::vector<double>& column, std::size_t row, std::size_t body,
                     std::size_t width) const {
    return column.data() + width * (row * results_.body_names.size() + body);
  }
  static Vec3 take(const double* v) { return {v[0], v[1], v[2]}; }

  BodyState calc_body(const Between& at, std::size_t b) const {
    BodyState state;
    const double* const r0 = item(results_.position, at.row, b, 3);
    const double* const q0 = item(results_.orientation, at.row, b, 4);
    state.position = take(r0);
    state.orientation = {q0[0], q0[1], q0[2], q0[3]};
    if (!has_velocities_) return state;
    const double* const v0 = item(results_.velocity, at.row, b, 3);
    const double* const w0 = item(results_.angular_velocity, at.row, b, 3);
    state.velocity = take(v0);
    state.angular_velocity = take(w0);
    if (at.s == 0.0) return state;
    const std::size_t next = at.row + 1;
    const double* const r1 = item(results_.position, next, b, 3);
    const double* const v1 = item(results_.velocity, next, b, 3);
    const double* const w1 = item(results_.angular_velocity, next, b, 3);
    constexpr double none[3] = {0.0, 0.0, 0.0};
    const double *a0 = none, *a1 = none, *e0 = none, *e1 = none;  // v̇, Ω̇
    if (has_accelerations_) {
      a0 = item(results_.acceleration, at.row, b, 3);
      a1 = item(results_.acceleration, next, b, 3);
      e0 = item(results_.angular_acceleration, at.row, b, 3);
      e1 = item(results_.angular_acceleration, next, b, 3);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Ends ends{r0[k], v0[k], a0[k], r1[k], v1[k], a1[k]};
      state.position[k] = interpolate(ends, has_accelerations_, at.h, at.s);
      state.velocity[k] = interpolate_rate(ends, has_accelerations_, at.h, at.s);
    }
    turn(at, b, w0, w1, e0, e1, state);
    return state;
  }

  // θ̇ = ½ θ∘(0, Ω),  θ̈ = ½ θ∘(0, Ω̇) − ¼|Ω|² θ;  Ω = 2 Im(θ̄∘θ̇)/|θ|²
  void turn(const Between& at, std::size_t b, const double* w0, const double* w1, const double* e0,
            const double* e1, BodyState& state) const {
    const auto load = [&](std::size_t row) {
      const double* const q = item(results_.orientation, row, b, 4);
      return Theta{q[0], q[1], q[2], q[3]};
    };
    const Theta q0 = load(at.row);
    Theta q1 = load(at.row + 1);
    const Theta d0 = multiply(q0, w0), c0 = multiply(q0, e0);
    // ±θ is the same orientation: the sign to which the velocities lead
    double plus = 0.0, minus = 0.0;
    const Theta guess = multiply(q1, w1);
    for (std::size_t k = 0; k < 4; ++k) {
      const double half = 0.25 * at.h;
      const double ahead = q0[k] + half * d0[k], back = q1[k] - half * guess[k];
      plus += (ahead - back) * (ahead - back);
      minus += (ahead + back) * (ahead + back);
    }
    if (minus < plus) {
      for (double& x : q1) x = -x;
    }
    const Theta d1 = multiply(q1, w1), c1 = multiply(q1, e1);
    const auto square = [](const double* w) { return w[0] * w[0] + w[1] * w[1] + w[2] * w[2]; };
    const double s0 = square(w0), s1 = square(w1);
    Theta q{}, rate{};
    double size = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      const Ends ends{q0[k], 0.5 * d0[k], 0.5 * c0[k] - 0.25 * s0 * q0[k],
                      q1[k], 0.5 * d1[k], 0.5 * c1[k] - 0.25 * s1 * q1[k]};
      q[k] = interpolate(ends, has_accelerations_, at.h, at.s);
      rate[k] = interpolate_rate(ends, has_accelerations_, at.h, at.s);
      size += q[k] * q[k];
    }
    for (std::size_t k = 0; k < 4; ++k) state.orientation[k] = q[k] / std::sqrt(size);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = k + 1, j = 1 + (k + 1) % 3, l = 1 + (k + 2) % 3;
      const double imaginary = q[0] * rate[i] - q[i] * rate[0] - q[j] * rate[l] + q[l] * rate[j];
      state.angular_velocity[k] = 2.0 * imaginary / size;
    }
  }

  std::vector<double> calc_coordinates(const Between& at) const {
    const std::size_t n = results_.coordinate_names.size();
    std::vector<double> values(n);
    for (std::size_t c = 0; c < n; ++c) {
      const std::size_t i = at.row * n + c, j = i + n;
      values[c] = interpolate({results_.coordinate[i], results_.coordinate_rate[i], 0.0,
                               results_.coordinate[j], results_.coordinate_rate[j], 0.0},
                              false, at.h, at.s);
    }
    return values;
  }

  void close(double t, const Between& at, std::vector<BodyState>& bodies) {
    if (!closer_ && why_open_.empty()) {
      try {
        closer_ = make_closer(results_);
        verify(at.row);
      } catch (const std::runtime_error& error) {  // ModelError and FileError, too
        why_open_ = error.what();
        closer_.reset();
      }
    }
    if (!closer_) return;
    std::vector<BodyState> closed = bodies;
    const std::string reason = closer_->close(t, calc_coordinates(at), closed);
    if (reason.empty()) {
      bodies = std::move(closed);
    } else if (why_open_.empty()) {
      why_open_ = fmt::format("t = {:.6g} s: {}", t, reason);
    }
  }

  // A recorded point is closed already: the model would move it only if it were not that of the run.
  void verify(std::size_t row) {
    const Between at{row, 0.0, 0.0};
    std::vector<BodyState> bodies(results_.body_names.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) bodies[b] = calc_body(at, b);
    const std::size_t n = results_.coordinate_names.size();
    const auto begin = results_.coordinate.begin() + static_cast<std::ptrdiff_t>(row * n);
    const std::string reason =
        closer_->close(results_.time[row], {begin, begin + static_cast<std::ptrdiff_t>(n)}, bodies);
    if (!reason.empty()) throw std::runtime_error(reason);
    const double open = 10.0 * results_.violation.position / results_.scene.length;
    if (closer_->moved() > 1e-8 + open) {
      throw std::runtime_error(
          "the model in them is not that of the run: it moves recorded points");
    }
  }

  const Results& results_;
  bool has_velocities_ = false, has_accelerations_ = false;
  std::unique_ptr<Closer> closer_;
  std::string why_open_;
};

Interpolator::Interpolator(const Results& results)
    : in_(std::make_unique<Implementation>(results)) {}
Interpolator::~Interpolator() = default;
Interpolator::Interpolator(Interpolator&&) noexcept = default;
Interpolator& Interpolator::operator=(Interpolator&&) noexcept = default;
std::vector<BodyState> Interpolator::at(double t) { return in_->at(t); }
const std::string& Interpolator::why_open() const { return in_->why_open(); }

}  // namespace trammel
