// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// An evaluation printed as C and compiled has the bits of the machine code and of the loops.
#include "generate/c_text.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "evaluate/accelerations.hpp"
#include "generate/evaluation_tape.hpp"
#include "generate/machine_code.hpp"
#include "generate/traced_system.hpp"
#include "support/compiled_c.hpp"
#include "support/random_model.hpp"
#include "system/workspace.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

constexpr double drop_tolerance = 1e-13;

int count_different(const std::vector<double>& a, const std::vector<double>& b) {
  int different = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    // + 0.0: a zero may have another sign
    different +=
        std::bit_cast<std::uint64_t>(a[k] + 0.0) != std::bit_cast<std::uint64_t>(b[k] + 0.0);
  }
  return different;
}

template <class Space>
void compare(const SystemIn<Space>& system) {
  const EvaluationTape evaluation = record_evaluation(system, drop_tolerance);
  const test::CompiledC c(print_c(evaluation.tape, "evaluate"), "evaluate",
                          evaluation.tape.functions);
  Workspace<double, Space> ws(system.topology);
  const StateLayout& layout = system.topology.layout;
  test::Random random(11);
  for (int state = 0; state < 50; ++state) {
    std::vector<double> z = system.initial;
    for (int k = 0; k < layout.work(0); ++k) {
      z[k] += random.uniform(-1, 1) * (k < layout.u(0) ? 0.05 : 2.0);
    }
    std::vector<double> lambda(system.topology.n_rows), margin(1), given(count_given(system));
    const auto evaluate_by = [&](const auto& code) {
      std::vector<double> rate(z.size());
      double* const arrays[] = {z.data(), rate.data(), lambda.data(), margin.data(), given.data()};
      code.run(arrays);
      return rate;
    };
    std::vector<double> by_loops(z.size());
    evaluate(system.topology, system.parameters, ws, drop_tolerance, z.data(), by_loops.data());
    const std::vector<double> by_c = evaluate_by(c);
    CHECK(margin[0] > 0.0);
    CHECK(count_different(by_c, by_loops) == 0);
    CHECK(count_different(lambda, {ws.lambda.begin(), ws.lambda.end()}) == 0);
    if (MachineCode::is_possible()) {
      const MachineCode code(evaluation.tape, OperationOrder::best, 1);
      CHECK(count_different(by_c, evaluate_by(code)) == 0);
    }
  }
}

}  // namespace

TEST_CASE("an evaluation printed as C has the bits of machine code and loops") {
  for (const char* file : {"paper/pendulum.yaml", "paper/quadrangle.yaml", "paper/crank.yaml",
                           "planar/quadrangle.yaml"}) {
    CAPTURE(file);
    const System system = compile(read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + file));
    visit_space(system.data(), [](const auto& of) { compare(of); });
  }
}
