// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// IFToMM A01: a simple pendulum for 2,000 s, 845 periods.
#include <doctest/doctest.h>

#include "support/reference.hpp"

using namespace trammel;

TEST_CASE("A01: 2,000 s to a nanometre with energy held, to 0.2 µm without") {
  const Model model = test::read_repository_model("gallery/simple_pendulum.yaml");
  const auto state = test::find_state(
      test::read_reference("iftomm_a01_simple_pendulum.json")["reference"]["states"], 2000);
  for (bool hold : {false, true}) {
    SimulationOptions options = test::with_tolerance(model.simulation, 1e-12);
    options.t_end = 2000;
    options.hold_energy = hold;
    const Results results = test::run(model, options);
    // the tip is twice as far from the pivot as the centre of mass
    const Vec3 r = results.final[0].position;
    const Vec3 tip{2 * r[0], 2 * r[1], 0};
    const double error =
        test::distance(tip, {test::number(state["x"]), test::number(state["y"]), 0});
    CHECK(error <= (hold ? 1e-9 : 2e-7));
    CHECK(results.violation.position <= 1e-14);
  }
}
