// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is recorded of forces, drivers and couplers, against formulas of its own over the recorded motion:
// powers integrate to the change of energy, accelerations are the slopes of velocities, and each kind of
// element has the load that its law says.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "math/euler_parameters.hpp"
#include "math/vector3.hpp"
#include "support/reference.hpp"
#include "trammel/channels.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

using V = Vector3<double>;
constexpr double pi = 3.14159265358979323846;

// A run of 2^k intervals with everything recorded.
Results run(const Model& model, int intervals = 4096, double t_end = 0.0) {
  SimulationOptions options = model.simulation;
  if (t_end > 0.0) options.t_end = t_end;
  options.rtol = options.atol = 1e-12;
  options.output_at_steps = false;
  options.hold_energy = options.hold_linear_momentum = options.hold_angular_momentum = false;
  options.output_interval = options.t_end / intervals;
  options.record.accelerations = true;
  return simulate(compile(model), options);
}

struct Reader {
  const Results& results;
  std::vector<double> operator()(const std::string& name) const { return column(results, name); }
  V vector(const std::string& stem, std::size_t row) const {
    return {(*this)(stem + ".x")[row], (*this)(stem + ".y")[row], (*this)(stem + ".z")[row]};
  }
  bool has(const std::string& name) const {
    for (const ChannelName& channel : list_channels(results)) {
      if (channel.name == name) return true;
    }
    return false;
  }
};

// ∫ f dt over the whole grid by Romberg's extrapolation of the trapezoidal rule.
double integrate(const std::vector<double>& f, double dt) {
  const std::size_t n = f.size() - 1;
  std::vector<double> table;
  for (std::size_t stride = 128; stride >= 1; stride /= 2) {
    double sum = 0.5 * (f.front() + f.back());
    for (std::size_t k = stride; k < n; k += stride) sum += f[k];
    double value = sum * dt * static_cast<double>(stride), factor = 4.0;
    for (double& coarse : table) {
      const double finer = value + (value - coarse) / (factor - 1.0);
      coarse = value;
      value = finer;
      factor *= 4.0;
    }
    table.push_back(value);
  }
  return table.back();
}

double largest(const std::vector<double>& f) {
  double result = 0.0;
  for (const double x : f) result = std::max(result, std::abs(x));
  return result;
}

bool ends_with(const std::string& name, const std::string& end) {
  return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// T(t_end) − T(0) = ∫ of all powers, gravity's taken from the heights.
double calc_power_defect(const Results& results) {
  const Reader read{results};
  const double dt = results.time[1] - results.time[0];
  std::vector<double> power(results.time.size(), 0.0);
  const auto add_powers = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const bool of_driver = name.find("power.") != std::string::npos;  // of components of a driver
      if (!ends_with(name, ".power") && !of_driver) continue;
      const std::vector<double> values = read(name);
      for (std::size_t k = 0; k < power.size(); ++k) power[k] += values[k];
    }
  };
  add_powers(results.element_names);
  add_powers(results.load_names);
  const auto height = [&](std::size_t row) {
    double energy = 0.0;
    for (std::size_t b = 0; b < results.body_names.size(); ++b) {
      const double* r = results.position.data() + 3 * (row * results.body_names.size() + b);
      for (int k = 0; k < 3; ++k) {
        energy -= results.scene.bodies[b].mass * results.scene.gravity[k] * r[k];
      }
    }
    return energy;
  };
  const std::size_t last = power.size() - 1;
  const double change = results.kinetic[last] - results.kinetic[0] + height(last) - height(0);
  const double scale = results.energy.kinetic_max + std::abs(height(last) - height(0)) +
                       largest(power) * dt * static_cast<double>(last);
  return std::abs(change - integrate(power, dt)) / scale;
}

// Largest difference of a column from the sixth-order central difference of another, relative.
// `speed` is the largest velocity in the mechanism: columns that are zero hold rounding of it.
double calc_slope_defect(const std::vector<double>& f, const std::vector<double>& slope, double dt,
                         double speed = 0.0) {
  double defect = 0.0, scale = 1e-300;
  for (std::size_t k = 3; k + 3 < f.size(); ++k) {
    const double difference =
        (45.0 * (f[k + 1] - f[k - 1]) - 9.0 * (f[k + 2] - f[k - 2]) + (f[k + 3] - f[k - 3])) /
        (60.0 * dt);
    defect = std::max(defect, std::abs(difference - slope[k]));
    scale = std::max(scale, std::abs(slope[k]));
  }
  // rounding of f limits what a difference can show
  return std::max(0.0, defect - 1e-14 * std::max(speed, largest(f)) / dt) / scale;
}

std::vector<std::string> list_models(const char* folder) {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TRAMMEL_MODELS_DIR) + "/" + folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("powers of forces, drivers and couplers integrate to the change of energy") {
  for (const char* folder : {"examples/forces", "examples/drivers"}) {
    for (const std::string& file : list_models(folder)) {
      CAPTURE(file);
      const Model model = read_model(file);
      // tables of forces have kinks in their slopes, which the quadrature feels
      const Results results = run(model, 16384);
      REQUIRE(results.status.outcome == Outcome::finished);
      // contacts and stick-slip are short against the interval of the quadrature
      const bool is_sharp =
          std::any_of(model.forces.begin(), model.forces.end(), [](const Force& of) {
            return std::visit(
                [](const auto& law) {
                  return requires { law.along; };
                },
                of.law);
          });
      CHECK(calc_power_defect(results) < (is_sharp ? 2e-6 : 1e-9));
    }
  }
}

