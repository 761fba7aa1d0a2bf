// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The reports for people: the facts are there, in words.
#include <doctest/doctest.h>

#include <algorithm>

#include "report/text.hpp"
#include "support/sample_results.hpp"

using namespace trammel;
using namespace trammel::test;

namespace {

bool has(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  if (!found) MESSAGE("missing: " << part << "\nin:\n" << text);
  return found;
}

}  // namespace

TEST_CASE("brief report: about ten lines with the facts") {
  const std::string text = brief_report(make_sample_results());
  const auto lines = std::count(text.begin(), text.end(), '\n');
  CHECK(lines >= 8);
  CHECK(lines <= 12);
  CHECK(text.starts_with("two bars\n"));
  CHECK(has(text, "2 bodies, 1 joint, 9 degrees of freedom (3 constraint equations)"));
  CHECK(has(text, "dop853, rtol 1e-07, atol 1e-07, projection mass"));
  CHECK(has(text, "120 accepted, 3 rejected, 0.083 s on average"));
  CHECK(has(text, "position 1e-13, velocity 2e-13, Euler parameters 3e-16"));
  CHECK(has(text, "not held, only watched; balance error at most 2e-12 J, 1e-13 of the largest"));
  CHECK(has(text, "CPU        0.5 s"));
  CHECK(has(text, "finished   reached t_end = 10 s\n"));
}

TEST_CASE("brief report: a run that stopped says why, warnings stand before it") {
  Results results = make_sample_results();
  results.options.hold_energy = true;
  results.status = {Outcome::step_too_small, 4.5, "step too small at t = 4.5 s; worst: pin.C.x"};
  results.warnings = {"the energy could not be held"};
  const std::string text = brief_report(results);
  CHECK(has(text, "energy     held; balance error"));
  CHECK(has(text, "warning    the energy could not be held\n"));
  CHECK(has(text, "unfinished step too small at t = 4.5 s; worst: pin.C.x\n"));
}

TEST_CASE("brief report of nothing at all") {
  const std::string text = brief_report(Results{});
  CHECK(has(text, "0 bodies, 0 joints, 0 degrees of freedom\n"));
  CHECK(has(text, "finished   at t = 0 s\n"));
  CHECK(text.find("nan") == std::string::npos);
  CHECK(full_report(Results{}).find("nan") == std::string::npos);
}

TEST_CASE("full report: the brief one, then options, counts, rows by name, timings, states") {
  const Results results = make_sample_results();
  const std::string text = full_report(results);
  CHECK(text.starts_with(brief_report(results)));
  CHECK(has(text, "position           1e-13 in pin.C.x\n"));
  CHECK(has(text, "moved              0.002 m, 0.0001 rad: rod\n"));
  CHECK(has(text, "newton             6 iterations in all projections: 1.5 on average, 2 at most"));
  CHECK(has(text, "stages             0.25 s, 50 %\n"));
  CHECK(has(text, "initial_step       estimated\n"));
  CHECK(has(text, "orientation [0.5, 0.5, 0.5, 0.5]\n"));
  CHECK(has(text, "Trammel 0.1.0\n"));
}

TEST_CASE("check report: a model that can run") {
  const std::string text = to_string(make_sample_check());
  CHECK(has(text, "2 bodies, 1 joint in 1 connected group"));
  CHECK(has(text, "9 degrees of freedom"));
  CHECK(has(text, "3, 3 independent"));
  CHECK(has(text, "0.0035 as given, 1e-16 after assembly in pin.C.y"));
  CHECK(has(text, "smallest pivot 0.25 in pin.C.z"));
  CHECK(has(text, "the model can run"));
}

TEST_CASE("check report: data that fit as given move nothing") {
  CheckReport check = make_sample_check();
  check.assembly.moved_distance = {0.0, 0.0};
  check.assembly.moved_angle = {0.0, 0.0};
  CHECK(has(to_string(check), "moved          no body\n"));
  Results results = make_sample_results();
  results.check = check;
  CHECK(has(brief_report(results), "assembly   fits as given, error 1e-16\n"));
}

TEST_CASE("check report: a refused model names the rows, their combinations and the reasons") {
  CheckReport check = make_sample_check();
  check.dependent = {{"b.SO1", {{"a.SO1", -1.0}, {"a.SO2", 0.5}, {"a.SO3", 1.0}}},
                     {"b.SO2", {{"a.SO2", 2.0}, {"a.SO1", -0.25}}}};
  check.reasons = {"2 constraint equations repeat others"};
  const std::string text = to_string(check);
  CHECK(has(text, "b.SO1 = -a.SO1 + 0.5*a.SO2 + a.SO3\n"));
  CHECK(has(text, "b.SO2 = 2*a.SO2 - 0.25*a.SO1\n"));
  CHECK(has(text, "Refused\n"));
  CHECK(has(text, "reason         2 constraint equations repeat others\n"));
  CHECK(text.find("can run") == std::string::npos);
}

TEST_CASE("check report: of many bodies only those that moved most are listed") {
  CheckReport check = make_sample_check();
  check.body_names.clear();
  check.assembly.moved_distance.clear();
  for (int i = 0; i < 1000; ++i) {
    check.body_names.push_back("link" + std::to_string(i));
    check.assembly.moved_distance.push_back(i == 500 ? 1.0 : 1e-3);
  }
  check.assembly.moved_angle.assign(1000, 0.0);
  const std::string text = to_string(check);
  CHECK(has(text, "1 m, 0 rad: link500\n"));
  CHECK(has(text, "less: the other 988 bodies\n"));
  CHECK(std::count(text.begin(), text.end(), '\n') < 30);
}
