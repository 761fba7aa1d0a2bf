// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Frames of bodies: twins of the models of the repository, whose bodies have their frames elsewhere, or whose
// joints are between frames, move in the same way, with the same loads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "support/shifted_model.hpp"
#include "trammel/channels.hpp"
#include "trammel/evaluator.hpp"
#include "trammel/interpolate.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;
using test::to_array;
using test::to_vector;
using test::V;

namespace {

std::vector<std::string> list_models() {
  std::vector<std::string> paths;
  const std::filesystem::path root = TRAMMEL_MODELS_DIR;
  for (const char* folder :
       {"examples/joints", "examples/forces", "examples/drivers", "gallery", "planar", "paper"}) {
    for (const auto& file : std::filesystem::directory_iterator(root / folder)) {
      if (file.path().extension() == ".yaml") paths.push_back(file.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// Some models are large, or hardly move in a second.
bool is_small(const Model& model) { return model.bodies.size() <= 12; }

Results run(const Model& model, double t_end, int intervals = 8) {
  SimulationOptions options = model.simulation;
  options.t_end = std::min(t_end, options.t_end);
  options.output_interval = options.t_end / intervals;
  options.rtol = options.atol = 1e-11;
  options.output_at_steps = false;
  options.record.accelerations = options.record.reactions = options.record.forces = true;
  options.record.positions = options.record.velocities = options.record.energies = true;
  return simulate(compile(model), options);
}

double calc_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::isnan(a[k]) && std::isnan(b[k])) continue;
    largest = std::max(largest, std::abs(a[k] - b[k]) / (1.0 + std::abs(b[k])));
  }
  return largest;
}

// Positions, velocities and accelerations of a twin's centres of mass, to compare with those of the model.
struct Centers {
  std::vector<double> position, velocity, acceleration;
};
Centers calc_centers(const Results& results, const std::vector<Vec3>& offsets) {
  Centers centers;
  const std::size_t n = results.body_names.size();  // rotors come after the bodies of the model
  for (std::size_t k = 0; k < results.time.size() * n; ++k) {
    const auto at = [&](const std::vector<double>& column) { return V::load(&column[3 * k]); };
    const Matrix3<double> R = calc_rotation(&results.orientation[4 * k]);
    const V c = k % n < offsets.size() ? to_vector(offsets[k % n]) : V::zero(),
            Omega = at(results.angular_velocity);
    const V r = at(results.position) + R * c;
    const V v = at(results.velocity) + R * cross(Omega, c);
    const V a = at(results.acceleration) +
                R * (cross(at(results.angular_acceleration), c) + cross(Omega, cross(Omega, c)));
    for (const double x : to_array(r)) centers.position.push_back(x);
    for (const double x : to_array(v)) centers.velocity.push_back(x);
    for (const double x : to_array(a)) centers.acceleration.push_back(x);
  }
  return centers;
}

std::vector<Vec3> make_offsets(const Model& model) {
  std::vector<Vec3> offsets;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const double s = 0.3 + 0.2 * static_cast<double>(b % 5);
    offsets.push_back({s, -0.5 * s, model.dimension == 2 ? 0.0 : 0.7 * s});
  }
  return offsets;
}

void check_motion(const Results& twin, const Results& plain, const Centers& centers) {
  REQUIRE(twin.time == plain.time);
  CHECK(calc_difference(centers.position, plain.position) < 1e-8);
  CHECK(calc_difference(twin.orientation, plain.orientation) < 1e-8);
  CHECK(calc_difference(centers.velocity, plain.velocity) < 1e-7);
  CHECK(calc_difference(twin.angular_velocity, plain.angular_velocity) < 1e-7);
  CHECK(calc_difference(centers.acceleration, plain.acceleration) < 1e-6);
  CHECK(calc_difference(twin.reaction_force, plain.reaction_force) < 1e-6);
  CHECK(calc_difference(twin.reaction_moment, plain.reaction_moment) < 1e-6);
  CHECK(calc_difference(twin.coordinate, plain.coordinate) < 1e-8);
  CHECK(calc_difference(twin.load, plain.load) < 1e-6);
  CHECK(calc_difference(twin.element, plain.element) < 1e-6);
  CHECK(calc_difference(twin.kinetic, plain.kinetic) < 1e-7);
  CHECK(calc_difference(twin.potential, plain.potential) < 1e-7);
}

}  // namespace

