// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "import/asmt_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "import/xml.hpp"

namespace trammel::import {
namespace {

constexpr std::size_t max_lines = 2'000'000;
constexpr int max_depth = 64;

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The next line, without its end; moves `text` behind it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::vector<std::string_view> split_cells(std::string_view line, std::size_t most) {
  std::vector<std::string_view> cells;
  while (cells.size() < most) {
    const std::size_t end = line.find('\t');
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  return cells;
}

}  // namespace

AsmtTree::AsmtTree(const std::string& text, const std::string& file, ImportLog& log)
    : file_(file), log_(log) {
  nodes_.push_back({"", 1, -1, -1, {}});
  read_lines(text);
  log_.throw_mistakes();
}

void AsmtTree::read_lines(const std::string& text) {
  std::string_view rest = text;
  take_line(rest);              // who wrote it
  std::vector<int> open{root};  // the last node of each depth
  for (int line = 2; !rest.empty(); ++line) {
    const std::string_view whole = take_line(rest);
    if (whole == "TimeSeries") return read_series(rest, line + 1);
    const std::size_t tabs = std::min(whole.find_first_not_of('\t'), whole.size());
    const int depth = static_cast<int>(tabs);
    const std::string_view content = trimmed(whole.substr(tabs));
    // a line of tabs only is an empty name below its keyword
    if (content.empty() && static_cast<std::size_t>(depth) + 1 > open.size()) continue;
    if (content.empty() && depth == 0) continue;
    if (static_cast<std::size_t>(depth) + 1 > open.size() || depth > max_depth ||
        nodes_.size() > max_lines) {
      log_.report({file_, line, 1}, "",
                  depth > max_depth           ? "nested too deeply"
                  : nodes_.size() > max_lines ? "the file has too many lines"
                                              : "indented by more than one tab");
      log_.throw_mistakes();
    }
    open.resize(static_cast<std::size_t>(depth) + 1);
    const int parent = open.back();
    const int node = static_cast<int>(nodes_.size());
    nodes_.push_back({std::string(content), line, depth, parent, {}});
    nodes_[static_cast<std::size_t>(parent)].children.push_back(node);
    open.push_back(node);
  }
}

// PartSeries PATH, then a line of cells for each of its 18 numbers; other series are skipped.
void AsmtTree::read_series(std::string_view rest, int line) {
  std::map<std::string, double>* part = nullptr;
  for (; !rest.empty(); ++line) {
    const std::string_view whole = take_line(rest);
    const std::size_t end = whole.find_first_of(" \t");
    const std::string label(whole.substr(0, end));
    if (label.size() > 6 && label.compare(label.size() - 6, 6, "Series") == 0) {
      const std::string path(trimmed(whole.substr(std::min(end, whole.size()))));
      const bool is_new = label == "PartSeries" && series_.parts.count(path) == 0;
      part = is_new ? &series_.parts[path] : nullptr;
      continue;
    }
    if (label == "Time") {
      for (const std::string_view cell : split_cells(whole, max_lines)) {
        std::vector<double> value;
        if (cell != "Time" && cell != "Input" && parse_numbers(cell, value) && value.size() == 1) {
          series_.times.push_back(value[0]);
        }
      }
    }
    if (part == nullptr) continue;
    auto cells = split_cells(whole, 3);
    while (cells.size() > 1 && cells.back().empty()) cells.pop_back();
    std::vector<double> values;
    if (cells.size() < 2 || !parse_numbers(cells.back(), values) || values.size() != 1) {
      log_.report({file_, line, 1}, "TimeSeries", "must be numbers separated by tabs");
      return;
    }
    part->emplace(label, values[0]);
  }
}

int AsmtTree::find(int node, std::string_view keyword) const {
  if (node < 0) return -1;
  for (const int child : children(node)) {
    if ((*this)[child].text == keyword) return child;
  }
  return -1;
}

std::string AsmtTree::text(int node, std::string_view keyword) const {
  const int found = find(node, keyword);
  if (found < 0) return {};
  std::string value;
  for (const int child : children(found)) {
    value += (value.empty() ? "" : " ") + (*this)[child].text;
  }
  return value;
}

std::optional<std::vector<double>> AsmtTree::numbers(int node, std::string_view keyword,
                                                     std::size_t count) {
  const int found = find(node, keyword);
  if (found < 0) return std::nullopt;
  std::vector<double> values;
  if (parse_numbers(text(node, keyword), values) && values.size() == count) return values;
  report(found, fmt::format("must be {} finite number{}", count, count == 1 ? "" : "s"));
  return std::nullopt;
}

int AsmtTree::find_row(int node, std::string_view label) const {
  for (const int child : children(node)) {
    const std::string_view text = (*this)[child].text;
    if (text.substr(0, text.find('\t')) == label) return child;
  }
  return -1;
}

std::optional<std::vector<double>> AsmtTree::cells(int row) {
  const std::string& text = (*this)[row].text;
  std::vector<double> values;
  if (!parse_numbers(text.substr(std::min(text.find('\t'), text.size())), values))
    return std::nullopt;
  return values;
}

double AsmtTree::number(int node, std::string_view keyword, double otherwise) {
  const auto values = numbers(node, keyword, 1);
  return values ? (*values)[0] : otherwise;
}

Vec3 AsmtTree::vector(int node, std::string_view keyword) {
  const auto v = numbers(node, keyword, 3);
  return v ? Vec3{(*v)[0], (*v)[1], (*v)[2]} : Vec3{};
}

Place AsmtTree::place(int node) {
  Place place{identity, vector(node, "Position3D")};
  const auto m = numbers(node, "RotationMatrix", 9);
  if (!m) return place;
  for (std::size_t k = 0; k < 9; ++k) place.turn[k / 3][k % 3] = (*m)[k];
  const Vec3 x = column(place.turn, 0), y = column(place.turn, 1), z = column(place.turn, 2);
  const double worst = std::max({std::abs(dot(x, y)), std::abs(dot(y, z)), std::abs(dot(z, x)),
                                 std::abs(dot(x, cross(y, z)) - 1)});
  if (!(worst < 1e-3)) {
    report(find(node, "RotationMatrix"), "is not a rotation");
    place.turn = identity;
  } else if (worst > 1e-15) {
    place.turn = make_nearest_rotation(place.turn);
  }
  return place;
}

void AsmtTree::report(int node, const std::string& reason, const std::string& hint) {
  std::string path;
  for (int k = node; k > root; k = (*this)[k].parent) {
    path = (*this)[k].text.substr(0, 60) + (path.empty() ? "" : ".") + path;
  }
  log_.report(source(node), path, reason, hint);
}

}  // namespace trammel::import
