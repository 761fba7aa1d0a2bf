// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Machines written with frames, local names and included files move as the same machines with every point written
// out from the centres of mass (tests/reference/written_out), in fewer lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <regex>

#include "math/euler_parameters.hpp"
#include "support/reference.hpp"

using namespace trammel;

namespace {

using V = Vector3<double>;

Results run(const Model& model, double t_end) {
  SimulationOptions options = model.simulation;
  options.t_end = t_end;
  options.output_interval = t_end / 20;
  options.output_at_steps = false;
  options.rtol = options.atol = 1e-12;
  return simulate(compile(model), options);
}

// "leg_3_rod.travel" of an included leg was "rod_3.travel".
std::string as_written_out(const std::string& name) {
  static const std::regex of_leg("leg_(\\d)_([a-z]+)(\\..*)?");
  std::smatch found;
  if (!std::regex_match(name, found, of_leg)) return name;
  return (found[2] == "slide" ? "leg" : found[2].str()) + "_" + found[1].str() + found[3].str();
}

std::size_t find(const std::vector<std::string>& names, const std::string& wanted) {
  const std::string name = as_written_out(wanted);
  const auto at = std::find(names.begin(), names.end(), name);
  return static_cast<std::size_t>(at - names.begin());
}

V center_of(const Results& results, std::size_t row, std::size_t body) {
  const std::size_t k = row * results.body_names.size() + body;
  const V com = V::load(results.scene.bodies[body].com.data());
  return V::load(&results.position[3 * k]) + calc_rotation(&results.orientation[4 * k]) * com;
}

// The largest distance of the centres of mass of the bodies that both have.
double calc_distance(const Results& a, const Results& b) {
  double largest = 0.0;
  std::size_t bodies = 0;
  for (std::size_t i = 0; i < a.body_names.size(); ++i) {
    const std::size_t j = find(b.body_names, a.body_names[i]);
    if (j == b.body_names.size()) continue;
    ++bodies;
    for (std::size_t row = 0; row < a.time.size(); ++row) {
      const V d = center_of(a, row, i) - center_of(b, row, j);
      largest = std::max(largest, std::sqrt(dot(d, d)));
    }
  }
  CHECK(bodies + 2 >= a.body_names.size());
  return largest;
}

// Angles, travels and loads by name; travels may have another zero.
double calc_difference(const std::vector<std::string>& names_a, const std::vector<double>& a,
                       const std::vector<std::string>& names_b, const std::vector<double>& b,
                       std::size_t rows) {
  double largest = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < names_a.size(); ++i) {
    const std::size_t j = find(names_b, names_a[i]);
    if (j == names_b.size()) continue;
    ++count;
    for (std::size_t row = 0; row < rows; ++row) {
      const double x = a[row * names_a.size() + i] - a[i];
      const double y = b[row * names_b.size() + j] - b[j];
      largest = std::max(largest, std::abs(x - y) / (1.0 + std::abs(y)));
    }
  }
  CHECK(count == names_b.size());
  return largest;
}

}  // namespace

namespace {

void compare(const Model& plain_model, const Model& model, double t_end) {
  const Results plain = run(plain_model, t_end), frames = run(model, t_end);
  REQUIRE(plain.status.outcome == Outcome::finished);
  REQUIRE(frames.status.outcome == Outcome::finished);
  REQUIRE(frames.time == plain.time);
  CHECK(calc_distance(frames, plain) < 1e-10);
  CHECK(calc_difference(frames.coordinate_names, frames.coordinate, plain.coordinate_names,
                        plain.coordinate, plain.time.size()) < 1e-10);
  CHECK(calc_difference(frames.load_names, frames.load, plain.load_names, plain.load,
                        plain.time.size()) < 1e-7);
}

int count_lines(const std::string& path) {
  std::ifstream file(path);
  int count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

std::string written_out(const char* file) {
  return std::string(TRAMMEL_REFERENCE_DIR) + "/written_out/" + file;
}

}  // namespace

TEST_CASE("a machine with frames moves as the one written out") {
  compare(read_model(written_out("crane.yaml")), test::read_repository_model("new_user/crane.yaml"),
          3.0);
  compare(read_model(written_out("stewart.yaml")),
          test::read_repository_model("new_user/stewart.yaml"), 8.0);
}

// There the speed of the crank was given and that of the other bodies was not.
TEST_CASE("the engine moves as the one written out") {
  Model engine = test::read_repository_model("new_user/engine.yaml");
  engine.joints.at(0).starts.at(0).rate.reset();
  engine.bodies.at(0).angular_velocity = {0, 0, -1500 * 2 * std::numbers::pi / 60};
  compare(read_model(written_out("engine.yaml")), engine, 0.3);
}

TEST_CASE("the engine starts with the speed that it is given") {
  const Results engine = run(test::read_repository_model("new_user/engine.yaml"), 0.01);
  CHECK(engine.coordinate[0] == doctest::Approx(20 * std::numbers::pi / 180).epsilon(1e-14));
  CHECK(engine.coordinate_rate[0] == doctest::Approx(50 * std::numbers::pi).epsilon(1e-14));
}

// Of a machine itself, without what it includes.
TEST_CASE("frames, local names and included files save lines") {
  const std::string models = std::string(TRAMMEL_MODELS_DIR) + "/new_user/";
  CHECK(count_lines(models + "stewart.yaml") <= 28 / 3);
  CHECK(count_lines(models + "crane.yaml") <= 0.7 * 38);
  CHECK(count_lines(models + "engine.yaml") <= 0.7 * 38);
}
