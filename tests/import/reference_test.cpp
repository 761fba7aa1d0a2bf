// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Imported models against other programs at random states: poses that the joints accept, and accelerations.
// The reference files are made by make_reference.py.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "import/mechanism.hpp"
#include "trammel/evaluator.hpp"

using namespace trammel;
using namespace trammel::import;

namespace {

namespace fs = std::filesystem;

std::vector<double> unpack(const std::string& text) {
  std::vector<unsigned char> bytes;
  unsigned bits = 0, count = 0;
  for (const char c : text) {
    const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* const found = std::strchr(digits, c);
    if (c == '=' || found == nullptr) break;
    bits = bits << 6 | static_cast<unsigned>(found - digits);
    count += 6;
    if (count >= 8) bytes.push_back(static_cast<unsigned char>(bits >> (count -= 8)));
  }
  std::vector<double> values(bytes.size() / 8);
  std::memcpy(values.data(), bytes.data(), values.size() * 8);
  return values;
}

Vec3 take(const double* at) { return {at[0], at[1], at[2]}; }

// A body of the reference: its frame, and the accelerations of that.
struct Row {
  explicit Row(const double* x)
      : place{from_quaternion({x[3], x[4], x[5], x[6]}), take(x)},
        v(take(x + 7)),
        omega(take(x + 10)),
        a(take(x + 13)),
        alpha(take(x + 16)) {}
  Place place;
  Vec3 v, omega, a, alpha;
};

// Where the Model has the origin of a body, in the body's frame of the file.
Vec3 origin_of(const ImportedBody&) { return {}; }

BodyState make_state(const Row& row, const Vec3& origin) {
  const Vec3 arm = row.place.turn * origin;
  BodyState state;
  state.position = row.place.at + arm;
  state.orientation = to_quaternion(row.place.turn);
  state.velocity = row.v + cross(row.omega, arm);
  state.angular_velocity = transposed(row.place.turn) * row.omega;
  return state;
}

struct Worst {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;  // gaps of joints; relative
};

void compare(Evaluator& at, const ImportedMechanism& mechanism,
             const std::vector<std::string>& names, const std::vector<double>& values,
             Worst& worst) {
  std::map<std::string, Row> rows;
  for (std::size_t b = 0; b < names.size(); ++b) rows.emplace(names[b], Row(&values[19 * b]));
  std::vector<std::pair<const ImportedBody*, Row>> pairs;
  for (const ImportedBody& body : mechanism.bodies) {
    const auto found = rows.find(body.name);
    if (body.is_gone || found == rows.end()) continue;
    at.set_body(body.name, make_state(found->second, origin_of(body)));
    pairs.emplace_back(&body, found->second);
  }
  double scale = 0.0, difference = 0.0;
  // rotors of armatures stay where they are: neither their position nor their rate has an influence
  const auto calc_largest = [&](const std::vector<double>& gaps) {
    double largest = 0.0;
    for (std::size_t r = 0; r < gaps.size(); ++r) {
      if (at.constraint_names()[r].ends_with("_armature.coupling")) continue;
      largest = std::max(largest, std::abs(gaps[r]));
    }
    return largest;
  };
  worst.position = std::max(worst.position, calc_largest(at.constraints()));
  worst.velocity = std::max(worst.velocity, calc_largest(at.constraint_velocities()));
  for (const auto& [body, row] : pairs) {
    const Vec3 arm = row.place.turn * origin_of(*body);
    const Vec3 a = row.a + cross(row.alpha, arm) + cross(row.omega, cross(row.omega, arm));
    const BodyAcceleration own = at.acceleration(body->name);
    const Vec3 alpha = row.place.turn * own.angular;
    for (std::size_t k = 0; k < 3; ++k) {
      scale = std::max({scale, std::abs(a[k]), std::abs(row.alpha[k])});
      difference =
          std::max({difference, std::abs(own.linear[k] - a[k]), std::abs(alpha[k] - row.alpha[k])});
    }
  }
  worst.acceleration = std::max(worst.acceleration, difference / scale);
}

Worst compare_model(const fs::path& model, const fs::path& reference) {
  nlohmann::json data;
  std::ifstream(reference) >> data;
  const std::vector<std::string> names = data["bodies"];
  ImportLog log;
  const ImportedMechanism mechanism = import_mechanism(model.string(), {}, log);
  Evaluator at(compile(import_model(model.string()).model));
  Worst worst;
  for (const std::string text : data["states"]) {
    compare(at, mechanism, names, unpack(text), worst);
  }
  return worst;
}

}  // namespace

TEST_CASE("imported models have the accelerations that other programs give them") {
  const char* const other =
      std::getenv("TRAMMEL_IMPORT_CASES");  // a folder of models with references
  const fs::path folder = other != nullptr ? other : TRAMMEL_IMPORT_DIR;
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".urdf" && extension != ".xml") continue;
    const std::string stem = entry.path().stem() == "robot"
                                 ? entry.path().parent_path().filename().string()
                                 : entry.path().stem().string();
    const fs::path reference = folder / "reference" / (stem + ".json");
    if (!fs::exists(reference)) continue;
    CAPTURE(stem);
    const Worst worst = compare_model(entry.path(), reference);
    MESSAGE(stem << ": gaps " << worst.position << ", their rates " << worst.velocity
                 << ", accelerations " << worst.acceleration);
    CHECK(worst.position < 1e-10);
    CHECK(worst.velocity < 1e-10);
    // MuJoCo turns the inertia of several shapes, and full ones, to principal axes that are 1e-7 rad off: the
    // moments of Cassie by up to 7e-7 of their size
    const bool is_rounded = stem == "geoms" || stem == "cassie";
    CHECK(worst.acceleration < (is_rounded ? 1e-6 : 1e-8));
    ++count;
  }
  CHECK(count >= 1);
}