TEST_CASE("couplers deliver no power in all") {
  for (const char* name : {"gear", "belt", "rack_and_pinion", "coupler"}) {
    CAPTURE(name);
    const Results results =
        run(test::read_repository_model("examples/joints/" + std::string(name) + ".yaml"), 256);
    std::vector<double> sum(results.time.size(), 0.0);
    double scale = 0.0;
    for (const std::string& load : results.load_names) {
      if (!ends_with(load, ".power")) continue;
      const std::vector<double> power = column(results, load);
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += power[k];
      scale = std::max(scale, largest(power));
    }
    CHECK(scale > 0.0);
    CHECK(largest(sum) < 1e-11 * scale);
  }
}

TEST_CASE("accelerations are the slopes of velocities, of bodies and of joint coordinates") {
  for (const std::string name : {"paper/crank", "gallery/slider_crank", "planar/quadrangle",
                                 "examples/joints/universal", "examples/drivers/angle"}) {
    CAPTURE(name);
    const Results results = run(test::read_repository_model(name + ".yaml"), 4096, 1.0);
    REQUIRE(results.status.outcome == Outcome::finished);
    const Reader read{results};
    const double dt = results.time[1] - results.time[0];
    const double speed = largest(results.velocity), rate = largest(results.angular_velocity);
    for (const std::string& body : results.body_names) {
      for (const char* axis : {".x", ".y", ".z"}) {
        CAPTURE(body);
        CHECK(calc_slope_defect(read(body + ".velocity" + axis),
                                read(body + ".acceleration" + axis), dt, speed) < 1e-8);
        CHECK(calc_slope_defect(read(body + ".angular_velocity" + axis),
                                read(body + ".angular_acceleration" + axis), dt, rate) < 1e-8);
      }
    }
    for (const std::string& q : results.coordinate_names) {
      CAPTURE(q);
      CHECK(calc_slope_defect(read(q), read(q + "_rate"), dt) < 1e-8);
      CHECK(calc_slope_defect(read(q + "_rate"), read(q + "_acceleration"), dt) < 1e-8);
    }
  }
}

namespace {

// Two bodies that fly and rotate freely, and the elements on them.
Model make_pair() {
  Model model;
  model.gravity = {0, 0, -9.81};
  Body a;
  a.name = "a";
  a.mass = 2.0;
  a.inertia = Mat3{{{0.3, 0, 0}, {0, 0.4, 0}, {0, 0, 0.5}}};
  a.position = {0.1, 0.2, 0.3};
  a.velocity = {0.5, -0.2, 0.4};
  a.angular_velocity = {1.0, 2.0, -1.5};
  Body b = a;
  b.name = "b";
  b.position = {1.4, -0.3, 0.8};
  b.velocity = {-0.3, 0.6, 0.1};
  b.angular_velocity = {-2.0, 0.5, 1.0};
  model.bodies = {a, b};
  model.simulation.t_end = 0.5;
  return model;
}

V point_position(const Reader& read, const std::string& body, const V& chi, std::size_t row) {
  double q[4];
  for (int k = 0; k < 4; ++k) q[k] = read(body + ".orientation." + std::to_string(k))[row];
  return read.vector(body + ".position", row) + calc_rotation(q) * chi;
}
V point_velocity(const Reader& read, const std::string& body, const V& chi, std::size_t row) {
  double q[4];
  for (int k = 0; k < 4; ++k) q[k] = read(body + ".orientation." + std::to_string(k))[row];
  return read.vector(body + ".velocity", row) +
         calc_rotation(q) * cross(read.vector(body + ".angular_velocity", row), chi);
}
double length(const V& v) { return std::sqrt(dot(v, v)); }

}  // namespace

