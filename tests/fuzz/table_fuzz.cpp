// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A table file, by number and by heading; what is accepted becomes a function of time.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "folder.hpp"
#include "format/table_file.hpp"
#include "math/spline.hpp"
#include "model/check_function.hpp"

namespace {

using namespace trammel;

// As a model would use it.
void use(const TableColumns& columns, TableEnds ends) {
  DataTable table;
  table.x = columns.x;
  table.y = columns.y;
  table.ends = ends;
  table.beyond = TableBeyond::linear;
  std::vector<Finding> findings;
  if (!check_table(table, {}, findings)) return;
  const Spline spline(table);
  for (const double x : {table.x.front(), 0.5 * (table.x.front() + table.x.back())}) {
    if (std::isnan(spline.evaluate(x).value)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  folder.write("table.csv", {reinterpret_cast<const char*>(data), size});
  const Column by_number = 1, second = 2, by_name = std::string("t"), angle = std::string("angle");
  for (const auto& [x, y] : {std::pair(by_number, second), std::pair(by_name, angle)}) {
    try {
      const TableColumns columns = read_table_file(folder.file("table.csv"), x, y, max_table_bytes);
      for (const TableEnds ends :
           {TableEnds::not_a_knot, TableEnds::clamped, TableEnds::periodic}) {
        use(columns, ends);
      }
    } catch (const TableFileError&) {
    }
  }
  return 0;
}
