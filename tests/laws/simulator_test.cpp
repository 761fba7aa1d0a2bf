// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Simulator: the bits of simulate where the same steps end; inputs as sampled states; checkpoints; a change of
// the mechanism against its closed form.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "support/reference.hpp"
#include "trammel/channels.hpp"
#include "trammel/simulator.hpp"

using namespace trammel;

namespace {

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void check_same_rows(const Results& a, const Results& b) {
  CHECK(same_bits(a.time, b.time));
  CHECK(same_bits(a.position, b.position));
  CHECK(same_bits(a.orientation, b.orientation));
  CHECK(same_bits(a.velocity, b.velocity));
  CHECK(same_bits(a.coordinate, b.coordinate));
  CHECK(same_bits(a.reaction_force, b.reaction_force));
  CHECK(same_bits(a.element, b.element));
  CHECK(same_bits(a.balance_error, b.balance_error));
}

std::string model_file(const std::string& name) {
  return std::string(TRAMMEL_MODELS_DIR) + "/" + name + ".yaml";
}

// A slide with a spring of stiffness k and an input that pushes.
Model make_slide(double k, const std::string& push = "push: {initial: 0, rate: 0}") {
  return read_model_text(
      "trammel: 1\nparameters: {k: " + std::to_string(k) +
          "}\nbodies: {b: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0]}}\n"
          "joints: {s: {kind: translational, bodies: [ground, b], at: [0, 0, 0], axis: [1, 0, "
          "0]}}\n"
          "states: {" +
          push +
          "}\nforces: {spring: {kind: joint_spring_damper, joint: s, stiffness: k, free: -0.3, "
          "load: push}}\nsimulation: {t_end: 2, rtol: 1e-10, atol: 1e-12}\n",
      "slide");
}

}  // namespace

TEST_CASE("simulator: single steps have the bits of simulate") {
  for (const char* name : {"paper/crank", "planar/quadrangle", "gallery/flyball_governor",
                           "examples/controllers/sampled_arm", "redundant/two_four_bars_free"}) {
    for (const Method method : {Method::dop853, Method::dopri5, Method::radau, Method::automatic}) {
      const Model model = read_model(model_file(name));
      SimulationOptions options = model.simulation;
      options.t_end = 1.0;
      options.method = method;
      options.output_at_steps = true;
      options.kinematics = Kinematics::off;
      if (method == Method::radau && (options.hold_energy || !model.states.empty())) continue;
      CAPTURE(name);
      CAPTURE(static_cast<int>(method));
      const System system = compile(model);
      const Results whole = simulate(system, options);
      Simulator sim(system, options);
      int steps = 1;
      while (sim.step()) ++steps;
      CHECK(sim.is_over());
      CHECK(sim.status().outcome == Outcome::finished);
      CHECK(steps == whole.counts.accepted);
      check_same_rows(sim.results(), whole);
      CHECK(sim.results().counts.rejected == whole.counts.rejected);
      CHECK(same_bits({sim.time()}, {whole.time.back()}));
    }
  }
}

// A sampled state is an input that the model sets itself: the steps end at the samples.
TEST_CASE("simulator: inputs have the bits of sampled states") {
  const Model sampled = make_slide(50, "push: {initial: 0, period: 0.05, next: 20*t - 9*t*t}");
  SimulationOptions options = sampled.simulation;
  options.output_at_steps = true;
  const Results whole = simulate(compile(sampled), options);
  Simulator sim(compile(make_slide(50)), options);
  CHECK(sim.input_names() == std::vector<std::string>{"push"});
  for (int k = 0; k < 40; ++k) {
    const double t = sim.time();
    sim.set_input("push", 20 * t - 9 * t * t);
    sim.advance_to(static_cast<double>(k + 1) * 0.05);
  }
  CHECK(sim.is_over());
  const Results driven = sim.results();
  CHECK(same_bits(driven.time, whole.time));
  CHECK(same_bits(driven.position, whole.position));
  CHECK(same_bits(driven.velocity, whole.velocity));
}

TEST_CASE("simulator: values by name are those of the results") {
  Simulator sim(compile(make_slide(50)), make_slide(50).simulation);
  sim.set_input("push", 3.0);
  sim.advance(0.1);
  CHECK(sim.time() == 0.1);
  CHECK(sim.input("push") == 3.0);
  CHECK(sim.value("b.position.x") == sim.state()[0].position[0]);
  CHECK(sim.value("s.travel_rate") == doctest::Approx(sim.state()[0].velocity[0]));
  const Results results = sim.results();
  CHECK(results.status.outcome == Outcome::running);
  CHECK(column(results, "spring.force").back() == sim.value("spring.force"));
}