TEST_CASE("springs, gravitation and drag have the loads of their laws") {
  Model model = make_pair();
  model.forces = {
      {"spring", SpringDamper{"a", "b", {0.1, 0, 0.2}, {0, -0.1, 0.1}, 120.0, 3.0, 0.7}},
      {"gas",
       NonlinearSpring{"a", "b", {}, {0.2, 0, 0}, Function("50*length^2 + 4*rate + t"), {}, 2.0}},
      {"pull", Gravitation{"a", "b", {0.1, 0.1, 0}, 0.8}},
      {"air", Drag{"a", 0.4, 0.02}},
      {"wind", AerodynamicDrag{"b", 1.1, 0.3, 1.225, {0.1, 0.2, 0.3}, {1, 2, 3}}},
      {"push", PointForce{"a", Frame::world, {1, 2, 3}, {0.1, 0.2, 0.3}}},
      {"follow", PointForce{"b", Frame::body, {1, 2, 3}, {0.3, 0.2, 0.1}}},
      {"twist", Torque{"a", Frame::world, {0.1, 0.2, 0.3}}},
      {"rotor", VariableTorque{"b", Frame::body, {0.0, Function("0.3*t"), 0.0}}},
  };
  const Results results = run(model, 16);
  const Reader read{results};
  const double g = 0.8 * 2.0;
  for (const std::size_t row : {std::size_t{0}, std::size_t{7}, std::size_t{16}}) {
    const auto line = [&](const V& chi_a, const V& chi_b) {
      const V d = point_position(read, "b", chi_b, row) - point_position(read, "a", chi_a, row);
      const V d1 = point_velocity(read, "b", chi_b, row) - point_velocity(read, "a", chi_a, row);
      return std::pair(length(d), dot(d, d1) / length(d));
    };
    {
      const auto [l, rate] = line({0.1, 0, 0.2}, {0, -0.1, 0.1});
      const double f = 120.0 * (l - 0.7) + 3.0 * rate;
      CHECK(read("spring.length")[row] == doctest::Approx(l).epsilon(1e-13));
      CHECK(read("spring.length_rate")[row] == doctest::Approx(rate).epsilon(1e-12));
      CHECK(read("spring.force")[row] == doctest::Approx(f).epsilon(1e-12));
      CHECK(read("spring.power")[row] == doctest::Approx(-f * rate).epsilon(1e-12));
      CHECK(read("spring.energy")[row] ==
            doctest::Approx(60.0 * (l - 0.7) * (l - 0.7)).epsilon(1e-12));
    }
    {
      const auto [l, rate] = line({0, 0, 0}, {0.2, 0, 0});
      const double f = 50.0 * l * l + 4.0 * rate + results.time[row] + 2.0 * rate;
      CHECK(read("gas.force")[row] == doctest::Approx(f).epsilon(1e-12));
      CHECK(read("gas.power")[row] == doctest::Approx(-f * rate).epsilon(1e-12));
      CHECK_FALSE(read.has("gas.energy"));
    }
    {
      const auto [l, rate] = line({0.1, 0.1, 0}, {0, 0, 0});
      CHECK(read("pull.force")[row] == doctest::Approx(g / (l * l)).epsilon(1e-12));
      CHECK(read("pull.energy")[row] == doctest::Approx(-g / l).epsilon(1e-12));
      CHECK(read("pull.power")[row] == doctest::Approx(-g / (l * l) * rate).epsilon(1e-12));
    }
    const V v_a = read.vector("a.velocity", row), drag = read.vector("air.force", row);
    CHECK(length(drag + 0.4 * v_a) < 1e-12);
    const V w = point_velocity(read, "b", {0.1, 0.2, 0.3}, row) - V{1, 2, 3};
    CHECK(length(read.vector("wind.force", row) + (0.5 * 1.225 * 1.1 * 0.3 * length(w)) * w) <
          1e-12);
    CHECK(length(read.vector("push.force", row) - V{1, 2, 3}) < 1e-14);
    const V v_p = point_velocity(read, "a", {0.1, 0.2, 0.3}, row);
    CHECK(read("push.power")[row] == doctest::Approx(dot(V{1, 2, 3}, v_p)).epsilon(1e-12));
    double q[4];
    for (int k = 0; k < 4; ++k) q[k] = read("b.orientation." + std::to_string(k))[row];
    const V turned = calc_rotation(q) * V{1, 2, 3};
    CHECK(length(read.vector("follow.force", row) - turned) < 1e-12);
    CHECK(read("follow.power")[row] ==
          doctest::Approx(dot(turned, point_velocity(read, "b", {0.3, 0.2, 0.1}, row)))
              .epsilon(1e-12));
    CHECK(length(read.vector("twist.torque", row) - V{0.1, 0.2, 0.3}) < 1e-14);
    CHECK(length(read.vector("rotor.torque", row) -
                 calc_rotation(q) * V{0, 0.3 * results.time[row], 0}) < 1e-13);
    CHECK(read("rotor.power")[row] ==
          doctest::Approx(0.3 * results.time[row] * read("b.angular_velocity.y")[row])
              .epsilon(1e-12));
  }
  CHECK(calc_power_defect(run(model)) < 1e-9);
}

