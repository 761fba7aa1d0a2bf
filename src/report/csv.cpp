// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → CSV (RFC 4180, lines end with LF): one row per output time, one column per component,
// the header with names and units. Numbers are the shortest that read back to the same bits.
// Which columns there are: docs/reference/results.md.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>

#include "format/atomic_file.hpp"
#include "record/channels.hpp"
#include "record/quantities.hpp"
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

// Columns of item `index` (a body, a joint), those selected by name where names are given.
void add_columns(Table& table, const Results& results, const Quantity& quantity,
                 std::size_t index) {
  const std::vector<double>& values = results.*quantity.column;
  const std::size_t width = quantity.n_components(), stride = row_size(results, quantity);
  const std::size_t expected = results.time.size() * stride;
  if (values.size() != expected) {
    throw std::invalid_argument(fmt::format("Results: column {} has {} entries instead of {}",
                                            quantity.name, values.size(), expected));
  }
  const std::string stem = make_stem(results, quantity, index);
  const std::string unit = make_unit(results, quantity, index);
  const std::vector<std::string>& patterns = results.options.record.channels;
  for (std::size_t k = 0; k < width; ++k) {
    const std::string name =
        quantity.components.empty() ? stem : stem + '.' + quantity.components[k];
    const bool is_time = &values == &results.time;
    if (!is_time && !patterns.empty() && !is_selected(name, patterns) &&
        quantity.per != Per::output) {
      continue;
    }
    table.header.push_back(unit.empty() ? name : fmt::format("{} [{}]", name, unit));
    table.groups.push_back({values.data(), stride, index * width + k, 1});
  }
}

// Neighbours in the table of quantities that belong to the same kind of item are grouped by item.
Table make_table(const Results& results) {
  const std::span<const Quantity> all = quantities();
  Table table;
  for (auto first = all.begin(); first != all.end();) {
    // all coordinates, then all their rates; of bodies and joints what belongs together
    const bool apart = find_units(results, first->per) != nullptr;
    const auto last = apart ? first + 1 : std::find_if(first, all.end(), [&](const Quantity& q) {
      return q.per != first->per;
    });
    for (std::size_t i = 0; i < count_items(results, first->per); ++i) {
      for (auto quantity = first; quantity != last; ++quantity) {
        if (!is_recorded(*quantity, results.options.record)) continue;
        add_columns(table, results, *quantity, i);
      }
    }
    first = last;
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
