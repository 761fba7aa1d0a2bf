// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The reports for people: the facts are there, in words.
#include <doctest/doctest.h>

#include <algorithm>

#include "record/quantities.hpp"
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
  CHECK(lines >= 7);
  CHECK(lines <= 12);
  CHECK(text.starts_with("two bars\n"));
  CHECK(has(text, "2 bodies, 1 joint, 9 degrees of freedom; 3 constraint equations\n"));
  CHECK(has(text,
            "accuracy   joints closed to 1e-13, their velocities to 2e-13; energy not enforced, "
            "balance error ≤ 2e-12 J (1e-13 of the largest kinetic energy)\n"));
  CHECK(has(text,
            "solver     auto, rtol 1e-07, atol 1e-07, projection mass; 120 steps, 3 "
            "rejected, 0.083 s on average; 0.5 s of CPU\n"));
  CHECK(has(text, "output     2 points\n"));
  CHECK(has(text, "finished   reached t_end = 10 s\n"));
}

TEST_CASE("brief report: of a mechanism at rest the energy error is not compared with rounding") {
  Results results = make_sample_results();
  results.energy.kinetic_max = 1e-57;
  CHECK(has(brief_report(results), "balance error ≤ 2e-12 J\n"));
}

namespace {

// Coordinates and loads for the sample: what the mechanism did.
Results make_moving_results() {
  Results results = make_sample_results();
  results.coordinate_names = {"pin.angle", "slide.travel", "shaft.angle", "weld.travel"};
  results.coordinate_units = {"rad", "m", "rad", "m"};
  results.coordinate = {-0.5235987755982988, 0.25,   0.0,       1.5,
                        1.5707963267948966,  -0.125, 25.132741, 1.5};
  results.coordinate_rate.assign(8, 0.0);
  results.load_names = {"motor.torque", "motor.power", "jack.force", "jack.power"};
  results.load_units = {"N m", "W", "N", "W"};
  results.load = {12.0, 3.0, -40.0, -2.0, -13.0, 5.0, 20.0, -70.0};
  return results;
}

}  // namespace

TEST_CASE(
    "brief report: ranges of the motion, largest reactions, loads and power with their time") {
  const std::string text = brief_report(make_moving_results());
  CHECK(has(text,
            "motion     pin.angle     -0.5236 to 1.571 rad (-30 to 90 deg)\n"
            "             slide.travel  -0.125 to 0.25 m\n"
            "             shaft.angle   0 to 25.13 rad (4 revolutions)\n"
            "             weld.travel   constant, 1.5 m\n"));
  // the largest of 500, 500.1, 500.2 and 500.3, 500.4, 500.5; 600 … likewise
  CHECK(has(text,
            "reactions  largest force 866.7 N in pin at t = 10 s, moment 1040 N m in pin at "
            "t = 10 s\n"));
  CHECK(has(text,
            "loads      largest motor.torque -13 N m at t = 10 s, jack.force -40 N at t = 0 "
            "s\n"));
  CHECK(has(text, "power      peak jack.power -70 W at t = 10 s\n"));
}

TEST_CASE("brief report: of many coordinates the first few, all with --full") {
  Results results = make_sample_results();
  results.coordinate.clear();
  for (int k = 0; k < 20; ++k) {
    results.coordinate_names.push_back("hinge" + std::to_string(k) + ".angle");
    results.coordinate_units.emplace_back("rad");
  }
  for (int k = 0; k < 40; ++k) results.coordinate.push_back(k);
  const std::string brief = brief_report(results);
  CHECK(has(brief, "hinge5.angle"));
  CHECK(brief.find("hinge6.angle") == std::string::npos);
  CHECK(has(brief, "14 more with --full\n"));
  CHECK(has(full_report(results), "hinge19.angle      19 to 39 rad"));
}

TEST_CASE("brief report: what was not recorded is not mentioned") {
  Results results = make_moving_results();
  results.coordinate.clear();
  results.reaction_force.clear();
  results.reaction_moment.clear();
  results.load.clear();
  const std::string text = brief_report(results);
  for (const char* label : {"motion", "reactions", "loads", "power"}) {
    CHECK(text.find(label) == std::string::npos);
  }
}

