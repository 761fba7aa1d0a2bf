// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A robot arm with six driven joints against its forward kinematics and inverse dynamics by recursion: exact at
// every output time whatever the tolerance, with the loads and the work of the integrated motion.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "math/jet.hpp"
#include "support/driven_runs.hpp"
#include "support/reference.hpp"

using namespace trammel;
using test::integrated;
using test::load;
using test::state_of;

namespace {

Jet number(double x) { return {x, 0.0, 0.0}; }
Jet sine(const Jet& a) {
  return compose(a, std::sin(a.value), std::cos(a.value), -std::sin(a.value));
}
Jet cosine(const Jet& a) {
  return compose(a, std::cos(a.value), -std::sin(a.value), -std::cos(a.value));
}

using V = Eigen::Vector3d;

struct Link {
  V joint, axis, centre;  // at the start, world
  double mass;
  V inertia;
  Jet q;
  // found
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  V point = V::Zero(), turned_axis = V::Zero(), c = V::Zero(), v = V::Zero(), a = V::Zero();
  V omega = V::Zero(), alpha = V::Zero();
};

std::vector<Link> solve_arm(double t) {
  const Jet time{t, 1.0, 0.0};
  const auto at = [&](double w) { return number(w) * time; };
  const V y(0, 1, 0), z(0, 0, 1);
  std::vector<Link> links = {
      {V(0, 0, 0), z, V(0, 0, 0.25), 40, V(1.2, 1.2, 0.6), number(1.5) * sine(at(0.7))},
      {V(0, 0, 0.5), y, V(0, 0, 0.75), 25, V(0.9, 0.9, 0.1), number(0.6) * sine(at(1.1))},
      {V(0, 0, 1.0), y, V(0, 0, 1.25), 15, V(0.5, 0.5, 0.05),
       number(0.9) * sine(at(1.3)) + number(0.4) * (number(1) - cosine(time))},
      {V(0, 0, 1.5), z, V(0, 0, 1.6), 5, V(0.03, 0.03, 0.02), number(2) * sine(at(0.9))},
      {V(0, 0, 1.7), y, V(0, 0, 1.75), 3, V(0.01, 0.01, 0.01), number(0.8) * sine(at(1.7))},
      {V(0, 0, 1.8), z, V(0.05, 0, 1.9), 2, V(0.01, 0.01, 0.005),
       number(3) * time + number(0.5) * sine(at(2))}};
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  V c = V::Zero(), c0 = V::Zero(), v = V::Zero(), a = V::Zero(), omega = V::Zero(),
    alpha = V::Zero();
  for (Link& link : links) {
    link.turned_axis = R * link.axis;
    const V d = R * (link.joint - c0);
    link.point = c + d;
    const V v_point = v + omega.cross(d);
    const V a_point = a + alpha.cross(d) + omega.cross(omega.cross(d));
    alpha += link.q.second * link.turned_axis + link.q.first * omega.cross(link.turned_axis);
    omega += link.q.first * link.turned_axis;
    R = R * Eigen::AngleAxisd(link.q.value, link.axis).toRotationMatrix();
    c0 = link.centre;
    const V e = R * (link.centre - link.joint);
    c = link.point + e;
    v = v_point + omega.cross(e);
    a = a_point + alpha.cross(e) + omega.cross(omega.cross(e));
    link.R = R;
    link.c = c;
    link.v = v;
    link.a = a;
    link.omega = omega;
    link.alpha = alpha;
  }
  return links;
}

// The torque of motor k: what all bodies after it need, about its axis.
double calc_torque(const std::vector<Link>& links, std::size_t k) {
  double sum = 0.0;
  for (std::size_t j = k; j < links.size(); ++j) {
    const Link& link = links[j];
    const Eigen::Matrix3d inertia = link.R * link.inertia.asDiagonal() * link.R.transpose();
    const V force = link.mass * (link.a - V(0, 0, -9.81));
    const V moment = (link.c - links[k].point).cross(force) + inertia * link.alpha +
                     link.omega.cross(inertia * link.omega);
    sum += links[k].turned_axis.dot(moment);
  }
  return sum;
}

V to_vector(const Vec3& v) { return V(v[0], v[1], v[2]); }

}  // namespace