TEST_CASE("motors, torsion springs and dampers at joints, and named points") {
  Model model;
  model.gravity = {0, -9.81, 0};
  Body arm;
  arm.name = "arm";
  arm.mass = 3.0;
  arm.inertia = Mat3{{{0.01, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}}};
  arm.position = {0.5, 0, 0};
  model.bodies = {arm};
  Joint hinge;
  hinge.name = "hinge";
  hinge.kind = JointKind::revolute;
  hinge.body_i = "ground";
  hinge.body_j = "arm";
  hinge.placement = WorldPlacement{{0, 0, 0}, Vec3{0, 0, 1}, {}};
  model.joints = {hinge};
  JointSpringDamper motor{"hinge"};
  motor.load = Function("12*sin(3*t) - 0.2*rate");
  JointSpringDamper coil{"hinge"};
  coil.stiffness = 8.0;
  coil.damping = 0.1;
  coil.free = 0.3;
  model.forces = {{"motor", motor}, {"coil", coil}, {"grease", RotationalDamper{"hinge", 0.4}}};
  model.points = {{"tip", "arm", {0.5, 0.1, 0}}};
  model.outputs = {{"height", Formula{"tip.position.y + 0*t"}, "m"},
                   {"double_height", Formula{"2*height"}, "m"}};
  model.simulation.t_end = 2.0;
  const Results results = run(model);
  const Reader read{results};
  for (const std::size_t row : {std::size_t{0}, std::size_t{1000}, std::size_t{4096}}) {
    const double t = results.time[row], q = read("hinge.angle")[row];
    const double q1 = read("hinge.angle_rate")[row], q2 = read("hinge.angle_acceleration")[row];
    const double drive = 12.0 * std::sin(3.0 * t) - 0.2 * q1, spring = -8.0 * (q - 0.3) - 0.1 * q1;
    CHECK(read("motor.torque")[row] == doctest::Approx(drive).epsilon(1e-12));
    CHECK(read("motor.angle")[row] == doctest::Approx(q).epsilon(1e-12));
    CHECK(read("motor.power")[row] == doctest::Approx(drive * q1).epsilon(1e-12));
    CHECK_FALSE(read.has("motor.energy"));
    CHECK(read("coil.torque")[row] == doctest::Approx(spring).epsilon(1e-12));
    CHECK(read("coil.energy")[row] == doctest::Approx(4.0 * (q - 0.3) * (q - 0.3)).epsilon(1e-12));
    CHECK(read("grease.torque")[row] == doctest::Approx(-0.4 * q1).epsilon(1e-12));
    // the equation of motion about the hinge
    const double moment = drive + spring - 0.4 * q1 - 3.0 * 9.81 * 0.5 * std::cos(q);
    CHECK((0.2 + 3.0 * 0.25) * q2 == doctest::Approx(moment).epsilon(1e-10));
    // the tip: r = |χ|, at an angle of its own
    const double r = std::hypot(1.0, 0.1), angle = q + std::atan2(0.1, 1.0);
    const V out{std::cos(angle), std::sin(angle), 0}, side{-out.y, out.x, 0};
    CHECK(length(read.vector("tip.position", row) - r * out) < 1e-12);
    CHECK(length(read.vector("tip.velocity", row) - (r * q1) * side) < 1e-11);
    CHECK(length(read.vector("tip.acceleration", row) - ((r * q2) * side - (r * q1 * q1) * out)) <
          1e-9);
    CHECK(read("height")[row] == doctest::Approx(r * std::sin(angle)).epsilon(1e-12));
    CHECK(read("double_height")[row] == doctest::Approx(2 * r * std::sin(angle)).epsilon(1e-12));
    CHECK(read("arm.yaw")[row] == doctest::Approx(std::remainder(q, 2 * pi)).epsilon(1e-11));
    CHECK(read("arm.rotation_vector.z")[row] ==
          doctest::Approx(std::remainder(q, 2 * pi)).epsilon(1e-11));
    // along the axis of the hinge, and the whole
    CHECK(read("hinge.joint_force.z")[row] ==
          doctest::Approx(read("hinge.reaction_force.z")[row]).epsilon(1e-12));
    const V world = read.vector("hinge.reaction_force", row);
    CHECK(length(read.vector("hinge.joint_force", row)) ==
          doctest::Approx(length(world)).epsilon(1e-12));
    CHECK(read("hinge.reaction_force.magnitude")[row] ==
          doctest::Approx(length(world)).epsilon(1e-12));
    CHECK(read("hinge.force.x")[row] == read("hinge.reaction_force.x")[row]);
  }
  CHECK(calc_power_defect(results) < 1e-9);
}

TEST_CASE("a bushing shows its load in its own axes") {
  Model model = make_pair();
  Bushing bushing{"a", "b"};
  bushing.point_i = {0.1, 0.2, 0};
  bushing.point_j = {-0.1, 0, 0.3};
  for (int k = 0; k < 6; ++k) {
    bushing.stiffness[k][k] = 10.0 * (k + 1);
    bushing.damping[k][k] = 0.1 * (k + 1);
  }
  model.forces = {{"bush", bushing}};
  const Results results = run(model);
  const Reader read{results};
  for (const std::size_t row : {std::size_t{0}, std::size_t{4096}}) {
    double power = 0.0, energy = 0.0;
    for (int k = 0; k < 3; ++k) {
      const std::string axis = std::string(1, '.') + "xyz"[k];
      const double d = read("bush.displacement" + axis)[row],
                   phi = read("bush.rotation" + axis)[row];
      const double d1 = read("bush.displacement_rate" + axis)[row];
      const double phi1 = read("bush.rotation_rate" + axis)[row];
      const double f = -10.0 * (k + 1) * d - 0.1 * (k + 1) * d1;
      const double m = -10.0 * (k + 4) * phi - 0.1 * (k + 4) * phi1;
      CHECK(read("bush.force" + axis)[row] == doctest::Approx(f).epsilon(1e-12));
      CHECK(read("bush.torque" + axis)[row] == doctest::Approx(m).epsilon(1e-12));
      power += f * d1 + m * phi1;
      energy += 5.0 * (k + 1) * d * d + 5.0 * (k + 4) * phi * phi;
    }
    CHECK(read("bush.power")[row] == doctest::Approx(power).epsilon(1e-12));
    CHECK(read("bush.energy")[row] == doctest::Approx(energy).epsilon(1e-12));
    const V d = point_position(read, "b", {-0.1, 0, 0.3}, row) -
                point_position(read, "a", {0.1, 0.2, 0}, row);
    CHECK(length(read.vector("bush.displacement", row)) ==
          doctest::Approx(length(d)).epsilon(1e-12));
  }
  CHECK(calc_power_defect(results) < 1e-9);
}