TEST_CASE("rows that a sink has taken away count in the report") {
  Results results = make_moving_results();
  const std::string whole = full_report(results);
  drop_rows(results, 1);
  CHECK(results.time.size() == 1);
  CHECK(full_report(results) == whole);
  // by a sink that kept no extremes: no ranges rather than wrong ones
  results.taken = {};
  CHECK(brief_report(results).find("motion") == std::string::npos);
}

TEST_CASE("brief report: a run that stopped says why, warnings come before it") {
  Results results = make_sample_results();
  results.options.hold_energy = true;
  results.status = {Outcome::step_too_small, 4.5, "step too small at t = 4.5 s; worst: pin.C.x"};
  results.warnings = {"the energy could not be enforced"};
  const std::string text = brief_report(results);
  CHECK(has(text, "energy enforced, balance error"));
  CHECK(has(text, "warning    the energy could not be enforced\n"));
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
  CHECK(has(text, "iterations         6 in all projections: 1.5 on average, 2 at most"));
  CHECK(has(text, "stages             0.25 s, 50 %\n"));
  CHECK(has(text, "initial_step       estimated\n"));
  CHECK(has(text, "orientation [0.5, 0.5, 0.5, 0.5]\n"));
  CHECK(has(text, "Trammel 0.1.0\n"));
}

TEST_CASE("check report: a model that can run") {
  const std::string text = to_string(make_sample_check());
  CHECK(has(text, "2 bodies, 1 joint in 1 connected group"));
  CHECK(has(text, "9 degrees of freedom"));
  CHECK(has(text, "equations      3, all independent\n"));
  CHECK(has(text, "reactions      statically determinate\n"));
  CHECK(has(text, "largest gap 0.0035 as given, 1e-16 after assembly in pin.C.y"));
  CHECK(has(text, "smallest pivot 0.25 in pin.C.z"));
  CHECK(has(text, "the model can run"));
}

TEST_CASE("check report: what is driven") {
  CheckReport check = make_sample_check();
  check.drivers = 1;
  CHECK(has(to_string(check), "mobility       9 degrees of freedom (1 more is driven)\n"));
  check.drivers = 2;
  check.dof = 0;
  CHECK(has(to_string(check),
            "mobility       0 degrees of freedom (2 more are driven); the drivers "
            "determine the motion\n"));
}

TEST_CASE("check report: data that fit as given move nothing") {
  CheckReport check = make_sample_check();
  check.assembly.moved_distance = {0.0, 0.0};
  check.assembly.moved_angle = {0.0, 0.0};
  CHECK(has(to_string(check), "moved          no body\n"));
  Results results = make_sample_results();
  results.check = check;
  CHECK(has(brief_report(results), "assembly   fits as given\n"));
}

TEST_CASE("check report: a refused model names the rows, their combinations and the reasons") {
  CheckReport check = make_sample_check();
  check.dependent = {{"b.SO1", {{"a.SO1", -1.0}, {"a.SO2", 0.5}, {"a.SO3", 1.0}}},
                     {"b.SO2", {{"a.SO2", 2.0}, {"a.SO1", -0.25}}}};
  check.rank = 1;
  check.shared_rows = {"a.SO1", "a.SO2", "b.SO1", "b.SO2"};
  check.reasons = {"2 constraint equations repeat others"};
  const std::string text = to_string(check);
  CHECK(has(text, "b.SO1 = -a.SO1 + 0.5*a.SO2 + a.SO3\n"));
  CHECK(has(text, "b.SO2 = 2*a.SO2 - 0.25*a.SO1\n"));
  CHECK(has(text, "equations      3, 1 of them independent\n"));
  CHECK(has(text, "redundancy     overconstrained: 2 equations repeat others, in b; they agree"));
  CHECK(has(text,
            "reactions      statically indeterminate in a, b (4 components); loads are shared "
            "evenly\n"));
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
