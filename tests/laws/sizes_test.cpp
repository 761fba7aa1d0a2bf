// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Small parts in large mechanisms, heavy and light neighbours, soft springs between unlike
// mechanisms, other units: the right number of degrees of freedom, and joints closed to 1e-11 of the
// size of the smaller part they join.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/joint_gaps.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

constexpr double far = 100.0;  // m, the length of the boom

Body make_bar(const std::string& name, const Vec3& from, const Vec3& to, double mass,
              double round = 1.0) {
  Body body;
  body.name = name;
  body.mass = mass;
  const double x = to[0] - from[0], y = to[1] - from[1], length2 = x * x + y * y;
  // a bar with a width of a tenth of its length, along the body's x axis
  const double across = round * mass * length2 / 12, along = 0.02 * across;
  body.inertia = Mat3{{{along, 0, 0}, {0, across, 0}, {0, 0, across}}};
  body.position = {0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0};
  const double angle = std::atan2(y, x);
  body.orientation = {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
  return body;
}

struct Neighbour {
  double mass = 1000.0;  // kg
  double round = 1.0;    // moment of inertia relative to that of a bar
};

// A boom on a hinge at the origin, and at its tip a four-bar with bars of about `size`. All in the
// plane z = 0, of a planar model or of one in space.
Model make_boom(int dimension, double size, double bar_mass, const Neighbour& boom) {
  Model model;
  model.dimension = dimension;
  model.gravity = {0, -9.81, 0};
  const Vec3 tip{far, 0, 0}, a{far - size, 0, 0}, b{far - 0.8 * size, -0.9 * size, 0},
      c{far + 0.2 * size, -0.7 * size, 0};
  model.bodies = {make_bar("boom", {0, 0, 0}, tip, boom.mass, boom.round),
                  make_bar("crank", a, b, bar_mass), make_bar("rod", b, c, bar_mass),
                  make_bar("rocker", c, tip, bar_mass)};
  const auto add = [&](const char* name, const char* i, const char* j, const Vec3& at) {
    WorldPlacement placement{at, {}, {}};
    if (dimension == 3) placement.axis = Vec3{0, 0, 1};
    model.joints.push_back({name, JointKind::revolute, i, j, placement});
  };
  add("foot", ground, "boom", {0, 0, 0});
  add("a", "boom", "crank", a);
  add("b", "crank", "rod", b);
  add("c", "rod", "rocker", c);
  add("d", "rocker", "boom", tip);
  return model;
}

SimulationOptions make_options(double t_end, double tolerance = 1e-8) {
  SimulationOptions options = test::with_tolerance({}, tolerance);
  options.t_end = t_end;
  options.output_interval = t_end / 20;
  options.max_steps = 20000;
  return options;
}

// Right and closed, or refused with a reason. Returns true where it ran. A small mechanism that is placed
// far from the origin, at a distance `reach`, cannot be closer than the rounding of that.
bool check_closed(const Model& model, int dof, double t_end, double reach = 0.0) {
  const CheckReport report = check(compile(model));
  if (!report.ok()) {
    MESSAGE("refused: ", report.reasons[0]);
    CHECK(!report.reasons[0].empty());
    return false;
  }
  CHECK(report.dof == dof);
  const Results results = test::run(model, make_options(t_end));
  const std::string message = results.status.message;
  CAPTURE(message);
  CHECK(results.status.outcome == Outcome::finished);
  const test::JointGaps gaps(model);
  constexpr double least = 1e-11;
  const double rounding = 4 * 2.2e-16 * reach;
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    for (const test::Gap& gap : gaps.calc(results, row)) {
      CAPTURE(gap.name);
      for (const test::GapRow& own : gap.rows) {
        const double allowed = own.is_length ? least * gap.size + rounding : least;
        if (!(std::abs(own.value) <= allowed)) CHECK(std::abs(own.value) <= allowed);
      }
    }
  }
  return true;
}

Vec3 times(double factor, const Vec3& v) { return {factor * v[0], factor * v[1], factor * v[2]}; }

// The same mechanism with lengths in units of L metres and masses in units of m kilograms.
Model in_units(Model model, double L, double m) {
  model.gravity = times(1 / L, model.gravity);
  for (Body& body : model.bodies) {
    *body.mass /= m;
    for (Vec3& row : *body.inertia) row = times(1 / (m * L * L), row);
    body.position = times(1 / L, body.position);
    body.velocity = times(1 / L, body.velocity);
  }
  for (Joint& joint : model.joints) {
    auto& world = std::get<WorldPlacement>(joint.placement);
    world.point = times(1 / L, world.point);
  }
  return model;
}

double count_steps(const Results& results) {
  return static_cast<double>(results.counts.accepted + results.counts.rejected);
}

}  // namespace

