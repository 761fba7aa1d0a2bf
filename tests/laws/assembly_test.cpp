// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Assembly from a rough drawing.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "support/random_model.hpp"
#include "support/reference.hpp"
#include "system/system.hpp"

using namespace trammel;

namespace {

// The size of a mechanism: the largest distance of a body from the mean of all, or the mean arm of
// its joints where that is longer (a pendulum has one body).
double calc_size(const Model& model) {
  Vec3 mean{};
  for (const Body& body : model.bodies) {
    for (int k = 0; k < 3; ++k) mean[k] += body.position[k] / double(model.bodies.size());
  }
  double size = 0.0;
  const System system = compile(model);
  for (const double length : system.data().length) size = std::max(size, length);
  for (const Body& body : model.bodies) size = std::max(size, test::distance(body.position, mean));
  return size;
}

// The drawing keeps its joints; where the bodies start is shaken.
Model shake(Model model, double distance, double angle, test::Random& random) {
  const bool planar = model.dimension == 2;
  for (Body& body : model.bodies) {
    InitialState start{body.position, body.orientation, body.velocity, body.angular_velocity};
    Vec3 move = random.vector(distance), axis = random.unit_vector();
    if (planar) move[2] = 0.0, axis = {0, 0, 1};
    const double half = 0.5 * random.uniform(-angle, angle);
    const double s = std::sin(half), c = std::cos(half);
    for (int k = 0; k < 3; ++k) start.position[k] += move[k];
    const EulerParameters q = start.orientation;
    const double x = s * axis[0], y = s * axis[1], z = s * axis[2];
    start.orientation = {
        c * q[0] - x * q[1] - y * q[2] - z * q[3], c * q[1] + x * q[0] + y * q[3] - z * q[2],
        c * q[2] - x * q[3] + y * q[0] + z * q[1], c * q[3] + x * q[2] - y * q[1] + z * q[0]};
    body.initial = start;
  }
  return model;
}

Model start_at(Model model, const std::vector<BodyState>& states) {
  for (std::size_t b = 0; b < states.size(); ++b) {
    model.bodies[b].initial = InitialState{states[b].position, states[b].orientation,
                                           states[b].velocity, states[b].angular_velocity};
  }
  return model;
}

double largest_move(const Assembly& assembly) {
  double largest = 0.0;
  for (const double x : assembly.moved_distance) largest = std::max(largest, x);
  return largest;
}

// Is the configuration found connected to the drawn one? Walks along the straight line between the
// two in small moves, closing the joints after each: every move stays small, and the end is
// reached.
bool is_connected(const Model& model, const std::vector<BodyState>& from,
                  const std::vector<BodyState>& to, double size) {
  const int steps = 40;
  std::vector<BodyState> at = from;
  for (int k = 1; k <= steps; ++k) {
    const double part = 1.0 / (steps - k + 1);
    for (std::size_t b = 0; b < at.size(); ++b) {
      double norm = 0.0, sign = 0.0;
      for (int c = 0; c < 4; ++c) sign += at[b].orientation[c] * to[b].orientation[c];
      for (int c = 0; c < 3; ++c) {
        at[b].position[c] += part * (to[b].position[c] - at[b].position[c]);
      }
      for (int c = 0; c < 4; ++c) {
        const double target = sign < 0 ? -to[b].orientation[c] : to[b].orientation[c];
        at[b].orientation[c] += part * (target - at[b].orientation[c]);
        norm += at[b].orientation[c] * at[b].orientation[c];
      }
      for (int c = 0; c < 4; ++c) at[b].orientation[c] /= std::sqrt(norm);
    }
    const AssembledStart start = assemble(compile(start_at(model, at)));
    if (!start.report.assembly.converged) return false;
    if (largest_move(start.report.assembly) > 0.05 * size) return false;
    at = start.bodies;
  }
  double gap = 0.0;
  for (std::size_t b = 0; b < at.size(); ++b) {
    gap = std::max(gap, test::distance(at[b].position, to[b].position));
  }
  return gap < 1e-3 * size;
}

}  // namespace