TEST_CASE("a mechanism moves alike whatever the frames of its bodies are") {
  int count = 0;
  for (const std::string& path : list_models()) {
    CAPTURE(path);
    const Model model = read_model(path);
    if (!is_small(model)) continue;
    ++count;
    const std::vector<Vec3> offsets = make_offsets(model);
    const test::ShiftedModel shifted(model, offsets);
    const Results plain = run(model, 0.5), twin = run(shifted.model(), 0.5);
    REQUIRE(plain.status.outcome == Outcome::finished);
    REQUIRE(twin.status.outcome == Outcome::finished);
    // rounding may change a step
    CHECK(std::abs(twin.counts.accepted - plain.counts.accepted) <= 2 + plain.counts.accepted / 50);
    check_motion(twin, plain, calc_centers(twin, offsets));
  }
  CHECK(count > 35);
}

TEST_CASE("joints between frames are those placed in the world") {
  int joints = 0;
  for (const std::string& path : list_models()) {
    CAPTURE(path);
    const Model model = read_model(path);
    Model framed = model;
    if (!is_small(model)) continue;
    int changed = 0;
    for (Joint& joint : framed.joints) {
      if (joint.start_angle || joint.start_travel) continue;
      if (test::make_framed(model, joint)) ++changed;
    }
    if (changed == 0) continue;
    joints += changed;
    const Results plain = run(model, 0.5), twin = run(framed, 0.5);
    REQUIRE(plain.status.outcome == Outcome::finished);
    REQUIRE(twin.status.outcome == Outcome::finished);
    check_motion(twin, plain, calc_centers(twin, std::vector<Vec3>(model.bodies.size(), Vec3{})));
  }
  CHECK(joints > 60);
}

namespace {

Model read_small(const char* name) {
  return read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + name + ".yaml");
}

constexpr const char* spatial[] = {"paper/crank", "gallery/double_wishbone", "gallery/heavy_top"};

// The state a small way along one of the directions: position, rotation, velocity, angular velocity.
BodyState vary(BodyState state, const BodyVariation& by, double s) {
  EulerParameters q{1, 0.5 * s * by.rotation[0], 0.5 * s * by.rotation[1],
                    0.5 * s * by.rotation[2]};
  normalise4(q.data());
  const EulerParameters theta = state.orientation;
  multiply4(theta.data(), q.data(), state.orientation.data());
  for (std::size_t k = 0; k < 3; ++k) {
    state.position[k] += s * by.position[k];
    state.velocity[k] += s * by.velocity[k];
    state.angular_velocity[k] += s * by.angular_velocity[k];
  }
  return state;
}

// At the end of a short run.
Evaluator make_evaluator(const Model& model) {
  const System system = compile(model);
  SimulationOptions options = model.simulation;
  options.t_end = 0.3;
  const Results results = simulate(system, options);
  Evaluator at(system);
  at.set_state(results.final, 0.3);
  return at;
}

}  // namespace