TEST_CASE("a channel that is not there is named, with the nearest that is") {
  Model model = make_pair();
  const Results results = run(model, 4);
  CHECK_THROWS_WITH(column(results, "a.positon.x"),
                    doctest::Contains("did you mean 'a.position.x'?"));
  model.outputs = {{"far", Formula{"a.position.x - c.position.x"}, ""}};
  CHECK_THROWS_WITH(run(model, 4),
                    doctest::Contains("outputs.far.formula: no channel is called 'c.position.x'"));
}

namespace {

Results run_text(const std::string& text, int intervals = 4096) {
  return run(read_model_text(text, "test.yaml"), intervals);
}

const std::size_t rows_of_interest[] = {0, 1111, 2500, 4096};

}  // namespace

TEST_CASE("drivers have the load that the motion they give needs, and its power") {
  const Results results = run_text(R"(trammel: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  arm: {mass: 2, inertia: 0.3, position: [0.5, 0]}
  slide: {mass: 3, inertia: 0.1, position: [0, 5]}
  bob: {mass: 1.5, inertia: 0.1, position: [10, -1], velocity: [0.4, 0]}
  rod: {mass: 0.7, inertia: 0.02, position: [20, -0.3], orientation: {angle: -90 deg}}
joints:
  hinge: {kind: revolute, bodies: [ground, arm], at: [0, 0]}
  guide: {kind: translational, bodies: [ground, slide], at: [0, 5], axis: [1, 0]}
drivers:
  motor: {joint: hinge, angle: 0.8*sin(2*t)}
  feed: {joint: guide, travel: 0.2*t^2*sin(3*t)}
  winch: {bodies: [ground, bob], points: [[10, 0], [0, 0]], distance: 1 + 0.05*sin(6*t)}
  hand: {body: rod, point: [-0.3, 0], position: [20 + 0.1*sin(4*t), 0.05*t^2]}
simulation: {t_end: 2}
)");
  REQUIRE(results.status.outcome == Outcome::finished);
  const Reader read{results};
  for (const std::size_t row : rows_of_interest) {
    const double t = results.time[row];
    {
      const double q = 0.8 * std::sin(2 * t), q1 = 1.6 * std::cos(2 * t), q2 = -4 * q;
      const double torque = (0.3 + 2 * 0.25) * q2 + 2 * 9.81 * 0.5 * std::cos(q);
      CHECK(read("motor.torque")[row] == doctest::Approx(torque).epsilon(1e-10));
      CHECK(read("motor.angle")[row] == doctest::Approx(q).epsilon(1e-12));
      CHECK(read("motor.angle_rate")[row] == doctest::Approx(q1).epsilon(1e-12));
      CHECK(read("motor.power")[row] == doctest::Approx(torque * q1).epsilon(1e-10));
    }
    {
      const double s = std::sin(3 * t), c = std::cos(3 * t);
      const double x1 = 0.4 * t * s + 0.6 * t * t * c;
      const double x2 = 0.4 * s + 2.4 * t * c - 1.8 * t * t * s;
      CHECK(read("feed.force")[row] == doctest::Approx(3 * x2).epsilon(1e-9));
      CHECK(read("feed.travel_rate")[row] == doctest::Approx(x1).epsilon(1e-12));
      CHECK(read("feed.power")[row] == doctest::Approx(3 * x2 * x1).epsilon(1e-9));
    }
    const V weight{0, -9.81, 0};
    {
      // along the line, positive where it pushes the points apart
      const V d = read.vector("bob.position", row) - V{10, 0, 0};
      const double l = length(d), rate = 0.3 * std::cos(6 * t);
      const V F = 1.5 * (read.vector("bob.acceleration", row) - weight);
      CHECK(l == doctest::Approx(1 + 0.05 * std::sin(6 * t)).epsilon(1e-12));
      CHECK(read("winch.force")[row] == doctest::Approx(dot(F, d) / l).epsilon(1e-9));
      CHECK(length(F - (dot(F, d) / (l * l)) * d) < 1e-9 * length(F));
      CHECK(read("winch.power")[row] == doctest::Approx(dot(F, d) / l * rate).epsilon(1e-8));
    }
    {
      const V F = 0.7 * (read.vector("rod.acceleration", row) - weight);
      const V v{0.4 * std::cos(4 * t), 0.1 * t, 0};
      CHECK(read("hand.force.x")[row] == doctest::Approx(F.x).epsilon(1e-9));
      CHECK(read("hand.force.y")[row] == doctest::Approx(F.y).epsilon(1e-9));
      CHECK(read("hand.power.x")[row] == doctest::Approx(F.x * v.x).epsilon(1e-8));
      CHECK(read("hand.power.y")[row] == doctest::Approx(F.y * v.y).epsilon(1e-8));
    }
  }
  CHECK(calc_power_defect(results) < 1e-9);
}