TEST_CASE("simulator: a checkpoint goes on with the same bits") {
  const Model model = make_slide(50);
  const System system = compile(model);
  for (const int at : {0, 1, 7, 23}) {
    Simulator whole(system, model.simulation), first(system, model.simulation),
        second(system, model.simulation);
    std::string saved;
    const auto act = [](Simulator& sim, int k) {
      if (k % 3 == 0) sim.set_input("push", 5.0 - k);
      if (k % 2 == 0) {
        sim.advance(0.03);
      } else {
        sim.step();
      }
    };
    for (int k = 0; k < 30; ++k) act(whole, k);
    for (int k = 0; k < at; ++k) act(first, k);
    second.restore(first.save());
    CHECK(same_bits({second.time()}, {first.time()}));
    for (int k = at; k < 30; ++k) act(second, k);
    check_same_rows(second.results(), whole.results());
    CHECK(second.save() == whole.save());
  }
}

TEST_CASE("simulator: checkpoints that are damaged or of another model are refused") {
  const Model model = make_slide(50);
  Simulator sim(compile(model), model.simulation), other(compile(make_slide(51)), model.simulation);
  sim.advance(0.2);
  const std::string saved = sim.save();
  CHECK_THROWS_AS(other.restore(saved), std::invalid_argument);
  for (std::size_t k = 0; k < saved.size(); ++k) {
    std::string damaged = saved;
    damaged[k] = static_cast<char>(damaged[k] ^ 1);
    CHECK_THROWS_AS(sim.restore(damaged), std::invalid_argument);
    CHECK_THROWS_AS(sim.restore(saved.substr(0, k)), std::invalid_argument);
  }
  CHECK(sim.save() == saved);
}

// x¨ = −k/m x about −0.3 + …: k changes at t = 0.7 to k', position and velocity go on.
TEST_CASE("simulator: a change of stiffness against the closed form") {
  const Model model = make_slide(50);
  Simulator sim(compile(model), model.simulation);
  sim.advance_to(0.7);
  const double q = sim.value("s.travel") + 0.3, v = sim.value("s.travel_rate");
  sim.change(compile(make_slide(200)));
  CHECK(sim.time() == 0.7);
  CHECK(sim.value("s.travel") + 0.3 == doctest::Approx(q).epsilon(1e-14));
  sim.advance_to(1.9);
  const double w = std::sqrt(200.0 / 2.0), dt = 1.2;
  CHECK(sim.value("s.travel") + 0.3 ==
        doctest::Approx(q * std::cos(w * dt) + v / w * std::sin(w * dt)).epsilon(1e-8));
  // and from there a checkpoint of the changed system
  Simulator again(compile(make_slide(200)), model.simulation);
  again.restore(sim.save());
  CHECK(again.value("s.travel") == sim.value("s.travel"));
}

TEST_CASE("simulator: angles stay unwrapped over a change") {
  const Model model = read_model(model_file("paper/crank"));
  SimulationOptions options = model.simulation;
  Simulator sim(compile(model), options);
  sim.advance_to(3.0);
  const double angle = sim.value("shaft.angle");
  REQUIRE(std::abs(angle) > 7.0);
  sim.change(compile(model));
  CHECK(sim.value("shaft.angle") == doctest::Approx(angle).epsilon(1e-12));
  const Results whole = simulate(compile(model), options);
  sim.advance_to(options.t_end);
  CHECK(sim.value("shaft.angle") ==
        doctest::Approx(column(whole, "shaft.angle").back()).epsilon(1e-3));
}

TEST_CASE("simulator: what cannot be is refused and changes nothing") {
  const Model model = make_slide(50);
  Simulator sim(compile(model), model.simulation);
  sim.advance(0.5);
  const std::string before = sim.save();
  for (const double dt : {0.0, -0.1, 2.0, std::nan(""), HUGE_VAL}) {
    CHECK_THROWS_AS(sim.advance(dt), std::invalid_argument);
  }
  CHECK_THROWS_WITH(sim.set_input("pusch", 1.0),
                    "no input is called 'pusch' (did you mean 'push'?)");
  CHECK_THROWS_WITH(sim.set_input("push", std::nan("")),
                    "input 'push' must be a finite number, got nan");
  CHECK_THROWS_AS(sim.value("b.posision.x"), std::invalid_argument);
  CHECK_THROWS_AS(sim.change(compile(read_model(model_file("paper/crank")))),
                  std::invalid_argument);
  CHECK(sim.save() == before);
  sim.advance_to(2.0);
  CHECK(!sim.advance(0.1));
  CHECK_THROWS_AS(sim.set_input("push", 1.0), std::invalid_argument);
}
