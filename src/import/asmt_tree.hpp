// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The text of an .asmt file: a tree by tabs (a keyword, and one tab deeper its value), and after the line
// "TimeSeries" cells separated by tabs, of which the state at the start and the times are read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/geometry.hpp"
#include "import/log.hpp"

namespace trammel::import {

struct AsmtNode {
  std::string text;  // of its line, without tabs before and blanks around
  int line = 0;
  int depth = 0;
  int parent = -1;
  std::vector<int> children;
};

// A row of cells after its label: the column Input, and the first that follows.
struct AsmtSeries {
  std::map<std::string, std::map<std::string, double>> parts;  // by path: "X", "Bryantx" …
  std::vector<double> times;                                   // s
};

class AsmtTree {
 public:
  // Errors are reported and thrown.
  AsmtTree(const std::string& text, const std::string& file, ImportLog& log);

  static constexpr int root = 0;  // the whole; its children have no tab
  const AsmtNode& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  int find(int node, std::string_view keyword) const;  // the first child of that name, or −1
  const std::vector<int>& children(int node) const { return (*this)[node].children; }

  // The value below a keyword of the node; an empty text where there is none.
  std::string text(int node, std::string_view keyword) const;
  // All numbers below a keyword; an error where there are not `count`. None where the keyword is missing.
  std::optional<std::vector<double>> numbers(int node, std::string_view keyword, std::size_t count);
  // "x\t0.0\t0.1": the row of that label among the children, and the numbers after the label.
  int find_row(int node, std::string_view label) const;
  std::optional<std::vector<double>> cells(int row);
  double number(int node, std::string_view keyword, double otherwise);
  Vec3 vector(int node, std::string_view keyword);
  // Position3D and RotationMatrix: the nearest rotation.
  Place place(int node);

  void report(int node, const std::string& reason, const std::string& hint = {});
  SourcePlace source(int node) const {
    return {file_, (*this)[node].line, (*this)[node].depth + 1};
  }
  const AsmtSeries& series() const { return series_; }

 private:
  void read_lines(const std::string& text);
  void read_series(std::string_view text, int line);

  std::string file_;
  ImportLog& log_;
  std::vector<AsmtNode> nodes_;
  AsmtSeries series_;
};

}  // namespace trammel::import
