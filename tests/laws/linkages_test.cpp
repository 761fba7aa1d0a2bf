// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Linkages of hinges, whose equations are redundant, and which of them repeat others changes on the
// way: at every tolerance the joints stay closed, by the run's own report and by what the recorded
// states say; the energy is as good as the tolerance; no singular position is reported, since there
// is none; and twins without redundancy give the same motion, loads and number of steps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "support/joint_gaps.hpp"
#include "support/linkages.hpp"
#include "support/reference.hpp"

using namespace trammel;
using namespace trammel::test;

namespace {

constexpr double tolerances[] = {1e-5, 1e-7, 1e-9, 1e-11, 1e-13};

struct Run {
  Results results;
  WorstGap gap;         // by our own equations
  double regularity;    // smallest over the recorded rows
  double energy_error;  // relative to the largest kinetic energy
  double steps() const {
    return static_cast<double>(results.counts.accepted + results.counts.rejected);
  }
};

Run run_linkage(const Linkage& linkage, double tolerance, double t_end) {
  SimulationOptions options = with_tolerance({}, tolerance);
  options.t_end = t_end;
  options.output_interval = t_end / 50;
  options.max_steps = 100000;
  Run run{test::run(linkage.model, options), {}, 1.0, 0.0};
  run.gap = find_worst_gap(linkage.model, run.results);
  for (std::size_t row = 0; row < run.results.time.size(); ++row) {
    run.regularity = std::min(run.regularity, calc_regularity(linkage, run.results, row));
  }
  run.energy_error = run.results.energy.balance_error_max / run.results.energy.kinetic_max;
  return run;
}

double largest_move(const Assembly& assembly) {
  double largest = assembly.velocity_change;
  for (const double d : assembly.moved_distance) largest = std::max(largest, d);
  for (const double d : assembly.moved_angle) largest = std::max(largest, d);
  return largest;
}

void check_start(const Linkage& linkage) {
  const CheckReport report = check(compile(linkage.model));
  CHECK(report.ok());
  CHECK(report.dof == linkage.dof);
  CHECK(static_cast<int>(report.dependent.size()) == linkage.redundant);
  CHECK(report.warnings.empty());
  CHECK(report.assembly.residual_before < 1e-13);
  if (linkage.model.drivers.empty()) CHECK(largest_move(report.assembly) < 1e-9);
}

// A linkage that comes this near to a singular position of its own may say so.
constexpr double least_regularity = 2e-3;

void check_run(const Linkage& linkage, const Run& run, double tolerance) {
  CAPTURE(tolerance);
  const Results& results = run.results;
  CAPTURE(run.regularity);
  CHECK(results.status.outcome == Outcome::finished);
  CHECK(results.violation.position <= 1e-11);
  CHECK(results.violation.velocity <= 1e-11);
  CHECK(run.gap.position <= 1e-11);
  CHECK(run.gap.velocity <= 1e-11);
  if (run.regularity > least_regularity) {
    const std::string warning = results.warnings.empty() ? "" : results.warnings[0];
    CHECK(warning == "");
    CHECK(results.conditioning.passages == 0);
  }
  CHECK(results.time.size() == 51);  // no output point is lost
  CHECK(run.energy_error <= std::max(300 * tolerance, 1e-11));
  CHECK(results.check.dof == linkage.dof);
}

using Family = std::function<Linkage(unsigned)>;

// Members 0 … n − 1, one tolerance each in turn.
void check_members(const Family& make, int n, double t_end) {
  int near_singular = 0;
  double worst_position = 0.0, worst_velocity = 0.0;
  for (int k = 0; k < n; ++k) {
    CAPTURE(k);
    const Linkage linkage = make(static_cast<unsigned>(k));
    check_start(linkage);
    const double tolerance = tolerances[k % std::size(tolerances)];
    const Run run = run_linkage(linkage, tolerance, t_end);
    check_run(linkage, run, tolerance);
    if (run.regularity <= least_regularity) ++near_singular;
    worst_position = std::max(worst_position, run.gap.position);
    worst_velocity = std::max(worst_velocity, run.gap.velocity);
  }
  CHECK(near_singular <= n / 20);
  MESSAGE(n, " members, largest gap ", worst_position, ", of velocities ", worst_velocity, "; ",
          near_singular, " near a singular position");
}

// The largest difference of positions, and of loads relative to the largest one.
struct Difference {
  double motion = 0.0, load = 0.0;
};
Difference compare(const Results& a, const Results& b) {
  Difference difference;
  REQUIRE(a.position.size() == b.position.size());
  for (std::size_t k = 0; k < a.position.size(); ++k) {
    difference.motion = std::max(difference.motion, std::abs(a.position[k] - b.position[k]));
  }
  const std::size_t n = a.load_names.size();
  for (std::size_t c = 0; c < n; ++c) {
    double largest = 0.0, off = 0.0;
    for (std::size_t k = c; k < a.load.size(); k += n) {
      largest = std::max(largest, std::abs(b.load[k]));
      off = std::max(off, std::abs(a.load[k] - b.load[k]));
    }
    if (largest > 0.0) difference.load = std::max(difference.load, off / largest);
  }
  return difference;
}

using Twins = std::function<Linkage(unsigned, Joints)>;

void check_twins(const Twins& make, int n, double t_end, double tolerance = 1e-12) {
  double steps = 0.0, twin_steps = 0.0;
  Difference worst;
  for (int k = 0; k < n; ++k) {
    CAPTURE(k);
    const Linkage linkage = make(static_cast<unsigned>(k), Joints::redundant);
    const Linkage twin = make(static_cast<unsigned>(k), Joints::twin);
    CHECK(twin.redundant == 0);
    CHECK(linkage.dof == twin.dof);
    check_start(twin);
    const Run run = run_linkage(linkage, tolerance, t_end);
    SimulationOptions options = run.results.options;
    const Results other = test::run(twin.model, options);
    REQUIRE(other.status.outcome == Outcome::finished);
    const Difference difference = compare(run.results, other);
    CHECK(difference.motion < 1e-9);
    CHECK(difference.load < 1e-8);
    worst.motion = std::max(worst.motion, difference.motion);
    worst.load = std::max(worst.load, difference.load);
    // an error as large as the twin's, with a margin for chance
    CHECK(run.results.energy.balance_error_max <=
          10 * other.energy.balance_error_max + 1e-12 * other.energy.kinetic_max);
    steps += run.steps();
    twin_steps += static_cast<double>(other.counts.accepted + other.counts.rejected);
  }
  CHECK(steps <= 1.05 * twin_steps);
  MESSAGE(n, " twins: motion ", worst.motion, ", loads ", worst.load, ", steps ", steps,
          " against ", twin_steps);
}

Carrier carrier_of(unsigned seed) { return all_carriers[seed % std::size(all_carriers)]; }

Linkage make_planar(unsigned seed, Joints joints) {
  return make_planar_four_bar(seed, carrier_of(seed), joints);
}
Linkage make_spherical(unsigned seed, Joints joints) {
  return make_spherical_four_bar(seed, carrier_of(seed), joints);
}

}  // namespace