TEST_CASE("a driven robot arm follows its six laws to rounding, whatever the tolerance") {
  const Model model = test::read_repository_model("gallery/robot_arm.yaml");
  const System system = compile(model);
  const char* const motors[] = {"base_motor", "shoulder_motor", "elbow_motor",
                                "roll_motor", "pitch_motor",    "flange_motor"};
  for (const double tolerance : {1e-3, 1e-7}) {
    const Results run = simulate(system, test::with_tolerance(model.simulation, tolerance));
    REQUIRE(run.status.outcome == Outcome::finished);
    CHECK(run.is_kinematic());
    CHECK(run.warnings.empty());
    REQUIRE(run.time.size() == 1001);
    double position = 0, turn = 0, velocity = 0, spin = 0, acceleration = 0, torque = 0;
    for (std::size_t row = 0; row < run.time.size(); ++row) {
      const std::vector<Link> links = solve_arm(run.time[row]);
      std::vector<BodyState> states;
      for (std::size_t b = 0; b < links.size(); ++b) {
        const BodyState& state = states.emplace_back(state_of(run, row, b));
        const auto& q = state.orientation;
        const Eigen::Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
        position = std::max(position, (to_vector(state.position) - links[b].c).norm());
        turn = std::max(turn, (R - links[b].R).norm());
        velocity = std::max(velocity, (to_vector(state.velocity) - links[b].v).norm());
        spin = std::max(spin, (R * to_vector(state.angular_velocity) - links[b].omega).norm());
        torque = std::max(torque, std::abs(load(run, std::string(motors[b]) + ".torque", row) -
                                           calc_torque(links, b)));
      }
      if (row % 50 != 0) continue;
      const Accelerations found = calc_accelerations(system, states, run.time[row]);
      for (std::size_t b = 0; b < links.size(); ++b) {
        acceleration =
            std::max({acceleration, (to_vector(found.linear[b]) - links[b].a).norm(),
                      (links[b].R * to_vector(found.angular[b]) - links[b].alpha).norm()});
      }
    }
    // lengths to 2 m, speeds to 8, accelerations to 20, torques to 150 N m
    CHECK(position <= 2e-14);
    CHECK(turn <= 2e-14);
    CHECK(velocity <= 1e-13);
    CHECK(spin <= 3e-13);
    CHECK(acceleration <= 2e-12);
    CHECK(torque <= 1e-11);
    CHECK(run.energy.balance_error_max <= 10 * tolerance * run.energy.kinetic_max);
  }
}

TEST_CASE(
    "a driven robot arm: loads and work are those of its integration, for fewer evaluations") {
  const Model model = test::read_repository_model("gallery/robot_arm.yaml");
  const Results run = test::run(model, model.simulation);
  const Results by_steps = test::run(model, integrated(model.simulation, 1e-12));
  REQUIRE(by_steps.status.outcome == Outcome::finished);
  CHECK(!by_steps.is_kinematic());
  CHECK(by_steps.counts.accelerations >= 5 * run.counts.accelerations);
  for (std::size_t k = 0; k < run.load.size(); ++k) {
    REQUIRE(std::abs(run.load[k] - by_steps.load[k]) <= 1e-8);
  }
  // the work, by quadrature and by integration
  const Results tight = test::run(model, test::with_tolerance(model.simulation, 1e-12));
  for (std::size_t row = 0; row < tight.time.size(); ++row) {
    REQUIRE(std::abs(tight.external_work[row] - by_steps.external_work[row]) <= 1e-9);
  }
  CHECK(tight.energy.balance_error_max <= 1e-10);
}