TEST_CASE("the Evaluator's velocities are those of the bodies' origins") {
  for (const char* name : spatial) {
    CAPTURE(name);
    const Model model = read_small(name);
    const std::vector<Vec3> offsets = make_offsets(model);
    Evaluator plain = make_evaluator(model);
    Evaluator twin = make_evaluator(test::ShiftedModel(model, offsets).model());
    CHECK(twin.energy().kinetic == doctest::Approx(plain.energy().kinetic).epsilon(1e-9));
    const Momentum momentum = plain.momentum(), of_twin = twin.momentum();
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(of_twin.linear[k] == doctest::Approx(momentum.linear[k]).epsilon(1e-8));
      CHECK(of_twin.angular[k] == doctest::Approx(momentum.angular[k]).epsilon(1e-8));
    }
    // ½ uᵀ M u and J u
    std::vector<double> u;
    for (const std::string& body : twin.body_names()) {
      for (const double x : twin.body(body).velocity) u.push_back(x);
      for (const double x : twin.body(body).angular_velocity) u.push_back(x);
    }
    const Matrix M = twin.mass(), J = twin.jacobian();
    double kinetic = 0.0;
    for (int r = 0; r < M.rows; ++r) {
      for (int c = 0; c < M.columns; ++c) kinetic += 0.5 * u[r] * M(r, c) * u[c];
    }
    CHECK(kinetic == doctest::Approx(twin.energy().kinetic).epsilon(1e-12));
    for (int r = 0; r < J.rows; ++r) {
      double rate = 0.0;
      for (int c = 0; c < J.columns; ++c) rate += J(r, c) * u[c];
      CHECK(std::abs(rate) < 1e-10);
    }
    for (std::size_t b = 0; b < offsets.size(); ++b) {
      const std::string& body = twin.body_names()[b];
      const BodyAcceleration a = twin.acceleration(body), of_center = plain.acceleration(body);
      const BodyState state = twin.body(body);
      const Matrix3<double> R = calc_rotation(state.orientation.data());
      const V c = to_vector(offsets[b]), Omega = to_vector(state.angular_velocity);
      const V there = to_vector(a.linear) +
                      R * (cross(to_vector(a.angular), c) + cross(Omega, cross(Omega, c)));
      CHECK(calc_difference({there.x, there.y, there.z},
                            {of_center.linear.begin(), of_center.linear.end()}) < 1e-7);
    }
  }
}

TEST_CASE(
    "the Evaluator's derivatives of accelerations are their differences, for shifted frames") {
  Model model = read_small("gallery/heavy_top");
  model.forces.push_back(
      {"s", SpringDamper{ground, model.bodies[0].name, {1, 2, 0}, {0.1, 0, 0.2}, 3, 1}});
  const std::vector<Vec3> offsets = {{0.3, -0.2, 0.5}};
  Evaluator at(compile(test::ShiftedModel(model, offsets).model()));
  const std::string body = at.body_names().front();
  BodyState state = at.body(body);
  state.angular_velocity = {1, -2, 3};
  state.velocity = {0.1, 0.2, 0.3};
  for (int k = 0; k < 12; ++k) {
    BodyVariation by;
    (k < 3   ? by.position
     : k < 6 ? by.rotation
     : k < 9 ? by.velocity
             : by.angular_velocity)[k % 3] = 1;
    at.set_body(body, state);
    const BodyAcceleration slope = at.acceleration_derivative(body, by).front();
    constexpr double s = 1e-5;
    at.set_body(body, vary(state, by, s));
    const BodyAcceleration up = at.acceleration(body);
    at.set_body(body, vary(state, by, -s));
    const BodyAcceleration down = at.acceleration(body);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::abs((up.linear[i] - down.linear[i]) / (2 * s) - slope.linear[i]) < 1e-7);
      CHECK(std::abs((up.angular[i] - down.angular[i]) / (2 * s) - slope.angular[i]) < 1e-7);
    }
  }
}

