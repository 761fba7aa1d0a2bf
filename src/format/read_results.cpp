// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// HDF5 → Results, the way back from results_file.cpp. Of a run that was killed: all that was there
// at the last update.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "format/results_file.hpp"
#include "format/words.hpp"
#include "record/quantities.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

using hdf5::read_array;
using hdf5::read_attribute;

void check_format(hid_t file) {
  if (H5Aexists(file, "format") <= 0) {
    throw hdf5::Failure("it is an HDF5 file, but not one of Trammel's results");
  }
  std::string format;
  int version = 0;
  read_attribute(file, "format", format);
  read_attribute(file, "format_version", version);
  if (format != results_format) {
    throw hdf5::Failure("it is an HDF5 file, but not one of Trammel's results");
  }
  if (version != results_format_version) {
    throw hdf5::Failure(fmt::format("its format has version {}, this program reads version {}",
                                    version, results_format_version));
  }
}

Status read_status(hid_t file) {
  Status status;
  std::string word;
  read_attribute(file, "status", word);
  read_attribute(file, "t", status.t);
  read_attribute(file, "message", status.message);
  for (const Outcome outcome : {Outcome::finished, Outcome::interrupted, Outcome::step_too_small,
                                Outcome::too_many_steps, Outcome::running,
                                Outcome::open_joint}) {
    status.outcome = outcome;
    if (word == to_word(outcome)) return status;
  }
  throw hdf5::Failure(fmt::format("the status '{}' is not known", word));
}

void read_columns(hid_t file, Results& results) {
  const hsize_t rows = hdf5::count_rows(file, "time");
  for (const Quantity& quantity : quantities()) {
    if (!is_recorded(quantity, results.options.record)) continue;
    std::vector<double>& column = results.*quantity.column;
    const std::size_t size = row_size(results, quantity);
    column.resize(rows * size);
    hdf5::read_rows(file, dataset_name(quantity.name).c_str(), H5T_NATIVE_DOUBLE, rows, size,
                    column.data());
  }
}

void read_steps(hid_t file, std::vector<StepRecord>& steps) {
  const hdf5::Handle group = hdf5::open_group(file, "steps");
  const hsize_t n = hdf5::count_rows(group, "t");
  steps.resize(n);
  visit_step_tables([&](const char* name, const char*, auto member) {
    using Value = std::remove_cvref_t<decltype(StepRecord{}.*member)>;
    constexpr bool is_number = std::is_same_v<Value, double>;
    std::vector<std::conditional_t<is_number, double, int>> values(n);
    hdf5::read_rows(group, name, is_number ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, n, 1,
                    values.data());
    for (std::size_t i = 0; i < n; ++i) steps[i].*member = static_cast<Value>(values[i]);
  });
}

void read_check(hid_t file, CheckReport& check) {
  const hdf5::Handle group = hdf5::open_group(file, "check");
  visit_check(check, [&](const char* name, auto& value) { read_attribute(group, name, value); });
  read_array(group, "moved_distance", {0}, check.assembly.moved_distance);
  read_array(group, "moved_angle", {0}, check.assembly.moved_angle);
  std::vector<std::string> rows, terms;
  std::vector<int> of;
  std::vector<double> coefficients;
  read_array(group, "dependent_row", rows);
  read_array(group, "term_of", {0}, of);
  read_array(group, "term_row", terms);
  read_array(group, "term_coefficient", {0}, coefficients);
  for (const std::string& row : rows) check.dependent.push_back({row, {}});
  for (std::size_t k = 0; k < of.size(); ++k) {
    check.dependent.at(static_cast<std::size_t>(of[k]))
        .on.push_back({terms.at(k), coefficients.at(k)});
  }
}

template <std::size_t n>
const double* take(const double* from, std::array<double, n>& to) {
  std::copy(from, from + n, to.begin());
  return from + n;
}

// Of a run that has not ended: its last row.
void read_final(hid_t file, Results& results) {
  const std::size_t bodies = results.body_names.size();
  results.final.resize(bodies);
  if (hdf5::has(file, "final")) {
    std::vector<double> values;
    const hdf5::Shape shape = read_array(file, "final", {0, 13}, values);
    if (shape[0] != bodies) throw hdf5::Failure("final has another shape than it should");
    const double* from = values.data();
    for (BodyState& state : results.final) {
      from = take(take(from, state.position), state.orientation);
      from = take(take(from, state.velocity), state.angular_velocity);
    }
    return;
  }
  const Recorded& record = results.options.record;
  if (results.time.empty()) return;
  const std::size_t row = results.time.size() - 1;
  for (std::size_t b = 0; b < bodies; ++b) {
    BodyState& state = results.final[b];
    const std::size_t at = row * bodies + b;
    if (record.positions) {
      take(&results.position[3 * at], state.position);
      take(&results.orientation[4 * at], state.orientation);
    }
    if (record.velocities) {
      take(&results.velocity[3 * at], state.velocity);
      take(&results.angular_velocity[3 * at], state.angular_velocity);
    }
  }
}

Results read_file(hid_t file) {
  check_format(file);
  Results results;
  read_attribute(file, "version", results.version);
  read_attribute(file, "model_name", results.model_name);
  results.model_text = hdf5::read_text(file, "model");
  results.options = read_options_text(hdf5::read_text(file, "options"));
  read_array(file, "body_names", results.body_names);
  read_array(file, "joint_names", results.joint_names);
  read_array(file, "row_names", results.row_names);
  read_array(file, "coordinate_names", results.coordinate_names);
  read_array(file, "coordinate_units", results.coordinate_units);
  read_array(file, "load_names", results.load_names);
  read_array(file, "load_units", results.load_units);
  results.status = read_status(file);
  read_attribute(file, "warnings", results.warnings);
  read_check(file, results.check);
  results.check.model_name = results.model_name;
  results.check.body_names = results.body_names;
  results.check.bodies = static_cast<int>(results.body_names.size());
  results.check.joints = static_cast<int>(results.joint_names.size());
  const hdf5::Handle statistics = hdf5::open_group(file, "statistics");
  visit_statistics(results,
                   [&](const char* name, auto& value) { read_attribute(statistics, name, value); });
  read_columns(file, results);
  if (results.options.record.steps) read_steps(file, results.steps);
  results.scene = read_scene(file, results);
  read_final(file, results);
  return results;
}

// The operating system's reason, which the library does not tell.
void check_readable(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  const bool readable = descriptor >= 0 && ::read(descriptor, &byte, 1) >= 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!readable) throw hdf5::Failure(std::generic_category().message(error));
}

}  // namespace

Results read_results(const std::string& path) {
  const hdf5::Session session;
  const auto refuse = [&](const std::string& reason) {
    return FileError(fmt::format("{}: cannot be read: {}", path, reason));
  };
  try {
    check_readable(path);
    if (H5Fis_hdf5(path.c_str()) <= 0) throw hdf5::Failure("it is not an HDF5 file");
    const hdf5::Handle access = hdf5::make_access();
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose,
                            "open it: damaged, or somebody writes it");
    return read_file(file);
  } catch (const hdf5::Failure& failure) {
    throw refuse(failure.what());
  } catch (const ModelError& error) {
    throw refuse(error.what());
  } catch (const std::out_of_range&) {
    throw refuse("it is damaged");
  } catch (const std::length_error&) {
    throw refuse("it is damaged");
  }
}

}  // namespace trammel
