// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Tables: in the place of a number, or by name in the section `tables`, where there are maps, too:
//
//   {file: cam.csv, columns: [angle, lift], scale: [1 deg, 1e-3], ends: periodic}
//   {points: [[0, 0], [1, 0.2], [2, 0]], interpolation: akima, beyond: hold}
//   {x: [0, 1, 2], y: [0, 10], values: [[0, 1, 4], [1, 2, 5]]}
#include <filesystem>

#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"
#include "format/table_file.hpp"

namespace trammel {

const Keys table_keys = {{"file", "text", "a text file with columns, in the model's folder"},
                         {"points", "pairs", "[[x, y], …], x increasing"},
                         {"columns", "two_columns", "of x and y: numbers from 1, or names"},
                         {"scale", "two_numbers", "factors of x and y"},
                         {"interpolation", "linear|pchip|akima|cubic",
                          "the curve between the points; default: cubic for drivers and energies, "
                          "else pchip"},
                         {"ends", "not_a_knot|natural|clamped|periodic",
                          "of the curve; not_a_knot and natural: of a cubic"},
                         {"slopes", "two_numbers", "at both ends, with ends: clamped"},
                         {"beyond", "refuse|hold|linear", "what holds outside the table"},
                         {"repeat", "repeat", "indices of a repeated entry of tables"},
                         {"let", "let", "local names"}};
const Keys map_keys = {
    {"x", "number_list", "first arguments of the map, increasing"},
    {"y", "number_list", "second arguments of the map, increasing"},
    {"values", "number_rows", "a row for each y, in it a value for each x"},
    {"grid", "text", "a CSV file: x in the first line, y in the first column, values in between"},
    {"scale", "three_numbers", "factors of x, y and the values"},
    {"interpolation", "linear|pchip|akima|cubic", "between the points; default: pchip"},
    {"periodic", "x|y|both", "arguments in which the map repeats"},
    {"beyond", "refuse|hold|linear", "what holds outside the map"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"}};

namespace {

const std::vector<std::pair<std::string_view, TableEnds>> ends_words = {
    {"not_a_knot", TableEnds::not_a_knot},
    {"natural", TableEnds::natural},
    {"clamped", TableEnds::clamped},
    {"periodic", TableEnds::periodic}};

const std::vector<std::pair<std::string_view, TableBeyond>> beyond_words = {
    {"refuse", TableBeyond::refuse}, {"hold", TableBeyond::hold}, {"linear", TableBeyond::linear}};

const std::vector<std::pair<std::string_view, Interpolation>> interpolation_words = {
    {"linear", Interpolation::linear},
    {"pchip", Interpolation::pchip},
    {"akima", Interpolation::akima},
    {"cubic", Interpolation::cubic}};

Column read_column(Reader& reader, NodeId id) {
  const std::string text = reader.text(id);
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) return text;
  const double number = reader.integer(id);
  if (number < 1 || number > 1e6) {
    reader.report(id, "column numbers start at 1, got " + reader.describe(id));
    return 1;
  }
  return static_cast<int>(number);
}

void read_points(Reader& reader, NodeId id, DataTable& table) {
  if (reader.tree()[id].kind != YamlNode::Kind::list) {
    reader.report(id, "must be a list of points [x, y], got " + reader.describe(id));
    return;
  }
  for (const NodeId point : reader.children(id)) {
    const auto [x, y] = reader.numbers<2>(point, "numbers, x and y");
    if (reader.is_reported_around(point)) return;
    if (!table.x.empty() && !(x > table.x.back())) {
      reader.report(point, "x must increase from point to point");
      return;
    }
    table.x.push_back(x);
    table.y.push_back(y);
  }
}

void report_file(Reader& reader, NodeId id, const std::string& path, const TableFileError& error) {
  if (path.empty()) {
    reader.report(id, error.reason, error.hint);
  } else {
    reader.report_in_file(id, path, error.line, error.column, error.reason, error.hint);
  }
}

void read_file(Reader& reader, NodeId id, NodeId columns_id, DataTable& table) {
  const std::string name = reader.text(id);
  Column x = 1, y = 2;
  if (columns_id != no_node && reader.expect_list(columns_id, 2, "columns, x and y")) {
    const auto columns = reader.children(columns_id);
    x = read_column(reader, columns[0]);
    y = read_column(reader, columns[1]);
  }
  if (reader.is_reported_around(id) ||
      (columns_id != no_node && reader.is_reported_around(columns_id))) {
    return;
  }
  std::string path;
  try {
    path = find_table_file(std::filesystem::path(reader.file()).parent_path().string(),
                           reader.path_of(id, name), reader.allows_outside());
    TableColumns columns = read_table_file(path, x, y, max_table_bytes - reader.table_bytes);
    reader.table_bytes += columns.bytes;
    table.x = std::move(columns.x);
    table.y = std::move(columns.y);
  } catch (const TableFileError& error) {
    report_file(reader, id, path, error);
  }
}

void apply_scale(Reader& reader, NodeId id, DataTable& table) {
  const auto [x, y] = reader.numbers<2>(id, "numbers, the factors of x and y");
  if (!(x > 0.0) && !reader.is_reported_around(id)) {
    reader.report(id, "the factor of x must be greater than 0");
  }
  for (double& value : table.x) value *= x;
  for (double& value : table.y) value *= y;
}

// not_a_knot and natural are ends of cubic splines, and ask for one.
void read_form(Reader& reader, NodeId id, DataTable& table) {
  const NodeId interpolation = reader.find(id, "interpolation");
  if (interpolation != no_node) {
    table.interpolation = reader.choice(interpolation, interpolation_words);
  }
  const NodeId ends = reader.find(id, "ends");
  if (ends == no_node) return;
  table.ends = reader.choice(ends, ends_words);
  const bool of_cubic = table.ends == TableEnds::natural || table.ends == TableEnds::not_a_knot;
  if (interpolation == no_node) {
    if (of_cubic) table.interpolation = Interpolation::cubic;
  } else if (of_cubic && table.interpolation != Interpolation::cubic) {
    reader.report_key(
        ends, "'" + std::string(reader.tree().text(ends)) + "' requires interpolation: cubic");
  } else if (table.ends == TableEnds::clamped && table.interpolation == Interpolation::linear) {
    reader.report_key(ends, "straight lines have no slopes to prescribe");
  }
}

void read_data(Reader& reader, NodeId id, DataTable& table) {
  const NodeId file = reader.find(id, "file"), points = reader.find(id, "points");
  const NodeId columns = reader.find(id, "columns");
  if ((file == no_node) == (points == no_node)) {
    reader.report(id, "needs either 'file' or 'points'");
  } else if (points != no_node) {
    read_points(reader, points, table);
    if (columns != no_node) reader.report_key(columns, "requires 'file'");
  } else {
    read_file(reader, file, columns, table);
  }
}

// ---- maps

std::vector<double> read_list(Reader& reader, NodeId map, const char* key) {
  std::vector<double> numbers;
  const NodeId id = reader.need(map, key);
  if (id == no_node) return numbers;
  if (reader.tree()[id].kind != YamlNode::Kind::list) {
    reader.report(id, "must be a list of numbers, got " + reader.describe(id));
    return numbers;
  }
  for (const NodeId child : reader.children(id)) numbers.push_back(reader.number(child));
  return numbers;
}

void read_values(Reader& reader, NodeId id, DataMap& map) {
  map.x = read_list(reader, id, "x");
  map.y = read_list(reader, id, "y");
  const NodeId values = reader.need(id, "values");
  if (values == no_node ||
      !reader.expect_list(values, map.y.size(), "rows, one for each number of 'y'")) {
    return;
  }
  for (const NodeId row : reader.children(values)) {
    if (!reader.expect_list(row, map.x.size(), "numbers, one for each number of 'x'")) return;
    for (const NodeId child : reader.children(row)) map.z.push_back(reader.number(child));
  }
}

void read_grid(Reader& reader, NodeId id, DataMap& map) {
  const std::string name = reader.text(id);
  if (reader.is_reported(id)) return;
  std::string path;
  try {
    path = find_table_file(std::filesystem::path(reader.file()).parent_path().string(),
                           reader.path_of(id, name), reader.allows_outside());
    TableGrid grid = read_grid_file(path, max_table_bytes - reader.table_bytes);
    reader.table_bytes += grid.bytes;
    map.x = std::move(grid.x), map.y = std::move(grid.y), map.z = std::move(grid.z);
  } catch (const TableFileError& error) {
    report_file(reader, id, path, error);
  }
}

std::shared_ptr<const DataMap> read_map(Reader& reader, NodeId id, const std::string& name) {
  auto map = std::make_shared<DataMap>();
  map->name = name;
  reader.check_keys(id, map_keys);
  if (reader.variables.explicit_lengths && reader.find(id, "scale") == no_node) {
    reader.report_key(id, "a map needs 'scale' in a file with a unit of length of its own",
                      "as in scale: [1, 1, 1 mm]");
  }
  if (const NodeId grid = reader.find(id, "grid"); grid != no_node) {
    read_grid(reader, grid, *map);
    for (const char* key : {"x", "y", "values"}) {
      const NodeId other = reader.find(id, key);
      if (other != no_node) reader.report_key(other, "cannot be combined with 'grid'");
    }
  } else {
    read_values(reader, id, *map);
  }
  if (const NodeId scale = reader.find(id, "scale"); scale != no_node) {
    const auto [x, y, z] = reader.numbers<3>(scale, "numbers, the factors of x, y and the values");
    if (!(x > 0.0 && y > 0.0) && !reader.is_reported_around(scale)) {
      reader.report(scale, "the factors of x and y must be greater than 0");
    }
    for (double& value : map->x) value *= x;
    for (double& value : map->y) value *= y;
    for (double& value : map->z) value *= z;
  }
  if (const NodeId interpolation = reader.find(id, "interpolation"); interpolation != no_node) {
    map->interpolation = reader.choice(interpolation, interpolation_words);
  }
  if (const NodeId periodic = reader.find(id, "periodic"); periodic != no_node) {
    const std::string_view word = reader.word(periodic, {"x", "y", "both"});
    map->periodic_x = word != "y";
    map->periodic_y = word != "x";
  }
  if (const NodeId beyond = reader.find(id, "beyond"); beyond != no_node) {
    map->beyond = reader.choice(beyond, beyond_words);
    if (map->periodic_x && map->periodic_y) {
      reader.report_key(beyond, "a periodic map repeats: 'beyond' has no effect");
    }
  }
  return map;
}

}  // namespace

std::shared_ptr<const DataTable> read_table(Reader& reader, NodeId id, const std::string& name) {
  auto table = std::make_shared<DataTable>();
  table->name = name;
  if (!reader.expect_map(id)) return table;
  reader.check_keys(id, table_keys);
  if (reader.variables.explicit_lengths && reader.find(id, "scale") == no_node) {
    reader.report_key(id, "a table needs 'scale' in a file with a unit of length of its own",
                      "as in scale: [1 s, 1 mm]");
  }
  if (const NodeId repeat = reader.find(id, "repeat"); repeat != no_node && name.empty()) {
    reader.report_key(repeat, "only tables of the section 'tables' can be repeated");
  }
  read_data(reader, id, *table);
  if (const NodeId scale = reader.find(id, "scale"); scale != no_node) {
    apply_scale(reader, scale, *table);
  }
  read_form(reader, id, *table);
  if (const NodeId beyond = reader.find(id, "beyond"); beyond != no_node) {
    table->beyond = reader.choice(beyond, beyond_words);
    if (table->ends == TableEnds::periodic) {
      reader.report_key(beyond, "a periodic table repeats: 'beyond' has no effect");
    }
  }
  if (const NodeId slopes = reader.find(id, "slopes"); slopes != no_node) {
    const auto [first, last] = reader.numbers<2>(slopes, "numbers, the slopes at both ends");
    table->first_slope = first;
    table->last_slope = last;
    if (table->ends != TableEnds::clamped) reader.report_key(slopes, "requires ends: clamped");
  }
  return table;
}

void read_tables(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.tables, entries, [&](NodeId entry, NamedTable& table) {
    const bool is_map = reader.find(entry, "x") != no_node || reader.find(entry, "y") != no_node ||
                        reader.find(entry, "values") != no_node ||
                        reader.find(entry, "grid") != no_node;
    if (is_map) {
      table.map = read_map(reader, entry, table.name);
    } else {
      table.table = read_table(reader, entry, table.name);
    }
    reader.named_tables.emplace(table.name, table.table);
  });
}

}  // namespace trammel