namespace {

// Mechanisms that the test below leaves out, and why.
const std::map<std::string, std::string> left_out = {
    {"gallery/free_body.yaml", "it has no joints"},
};

std::vector<std::string> list_mechanisms() {
  std::vector<std::string> names;
  for (const char* folder : {"gallery", "paper", "planar"}) {
    const std::filesystem::path path = std::filesystem::path(TRAMMEL_MODELS_DIR) / folder;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      const std::string name = std::string(folder) + "/" + entry.path().filename().string();
      if (entry.path().extension() == ".yaml" && !left_out.contains(name)) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("drawings off by 10 % of the mechanism's size and 0.1 rad assemble, to the same branch") {
  const std::vector<std::string> names = list_mechanisms();
  CHECK(names.size() >= 20);
  for (const std::string& name : names) {
    CAPTURE(name);
    const Model model = test::read_repository_model(name);
    const std::vector<BodyState> drawn = assemble(compile(model)).bodies;
    const double size = calc_size(model);
    test::Random random(7);
    int closed = 0, connected = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const AssembledStart start = assemble(compile(shake(model, 0.1 * size, 0.1, random)));
      if (!start.report.assembly.converged) continue;
      ++closed;
      if (is_connected(model, drawn, start.bodies, size)) ++connected;
    }
    MESSAGE(name, ": ", closed, " closed, ", connected, " connected to the drawing");
    CHECK(closed >= 99);
    CHECK(connected >= 99);
  }
}

TEST_CASE("a body that is held stays, the others come to it") {
  Model model = test::read_repository_model("paper/quadrangle.yaml");
  test::Random random(3);
  model = shake(model, 0.1, 0.05, random);
  Body& bar = model.bodies[0];
  bar.initial->position = bar.position;  // on its hinge, but turned a little
  bar.initial->position = {std::cos(1.1), std::sin(1.1), 0};
  bar.initial->orientation = {std::cos(0.55), 0, 0, std::sin(0.55)};
  bar.hold_position = bar.hold_orientation = true;
  const AssembledStart start = assemble(compile(model));
  REQUIRE(start.report.assembly.converged);
  CHECK(test::distance(start.bodies[0].position, bar.initial->position) < 1e-14);
  CHECK(start.report.assembly.moved_distance[0] < 1e-14);
  CHECK(start.report.assembly.moved_angle[0] < 1e-7);
  CHECK(start.report.assembly.moved_distance[1] > 1e-3);
}

TEST_CASE("velocities of held bodies that the joints do not allow are refused") {
  Model model = test::read_repository_model("gallery/double_pendulum.yaml");
  model.bodies[0].hold_position = model.bodies[0].hold_orientation = true;
  CHECK(check(compile(model)).ok());     // at rest
  model.bodies[0].velocity = {1, 0, 0};  // along the arm of a hinge
  const CheckReport report = check(compile(model));
  REQUIRE(!report.ok());
  CHECK(report.reasons[0].rfind("the initial velocities cannot be made to fit the joints", 0) == 0);
}

TEST_CASE("a heavier assembly_weight moves less") {
  Model model = test::read_repository_model("gallery/double_pendulum.yaml");
  model.forces.clear();
  for (Body& body : model.bodies) {
    body.initial = InitialState{body.position, body.orientation, {}, {}};
  }
  model.bodies[1].initial->position[0] += 0.1;
  model.joints.erase(model.joints.begin());  // two free bodies on one hinge
  const auto moved = [&](double weight) {
    model.bodies[1].assembly_weight = weight;
    const AssembledStart start = assemble(compile(model));
    REQUIRE(start.report.assembly.converged);
    return start.report.assembly.moved_distance;
  };
  const auto equal = moved(1.0), heavy = moved(100.0);
  CHECK(equal[0] == doctest::Approx(equal[1]).epsilon(1e-6));
  CHECK(heavy[1] == doctest::Approx(0.01 * heavy[0]).epsilon(0.01));
}

TEST_CASE("joints that cannot close are named, with how far they stay open") {
  Model model = test::read_repository_model("paper/quadrangle.yaml");
  std::get<LocalPlacement>(model.joints[3].placement).point_j = {20, 0, 0};
  const AssembledStart start = assemble(compile(model));
  CHECK(!start.report.assembly.converged);
  REQUIRE(!start.report.assembly.open_joints.empty());
  double sum = 0.0;
  for (const OpenJoint& open : start.report.assembly.open_joints) sum += open.distance;
  // the bars reach 10 m, the base is 20 m away
  CHECK(sum > 5.0);
  REQUIRE(start.report.reasons.size() == 1);
  CHECK(start.report.reasons[0].find("open: ") != std::string::npos);
  CHECK(start.report.reasons[0].find(start.report.assembly.open_joints[0].joint) !=
        std::string::npos);
}

TEST_CASE("a start that was found reads back from the file that was written, to the bit") {
  for (const char* name : {"paper/quadrangle.yaml", "planar/andrews.yaml"}) {
    Model model = test::read_repository_model(name);
    test::Random random(5);
    const AssembledStart start = assemble(compile(shake(model, 0.001, 0.01, random)));
    REQUIRE(start.report.assembly.converged);
    const std::string once = to_text(model, start.bodies);
    CHECK(once.rfind(model.text, 0) == 0);  // all that was there is there
    const Model again = read_model_text(once, "once");
    for (std::size_t b = 0; b < start.bodies.size(); ++b) {
      REQUIRE(again.bodies[b].initial.has_value());
      CHECK(again.bodies[b].initial->position == start.bodies[b].position);
      CHECK(again.bodies[b].initial->velocity == start.bodies[b].velocity);
    }
    // a second time it is replaced, not doubled
    CHECK(to_text(again, start.bodies) == once);
    const AssembledStart twice = assemble(compile(again));
    CHECK(twice.report.assembly.residual_before < 1e-14);
  }
  const std::string json =
      R"({"trammel": 1, "bodies": {"ball": {"mass": 1, "inertia": [1, 1, 1]}}})";
  const Model model = read_model_text(json, "ball.json");
  const std::string text = to_text(model, {BodyState{{1, 2, 3}, {1, 0, 0, 0}, {}, {}}});
  CHECK(read_model_text(text, "ball.json").bodies[0].initial->position == Vec3{1, 2, 3});
}
