// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "one_coordinate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cpu_clock.hpp"
#include "integrate/step_control.hpp"
#include "integrate/tableau.hpp"
#include "math/unroll.hpp"
#include "one_coordinate_laws.hpp"

namespace trammel::bench {

namespace {

// The library's coefficients as plain arrays: [12] is b.
template <class Real>
struct Dop853 {
  Real a[13][12] = {};
  Real error[12] = {}, error_low[12] = {};

  Dop853() {
    const Tableau& tableau = dop853();
    const auto copy = [](const StageSum& sum, Real* to) {
      for (std::size_t k = 0; k < sum.stage.size(); ++k) to[sum.stage[k]] = sum.weight[k];
    };
    for (std::size_t s = 1; s < 12; ++s) copy(tableau.a[s], a[s]);
    copy(tableau.b, a[12]);
    copy(tableau.error, error);
    copy(tableau.error_low, error_low);
  }
};

template <class Real>
struct Motion {
  Real phi, rate;
};

template <class Law, class Real>
class OneCoordinate {
 public:
  OneCoordinate(const Law& law, Real torque, Motion<Real> start)
      : law_(law), torque_(torque), start_(start) {
    const LawValues<Real> at = law_.calc(start.phi);
    energy_ = at.A * start.rate * start.rate / 2 + at.U;
    first_ = {start.rate, calc_acceleration(at, start.rate)};
  }

  // Steps of one size, for the reference.
  void begin() {
    z_ = start_;
    k_[0] = first_;
  }
  Motion<Real> step(Real h) {
    try_step(h, false);
    take_step();
    return z_;
  }

  // Error control up to t_end; observe(t, φ) after each step. Returns the evaluations.
  template <class Observe>
  std::int64_t run(double t_end, double tolerance, bool hold_energy, Observe&& observe) {
    begin();
    StepController control(true);
    std::int64_t evaluations = 1;
    double t = 0.0, h = 0.01;
    while (t < t_end) {
      const bool last = t + 1.01 * h >= t_end;
      if (last) h = t_end - t;
      try_step(h, hold_energy);
      evaluations += 12;
      const double error = calc_error(h, tolerance);
      if (error <= 1.0) {
        take_step();
        t = last ? t_end : t + h;
        observe(t, z_.phi);
        h = control.after_accepted(dop853().law, h, error);
      } else {
        h = control.after_rejected(dop853().law, h, error);
      }
    }
    return evaluations;
  }

 private:
  struct Slope {
    Real rate, acceleration;
  };

  Real calc_acceleration(const LawValues<Real>& at, Real rate) const {
    return (torque_ - at.half_dA * rate * rate - at.dU) / at.A;
  }

  void try_step(Real h, bool hold_energy) {
    unroll<12>([&](auto stage) {
      constexpr int s = stage + 1;
      Real phi = 0, rate = 0;
      unroll<s>([&](auto j) {
        phi += method_.a[s][j] * k_[j].rate;
        rate += method_.a[s][j] * k_[j].acceleration;
      });
      end_ = {z_.phi + h * phi, z_.rate + h * rate};
      const LawValues<Real> at = law_.calc(end_.phi);
      if constexpr (s == 12) {
        if (hold_energy) end_.rate = scale_to_energy(at, end_);
      }
      k_[s] = {end_.rate, calc_acceleration(at, end_.rate)};
    });
  }

  // φ˙ ← φ˙ √(1 + ΔE/T), where T is not small beside the defect
  Real scale_to_energy(const LawValues<Real>& at, Motion<Real> z) const {
    const Real kinetic = at.A * z.rate * z.rate / 2;
    const Real defect = energy_ + torque_ * (z.phi - start_.phi) - at.U - kinetic;
    if (!(std::abs(defect) < kinetic / 100)) return z.rate;
    return z.rate * std::sqrt(1 + defect / kinetic);
  }

  void take_step() {
    z_ = end_;
    k_[0] = k_[12];
  }