TEST_CASE("couplers have the loads that the accelerations of their parts need") {
  const Results results = run_text(R"(trammel: 1
bodies:
  pinion: {mass: 1, inertia: [1, 1, 0.2], position: [0, 0, 0]}
  wheel: {mass: 1, inertia: [1, 1, 0.9], position: [1, 0, 0]}
  rack: {mass: 2, inertia: [1, 1, 1], position: [0, 2, 0]}
  roller: {mass: 1, inertia: [1, 1, 0.4], position: [0, 4, 0]}
  drum: {mass: 1, inertia: [1, 1, 0.5], position: [2, 4, 0]}
joints:
  a: {kind: revolute, bodies: [ground, pinion], at: [0, 0, 0], axis: [0, 0, 1]}
  b: {kind: revolute, bodies: [ground, wheel], at: [1, 0, 0], axis: [0, 0, 1]}
  c: {kind: translational, bodies: [ground, rack], at: [0, 2, 0], axis: [1, 0, 0]}
  d: {kind: revolute, bodies: [ground, roller], at: [0, 4, 0], axis: [0, 0, 1]}
  e: {kind: revolute, bodies: [ground, drum], at: [2, 4, 0], axis: [0, 0, 1]}
couplers:
  mesh: {kind: gear, joints: [a, b], teeth: [20, 50]}
  strip: {kind: rack_and_pinion, joints: [b, c], radius: 0.3}
  strap: {kind: belt, joints: [d, e], radii: [0.1, 0.25]}
forces:
  drive: {kind: torque, body: pinion, value: [0, 0, 3*cos(t)]}
  brake: {kind: joint_spring_damper, joint: e, stiffness: 2, damping: 0.1}
  push: {kind: torque, body: roller, value: [0, 0, 1]}
simulation: {t_end: 2}
)");
  REQUIRE(results.status.outcome == Outcome::finished);
  const Reader read{results};
  for (const std::size_t row : rows_of_interest) {
    const double t = results.time[row];
    const auto angular = [&](const char* joint, double inertia) {
      return inertia * read(std::string(joint) + ".angle_acceleration")[row];
    };
    const double on_pinion = angular("a", 0.2) - 3 * std::cos(t);
    const double on_rack = 2 * read("c.travel_acceleration")[row];
    CHECK(read("mesh.a.torque")[row] == doctest::Approx(on_pinion).epsilon(1e-10));
    CHECK(read("strip.c.force")[row] == doctest::Approx(on_rack).epsilon(1e-10));
    CHECK(read("mesh.b.torque")[row] + read("strip.b.torque")[row] ==
          doctest::Approx(angular("b", 0.9)).epsilon(1e-10));
    // forces of the mesh and of the rack are the same on both parts
    CHECK(read("mesh.b.torque")[row] == doctest::Approx(2.5 * on_pinion).epsilon(1e-10));
    CHECK(read("strip.b.torque")[row] == doctest::Approx(-0.3 * on_rack).epsilon(1e-10));
    CHECK(read("strap.d.torque")[row] == doctest::Approx(angular("d", 0.4) - 1).epsilon(1e-10));
    CHECK(read("strap.e.torque")[row] ==
          doctest::Approx(-2.5 * read("strap.d.torque")[row]).epsilon(1e-10));
    for (const auto& [load, rate] : {std::pair{"mesh.a.torque", "a.angle_rate"},
                                     {"strip.c.force", "c.travel_rate"},
                                     {"strap.e.torque", "e.angle_rate"}}) {
      const std::string stem = std::string(load).substr(0, std::string(load).rfind('.'));
      CHECK(read(stem + ".power")[row] ==
            doctest::Approx(read(load)[row] * read(rate)[row]).epsilon(1e-12));
    }
  }
  CHECK(calc_power_defect(results) < 1e-9);
}