TEST_CASE("a four-bar of 10 m … 0.1 mm at the tip of a boom of 100 m: 2 degrees of freedom") {
  for (const int dimension : {2, 3}) {
    for (const double size : {10.0, 1.0, 0.1, 0.02, 0.01, 5e-3, 1e-3, 1e-4}) {
      CAPTURE(dimension);
      CAPTURE(size);
      const Model model = make_boom(dimension, size, 1.0, {});
      // some swings of the small linkage; a unit in the last place at 100 m is 1.4e-14 m, which is more
      // than 1e-11 of the smallest parts
      const bool runs = check_closed(model, 2, std::min(2.0, 10 * std::sqrt(size)));
      CHECK(runs == (size > 6e-3));
      if (!runs)
        CHECK(check(compile(model)).reasons[0].find("too small next to") != std::string::npos);
    }
  }
}

TEST_CASE(
    "a four-bar of 2 cm on a boom with masses and moments from 1e-12 to 1e12 times as large") {
  int ran = 0;
  for (const int dimension : {2, 3}) {
    for (int power = -12; power <= 12; power += 4) {
      for (const bool moment_only : {false, true}) {
        CAPTURE(dimension);
        CAPTURE(power);
        CAPTURE(moment_only);
        const double ratio = std::pow(10.0, power);
        const Neighbour boom = moment_only ? Neighbour{1000.0, ratio} : Neighbour{ratio, 1.0};
        ran += check_closed(make_boom(dimension, 0.02, 1.0, boom), 2, 0.3) ? 1 : 0;
      }
    }
  }
  CHECK(ran >= 24);
}

TEST_CASE("a light or heavy four-bar of 2 cm between bars of its own size") {
  for (const int dimension : {2, 3}) {
    for (int power = -12; power <= 12; power += 4) {
      CAPTURE(dimension);
      CAPTURE(power);
      Model model = make_boom(dimension, 0.02, 1.0, {1.0, 1.0});
      Body& rod = model.bodies[2];
      const double ratio = std::pow(10.0, power);
      *rod.mass *= ratio;
      for (Vec3& row : *rod.inertia) row = times(ratio, row);
      CHECK(check_closed(model, 2, 0.3));
    }
  }
}

TEST_CASE("a quick-return mechanism whose ram has any moment of inertia: 0 degrees of freedom") {
  for (int power = -6; power <= 15; power += 3) {
    CAPTURE(power);
    Model model = test::read_repository_model("gallery/quick_return.yaml");
    for (Body& body : model.bodies) {
      if (body.name != "ram") continue;
      const double moment = std::pow(10.0, power);
      if (!body.mass) body.mass = 1.0;
      body.inertia = Mat3{{{moment, 0, 0}, {0, moment, 0}, {0, 0, moment}}};
    }
    CHECK(check_closed(model, 0, 2.0));
  }
}

TEST_CASE("a soft spring between a boom of 100 m and a linkage of 1 mm changes neither's joints") {
  for (const double stiffness : {1e-6, 1.0, 1e3}) {
    for (const double size : {1e-3, 1.0}) {
      CAPTURE(stiffness);
      CAPTURE(size);
      // the boom without its linkage, and the linkage on the ground below its tip
      Model model = make_boom(3, size, 1.0, {});
      for (Joint& joint : model.joints) {
        if (joint.name == "a" || joint.name == "d") {
          (joint.body_i == "boom" ? joint.body_i : joint.body_j) = ground;
        }
      }
      model.forces = {
          {"spring", SpringDamper{"boom", "rod", {far / 2, 1, 0}, {0, 0, 0}, stiffness, 0.0, 1.0}}};
      CHECK(check_closed(model, 2, 0.3, far));
    }
  }
}

TEST_CASE("metres and kilograms, millimetres and grams, feet and slugs: as many steps") {
  for (const int dimension : {2, 3}) {
    for (const double size : {10.0, 0.1}) {
      CAPTURE(dimension);
      CAPTURE(size);
      const Model model = make_boom(dimension, size, 1.0, {});
      SimulationOptions options = make_options(10.0);
      options.atol = 1e-14;  // it has units; rtol counts
      const Results si = test::run(model, options);
      REQUIRE(si.status.outcome == Outcome::finished);
      const std::pair<double, double> units[] = {{1e-3, 1e-3}, {0.3048, 14.5939}, {1e3, 1e3}};
      for (const auto& [length, m] : units) {
        const double L = length;
        CAPTURE(L);
        const Results other = test::run(in_units(model, L, m), options);
        REQUIRE(other.status.outcome == Outcome::finished);
        CHECK(other.check.dof == si.check.dof);
        CHECK(other.check.rank == si.check.rank);
        // the first steps, from rest, are found by a guess that depends on units
        CHECK(std::abs(count_steps(other) - count_steps(si)) <= 0.02 * count_steps(si) + 5);
        for (std::size_t b = 0; b < si.final.size(); ++b) {
          CHECK(test::distance(si.final[b].position, times(L, other.final[b].position)) < 1e-6);
        }
      }
    }
  }
}
