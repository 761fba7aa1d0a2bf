// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Tables in CSV files named by a model file.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace trammel {

inline constexpr std::size_t max_table_bytes = 64u << 20;  // of all table files of a model

// A column by its heading or by its number, counted from 1.
using Column = std::variant<std::string, int>;

struct TableColumns {
  std::vector<double> x, y;
  std::vector<int> lines;  // [points] of the file
  std::size_t bytes = 0;   // of the file
};

// What is wrong, and where; line 0: the file as a whole.
struct TableFileError {
  int line = 0;
  int column = 0;
  std::string reason;
  std::string hint;
};

// The file that `name` means in a model file that lies in `folder`. It must be a regular file
// inside the folder, with all links and ".." followed, unless `allow_outside`. Throws
// TableFileError.
std::string find_table_file(const std::string& folder, const std::string& name, bool allow_outside);

// Two columns of a CSV file. Lines that are empty or start with # are skipped; the first line may
// hold headings, `angle` or `angle [rad]`. Throws TableFileError.
TableColumns read_table_file(const std::string& path, const Column& x, const Column& y,
                             std::size_t max_bytes);

// A grid of values: x in the first line after its first cell, then a line for each y.
struct TableGrid {
  std::vector<double> x, y, z;  // z[i + n·k] at (x[i], y[k])
  std::size_t bytes = 0;
};
TableGrid read_grid_file(const std::string& path, std::size_t max_bytes);

}  // namespace trammel
