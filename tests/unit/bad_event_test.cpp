// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Switches and events: how they are read, and what is wrong with them, with file, line and column.
#include <doctest/doctest.h>

#include <string>

#include "support/mistakes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

std::string hinged(const std::string& lines) {
  return "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
         "joints: {h: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
         "switches: {on: false, level: 2}\nstates: {u: {period: 0.1, next: 1}, x: {rate: 1}}\n" +
         lines;
}
std::string fail(const std::string& lines) {
  return test::mistakes_of([&] { read_model_text(hinged(lines), "f"); });
}
std::string event(const std::string& keys) { return fail("events:\n  e: {" + keys + "}\n"); }

}  // namespace

TEST_CASE("switches and events are read") {
  const Model model = read_model_text(
      hinged("events:\n  e: {when: h.angle - 40 deg, direction: rising, do: [record, stop], set: "
             "{on: true, x: 2*level}}\n"),
      "f");
  REQUIRE(model.states.size() == 4);
  CHECK(model.states[2].name == "on");
  CHECK(model.states[2].is_switch);
  CHECK(model.states[3].initial == 2);
  REQUIRE(model.events.size() == 1);
  const Event& e = model.events[0];
  CHECK(e.direction == EventDirection::rising);
  CHECK(e.stop);
  CHECK(e.record);
  REQUIRE(e.set.size() == 2);
  CHECK(std::get<double>(e.set[0].value.form) == 1);
  CHECK(e.set[1].state == "x");
}

TEST_CASE("mistakes in events") {
  CHECK(event("do: stop") == "f:7:3: events.e: 'when' is missing");
  CHECK(event("when: t - 1") ==
        "f:7:3: events.e: the event does nothing (add 'do: stop', 'do: record' or 'set: {NAME: "
        "VALUE}')");
  CHECK(event("when: 3, do: stop") ==
        "f:7:13: events.e.when: is constant: the event can never happen (write a formula that "
        "changes its sign, \"door.angle - 40 deg\")");
  CHECK(event("when: 2*pi - 1, do: stop").find("is constant") != std::string::npos);
  CHECK(event("when: h.angel, do: stop") ==
        "f:7:13: events.e.when: unknown name 'h.angel' (did you mean 'h.angle'?)");
  CHECK(event("when: c.position.x, do: stop").find("there is no body 'c' that can move") !=
        std::string::npos);
  CHECK(event("when: t - 1, do: halt").find("events.e.do: must be stop or record") !=
        std::string::npos);
  CHECK(event("when: t - 1, do: [stop, 3]").find("events.e.do[1]: must be stop or record") !=
        std::string::npos);
  CHECK(event("when: t - 1, direction: up, do: stop")
            .find("events.e.direction: must be either, rising or falling") != std::string::npos);
  CHECK(event("when: [1], do: stop").find("events.e.when: must be a number, an expression") !=
        std::string::npos);
  CHECK(event("when: t - 1, then: stop").find("events.e.then: unknown key") != std::string::npos);
}

TEST_CASE("mistakes in what events set") {
  CHECK(event("when: t - 1, set: {off: 1}").find("events.e.set.off: there is no switch or state") !=
        std::string::npos);
  CHECK(event("when: t - 1, set: {onn: 1}").find("(did you mean 'on'?)") != std::string::npos);
  CHECK(event("when: t - 1, set: {u: 1}") ==
        "f:7:29: events.e.set.u: 'u' is sampled: only its samples change it (set a switch that its "
        "formula 'next' reads)");
  CHECK(event("when: t - 1, set: {on: q}").find("events.e.set.on: unknown name 'q'") !=
        std::string::npos);
  CHECK(event("when: t - 1, set: 1").find("events.e.set: must be a map") != std::string::npos);
  CHECK(fail("events:\n  e: {when: t - 1, do: stop}\n  e: {when: t - 2, do: stop}\n")
            .find("duplicate key") != std::string::npos);
}

TEST_CASE("mistakes in switches") {
  const auto add = [](const std::string& switches) {
    return fail("forces: {f: {kind: torque, body: b, value: [0, 0, on]}}\n# " + switches);
  };
  CHECK(add("") == "accepted");
  const auto alone = [](const std::string& switches) -> std::string {
    try {
      read_model_text(
          "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nswitches:\n  " + switches + "\n",
          "f");
    } catch (const ModelError& error) {
      return error.what();
    }
    return "accepted";
  };
  CHECK(alone("on: yes").find("f:4:7: switches.on: ") != std::string::npos);
  CHECK(alone("t: 1").find("f:4:3: switches.t: 't' has a meaning in formulas") !=
        std::string::npos);
  CHECK(alone("sin: 1").find("switches.sin: the name of a state must be a word") !=
        std::string::npos);
  CHECK(alone("on: [1]").find("f:4:7: switches.on: ") != std::string::npos);
}