TEST_CASE("states between output times, named points and initial states of shifted frames") {
  for (const char* name : spatial) {
    CAPTURE(name);
    Model model = read_small(name);
    model.points.push_back({"p", model.bodies[0].name, {0.1, 0.2, 0.3}});
    const std::vector<Vec3> offsets = make_offsets(model);
    const Model shifted = test::ShiftedModel(model, offsets).model();
    const Results plain = run(model, 0.5, 400), twin = run(shifted, 0.5, 400);
    Interpolator of_plain(plain), of_twin(twin);
    const double t = 0.5 * (plain.time[100] + plain.time[101]);
    const std::vector<BodyState> a = of_plain.at(t), b = of_twin.at(t);
    for (std::size_t k = 0; k < a.size(); ++k) {
      const Matrix3<double> R = calc_rotation(b[k].orientation.data());
      const Vec3 center = to_array(to_vector(b[k].position) + R * to_vector(offsets[k]));
      // other points are interpolated: to the error of the interpolation
      for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(center[i] - a[k].position[i]) < 1e-8);
    }
    const auto value = [](const Results& results, const std::string& channel) {
      return column(results, channel).back();
    };
    for (const char* channel : {"p.position.x", "p.velocity.y", "p.acceleration.z"}) {
      CHECK(value(twin, channel) == doctest::Approx(value(plain, channel)).epsilon(1e-7));
    }
    const std::string first = model.bodies[0].name;
    CHECK(value(twin, first + ".com.velocity.x") ==
          doctest::Approx(value(plain, first + ".velocity.x")).epsilon(1e-8));
    // what the assembly gives is where a run starts
    const System system = compile(shifted);
    Model again = shifted;
    const AssembledStart start = assemble(system);
    for (std::size_t k = 0; k < again.bodies.size(); ++k) {
      const BodyState& s = start.bodies[k];
      again.bodies[k].initial =
          InitialState{s.position, s.orientation, s.velocity, s.angular_velocity};
    }
    const AssembledStart same = assemble(compile(again));
    for (std::size_t k = 0; k < again.bodies.size(); ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::abs(same.bodies[k].position[i] - start.bodies[k].position[i]) < 1e-13);
        CHECK(std::abs(same.bodies[k].velocity[i] - start.bodies[k].velocity[i]) < 1e-12);
      }
    }
  }
}

TEST_CASE("frames define angles and travels where the joint is not closed yet") {
  const char* const text = R"(
trammel: 1
bodies:
  ground: {frames: {a: {at: [0, 0, 1], axes: {z: [1, 0, 0], x: [0, 1, 0]}}}}
  b: {mass: 1, inertia: [1, 2, 2], position: [0.3, 0.2, 0.8], orientation: {axis: [1, 0, 0], angle: 40 deg},
      frames: {f: {at: [0, 0, 0.1], axes: {z: [1, 0, 0], x: [0, 1, 0]}}}}
joints: {j: {kind: cylindrical, frames: [ground.a, b.f]}}
drivers: {turn: {joint: j, angle: 0.5 + t}, shift: {joint: j, travel: 0.25}}
simulation: {t_end: 0.1}
)";
  const Model model = read_model_text(text, "f");
  const Results results = simulate(compile(model), model.simulation);
  REQUIRE(results.status.outcome == Outcome::finished);
  // at t = 0.1: f is 0.25 along x from a, turned by 0.6 about x
  const Matrix3<double> R = calc_rotation(results.final[0].orientation.data());
  CHECK(std::abs(R.row[1].y - std::cos(0.6)) < 1e-12);
  CHECK(std::abs(R.row[2].y - std::sin(0.6)) < 1e-12);
  const V tip = to_vector(results.final[0].position) + R * V{0, 0, 0.1};
  CHECK(std::abs(tip.x - 0.25) < 1e-12);
  CHECK(std::abs(tip.y) < 1e-12);
  CHECK(std::abs(tip.z - 1.0) < 1e-12);
  CHECK(std::abs(column(results, "j.angle").back() - 0.6) < 1e-12);
}

TEST_CASE("the angles of a universal joint between frames are those about x and y") {
  const Model model = read_model_text(R"(
trammel: 1
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {u: {kind: universal, frames: [ground, b]}}
drivers: {i: {joint: u, angle_i: 0.3}, j: {joint: u, angle_j: -0.7}}
simulation: {t_end: 0.1}
)",
                                      "f");
  const Results results = simulate(compile(model), model.simulation);
  REQUIRE(results.status.outcome == Outcome::finished);
  // R_x(0.3) R_y(−0.7)
  const EulerParameters x{std::cos(0.15), std::sin(0.15), 0, 0},
      y{std::cos(0.35), 0, -std::sin(0.35), 0};
  EulerParameters q;
  multiply4(x.data(), y.data(), q.data());
  double product = 0.0;
  for (std::size_t k = 0; k < 4; ++k) product += q[k] * results.final[0].orientation[k];
  CHECK(std::abs(std::abs(product) - 1.0) < 1e-12);
}
