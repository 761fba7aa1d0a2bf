// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the origin is, how the axes lie and which body of a joint is named first change nothing.
#include <doctest/doctest.h>

#include "math/euler_parameters.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

// x → R(q) x + shift for a whole model.
class Motion {
 public:
  Motion(const EulerParameters& q, const Vec3& shift)
      : q_(q), R_(calc_rotation(q.data())), shift_(shift) {}

  Vec3 turn(const Vec3& v) const {
    Vec3 result;
    (R_ * Vector3<double>::load(v.data())).store(result.data());
    return result;
  }
  Vec3 point(const Vec3& p) const {
    const Vec3 r = turn(p);
    return {r[0] + shift_[0], r[1] + shift_[1], r[2] + shift_[2]};
  }
  Model operator()(Model model) const {
    model.gravity = turn(model.gravity);
    for (Body& body : model.bodies) {
      EulerParameters product;
      multiply4(q_.data(), body.orientation.data(), product.data());
      body.orientation = product;
      body.position = point(body.position);
      body.velocity = turn(body.velocity);
    }
    for (Joint& joint : model.joints) {
      if (auto* world = std::get_if<WorldPlacement>(&joint.placement)) {
        move_ground(world->point, world->axis, world->axis_j);
        continue;
      }
      auto& local = std::get<LocalPlacement>(joint.placement);
      if (joint.body_i == ground) move_ground(local.point_i, local.a_i, local.b_i);
      if (joint.body_j == ground) move_ground(local.point_j, local.a_j, local.b_j);
    }
    for (Force& force : model.forces) {
      if (auto* spring = std::get_if<SpringDamper>(&force.law)) {
        if (spring->body_i == ground) spring->point_i = point(spring->point_i);
        if (spring->body_j == ground) spring->point_j = point(spring->point_j);
      } else if (auto* load = std::get_if<PointForce>(&force.law)) {
        if (load->frame == Frame::world) load->value = turn(load->value);
      } else if (auto* torque = std::get_if<Torque>(&force.law)) {
        if (torque->frame == Frame::world) torque->value = turn(torque->value);
      }
    }
    return model;
  }

 private:
  void move_ground(Vec3& p, std::optional<Vec3>& a, std::optional<Vec3>& b) const {
    p = point(p);
    if (a) a = turn(*a);
    if (b) b = turn(*b);
  }
  EulerParameters q_;
  Matrix3<double> R_;
  Vec3 shift_;
};

void check_moved(const char* name, const Motion& motion, double input_rounding) {
  CAPTURE(name);
  const Model model = test::read_repository_model(name);
  SimulationOptions options = test::with_tolerance(model.simulation, 1e-8);
  options.t_end = std::min(options.t_end, 3.0);
  const Results at_home = test::run(model, options);
  const Results away = test::run(motion(model), options);
  REQUIRE(away.status.outcome == Outcome::finished);
  const double steps = static_cast<double>(at_home.counts.accepted);
  CHECK(std::abs(static_cast<double>(away.counts.accepted) - steps) <= std::max(1.0, 0.01 * steps));
  for (std::size_t b = 0; b < at_home.final.size(); ++b) {
    const double moved =
        test::distance(away.final[b].position, motion.point(at_home.final[b].position));
    // rounding of the data grows with the sensitivity of the motion (the crank: 70 at t = 2)
    CHECK(moved <= 1e3 * input_rounding);
  }
  CHECK(away.violation.position <= 1e-13);
}

}  // namespace

TEST_CASE("a model shifted by 10 km moves the same") {
  const Motion shift({1, 0, 0, 0}, {1e4, -1e4, 1e4});
  for (const char* name :
       {"paper/quadrangle.yaml", "paper/crank.yaml", "gallery/slider_crank.yaml"}) {
    check_moved(name, shift, 2e-12);
  }
}

TEST_CASE("a model turned at random moves the same") {
  test::Random random(6);
  for (int trial = 0; trial < 5; ++trial) {
    const Motion turn(random.orientation(), {0, 0, 0});
    for (const char* name :
         {"paper/quadrangle.yaml", "paper/crank.yaml", "gallery/slider_crank.yaml"}) {
      check_moved(name, turn, 1e-13);
    }
  }
}

