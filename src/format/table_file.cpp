// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A model may come from anywhere, so the files it names are looked for in its own folder only, and
// are read as numbers or refused: no text of another file appears in a message.
#include "format/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "math/nearest_word.hpp"

namespace trammel {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

struct Cell {
  std::string_view text;
  int column;  // of the line, from 1
};

std::vector<Cell> split(std::string_view line) {
  std::vector<Cell> cells;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find(',', start), line.size());
    std::string_view text = trimmed(line.substr(start, end - start));
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
      text = text.substr(1, text.size() - 2);
    }
    const auto offset = text.empty() ? start : static_cast<std::size_t>(text.data() - line.data());
    cells.push_back({text, static_cast<int>(offset) + 1});
    start = end + 1;
  }
  return cells;
}

std::optional<double> find_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// `angle` for the heading `angle [rad]`
std::string_view without_unit(std::string_view heading) {
  const std::size_t unit = heading.rfind(" [");
  return unit != std::string_view::npos && heading.back() == ']' ? heading.substr(0, unit)
                                                                 : heading;
}

class Csv {
 public:
  explicit Csv(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);
  }

  // The next line that holds something.
  bool next() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      const std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++number_;
      const std::string_view content = trimmed(line);
      if (content.empty() || content.front() == '#') continue;
      cells_ = split(line);
      return true;
    }
    return false;
  }

  const std::vector<Cell>& cells() const { return cells_; }
  int line() const { return number_; }

  double number(std::size_t column) const {
    if (column >= cells_.size()) {
      throw TableFileError{
          number_, 1,
          fmt::format("there is no column {}: the line has {}", column + 1, cells_.size()), ""};
    }
    const auto value = find_number(cells_[column].text);
    if (!value || !std::isfinite(*value)) {
      throw TableFileError{number_, cells_[column].column, "must be a finite number", ""};
    }
    return *value;
  }

 private:
  std::string_view text_;
  std::vector<Cell> cells_;
  int number_ = 0;
};

std::size_t find_column(const Column& column, const std::vector<Cell>& headings, bool has_headings,
                        int line) {
  if (const int* number = std::get_if<int>(&column)) return static_cast<std::size_t>(*number - 1);
  const auto& name = std::get<std::string>(column);
  if (!has_headings) {
    throw TableFileError{line, 1, "the file has no headings to find '" + name + "' in",
                         "give the columns by number: columns: [1, 2]"};
  }
  for (std::size_t k = 0; k < headings.size(); ++k) {
    if (headings[k].text == name || without_unit(headings[k].text) == name) return k;
  }
  NearestWord nearest(name);
  for (const auto& heading : headings) nearest.offer(without_unit(heading.text));
  throw TableFileError{line, 1, "there is no column '" + name + "'", nearest.hint()};
}

std::string read_text(const std::string& path, std::size_t max_bytes) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw TableFileError{0, 0, "cannot be opened", ""};
  std::string text;
  std::string block(1 << 16, '\0');
  while (stream && text.size() <= max_bytes) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw TableFileError{0, 0, "cannot be read", ""};
  if (text.size() > max_bytes) {
    throw TableFileError{
        0, 0,
        fmt::format("the tables of a model may have at most {} bytes in total", max_table_bytes),
        ""};
  }
  return text;
}

}  // namespace

std::string find_table_file(const std::string& folder, const std::string& name,
                            bool allow_outside) {
  if (name.empty()) throw TableFileError{0, 0, "the name of the file is empty", ""};
  const fs::path base = folder.empty() ? fs::path(".") : fs::path(folder);
  const fs::path path = base / name;
  std::error_code error;
  const fs::path root = fs::canonical(base, error);
  const fs::path real = error ? fs::path() : fs::weakly_canonical(path, error);
  if (!error && !allow_outside) {
    const auto [end, unused] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
    if (end != root.end()) {
      throw TableFileError{0, 0, "'" + name + "' is outside the model's folder",
                           "move it there, or allow it with --allow-outside"};
    }
  }
  if (error || !fs::exists(real, error)) {
    throw TableFileError{0, 0, "there is no file '" + name + "' in the model's folder", ""};
  }
  if (!fs::is_regular_file(real, error)) {
    throw TableFileError{0, 0, "'" + name + "' is not a regular file", ""};
  }
  return path.lexically_normal().string();
}

TableColumns read_table_file(const std::string& path, const Column& x, const Column& y,
                             std::size_t max_bytes) {
  const std::string text = read_text(path, max_bytes);
  Csv csv(text);
  if (!csv.next()) throw TableFileError{0, 0, "the file contains no numbers", ""};
  const bool has_headings =
      std::none_of(csv.cells().begin(), csv.cells().end(),
                   [](const Cell& cell) { return find_number(cell.text).has_value(); });
  const std::size_t x_at = find_column(x, csv.cells(), has_headings, csv.line());
  const std::size_t y_at = find_column(y, csv.cells(), has_headings, csv.line());
  TableColumns columns;
  columns.bytes = text.size();
  bool more = has_headings ? csv.next() : true;
  for (; more; more = csv.next()) {
    columns.x.push_back(csv.number(x_at));
    columns.y.push_back(csv.number(y_at));
    columns.lines.push_back(csv.line());
    const std::size_t n = columns.x.size();
    if (n > 1 && !(columns.x[n - 1] > columns.x[n - 2])) {
      throw TableFileError{
          csv.line(), csv.cells()[x_at].column,
          fmt::format("x must increase, got {} after {}", columns.x[n - 1], columns.x[n - 2]), ""};
    }
  }
  return columns;
}

TableGrid read_grid_file(const std::string& path, std::size_t max_bytes) {
  const std::string text = read_text(path, max_bytes);
  Csv csv(text);
  if (!csv.next()) throw TableFileError{0, 0, "the file contains no numbers", ""};
  TableGrid grid;
  grid.bytes = text.size();
  const auto add = [&](std::vector<double>& list, double value, const char* name, int column) {
    if (!list.empty() && !(value > list.back())) {
      throw TableFileError{
          csv.line(), column,
          fmt::format("{} must increase, got {} after {}", name, value, list.back()), ""};
    }
    list.push_back(value);
  };
  const std::size_t columns = csv.cells().size();
  for (std::size_t k = 1; k < columns; ++k) {
    add(grid.x, csv.number(k), "x", csv.cells()[k].column);
  }
  while (csv.next()) {
    if (csv.cells().size() != columns) {
      throw TableFileError{
          csv.line(), 1,
          fmt::format("has {} values, the first line has {}", csv.cells().size(), columns), ""};
    }
    add(grid.y, csv.number(0), "y", csv.cells()[0].column);
    for (std::size_t k = 1; k < columns; ++k) grid.z.push_back(csv.number(k));
  }
  return grid;
}

}  // namespace trammel
