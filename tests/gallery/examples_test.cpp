// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The examples: each keeps its energy without being held to it, and every kind of joint has one,
// and a page with a sketch.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "model/joint_rules.hpp"
#include "support/reference.hpp"

using namespace trammel;
namespace fs = std::filesystem;

namespace {

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("every example closes its energy balance at a tight tolerance") {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(TRAMMEL_MODELS_DIR "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    const Model model = read_model(entry.path().string());
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
    options.hold_energy = false;
    const Results results = test::run(model, options);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(results.warnings.empty());  // no output point is lost
    CHECK(results.violation.position <= 1e-13);
    CHECK(results.energy.kinetic_max > 0.0);
    CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
    ++count;
  }
  CHECK(count >= 37);
}

TEST_CASE("every coupler, driver and force has an example and a place in the documentation") {
  const fs::path models = TRAMMEL_MODELS_DIR, docs = models.parent_path() / "docs";
  const std::string list = read_text(docs / "reference" / "joints" / "README.md");
  for (const std::string word : {"gear", "rack_and_pinion", "belt", "coupler"}) {
    CAPTURE(word);
    CHECK(list.find("](" + word + ".md)") != std::string::npos);
    const std::string page = read_text(docs / "reference" / "joints" / (word + ".md"));
    CHECK(page.find("](" + word + ".svg)") != std::string::npos);
    CHECK(page.find("models/examples/joints/" + word + ".yaml") != std::string::npos);
    CHECK(!read_model((models / "examples/joints" / (word + ".yaml")).string()).couplers.empty());
  }
  CHECK(list.find("](../drivers.md)") != std::string::npos);
  CHECK(list.find("](../forces.md)") != std::string::npos);
  const std::string drivers = read_text(docs / "reference" / "drivers.md");
  const std::string forces = read_text(docs / "reference" / "forces.md");
  for (const auto& entry : fs::directory_iterator(models / "examples/drivers")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    CHECK(drivers.find(entry.path().filename().string()) != std::string::npos);
    CHECK(!read_model(entry.path().string()).drivers.empty());
  }
  std::set<std::size_t> laws;
  for (const auto& entry : fs::directory_iterator(models / "examples/forces")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    CHECK(forces.find(entry.path().filename().string()) != std::string::npos);
    for (const Force& force : read_model(entry.path().string()).forces) {
      laws.insert(force.law.index());
    }
  }
  CHECK(laws.size() == std::variant_size_v<decltype(Force::law)>);
}

TEST_CASE("every kind of joint has an example and a page with a sketch") {
  const fs::path models = TRAMMEL_MODELS_DIR,
                 docs = models.parent_path() / "docs" / "reference" / "joints";
  const std::string list = read_text(docs / "README.md");
  for (const JointWord& entry : joint_rules::joints) {
    const std::string word(entry.word);
    CAPTURE(word);
    const std::string example = "examples/joints/" + word + ".yaml";
    REQUIRE(fs::exists(models / example));
    bool used = false;
    const Model model = read_model((models / example).string());
    for (const Joint& joint : model.joints) used = used || joint.kind == entry.kind;
    CHECK(used);
    const std::string page = read_text(docs / (word + ".md"));
    CHECK(page.find("](" + word + ".svg)") != std::string::npos);
    CHECK(page.find("models/" + example) != std::string::npos);
    CHECK(fs::exists(docs / (word + ".svg")));
    CHECK(list.find("](" + word + ".md)") != std::string::npos);
  }
}