namespace {

// A chain through every kind of joint, held by the ground at one end.
Model make_zoo(bool swapped) {
  test::Random random(7);
  Model model;
  model.gravity = {0, -9.81, 0};
  std::string before = ground;
  for (JointKind kind : test::all_joint_kinds) {
    const int k = static_cast<int>(model.bodies.size());
    Body body = test::make_random_body(random, "body" + std::to_string(k));
    body.velocity = body.angular_velocity = {0, 0, 0};
    model.bodies.push_back(body);
    Joint joint =
        test::make_fitting_joint(random, "joint" + std::to_string(k), kind, before, body.name);
    if (swapped) {
      std::swap(joint.body_i, joint.body_j);
      auto& world = std::get<WorldPlacement>(joint.placement);
      if (kind == JointKind::universal) std::swap(world.axis, world.axis_j);
    }
    model.joints.push_back(joint);
    before = body.name;
  }
  model.simulation.t_end = 0.5;
  return model;
}

Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

}  // namespace

TEST_CASE("swapping the bodies of every joint leaves motion and reactions unchanged") {
  const Model model = make_zoo(false), swapped_model = make_zoo(true);
  const SimulationOptions options = test::with_tolerance(model.simulation, 1e-11);
  const Results direct = test::run(model, options);
  const Results swapped = test::run(swapped_model, options);
  CHECK(test::position_difference(direct, swapped) <= 1e-9);
  const std::size_t n = direct.joint_names.size();
  REQUIRE(direct.time.size() == swapped.time.size());
  for (std::size_t row = 0; row < direct.time.size(); row += 100) {
    for (std::size_t k = 0; k < n; ++k) {
      const auto at = [&](const std::vector<double>& column) {
        const double* p = column.data() + (row * n + k) * 3;
        return Vec3{p[0], p[1], p[2]};
      };
      // on the same body: the other sign
      const Vec3 force = at(direct.reaction_force), other = at(swapped.reaction_force);
      const double size = 1.0 + test::distance(force, {0, 0, 0});
      CHECK(test::distance(force, {-other[0], -other[1], -other[2]}) <= 1e-6 * size);
      const JointKind kind = model.joints[k].kind;
      if (kind == JointKind::cylindrical || kind == JointKind::translational) continue;
      const Vec3 moment = at(direct.reaction_moment), m = at(swapped.reaction_moment);
      CHECK(test::distance(moment, {-m[0], -m[1], -m[2]}) <= 1e-6 * size);
    }
  }
}

TEST_CASE(
    "sliding joints: swapped reactions are the same wrench, taken at the other body's point") {
  const Model model = make_zoo(false), swapped_model = make_zoo(true);
  const SimulationOptions options = test::with_tolerance(model.simulation, 1e-11);
  const Results direct = test::run(model, options);
  const Results swapped = test::run(swapped_model, options);
  const std::size_t n = direct.joint_names.size();
  const auto vector = [&](const std::vector<double>& column, std::size_t entry) {
    return Vec3{column[3 * entry], column[3 * entry + 1], column[3 * entry + 2]};
  };
  // where a point fixed in a body at the start is in a given row
  const auto point_of = [&](const Results& results, std::size_t row, std::size_t body,
                            const Vec3& start) {
    const Body& b = model.bodies[body];
    const auto R0 = calc_rotation(b.orientation.data());
    const Vec3 d = minus(start, b.position);
    const auto chi = transposed_times(R0, Vector3<double>::load(d.data()));
    const std::size_t entry = row * model.bodies.size() + body;
    const auto p = calc_rotation(results.orientation.data() + 4 * entry) * chi;
    const Vec3 r = vector(results.position, entry);
    return Vec3{r[0] + p.x, r[1] + p.y, r[2] + p.z};
  };
  const std::size_t row = direct.time.size() - 1;
  for (std::size_t k = 0; k < n; ++k) {
    const JointKind kind = model.joints[k].kind;
    if (kind != JointKind::cylindrical && kind != JointKind::translational) continue;
    const Vec3 start = std::get<WorldPlacement>(model.joints[k].placement).point;
    const Vec3 on_j = point_of(direct, row, k, start), on_i = point_of(direct, row, k - 1, start);
    CHECK(test::distance(on_i, on_j) > 1e-4);  // it did slide
    const Vec3 F = vector(direct.reaction_force, row * n + k);
    const Vec3 M = vector(direct.reaction_moment, row * n + k);
    const Vec3 other = vector(swapped.reaction_moment, row * n + k);
    const Vec3 arm = test::cross(minus(on_j, on_i), F);  // moment about on_i = M + (on_j − on_i)×F
    const Vec3 moved{M[0] + arm[0], M[1] + arm[1], M[2] + arm[2]};
    CHECK(test::distance(moved, {-other[0], -other[1], -other[2]}) <=
          1e-6 * (1.0 + test::distance(F, {0, 0, 0})));
  }
}
