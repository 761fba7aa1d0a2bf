// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The text of a model: read, check, compile, and run a few steps. What a run reports must be finite.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "record/quantities.hpp"
#include "trammel/trammel.hpp"

namespace {

using namespace trammel;

constexpr std::size_t longest_text = 20'000;
constexpr std::size_t most_parts = 60;

bool is_small(const Model& model) {
  return model.bodies.size() <= most_parts && model.joints.size() <= most_parts &&
         model.forces.size() <= most_parts && model.couplers.size() <= most_parts &&
         model.drivers.size() <= most_parts;
}

void expect_finite(const Results& results) {
  for (const Quantity& quantity : quantities()) {
    for (const double x : results.*quantity.column) {
      if (!std::isfinite(x)) std::abort();
    }
  }
}

void run(Model& model) {
  SimulationOptions& options = model.simulation;
  options.max_steps = 4;
  options.output_interval = options.t_end / 5;
  options.kernel = KernelChoice::loops;  // to make machine code takes longer than to run it
  options.threads = 1;
  if (!check_model(model).empty()) return;
  const System system = compile(model);
  const CheckReport report = check(system);
  const std::string text = to_string(report) + to_json(report);
  if (!report.ok()) return;
  const Results results = simulate(system, options);
  expect_finite(results);
  if (full_report(results).size() + to_json(results).size() + text.size() == 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > longest_text) return 0;
  try {
    // no folder of this name: tables are not found
    Model model = read_model_text(std::string(reinterpret_cast<const char*>(data), size),
                                  "/nonexistent/model.yaml");
    if (is_small(model)) run(model);
  } catch (const ModelError&) {
  } catch (const FileError&) {
  }
  return 0;
}
