// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference problems (tests/reference), models of the repository, and how far a run is from them.
#pragma once

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <trammel/trammel.hpp>
#include <vector>

namespace trammel::test {

inline nlohmann::json read_reference(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(std::string(TRAMMEL_REFERENCE_DIR) + "/" + name));
}

// Numbers stand as strings, so that no digit is lost, or as numbers.
inline double number(const nlohmann::json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                           : value.get<double>();
}

template <std::size_t n>
std::array<double, n> numbers(const nlohmann::json& list) {
  std::array<double, n> values{};
  for (std::size_t k = 0; k < n; ++k) values[k] = number(list.at(k));
  return values;
}

template <std::size_t n>
double distance(const std::array<double, n>& a, const std::array<double, n>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < n; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

inline Model read_repository_model(const std::string& name) {
  return read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + name);
}

// The entry of a list of states at time t.
inline nlohmann::json find_state(const nlohmann::json& states, double t) {
  for (const auto& state : states) {
    if (number(state.at("t")) == t) return state;
  }
  throw std::runtime_error("no reference state at t = " + std::to_string(t));
}

inline SimulationOptions with_tolerance(SimulationOptions options, double tolerance,
                                        Method method = Method::dop853) {
  options.rtol = options.atol = tolerance;
  options.method = method;
  return options;
}

inline Results run(const Model& model, const SimulationOptions& options) {
  return simulate(compile(model), options);
}

// The largest distance of a centre of mass from the reference's.
inline double position_error(const Results& results, const nlohmann::json& bodies) {
  double largest = 0.0;
  for (std::size_t b = 0; b < results.final.size(); ++b) {
    largest =
        std::max(largest, distance(results.final[b].position, numbers<3>(bodies.at(b).at("r"))));
  }
  return largest;
}

// The largest distance between the centres of mass of two runs of one model.
inline double position_difference(const Results& a, const Results& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.final.size(); ++k) {
    largest = std::max(largest, distance(a.final[k].position, b.final[k].position));
  }
  return largest;
}

}  // namespace trammel::test
