// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/quantities.hpp"

#include <array>

#include "record/extremes.hpp"

namespace trammel {
namespace {

constexpr const char* xyz[] = {"x", "y", "z"};
constexpr const char* theta[] = {"0", "1", "2", "3"};

using R = Results;
using W = Recorded;

// clang-format off
const auto table = std::to_array<Quantity>({
    {"time", "s", &R::time, nullptr, Per::run, {}},
    {"position", "m", &R::position, &W::positions, Per::body, xyz},
    {"orientation", "1", &R::orientation, &W::positions, Per::body, theta},
    {"velocity", "m/s", &R::velocity, &W::velocities, Per::body, xyz},
    {"angular_velocity", "rad/s", &R::angular_velocity, &W::velocities, Per::body, xyz},
    {"acceleration", "m/s²", &R::acceleration, &W::accelerations, Per::body, xyz},
    {"angular_acceleration", "rad/s²", &R::angular_acceleration, &W::accelerations, Per::body, xyz},
    {"reaction_force", "N", &R::reaction_force, &W::reactions, Per::joint, xyz},
    {"reaction_moment", "N m", &R::reaction_moment, &W::reactions, Per::joint, xyz},
    {"coordinate", "", &R::coordinate, &W::positions, Per::coordinate, {}},
    {"coordinate_rate", "/s", &R::coordinate_rate, &W::velocities, Per::coordinate, {}, "_rate"},
    {"coordinate_acceleration", "/s²", &R::coordinate_acceleration, &W::accelerations, Per::coordinate, {}, "_acceleration"},
    {"load", "", &R::load, &W::reactions, Per::load, {}},
    {"element", "", &R::element, &W::forces, Per::element, {}},
    {"output", "", &R::output, nullptr, Per::output, {}},
    {"kinetic_energy", "J", &R::kinetic, &W::energies, Per::run, {}},
    {"potential_energy", "J", &R::potential, &W::energies, Per::run, {}},
    {"external_work", "J", &R::external_work, &W::energies, Per::run, {}},
    {"energy_balance_error", "J", &R::balance_error, &W::energies, Per::run, {}},
    // rows of both units go into one maximum
    {"violation.position", "m or 1", &R::violation_position, &W::violations, Per::run, {}},
    {"violation.velocity", "m/s or 1/s", &R::violation_velocity, &W::violations, Per::run, {}},
    {"smallest_pivot", "1", &R::smallest_pivot, &W::violations, Per::run, {}},
});
// clang-format on

}  // namespace

std::span<const Quantity> quantities() { return table; }

bool is_recorded(const Quantity& quantity, const Recorded& record) {
  return quantity.wanted == nullptr || record.*quantity.wanted;
}

std::string make_stem(const Results& results, const Quantity& quantity, std::size_t index) {
  const std::vector<std::string>* const names = find_names(results, quantity.per);
  if (names == nullptr) return quantity.name;
  const std::string& item = (*names)[index];
  // coordinates and loads have names of their own
  return find_units(results, quantity.per) != nullptr ? item + quantity.suffix
                                                      : item + '.' + quantity.name;
}

std::string make_unit(const Results& results, const Quantity& quantity, std::size_t index) {
  const std::vector<std::string>* const units = find_units(results, quantity.per);
  return units == nullptr ? quantity.unit : (*units)[index] + quantity.unit;
}

const std::vector<std::string>* find_names(const Results& results, Per per) {
  switch (per) {
    case Per::run: break;
    case Per::body: return &results.body_names;
    case Per::joint: return &results.joint_names;
    case Per::coordinate: return &results.coordinate_names;
    case Per::load: return &results.load_names;
    case Per::element: return &results.element_names;
    case Per::output: return &results.output_names;
  }
  return nullptr;
}

const std::vector<std::string>* find_units(const Results& results, Per per) {
  if (per == Per::coordinate) return &results.coordinate_units;
  if (per == Per::load) return &results.load_units;
  if (per == Per::element) return &results.element_units;
  if (per == Per::output) return &results.output_units;
  return nullptr;
}

std::size_t count_items(const Results& results, Per per) {
  const std::vector<std::string>* const names = find_names(results, per);
  return names == nullptr ? 1 : names->size();
}

std::size_t row_size(const Results& results, const Quantity& quantity) {
  return count_items(results, quantity.per) * quantity.n_components();
}

void drop_rows(Results& results, std::size_t n) {
  add_rows(results, 0, n, results.taken);
  for (const Quantity& quantity : quantities()) {
    if (!is_recorded(quantity, results.options.record)) continue;
    std::vector<double>& column = results.*quantity.column;
    const auto numbers = static_cast<std::ptrdiff_t>(n * row_size(results, quantity));
    column.erase(column.begin(), column.begin() + numbers);
  }
  results.first_row += static_cast<std::int64_t>(n);
}

}  // namespace trammel
