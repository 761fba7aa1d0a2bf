// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The examples: each keeps its energy without being held to it, and every kind of joint has one,
// and a page with a sketch.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
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
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-13);
    options.t_end = std::min(options.t_end, 2.0);
    options.hold_energy = false;
    const Results results = test::run(model, options);
    REQUIRE(results.status.outcome == Outcome::finished);
    CHECK(results.warnings.empty());
    CHECK(results.energy.kinetic_max > 0.0);
    CHECK(results.energy.balance_error_max <= 1e-9 * results.energy.kinetic_max);
    ++count;
  }
  CHECK(count >= 18);
}

TEST_CASE("every kind of joint has an example and a page with a sketch") {
  const fs::path models = TRAMMEL_MODELS_DIR, docs = models.parent_path() / "docs" / "joints";
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
