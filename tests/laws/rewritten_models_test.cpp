// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Machines written with frames and local names move as the same machines with every point written out from
// the centres of mass (tests/reference/written_out).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

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

std::size_t find(const std::vector<std::string>& names, const std::string& name) {
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
  for (std::size_t i = 0; i < names_a.size(); ++i) {
    const std::size_t j = find(names_b, names_a[i]);
    if (j == names_b.size()) continue;
    for (std::size_t row = 0; row < rows; ++row) {
      const double x = a[row * names_a.size() + i] - a[i];
      const double y = b[row * names_b.size() + j] - b[j];
      largest = std::max(largest, std::abs(x - y) / (1.0 + std::abs(y)));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("a machine with frames moves as the one written out") {
  const std::pair<const char*, double> models[] = {{"crane", 3.0}, {"stewart", 8.0}};
  for (const auto& model : models) {
    const std::string file = std::string(model.first) + ".yaml";
    const double t_end = model.second;
    CAPTURE(file);
    const Results plain =
        run(read_model(std::string(TRAMMEL_REFERENCE_DIR) + "/written_out/" + file), t_end);
    const Results frames = run(test::read_repository_model("new_user/" + file), t_end);
    REQUIRE(plain.status.outcome == Outcome::finished);
    REQUIRE(frames.status.outcome == Outcome::finished);
    REQUIRE(frames.time == plain.time);
    CHECK(calc_distance(plain, frames) < 1e-10);
    CHECK(calc_difference(plain.coordinate_names, plain.coordinate, frames.coordinate_names,
                          frames.coordinate, plain.time.size()) < 1e-10);
    CHECK(calc_difference(plain.load_names, plain.load, frames.load_names, frames.load,
                          plain.time.size()) < 1e-7);
  }
}
