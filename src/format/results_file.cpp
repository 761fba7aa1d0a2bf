// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → HDF5.
#include "format/results_file.hpp"

#include <algorithm>

#include "format/options_text.hpp"
#include "format/words.hpp"
#include "record/quantities.hpp"

namespace trammel {
namespace {

using hdf5::write_array;
using hdf5::write_attribute;

// Rows that lie together: about 256 KiB, not more than the run will have, not fewer than one.
hsize_t calc_chunk_rows(const Results& results, std::size_t row_bytes) {
  const SimulationOptions& options = results.options;
  double rows = 512.0;  // as many as there are steps: not known in advance
  if (!options.output_at_steps) {
    rows = options.output_interval > 0 ? options.t_end / options.output_interval + 1 : 1001.0;
  }
  const double fit = 262144.0 / static_cast<double>(std::max<std::size_t>(row_bytes, 1));
  return static_cast<hsize_t>(std::max(1.0, std::min(rows, fit)));
}

// What one of them is called in the attribute `axes`.
const char* axis_name(Per per) {
  switch (per) {
    case Per::run: break;
    case Per::body: return "body";
    case Per::joint: return "joint";
    case Per::coordinate: return "coordinate";
    case Per::load: return "load";
    case Per::element: return "element";
    case Per::output: return "output";
  }
  return "";
}

void make_column(hid_t file, const Results& results, const Quantity& quantity) {
  hdf5::Shape row;
  std::vector<std::string> axes = {"time"};
  const std::vector<std::string>* const names = find_names(results, quantity.per);
  if (names != nullptr) {
    row.push_back(names->size());
    axes.emplace_back(axis_name(quantity.per));
  }
  if (!quantity.components.empty()) {
    row.push_back(quantity.components.size());
    axes.emplace_back("component");
  }
  const std::size_t bytes = row_size(results, quantity) * sizeof(double);
  const hdf5::Handle table = hdf5::make_table(file, dataset_name(quantity.name).c_str(),
                                              H5T_IEEE_F64LE, row, calc_chunk_rows(results, bytes));
  write_attribute(table, "axes", axes);
  if (names != nullptr) write_attribute(table, "names", *names);
  if (const std::vector<std::string>* const units = find_units(results, quantity.per)) {
    std::vector<std::string> whole;
    for (const std::string& unit : *units) whole.push_back(unit + quantity.unit);
    write_attribute(table, "unit", whole);
  } else {
    write_attribute(table, "unit", std::string(quantity.unit));
  }
  if (quantity.components.empty()) return;
  write_attribute(table, "components",
                  std::vector<std::string>(quantity.components.begin(), quantity.components.end()));
}

// ---- steps

void append_new_steps(hid_t file, const Results& results) {
  const hdf5::Handle group = hdf5::open_group(file, "steps");
  visit_step_tables([&](const char* name, const char*, auto member) {
    using Value = std::remove_cvref_t<decltype(StepRecord{}.*member)>;
    constexpr bool is_number = std::is_same_v<Value, double>;
    std::vector<std::conditional_t<is_number, double, int>> values;
    for (std::size_t i = hdf5::count_rows(group, name); i < results.steps.size(); ++i) {
      values.push_back(results.steps[i].*member);
    }
    hdf5::append_rows(group, name, is_number ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, values.size(),
                      values.data());
  });
}

void make_step_tables(hid_t file) {
  const hdf5::Handle steps = hdf5::make_group(file, "steps");
  constexpr hsize_t chunk = 1024;
  visit_step_tables([&](const char* name, const char* unit, auto member) {
    using Value = std::remove_cvref_t<decltype(StepRecord{}.*member)>;
    const hid_t type = std::is_same_v<Value, double> ? H5T_IEEE_F64LE
                       : std::is_same_v<Value, bool> ? H5T_STD_I8LE
                                                     : H5T_STD_I32LE;
    write_attribute(hdf5::make_table(steps, name, type, {}, chunk), "unit", std::string(unit));
  });
}

// ---- what is known before the first step

void write_check(hid_t file, const CheckReport& check) {
  const hdf5::Handle group = hdf5::make_group(file, "check");
  visit_check(check,
              [&](const char* name, const auto& value) { write_attribute(group, name, value); });
  const Assembly& assembly = check.assembly;
  write_array(group, "moved_distance", {assembly.moved_distance.size()}, assembly.moved_distance);
  write_array(group, "moved_angle", {assembly.moved_angle.size()}, assembly.moved_angle);
  // row[term_of[k]] is the sum of term_coefficient[k] · term_row[k]
  std::vector<std::string> rows, terms;
  std::vector<int> of;
  std::vector<double> coefficients;
  for (const Dependency& dependency : check.dependent) {
    for (const Dependency::Term& term : dependency.on) {
      of.push_back(static_cast<int>(rows.size()));
      terms.push_back(term.row);
      coefficients.push_back(term.coefficient);
    }
    rows.push_back(dependency.row);
  }
  write_array(group, "dependent_row", rows);
  write_array(group, "term_of", {of.size()}, of);
  write_array(group, "term_row", terms);
  write_array(group, "term_coefficient", {coefficients.size()}, coefficients);
}

// Only in files of models with events.
void make_event_tables(hid_t file, const Results& results) {
  if (results.event_names.empty()) return;
  const hdf5::Handle events = hdf5::make_group(file, "events");
  write_attribute(events, "names", results.event_names);
  constexpr hsize_t chunk = 1024;
  write_attribute(hdf5::make_table(events, "t", H5T_IEEE_F64LE, {}, chunk), "unit",
                  std::string("s"));
  hdf5::make_table(events, "event", H5T_STD_I32LE, {}, chunk);
}

void append_new_events(hid_t file, const Results& results) {
  if (results.event_names.empty()) return;
  const hdf5::Handle group = hdf5::open_group(file, "events");
  std::vector<double> times;
  std::vector<int> events;
  for (std::size_t i = hdf5::count_rows(group, "t"); i < results.events.size(); ++i) {
    times.push_back(results.events[i].t);
    events.push_back(results.events[i].event);
  }
  hdf5::append_rows(group, "t", H5T_NATIVE_DOUBLE, times.size(), times.data());
  hdf5::append_rows(group, "event", H5T_NATIVE_INT, events.size(), events.data());
}

void write_final(hid_t file, const Results& results) {
  if (hdf5::has(file, "final") || results.final.size() != results.body_names.size()) return;
  std::vector<double> values;
  for (const BodyState& state : results.final) {
    for (const double x : state.position) values.push_back(x);
    for (const double x : state.orientation) values.push_back(x);
    for (const double x : state.velocity) values.push_back(x);
    for (const double x : state.angular_velocity) values.push_back(x);
  }
  write_array(file, "final", {results.final.size(), 13}, values);
}

}  // namespace

std::string dataset_name(const char* quantity) {
  std::string name = quantity;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

void write_frame(hid_t file, const Results& results) {
  write_attribute(file, "format", std::string(results_format));
  write_attribute(file, "format_version", results_format_version);
  write_attribute(file, "version", results.version);
  write_attribute(file, "model_name", results.model_name);
  hdf5::write_text(file, "model", results.model_text);
  hdf5::write_text(file, "options", make_options_text(results.options));
  write_array(file, "body_names", results.body_names);
  write_array(file, "joint_names", results.joint_names);
  write_array(file, "row_names", results.row_names);
  write_array(file, "coordinate_names", results.coordinate_names);
  write_array(file, "coordinate_units", results.coordinate_units);
  write_array(file, "load_names", results.load_names);
  write_array(file, "load_units", results.load_units);
  write_array(file, "element_names", results.element_names);
  write_array(file, "element_units", results.element_units);
  write_array(file, "output_names", results.output_names);
  write_array(file, "output_units", results.output_units);
  for (const Quantity& quantity : quantities()) {
    if (is_recorded(quantity, results.options.record)) make_column(file, results, quantity);
  }
  if (results.options.record.steps) make_step_tables(file);
  make_event_tables(file, results);
  write_check(file, results.check);
  write_scene(file, results.scene);
  hdf5::make_group(file, "statistics");
}

void append_new_rows(hid_t file, const Results& results) {
  const auto first = static_cast<hsize_t>(results.first_row);
  const hsize_t end = first + results.time.size();
  const hsize_t present = hdf5::count_rows(file, "time");
  if (present < first || present > end) throw hdf5::Failure("rows are missing");
  for (const Quantity& quantity : quantities()) {
    if (!is_recorded(quantity, results.options.record)) continue;
    const double* values =
        (results.*quantity.column).data() + (present - first) * row_size(results, quantity);
    hdf5::append_rows(file, dataset_name(quantity.name).c_str(), H5T_NATIVE_DOUBLE, end - present,
                      values);
  }
  if (results.options.record.steps) append_new_steps(file, results);
  append_new_events(file, results);
}

void write_state(hid_t file, const Results& results) {
  write_attribute(file, "status", std::string(to_word(results.status.outcome)));
  write_attribute(file, "t", results.status.t);
  write_attribute(file, "message", results.status.message);
  write_attribute(file, "warnings", results.warnings);
  const hdf5::Handle group = hdf5::open_group(file, "statistics");
  visit_statistics(
      results, [&](const char* name, const auto& value) { write_attribute(group, name, value); });
  write_final(file, results);
}

}  // namespace trammel
