// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The CSV file: which columns, which numbers, and that it is whole or absent.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <sstream>
#include <vector>

#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace trammel;
using namespace trammel::test;

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::string> write_lines(const Results& results) {
  const TemporaryFolder folder;
  write_csv(results, folder.file("run.csv"));
  return split(read_text(folder.file("run.csv")), '\n');
}

}  // namespace

TEST_CASE("header: time, bodies, joints, energies, violations, with units") {
  const std::vector<std::string> header = split(write_lines(make_sample_results()).at(0), ',');
  REQUIRE(header.size() == 1 + 2 * 13 + 6 + 7);
  CHECK(header[0] == "time [s]");
  CHECK(header[1] == "bar.position.x [m]");
  CHECK(header[4] == "bar.orientation.0 [1]");
  CHECK(header[7] == "bar.orientation.3 [1]");
  CHECK(header[8] == "bar.velocity.x [m/s]");
  CHECK(header[13] == "bar.angular_velocity.z [rad/s]");
  CHECK(header[14] == "rod.position.x [m]");
  CHECK(header[27] == "pin.reaction_force.x [N]");
  CHECK(header[30] == "pin.reaction_moment.x [N m]");
  CHECK(header[33] == "kinetic_energy [J]");
  CHECK(header[34] == "potential_energy [J]");
  CHECK(header[35] == "external_work [J]");
  CHECK(header[36] == "energy_balance_error [J]");
  CHECK(header[37] == "violation.position [m or 1]");
  CHECK(header[38] == "violation.velocity [m/s or 1/s]");
  CHECK(header[39] == "smallest_pivot [1]");
}

TEST_CASE("rows: each number stands under its name") {
  const std::vector<std::string> lines = write_lines(make_sample_results());
  REQUIRE(lines.size() == 3);
  const std::vector<std::string> row = split(lines[2], ',');
  const Results results = make_sample_results();
  const auto number = [&](std::size_t i) { return std::strtod(row.at(i).c_str(), nullptr); };
  CHECK(number(0) == 10.0);
  CHECK(number(1) == results.position[6]);       // bar, second time
  CHECK(number(14) == results.position[9]);      // rod, second time
  CHECK(number(17) == results.orientation[12]);  // rod
  CHECK(number(26) == results.angular_velocity[11]);
  CHECK(number(27) == results.reaction_force[3]);
  CHECK(number(32) == results.reaction_moment[5]);
  CHECK(number(33) == results.kinetic[1]);
  CHECK(number(38) == results.violation_velocity[1]);
  CHECK(number(39) == results.smallest_pivot[1]);
}

TEST_CASE("numbers read back to the same bits") {
  Results results;
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random();
    double value = 0.0;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) results.time.push_back(value);
  }
  results.time.insert(results.time.end(), {-0.0, 0.1, 5e-324, 1e22, 1.7976931348623157e308});
  for (std::vector<double>* column :
       {&results.kinetic, &results.potential, &results.external_work, &results.balance_error,
        &results.violation_position, &results.violation_velocity, &results.smallest_pivot}) {
    column->resize(results.time.size());
  }
  const std::vector<std::string> lines = write_lines(results);
  REQUIRE(lines.size() == results.time.size() + 1);
  for (std::size_t i = 0; i < results.time.size(); ++i) {
    const double value = std::strtod(lines[i + 1].c_str(), nullptr);
    CHECK(std::memcmp(&value, &results.time[i], sizeof value) == 0);
  }
}

TEST_CASE("names with commas, quotes and line breaks are quoted (RFC 4180)") {
  Results results = make_sample_results();
  results.body_names = {"a,b", "say \"c\""};
  const std::string header = write_lines(results).at(0);
  CHECK(header.find(",\"a,b.position.x [m]\",") != std::string::npos);
  CHECK(header.find(",\"say \"\"c\"\".position.x [m]\",") != std::string::npos);
  results.body_names = {"two\nlines", "plain"};
  CHECK(write_lines(results).at(0).ends_with(",\"two"));
}

TEST_CASE("a column of the wrong length is refused, and no file appears") {
  Results results = make_sample_results();
  results.velocity.pop_back();
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(write_csv(results, folder.file("run.csv")),
                       "Results: column velocity has 11 entries instead of 12",
                       std::invalid_argument);
  CHECK(folder.size() == 0);
}

TEST_CASE("a file that cannot be written: FileError with file and reason") {
  const Results results = make_sample_results();
  const TemporaryFolder folder;
  const std::string missing = folder.file("no/such/run.csv");
  CHECK_THROWS_WITH_AS(write_csv(results, missing),
                       (missing + ": cannot be written: No such file or directory").c_str(),
                       FileError);
  std::filesystem::create_directory(folder.file("dir.csv"));
  CHECK_THROWS_WITH_AS(write_csv(results, folder.file("dir.csv")),
                       (folder.file("dir.csv") + ": cannot be written: Is a directory").c_str(),
                       FileError);
  CHECK_THROWS_WITH_AS(write_csv(results, "/dev/full"),
                       "/dev/full: cannot be written: No space left on device", FileError);
  CHECK(folder.size() == 1);
}

TEST_CASE("an existing file is replaced whole; links and devices stay what they are") {
  const Results results = make_sample_results();
  const TemporaryFolder folder;
  write_text(folder.file("run.csv"), std::string(100000, 'x'));
  std::filesystem::create_symlink("run.csv", folder.file("link.csv"));
  write_csv(results, folder.file("link.csv"));
  CHECK(std::filesystem::is_symlink(folder.file("link.csv")));
  CHECK(read_text(folder.file("run.csv")).starts_with("time [s],"));
  CHECK(folder.size() == 2);
  write_csv(results, "/dev/null");
  CHECK(std::filesystem::is_character_file("/dev/null"));
}