  double calc_error(double h, double tolerance) const {
    Real e[4] = {};  // φ, φ˙ of the two estimates
    unroll<12>([&](auto j) {
      e[0] += method_.error[j] * k_[j].rate;
      e[1] += method_.error[j] * k_[j].acceleration;
      e[2] += method_.error_low[j] * k_[j].rate;
      e[3] += method_.error_low[j] * k_[j].acceleration;
    });
    const Real rate = std::max(std::abs(z_.rate), std::abs(end_.rate));
    const Real w = 1 / (2 * tolerance), w1 = 1 / (tolerance + tolerance * rate);
    const Real high = (e[0] * w * e[0] * w + e[1] * w1 * e[1] * w1) / 2;
    const Real low = (e[2] * w * e[2] * w + e[3] * w1 * e[3] * w1) / 2;
    const Real denominator = high + Real(0.01) * low;
    return denominator > 0 ? static_cast<double>(h * high / std::sqrt(denominator)) : 0.0;
  }

  Law law_;
  Real torque_;
  Motion<Real> start_;
  Real energy_;
  Slope first_;
  inline static const Dop853<Real> method_;
  Motion<Real> z_{}, end_{};
  Slope k_[13] = {};
};

template <class Law, class Real>
OneCoordinate<Law, Real> make_program(const Law& law, const Model& model,
                                      const std::vector<BodyState>& start) {
  const Vec3 torque = std::get<Torque>(model.forces.front().law).value;
  const Motion<Real> motion{Law::find_angle(start[0]), start[0].angular_velocity[2]};
  return {law, Real(torque[2]), motion};
}

template <class Law>
ReferenceMotion make_reference_with(const Law& law, const Model& model,
                                    const std::vector<BodyState>& start) {
  using Real = long double;
  // The quadrangle whips: with 2.5e-4 s between points Hermite's polynomials were wrong by 5e-9 m.
  constexpr double interval = 2.5e-5;
  const auto n = static_cast<std::size_t>(std::lround(model.simulation.t_end / interval));
  auto program = make_program<Law, Real>(law, model, start);
  program.begin();
  std::vector<double> positions, velocities;
  Motion<Real> z{Law::find_angle(start[0]), start[0].angular_velocity[2]};
  for (std::size_t k = 0; k <= n; ++k) {
    Points<Real> r, dr;
    law.calc_points(z.phi, r, dr);
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t i = 0; i < 3; ++i) {
        positions.push_back(static_cast<double>(r[b][i]));
        velocities.push_back(static_cast<double>(dr[b][i] * z.rate));
      }
    }
    if (k < n) z = program.step(static_cast<Real>(model.simulation.t_end) / static_cast<Real>(n));
  }
  return {interval, 3, std::move(positions), std::move(velocities)};
}

template <class Law>
Measurement measure_with(const Law& law, const Model& model, const std::vector<BodyState>& start,
                         double tolerance, bool hold_energy, const ReferenceMotion& reference) {
  Measurement measured;
  const double t_end = model.simulation.t_end;
  auto program = make_program<Law, double>(law, model, start);
  program.run(t_end, tolerance, hold_energy, [&](double t, double phi) {
    Points<double> r, dr;
    law.calc_points(phi, r, dr);
    const auto position = [&](int b) { return Vec3{r[b][0], r[b][1], r[b][2]}; };
    measured.error = std::max(measured.error, reference.calc_error(t, position));
  });
  measured.cpu = find_least_cpu([&] {
    measured.evaluations =
        static_cast<double>(program.run(t_end, tolerance, hold_energy, [](double, double) {}));
  });
  return measured;
}

}  // namespace

bool has_one_coordinate(const std::string& model) {
  return model == "quadrangle" || model == "crank";
}

ReferenceMotion make_exact_reference(const std::string& name, const Model& model,
                                     const std::vector<BodyState>& start) {
  if (name == "crank") return make_reference_with(CrankLaw<long double>(model), model, start);
  return make_reference_with(QuadrangleLaw<long double>(model), model, start);
}

Measurement measure_one_coordinate(const std::string& name, const Model& model,
                                   const std::vector<BodyState>& start, double tolerance,
                                   bool hold_energy, const ReferenceMotion& reference) {
  Measurement measured = name == "crank" ? measure_with(CrankLaw<double>(model), model, start,
                                                        tolerance, hold_energy, reference)
                                         : measure_with(QuadrangleLaw<double>(model), model, start,
                                                        tolerance, hold_energy, reference);
  measured.model = name;
  measured.program = "one coordinate";
  measured.method = hold_energy ? "dop853, energy held" : "dop853";
  measured.setting = tolerance;
  return measured;
}

}  // namespace trammel::bench