TEST_CASE("Bennett linkages: a/sin α = b/sin β by construction, and they move as Bennett says") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Linkage linkage = make_bennett(seed);
    const BennettNumbers n = calc_bennett_numbers(linkage);
    CHECK(n.a / std::sin(n.alpha) == doctest::Approx(n.b / std::sin(n.beta)).epsilon(1e-13));
    // The inner angles θ, φ at both ends of a link: tan(θ/2) tan(φ/2) is constant, and opposite angles
    // are equal. A joint's coordinate counts from the start, against the inner angle.
    const Run run = run_linkage(linkage, 1e-10, 2.0);
    REQUIRE(run.results.status.outcome == Outcome::finished);
    const auto& names = run.results.coordinate_names;
    double product = 0.0;
    for (std::size_t row = 0; row < run.results.time.size(); ++row) {
      double inner[4];
      for (int k = 0; k < 4; ++k) {
        REQUIRE(names[k] == linkage.loops[0][k] + ".angle");
        inner[k] = n.inner[k] - run.results.coordinate[row * names.size() + k];
      }
      const double now = std::tan(inner[0] / 2) * std::tan(inner[1] / 2);
      if (row == 0) product = now;
      CHECK(now == doctest::Approx(product).epsilon(1e-9));
      CHECK(std::abs(std::remainder(inner[0] - inner[2], 2 * M_PI)) < 1e-10);
      CHECK(std::abs(std::remainder(inner[1] - inner[3], 2 * M_PI)) < 1e-10);
    }
  }
}

TEST_CASE("200 Bennett linkages, one tolerance each") {
  check_members([](unsigned seed) { return make_bennett(seed); }, 200, 3.0);
}

TEST_CASE("Bennett linkages on moving carriers") {
  check_members([](unsigned seed) { return make_bennett(1000 + seed, carrier_of(seed)); }, 60, 2.0);
}