TEST_CASE("springs along a slide, laws by formula of the energy and by table, in the plane") {
  const Results results = run_text(R"(trammel: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  cart: {mass: 2, inertia: 0.1, position: [0.4, 0], velocity: [1, 0]}
  kite: {mass: 1, inertia: 0.2, position: [3, 1], velocity: [0.2, -0.3], angular_velocity: 0.7}
joints:
  rail: {kind: translational, bodies: [ground, cart], at: [0.4, 0], axis: [1, 0], start_travel: 0.4}
forces:
  buffer: {kind: joint_spring_damper, joint: rail, energy: 5*travel^4, damping: 0.3}
  strip: {kind: joint_spring_damper, joint: rail, load: {table: {points: [[-2, 1], [2, -3]], beyond: linear}}}
  soft: {kind: nonlinear_spring, bodies: [ground, kite], points: [[3, 4], [0.1, 0]], energy: 3*length^3, damping: 0.2}
  bars: {kind: nonlinear_spring, bodies: [ground, kite], points: [[5, 1], [0, 0.1]],
         tension: {table: {points: [[0, -10], [5, 15]], beyond: linear}}}
  gust: {kind: force, body: kite, frame: body, point: [0.2, 0.1], value: [2*sin(t), 1 + kite.position.x]}
  spin: {kind: torque, body: kite, value: 0.3*cos(5*t)}
  pad: {kind: bushing, bodies: [cart, kite], points: [[0.1, 0], [0, -0.2]],
        stiffness: [10, 20, 3], damping: [0.1, 0.2, 0.3]}
simulation: {t_end: 2}
)");
  REQUIRE(results.status.outcome == Outcome::finished);
  const Reader read{results};
  for (const std::size_t row : rows_of_interest) {
    const double t = results.time[row];
    const double x = read("rail.travel")[row], x1 = read("rail.travel_rate")[row];
    CHECK(x == doctest::Approx(read("cart.position.x")[row]).epsilon(1e-12));
    CHECK(read("buffer.force")[row] == doctest::Approx(-20 * x * x * x - 0.3 * x1).epsilon(1e-11));
    CHECK(read("buffer.energy")[row] == doctest::Approx(5 * x * x * x * x).epsilon(1e-11));
    CHECK(read("buffer.power")[row] ==
          doctest::Approx((-20 * x * x * x - 0.3 * x1) * x1).epsilon(1e-11));
    CHECK(read("buffer.travel")[row] == doctest::Approx(x).epsilon(1e-13));
    CHECK(read("strip.force")[row] == doctest::Approx(-1 - x).epsilon(1e-11));
    const auto line = [&](const V& from, const V& chi) {
      const V d = point_position(read, "kite", chi, row) - from;
      return std::pair(length(d), dot(d, point_velocity(read, "kite", chi, row)) / length(d));
    };
    const auto [l, l1] = line({3, 4, 0}, {0.1, 0, 0});
    CHECK(read("soft.force")[row] == doctest::Approx(9 * l * l + 0.2 * l1).epsilon(1e-11));
    CHECK(read("soft.energy")[row] == doctest::Approx(3 * l * l * l).epsilon(1e-11));
    const auto [b, b1] = line({5, 1, 0}, {0, 0.1, 0});
    CHECK(read("bars.force")[row] == doctest::Approx(-10 + 5 * b).epsilon(1e-11));
    CHECK(read("bars.length")[row] == doctest::Approx(b).epsilon(1e-12));
    CHECK(read("bars.power")[row] == doctest::Approx(-(-10 + 5 * b) * b1).epsilon(1e-10));
    double q[4];
    for (int k = 0; k < 4; ++k) q[k] = read("kite.orientation." + std::to_string(k))[row];
    const V gust = calc_rotation(q) * V{2 * std::sin(t), 1 + read("kite.position.x")[row], 0};
    CHECK(length(read.vector("gust.force", row) - gust) < 1e-12);
    CHECK(read("gust.power")[row] ==
          doctest::Approx(dot(gust, point_velocity(read, "kite", {0.2, 0.1, 0}, row)))
              .epsilon(1e-11));
    CHECK(read("spin.torque.z")[row] == doctest::Approx(0.3 * std::cos(5 * t)).epsilon(1e-13));
    // the cart does not turn, so its axes are the world's
    const V d = point_position(read, "kite", {0, -0.2, 0}, row) -
                point_position(read, "cart", {0.1, 0, 0}, row);
    const V d1 =
        point_velocity(read, "kite", {0, -0.2, 0}, row) - read.vector("cart.velocity", row);
    const double w = read("kite.angular_velocity.z")[row], phi = read("kite.yaw")[row];
    CHECK(read("pad.force.x")[row] == doctest::Approx(-10 * d.x - 0.1 * d1.x).epsilon(1e-11));
    CHECK(read("pad.force.y")[row] == doctest::Approx(-20 * d.y - 0.2 * d1.y).epsilon(1e-11));
    CHECK(read("pad.torque.z")[row] == doctest::Approx(-3 * phi - 0.3 * w).epsilon(1e-11));
    CHECK(read("pad.energy")[row] ==
          doctest::Approx(5 * d.x * d.x + 10 * d.y * d.y + 1.5 * phi * phi).epsilon(1e-11));
  }
  CHECK(calc_power_defect(results) < 1e-9);
}

TEST_CASE(
    "orientations as angles and as a vector, reactions in the axes of world, body and joint") {
  const std::string text = R"(trammel: 1
gravity: [0, 0, -9.81]
bodies:
  top: {mass: 2, inertia: [0.2, 0.3, 0.1], position: [0, 0.3, 0.4], angular_velocity: [3, 2, 5]}
  blade: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [0.5, 0.3, 0.4], angular_velocity: [3, 2, 5]}
joints:
  ball: {kind: spherical, bodies: [ground, top], at: [0, 0, 0]}
  pin: {kind: revolute, bodies: [top, blade], at: [0.3, 0.3, 0.4], axis: [1, 2, 2]}
