// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → CSV (RFC 4180, lines end with LF): one row per output time, one column per component,
// the header with names and units. Numbers are the shortest that read back to the same bits.
// Which columns there are: docs/results.md.
#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "format/atomic_file.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

constexpr std::size_t buffer_size = 1 << 20;  // bytes handed to the operating system at a time

// A run of neighbouring columns: those of one body, of one joint, or a single one. Row k of it
// starts at data[k · stride + offset].
struct ColumnGroup {
  const double* data;
  std::size_t stride;
  std::size_t offset;
  std::size_t width;
};

struct Table {
  std::vector<std::string> header;
  std::vector<ColumnGroup> groups;
};

// An array of the Results and what its components are called.
struct Quantity {
  const std::vector<double>* values;
  const char* name;
  std::vector<std::string_view> components;  // empty: a scalar
  const char* unit;
};

// A field with a comma, a quote or a line break is put in quotes, quotes inside it doubled.
std::string quote_field(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// Columns of item `index` of `count` (a body, a joint); an empty `item` names a column of the run.
void add_columns(Table& table, const Results& results, const Quantity& quantity,
                 const std::string& item, std::size_t index, std::size_t count) {
  const std::size_t width = quantity.components.empty() ? 1 : quantity.components.size();
  const std::size_t expected = results.time.size() * count * width;
  if (quantity.values->size() != expected) {
    throw std::invalid_argument(fmt::format("Results: column {} has {} entries instead of {}",
                                            quantity.name, quantity.values->size(), expected));
  }
  table.groups.push_back({quantity.values->data(), count * width, index * width, width});

  const std::string stem = item.empty() ? quantity.name : item + '.' + quantity.name;
  if (quantity.components.empty()) {
    table.header.push_back(fmt::format("{} [{}]", stem, quantity.unit));
  }
  for (const std::string_view component : quantity.components) {
    table.header.push_back(fmt::format("{}.{} [{}]", stem, component, quantity.unit));
  }
}

void add_items(Table& table, const Results& results, const std::vector<std::string>& names,
               std::initializer_list<Quantity> quantities) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const Quantity& quantity : quantities) {
      add_columns(table, results, quantity, names[i], i, names.size());
    }
  }
}

// One column for each name: name + suffix [unit + per].
void add_channels(Table& table, const Results& results, const std::vector<double>& values,
                  const std::vector<std::string>& names, const std::vector<std::string>& units,
                  const char* suffix, const char* per) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i] + suffix, unit = units[i] + per;
    add_columns(table, results, {&values, name.c_str(), {}, unit.c_str()}, "", i, names.size());
  }
}

Table make_table(const Results& results) {
  const std::vector<std::string_view> xyz = {"x", "y", "z"};
  Table table;
  add_columns(table, results, {&results.time, "time", {}, "s"}, "", 0, 1);
  add_items(table, results, results.body_names,
            {{&results.position, "position", xyz, "m"},
             {&results.orientation, "orientation", {"0", "1", "2", "3"}, "1"},
             {&results.velocity, "velocity", xyz, "m/s"},
             {&results.angular_velocity, "angular_velocity", xyz, "rad/s"}});
  add_items(table, results, results.joint_names,
            {{&results.reaction_force, "reaction_force", xyz, "N"},
             {&results.reaction_moment, "reaction_moment", xyz, "N m"}});
  add_channels(table, results, results.coordinate, results.coordinate_names,
               results.coordinate_units, "", "");
  add_channels(table, results, results.coordinate_rate, results.coordinate_names,
               results.coordinate_units, "_rate", "/s");
  add_channels(table, results, results.load, results.load_names, results.load_units, "", "");
  for (const Quantity& quantity : {
           Quantity{&results.kinetic, "kinetic_energy", {}, "J"},
           Quantity{&results.potential, "potential_energy", {}, "J"},
           Quantity{&results.external_work, "external_work", {}, "J"},
           Quantity{&results.balance_error, "energy_balance_error", {}, "J"},
           // rows of both units go into one maximum
           Quantity{&results.violation_position, "violation.position", {}, "m or 1"},
           Quantity{&results.violation_velocity, "violation.velocity", {}, "m/s or 1/s"},
       }) {
    add_columns(table, results, quantity, "", 0, 1);
  }
  return table;
}

void append_header(fmt::memory_buffer& buffer, const Table& table) {
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    if (i > 0) buffer.push_back(',');
    const std::string field = quote_field(table.header[i]);
    buffer.append(field.data(), field.data() + field.size());
  }
  buffer.push_back('\n');
}

void append_row(fmt::memory_buffer& buffer, const Table& table, std::size_t row) {
  for (const ColumnGroup& group : table.groups) {
    const double* values = group.data + row * group.stride + group.offset;
    for (std::size_t i = 0; i < group.width; ++i) {
      fmt::format_to(std::back_inserter(buffer), "{},", values[i]);
    }
  }
  buffer[buffer.size() - 1] = '\n';  // in place of the last comma
}

}  // namespace

void write_csv(const Results& results, const std::string& path) {
  const Table table = make_table(results);
  AtomicFile file(path);
  fmt::memory_buffer buffer;
  append_header(buffer, table);
  for (std::size_t row = 0; row < results.time.size(); ++row) {
    append_row(buffer, table, row);
    if (buffer.size() < buffer_size) continue;
    file.write({buffer.data(), buffer.size()});
    buffer.clear();
  }
  file.write({buffer.data(), buffer.size()});
  file.commit();
}

}  // namespace trammel
