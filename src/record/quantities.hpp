// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The one table of what is recorded over time: name, unit, column in Results, and which
// word of `record` selects it. The recorder, CSV and HDF5 all use it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "trammel/options.hpp"
#include "trammel/results.hpp"

namespace trammel {

// how many there are at one time
enum class Per { run, body, joint, coordinate, load, element, output };

struct Quantity {
  const char* name;
  const char* unit;  // of a coordinate or a load: what follows the unit of the item
  std::vector<double> Results::*column;
  bool Recorded::*wanted;  // null: always recorded
  Per per;
  std::span<const char* const> components;  // empty: a scalar
  const char* suffix = "";  // of a coordinate or a load: what follows the name of the item

  std::size_t n_components() const { return components.empty() ? 1 : components.size(); }
};

// In the order of the columns of a CSV file, where those of a body (of a joint) are next to each other.
std::span<const Quantity> quantities();

bool is_recorded(const Quantity& quantity, const Recorded& record);

// "rod.position", "shaft.angle_rate", "kinetic_energy": what components follow, for item `index`.
std::string make_stem(const Results& results, const Quantity& quantity, std::size_t index);
// Its unit.
std::string make_unit(const Results& results, const Quantity& quantity, std::size_t index);

// Names of the bodies, joints, …; null for the run.
const std::vector<std::string>* find_names(const Results& results, Per per);

// Units of the items where each has its own; else null.
const std::vector<std::string>* find_units(const Results& results, Per per);

// Bodies, joints, …, or 1.
std::size_t count_items(const Results& results, Per per);

// Numbers in one row of the quantity.
std::size_t row_size(const Results& results, const Quantity& quantity);

// Takes the first n rows out of all columns; Results::first_row counts them.
void drop_rows(Results& results, std::size_t n);

}  // namespace trammel