simulation: {t_end: 2}
)";
  const Results results = run_text(text);
  Model model = read_model_text(text, "test.yaml");
  model.simulation.reaction_frame = ReactionFrame::body;
  const Results in_body = run(model);
  const Reader read{results}, read_body{in_body};
  for (const std::size_t row : rows_of_interest) {
    double q[4];
    for (int k = 0; k < 4; ++k) q[k] = read("blade.orientation." + std::to_string(k))[row];
    const Matrix3<double> R = calc_rotation(q);
    const auto turn = [](int axis, double angle) {  // by the half angle about a coordinate axis
      double e[4] = {std::cos(0.5 * angle), 0, 0, 0};
      e[1 + axis] = std::sin(0.5 * angle);
      return calc_rotation(e);
    };
    const double roll = read("blade.roll")[row], pitch = read("blade.pitch")[row];
    const double yaw = read("blade.yaw")[row];
    const V phi = read.vector("blade.rotation_vector", row);
    const double angle = length(phi);
    CHECK(angle <= pi + 1e-12);
    for (const V& e : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}}) {
      CHECK(length(turn(2, yaw) * (turn(1, pitch) * (turn(0, roll) * e)) - R * e) < 1e-12);
      // Rodrigues: e + sin α n×e + (1 − cos α) n×(n×e)
      const V n = (1.0 / std::max(angle, 1e-300)) * phi;
      const V turned =
          e + std::sin(angle) * cross(n, e) + (1 - std::cos(angle)) * cross(n, cross(n, e));
      CHECK(length(turned - R * e) < 1e-12);
    }
    for (const char* word : {"force", "moment"}) {
      const std::string reaction = std::string("pin.reaction_") + word;
      const V world = read.vector(reaction, row);
      CHECK(length(read_body.vector(reaction, row) - transposed_times(R, world)) <
            1e-7 * length(world) + 1e-9);
      for (const Reader& from : {read, read_body}) {
        const V joint = from.vector(std::string("pin.joint_") + word, row);
        // z along the axis, which is fixed in both bodies; drawn with the world's axes
        const V z = (1.0 / 3.0) * V{1, 2, 2};
        const V x = [&] {
          const V normal = V{1, 0, 0} - z.x * z;
          return (1.0 / length(normal)) * normal;
        }();
        const V expected{dot(R * x, world), dot(R * cross(z, x), world), dot(R * z, world)};
        CHECK(length(joint - expected) < 1e-7 * length(world) + 1e-9);
      }
    }
    CHECK(std::abs(read("pin.joint_moment.z")[row]) < 1e-9);  // a hinge without friction
  }
}

TEST_CASE("what is wrong with an output has its place in the file") {
  const std::string head = "trammel: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1]}\noutputs:\n";
  const auto find = [&](const std::string& outputs) -> Mistake {
    try {
      run_text(head + outputs, 4);
    } catch (const ModelError& error) {
      REQUIRE(error.mistakes().size() == 1);
      return error.mistakes().front();
    }
    FAIL("no error");
    return {};
  };
  const auto check = [&](const std::string& outputs, int line, int column,
                         const std::string& reason) {
    CAPTURE(outputs);
    const Mistake mistake = find(outputs);
    CHECK(mistake.line == line);
    CHECK(mistake.column == column);
    CHECK(mistake.reason + " " + mistake.hint == reason);
  };
  check("  far: 1 + a.positon.x\n", 5, 12,
        "no channel is called 'a.positon.x' did you mean 'a.position.x'?");
  check("  far: {formula: \"2*b.position.x\", unit: m}\n", 5, 21,
        "no channel is called 'b.position.x' did you mean 'a.position.x'?");
  check("  far: 2*far\n", 5, 10, "an output cannot be calculated from itself ");
  check("  far: 2*near\n  near: a.position.x\n", 5, 10,
        "output 'near' comes later outputs are calculated in the order of the file: define 'near' "
        "before 'far'");
  check("  kinetic_energy: 2*t\n", 5, 3, "there is a channel with this name already ");
  check("  far: 2*a.velocity\n", 5, 10,
        "no channel is called 'a.velocity' there are a.velocity.x, a.velocity.y, a.velocity.z");
}

TEST_CASE("a driver and a force of the same name would share their channels") {
  Model model = read_model_text(R"(trammel: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  p: {kind: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  q: {kind: revolute, bodies: [a, b], at: [0, 0, 0], axis: [0, 0, 1]}
drivers: {motor: {joint: p, angle: t}}
forces: {coil: {kind: joint_spring_damper, joint: q, stiffness: 3}}
)",
                                "test.yaml");
  model.forces[0].name = "motor";
  CHECK_THROWS_WITH(compile(model), doctest::Contains("forces.motor: a driver has the same name"));
}

TEST_CASE("motors of the arm at rest hold its weight") {
  const Model model = test::read_repository_model("new_user/arm_pd.yaml");
  const Results results = simulate(compile(model), model.simulation);
  CHECK(std::abs(column(results, "motor1.torque").back() - 25.613) < 6e-4);
  CHECK(std::abs(column(results, "motor2.torque").back() - 8.8677) < 6e-4);
}
