// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// HDF5 → Results, the inverse of results_file.cpp. For a run that was killed: everything up to the last
// update.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "format/hdf5_driver.hpp"
#include "format/options_text.hpp"
#include "format/results_file.hpp"
#include "format/results_image.hpp"
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
  if (!hdf5::is_text_attribute(file, "format")) {
    throw hdf5::Failure(
        "it was written by an older version of Trammel, in a format that this version does not "
        "read: "
        "run the model again");
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
  for (const Outcome outcome :
       {Outcome::finished, Outcome::interrupted, Outcome::step_too_small, Outcome::too_many_steps,
        Outcome::running, Outcome::open_joint, Outcome::too_many_events}) {
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
    hdf5::read_rows(file, dataset_name(quantity.name).c_str(), rows, row_size(results, quantity),
                    column);
  }
}

void read_steps(hid_t file, std::vector<StepRecord>& steps) {
  const hdf5::Handle group = hdf5::open_group(file, "steps");
  const hsize_t n = hdf5::count_rows(group, "t");
  visit_step_tables([&](const char* name, const char*, auto member) {
    using Value = std::remove_cvref_t<decltype(StepRecord{}.*member)>;
    std::vector<std::conditional_t<std::is_same_v<Value, double>, double, int>> values;
    hdf5::read_rows(group, name, n, 1, values);
    steps.resize(n);  // the file has as many
    for (std::size_t i = 0; i < n; ++i) steps[i].*member = static_cast<Value>(values[i]);
  });
}

void read_events(hid_t file, Results& results) {
  if (!hdf5::has(file, "events")) return;
  const hdf5::Handle group = hdf5::open_group(file, "events");
  read_attribute(group, "names", results.event_names);
  const hsize_t n = hdf5::count_rows(group, "t");
  std::vector<double> times;
  std::vector<int> events;
  hdf5::read_rows(group, "t", n, 1, times);
  hdf5::read_rows(group, "event", n, 1, events);
  results.event_counts.assign(results.event_names.size(), 0);
  for (std::size_t i = 0; i < events.size(); ++i) {
    ++results.event_counts.at(static_cast<std::size_t>(events[i]));
    results.events.push_back({times[i], events[i]});
  }
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
  if (terms.size() != of.size() || coefficients.size() != of.size()) {
    throw hdf5::Failure("check/term_row and its companions differ in length");
  }
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
  read_array(file, "element_names", results.element_names);
  read_array(file, "element_units", results.element_units);
  read_array(file, "output_names", results.output_names);
  read_array(file, "output_units", results.output_units);
  results.status = read_status(file);
  read_attribute(file, "warnings", results.warnings);
  read_check(file, results.check);
  results.check.model_name = results.model_name;
  results.check.body_names = results.body_names;
  results.check.bodies = static_cast<int>(results.body_names.size());
  results.check.joints = static_cast<int>(results.joint_names.size());
  read_events(file, results);
  const hdf5::Handle statistics = hdf5::open_group(file, "statistics");
  visit_statistics(results,
                   [&](const char* name, auto& value) { read_attribute(statistics, name, value); });
  read_columns(file, results);
  if (results.options.record.steps) read_steps(file, results.steps);
  results.scene = read_scene(file, results);
  read_final(file, results);
  check_consistency(results);
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

// What `read` returns; whatever is wrong is a FileError about `path`.
template <class Read>
Results guard(const std::string& path, Read read) {
  const hdf5::Session session;
  const auto refuse = [&](const std::string& reason) {
    return FileError(fmt::format("{}: cannot be read: {}", path, reason));
  };
  try {
    return read();
  } catch (const hdf5::Failure& failure) {
    throw refuse(failure.what());
  } catch (const ModelError& error) {
    throw refuse(error.what());
  } catch (const std::out_of_range&) {
    throw refuse("its tables do not fit together");
  } catch (const std::length_error&) {
    throw refuse("it is damaged");
  }
}

Results open_and_read(const char* name, hid_t access) {
  const hdf5::Handle file(H5Fopen(name, H5F_ACC_RDONLY, access), H5Fclose,
                          "open it: it is damaged, or being written by another program");
  return read_file(file);
}

}  // namespace

Results read_results(const std::string& path) {
  return guard(path, [&] {
    check_readable(path);
    if (H5Fis_hdf5(path.c_str()) <= 0) throw hdf5::Failure("it is not an HDF5 file");
    return open_and_read(path.c_str(), hdf5::make_access());
  });
}

Results read_results_image(std::string image, const std::string& name) {
  return guard(name, [&] {
    const hdf5::Handle access = hdf5::make_access();
    hdf5::use_storage(access, {&image});
    return open_and_read("image", access);
  });
}

}  // namespace trammel
