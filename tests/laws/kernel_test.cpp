// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Machine code and loops give the same run, to the bit, for every model of the repository that machine
// code is made for.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <string>

#include "generate/step_code.hpp"
#include "problem/mechanical_problem.hpp"
#include "system/system.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

void check_bits(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  std::size_t different = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    different += std::bit_cast<std::uint64_t>(a[k]) != std::bit_cast<std::uint64_t>(b[k]);
  }
  CHECK(different == 0);
}

}  // namespace

TEST_CASE("every model runs on generated code, with the bits of the loops") {
  if (!MachineCode::is_possible()) return;
  int compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TRAMMEL_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    Model model = read_model(entry.path().string());
    const System system = compile(model);
    SimulationOptions options = model.simulation;
    if (uses_jets(options.projection)) continue;
    options.t_end = std::min(options.t_end, 1.0);
    const Results by_code = simulate(system, options);
    CAPTURE(by_code.code_refusal);
    const Counts& counts = by_code.counts;
    const bool is_large = by_code.check.rows > 60;  // code is made late, or not at all
    // refined by conjugate gradients, which take as many iterations as they need
    const bool is_light = by_code.code_refusal == "bodies with little or no mass";
    if (!is_large && !is_light && by_code.check.dof > 0) {
      CHECK(by_code.code_refusal == "");
      // all but the first, ends of steps, output points, and where something is unusual: with redundant
      // joints rows are exchanged, and the choice between them needs all of them at the end of a step
      const bool is_redundant = !by_code.check.dependent.empty();
      CHECK(counts.evaluations_by_code >=
            (is_redundant ? 0.6 : 0.9) *
                static_cast<double>(counts.accelerations - counts.projection));
      // the energy of a mechanism that floats is held relative to its momenta, by loops
      const auto& components = system.data().topology.components;
      const bool floats = std::any_of(components.begin(), components.end(),
                                      [](const Component& of) { return !of.grounded; });
      if (!is_redundant && !(floats && options.hold_energy)) {
        CHECK(counts.steps_by_code >= 0.9 * static_cast<double>(counts.accepted));
      }
    }
    options.kernel = KernelChoice::loops;
    const Results by_loops = simulate(system, options);
    check_bits(by_code.position, by_loops.position);
    check_bits(by_code.orientation, by_loops.orientation);
    check_bits(by_code.velocity, by_loops.velocity);
    check_bits(by_code.angular_velocity, by_loops.angular_velocity);
    check_bits(by_code.reaction_force, by_loops.reaction_force);
    check_bits(by_code.coordinate, by_loops.coordinate);
    check_bits(by_code.coordinate_rate, by_loops.coordinate_rate);
    check_bits(by_code.balance_error, by_loops.balance_error);
    CHECK(by_code.counts.accelerations == by_loops.counts.accelerations);
    CHECK(by_code.counts.iterations == by_loops.counts.iterations);
    CHECK(by_code.counts.df_inv == by_loops.counts.df_inv);
    CHECK(by_code.violation.position == by_loops.violation.position);
    CHECK(by_code.violation.position_row == by_loops.violation.position_row);
    CHECK(by_code.violation.velocity == by_loops.violation.velocity);
    CHECK(by_code.violation.velocity_row == by_loops.violation.velocity_row);
    CHECK(by_code.violation.euler_parameters == by_loops.violation.euler_parameters);
    CHECK(by_code.conditioning.smallest_pivot == by_loops.conditioning.smallest_pivot);
    CHECK(by_code.energy.balance_error_max == by_loops.energy.balance_error_max);
    ++compared;
  }
  CHECK(compared >= 50);
}

// Angles that drivers or couplers follow are unwrapped at output points without the rows of reactions, too.
TEST_CASE("positions recorded alone have the coordinates of the loops") {
  if (!MachineCode::is_possible()) return;
  for (const std::string name :
       {"gallery/differential", "examples/joints/gear", "examples/drivers/travel_table",
        "examples/forces/torsional_spring"}) {
    CAPTURE(name);
    Model model = read_model(TRAMMEL_MODELS_DIR "/" + name + ".yaml");
    const System system = compile(model);
    SimulationOptions options = model.simulation;
    options.record = {};
    options.record.velocities = options.record.reactions = options.record.energies = false;
    options.record.violations = options.record.steps = false;
    const Results by_code = simulate(system, options);
    CHECK(by_code.code_refusal == "");
    options.kernel = KernelChoice::loops;
    const Results by_loops = simulate(system, options);
    REQUIRE(!by_loops.coordinate.empty());
    check_bits(by_code.coordinate, by_loops.coordinate);
    check_bits(by_code.position, by_loops.position);
  }
}

TEST_CASE("machine code made while a run goes changes nothing") {
  Model model =
      read_model(std::string(TRAMMEL_MODELS_DIR) + "/gallery/chain.yaml", {{"links", 24.0}});
  SimulationOptions options = model.simulation;
  options.t_end = 30.0;
  options.rtol = options.atol = 1e-8;
  const System system = compile(model);
  options.kernel = KernelChoice::loops;
  const Results loops = simulate(system, options);
  options.kernel = KernelChoice::automatic;
  const Results code = simulate(system, options);
  CHECK(loops.counts.accelerations > 20'000);
  // of 72 rows: code comes after 10,000 evaluations, between two steps
  MechanicalProblem<Spatial> problem(as_spatial(system.data()), options);
  std::vector<double> z = as_spatial(system.data()).initial, rate(z.size());
  REQUIRE(problem.start(z.data(), rate.data()));
  for (int k = 0; k < 10'000; ++k) REQUIRE(problem.calc_derivative(0.0, z.data(), rate.data()));
  CHECK(problem.point().counts.evaluations_by_code == 0);
  problem.accept_step(0.0, z.data());
  REQUIRE(problem.calc_derivative(0.0, z.data(), rate.data()));
  CHECK((problem.point().counts.evaluations_by_code > 0) == MachineCode::is_possible());
  CHECK(code.counts.accelerations == loops.counts.accelerations);
  check_bits(code.position, loops.position);
  check_bits(code.velocity, loops.velocity);
}

TEST_CASE("an evaluation by machine code takes few instructions") {
  if (!MachineCode::is_possible()) return;
  const auto count = [](const std::string& model) {
    const System system = compile(read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + model));
    const auto code = StepCode<Spatial>::make({&as_spatial(system.data())}, 1,
                                              {1e-13, 1e-6, 1e-6, false, {}, false});
    REQUIRE(code != nullptr);
    return code->n_instructions();
  };
  CHECK(count("paper/quadrangle.yaml") <= 3600);
  CHECK(count("paper/crank.yaml") <= 2490);
  CHECK(count("gallery/andrews.yaml") <= 8570);
}