TEST_CASE("100 planar four-bars of hinges on moving carriers") {
  check_members([](unsigned seed) { return make_planar(seed, Joints::redundant); }, 100, 2.0);
}

TEST_CASE("100 spherical four-bars of hinges on moving carriers") {
  check_members([](unsigned seed) { return make_spherical(seed, Joints::redundant); }, 100, 2.0);
}

TEST_CASE("Goldberg, Myard and Sarrus linkages") {
  check_members([](unsigned seed) { return make_goldberg(seed); }, 25, 2.0);
  check_members([](unsigned seed) { return make_myard(seed); }, 25, 2.0);
  check_members([](unsigned seed) { return make_sarrus(seed); }, 25, 2.0);
}

TEST_CASE("slider-cranks of hinges and a slide, free and driven") {
  for (const bool driven : {false, true}) {
    check_members([&](unsigned seed) { return make_slider_crank(seed, driven); }, 20, 3.0);
  }
}

TEST_CASE("an excavator arm on a base that turns by 90 degrees and back") {
  for (const bool cylinders : {false, true}) {
    CAPTURE(cylinders);
    check_members([&](unsigned) { return make_excavator(cylinders); }, 5, 4.0);
  }
}

TEST_CASE("four-bars on a driven turntable") {
  for (const int n : {1, 2, 20}) {
    CAPTURE(n);
    check_members([&](unsigned seed) { return make_turntable(seed, n); }, n == 20 ? 5 : 10, 1.0);
  }
}

TEST_CASE("the same motion, loads and steps as twins without redundancy") {
  check_twins(make_planar, 24, 1.5);
  check_twins(make_spherical, 24, 1.5);
  for (const bool driven : {false, true}) {
    check_twins(
        [&](unsigned seed, Joints joints) { return make_slider_crank(seed, driven, joints); }, 8,
        1.5);
  }
  for (const bool cylinders : {false, true}) {
    check_twins([&](unsigned, Joints joints) { return make_excavator(cylinders, joints); }, 1, 4.0);
  }
  check_twins([](unsigned seed, Joints joints) { return make_turntable(seed, 3, joints); }, 5, 1.0);
}

// Every member at every tolerance, some minutes: test_laws -tc='*every tolerance*' --no-skip
TEST_CASE("all linkages at every tolerance" * doctest::skip()) {
  const std::pair<const char*, Family> families[] = {
      {"Bennett", [](unsigned s) { return make_bennett(s); }},
      {"Bennett, carried", [](unsigned s) { return make_bennett(1000 + s, carrier_of(s)); }},
      {"planar four-bar", [](unsigned s) { return make_planar(s, Joints::redundant); }},
      {"spherical four-bar", [](unsigned s) { return make_spherical(s, Joints::redundant); }},
      {"Goldberg", [](unsigned s) { return make_goldberg(s); }},
      {"Myard", [](unsigned s) { return make_myard(s); }},
      {"Sarrus", [](unsigned s) { return make_sarrus(s); }},
      {"slider-crank", [](unsigned s) { return make_slider_crank(s, s % 2 == 0); }},
      {"turntable, 3 four-bars", [](unsigned s) { return make_turntable(s, 3); }},
      {"excavator", [](unsigned s) { return make_excavator(s % 2 == 0); }}};
  std::printf("%-24s tolerance  steps  rejected     |g|    |g'|  energy  singular\n", "");
  for (const auto& [name, make] : families) {
    const std::string word = name;
    const int n = word == "Bennett" ? 200 : word == "excavator" ? 2 : 100;
    for (const double tolerance : tolerances) {
      double steps = 0, rejected = 0, g = 0, g1 = 0, energy = 0;
      int singular = 0;
      for (int k = 0; k < n; ++k) {
        CAPTURE(word);
        CAPTURE(k);
        const Linkage linkage = make(static_cast<unsigned>(k));
        const Run run = run_linkage(linkage, tolerance, 5.0);
        check_run(linkage, run, tolerance);
        steps += static_cast<double>(run.results.counts.accepted) / n;
        rejected += static_cast<double>(run.results.counts.rejected) / n;
        g = std::max({g, run.gap.position, run.results.violation.position});
        g1 = std::max({g1, run.gap.velocity, run.results.violation.velocity});
        energy = std::max(energy, run.energy_error);
        singular += run.results.conditioning.passages;
      }
      std::printf("%-24s %9.0e %6.0f %9.1f %7.0e %7.0e %7.0e %9d\n", name, tolerance, steps,
                  rejected, g, g1, energy, singular);
      std::fflush(stdout);
    }
  }
}
