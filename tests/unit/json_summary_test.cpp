// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The JSON summary: keys, nesting and order of the contract, numbers to the bit, valid text.
// JSON is a part of YAML, so yaml-cpp serves as an independent reader.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <limits>

#include "format/json_writer.hpp"
#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace trammel;
using namespace trammel::test;

namespace {

std::string keys_of(const YAML::Node& node) {
  std::string keys;
  for (const auto& entry : node) keys += entry.first.as<std::string>() + " ";
  return keys;
}

std::string written(double value) {
  JsonWriter json;
  json.number(value);
  return json.text();
}

std::string written(const std::string& value) {
  JsonWriter json;
  json.string(value);
  return json.text();
}

}  // namespace

TEST_CASE("keys and nesting are those of the contract, in its order") {
  const YAML::Node root = YAML::Load(to_json(make_sample_results()));
  CHECK(keys_of(root).starts_with("status t steps counts cpu_seconds violation energy final "));
  CHECK(keys_of(root["steps"]) == "accepted rejected ");
  CHECK(keys_of(root["counts"]) ==
        "accelerations projection iterations_average iterations_max dg d2g d3g df_inv d2f_inv "
        "evaluations_by_code steps_by_code evaluations_in_lanes steps_in_lanes event_attempts "
        "corners stage_iterations stage_failures linearisations real_factors complex_factors "
        "steps_of_order_5 steps_of_order_9 steps_of_order_13 operations ");
  CHECK(keys_of(root["cpu_seconds"]) == "total stages projection ");
  CHECK(keys_of(root["violation"]) == "position velocity euler_parameters ");
  CHECK(keys_of(root["energy"])
            .starts_with("kinetic potential external_work balance_error balance_error_max "));
  CHECK(keys_of(root["final"]) == "bar rod ");
  CHECK(keys_of(root["final"]["bar"]) == "position orientation velocity angular_velocity ");
  CHECK(root["final"]["rod"]["orientation"].size() == 4);
}

TEST_CASE("values arrive") {
  const YAML::Node root = YAML::Load(to_json(make_sample_results()));
  CHECK(root["status"].as<std::string>() == "finished");
  CHECK(root["t"].as<double>() == 10.0);
  CHECK(root["steps"]["accepted"].as<int>() == 120);
  CHECK(root["counts"]["iterations_average"].as<double>() == 1.5);
  CHECK(root["cpu_seconds"]["projection"].as<double>() == 0.125);
  CHECK(root["violation"]["euler_parameters"].as<double>() == 3e-16);
  CHECK(root["energy"]["balance_error_max"].as<double>() == 2e-12);
  CHECK(root["final"]["bar"]["position"][2].as<double>() == 1e-300);
  CHECK(root["message"].as<std::string>() == "reached t_end = 10 s");
  CHECK(root["degrees_of_freedom"].as<int>() == 9);
  CHECK(root["version"].as<std::string>() == "0.1.0");
}

TEST_CASE("status words") {
  Results results = make_sample_results();
  const auto status = [&](Outcome outcome) {
    results.status.outcome = outcome;
    return YAML::Load(to_json(results))["status"].as<std::string>();
  };
  CHECK(status(Outcome::finished) == "finished");
  CHECK(status(Outcome::interrupted) == "interrupted");
  CHECK(status(Outcome::step_too_small) == "step_too_small");
  CHECK(status(Outcome::too_many_steps) == "too_many_steps");
}

TEST_CASE("numbers: shortest that read back, never NaN or infinity") {
  CHECK(written(10.0) == "10.0");
  CHECK(written(-0.0) == "-0.0");
  CHECK(written(0.1) == "0.1");
  CHECK(written(0.1 + 0.2) == "0.30000000000000004");
  CHECK(written(1e-7) == "1e-07");
  CHECK(written(1e22) == "1e+22");
  CHECK(written(5e-324) == "5e-324");
  CHECK(written(std::nan("")) == "null");
  CHECK(written(-std::numeric_limits<double>::infinity()) == "null");
}

TEST_CASE("strings: escaped, and valid UTF-8 whatever goes in") {
  CHECK(written("a\"b\\c") == R"("a\"b\\c")");
  CHECK(written("two\nlines\ttab") == R"("two\nlines\u0009tab")");
  CHECK(written(std::string("nul\0", 4)) == R"("nul\u0000")");
  CHECK(written("Ω \U0001F600") == "\"Ω \U0001F600\"");
  CHECK(written("cut\xE2\x82") == "\"cut\uFFFD\uFFFD\"");
  CHECK(written("\xC0\xAF") == "\"\uFFFD\uFFFD\"");                      // overlong form
  CHECK(written("\xED\xA0\x80") == "\"\uFFFD\uFFFD\uFFFD\"");            // surrogate
  CHECK(written("\xF4\x90\x80\x80").find('\xF4') == std::string::npos);  // above U+10FFFF
}

TEST_CASE("a run without bodies or joints is still one object") {
  const YAML::Node root = YAML::Load(to_json(Results{}));
  CHECK(root["final"].size() == 0);
  CHECK(root["counts"]["iterations_average"].as<double>() == 0.0);
}

TEST_CASE("the check report as JSON") {
  CheckReport check = make_sample_check();
  check.dependent = {{"pin.SO1", {{"shaft.SO1", -2.0}, {"shaft.SO2", 0.5}}}};
  check.reasons = {"pin.SO1 repeats other rows"};
  const YAML::Node root = YAML::Load(to_json(check));
  CHECK(root["ok"].as<bool>() == false);
  CHECK(root["degrees_of_freedom"].as<int>() == 9);
  CHECK(root["dependent"]["pin.SO1"]["shaft.SO1"].as<double>() == -2.0);
  CHECK(root["assembly"]["moved"]["rod"]["distance"].as<double>() == 2e-3);
  CHECK(root["smallest_pivot"]["row"].as<std::string>() == "pin.C.z");
}

TEST_CASE("write_json: the same text and a line break, replaced whole") {
  const TemporaryFolder folder;
  write_text(folder.file("run.json"), std::string(100000, 'x'));
  write_json(make_sample_results(), folder.file("run.json"));
  CHECK(read_text(folder.file("run.json")) == to_json(make_sample_results()) + "\n");
  CHECK_THROWS_AS(write_json(make_sample_results(), folder.file("no/run.json")), FileError);
  CHECK(folder.size() == 1);
}
