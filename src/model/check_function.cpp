// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/check_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/magnitude.hpp"

namespace trammel {
namespace {

constexpr double closing_tolerance = 1e-9;  // of the largest value: periodic tables, slopes of 0

bool add(Finding where, const std::string& below, const std::string& reason,
         const std::string& hint, std::vector<Finding>& findings) {
  where.field += below;
  where.reason = reason;
  where.hint = hint;
  findings.push_back(std::move(where));
  return false;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Time runs from 0 to t_end.
bool check_range(const DataTable& table, double t_end, const Finding& where,
                 std::vector<Finding>& findings) {
  if (table.ends == TableEnds::periodic || table.beyond != TableBeyond::refuse) return true;
  if (table.x.front() <= 0.0 && table.x.back() >= t_end) return true;
  return add(where, ".table",
             fmt::format("covers {} s to {} s, but the run goes from 0 s to {} s", table.x.front(),
                         table.x.back(), t_end),
             "set beyond to hold or linear", findings);
}

// With `beyond: hold` the slope jumps at the ends of the table unless it is 0 there.
bool check_smooth_table(const DataTable& table, const Finding& where,
                        std::vector<Finding>& findings) {
  if (table.ends == TableEnds::periodic || table.beyond != TableBeyond::hold) return true;
  const Spline spline(table);
  const double steep = largest_of(table.y) / (spline.last() - spline.first());
  for (const double end : {spline.first(), spline.last()}) {
    const double slope = spline.evaluate(end).first;
    if (std::abs(slope) <= closing_tolerance * steep) continue;
    return add(
        where, ".table.beyond",
        fmt::format("'hold' would stop the motion abruptly: the slope at {} is {:.6g}", end, slope),
        "use ends: clamped, or beyond: linear", findings);
  }
  return true;
}

std::shared_ptr<const DataTable> make_flat_table() {
  DataTable table;
  table.x = {0.0, 1.0}, table.y = {0.0, 0.0};
  return std::make_shared<const DataTable>(std::move(table));
}
std::shared_ptr<const DataMap> make_flat_map() {
  DataMap map;
  map.x = map.y = {0.0, 1.0}, map.z = {0.0, 0.0, 0.0, 0.0};
  return std::make_shared<const DataMap>(std::move(map));
}

// Of the section `tables`, and checked there.
bool is_named(const Model& model, const std::shared_ptr<const DataTable>& table) {
  return std::any_of(model.tables.begin(), model.tables.end(),
                     [&](const NamedTable& named) { return named.table == table; });
}

bool check_interpolation(const DataTable& table, const FunctionNeeds& needs, const Finding& where,
                         std::vector<Finding>& findings) {
  const Interpolation form = table.interpolation;
  const bool has_curvature = form == Interpolation::automatic || form == Interpolation::cubic;
  if (!needs.smooth || has_curvature) return true;
  if (!needs.curvature && form != Interpolation::linear) return true;
  const char* reason = needs.curvature ? "a driver needs a continuous acceleration"
                                       : "the force of an energy must not jump";
  return add(where, ".table", reason,
             needs.curvature ? "use interpolation: cubic" : "use interpolation: cubic or pchip",
             findings);
}

}  // namespace

ConstantTable make_constant_table(const Model& model) {
  ConstantTable constants;
  constants.insert(model.parameters.begin(), model.parameters.end());
  for (const NamedTable& table : model.tables) {
    std::vector<Finding> findings;  // those of check_tables
    const bool good = table.map ? check_map(*table.map, {}, findings)
                                : table.table && check_table(*table.table, {}, findings);
    // a wrong table has its name, too
    if (table.map) {
      constants.tables.add(table.name, good ? table.map : make_flat_map());
    } else {
      constants.tables.add(table.name, good ? table.table : make_flat_table());
    }
  }
  return constants;
}

bool check_formula(const Formula& formula, const VariableNames& variables,
                   const ConstantTable& parameters, const Finding& where,
                   std::vector<Finding>& findings) {
  try {
    Formula argument = formula;
    argument.table = {};
    compile_formula(argument, variables, parameters);
    return true;
  } catch (const ExpressionError& error) {
    Finding finding = where;
    finding.offset = error.offset;
    const char* below = formula.table ? ".of" : "";
    return add(std::move(finding), below, error.what(), error.hint, findings);
  }
}

bool check_table(const DataTable& table, const Finding& where, std::vector<Finding>& findings) {
  const std::string below = where.section == Section::tables ? "" : ".table";
  const auto refuse = [&](const std::string& reason, const std::string& hint = "") {
    return add(where, below, reason, hint, findings);
  };
  const std::size_t n = table.x.size();
  if (n != table.y.size())
    return refuse(fmt::format("has {} values of x but {} of y", n, table.y.size()));
  if (n < min_points(table.ends)) {
    return refuse(fmt::format("needs at least {} points, got {}", min_points(table.ends), n));
  }
  for (const auto* values : {&table.x, &table.y}) {
    if (const std::string problem = find_problem(*values); !problem.empty()) {
      return refuse(problem);
    }
  }
  for (std::size_t k = 1; k < n; ++k) {
    if (table.x[k] - table.x[k - 1] >= smallest_magnitude) continue;
    return refuse(fmt::format("x must increase, got {} after {}", table.x[k], table.x[k - 1]));
  }
  const double slopes[] = {table.first_slope, table.last_slope};
  if (const std::string problem = find_problem(slopes); !problem.empty()) {
    return add(where, below.empty() ? "slopes" : below + ".slopes", problem, "", findings);
  }
  const double gap = std::abs(table.y.back() - table.y.front());
  if (table.ends == TableEnds::periodic && gap > closing_tolerance * largest_of(table.y)) {
    return refuse(fmt::format("is periodic, so the last value must repeat the first: {} and {}",
                              table.y.front(), table.y.back()));
  }
  return true;
}

namespace {

bool check_axis(const std::vector<double>& axis, const char* name, const Finding& where,
                std::vector<Finding>& findings) {
  if (axis.size() < 2) {
    return add(where, name, fmt::format("needs at least 2 numbers, got {}", axis.size()), "",
               findings);
  }
  if (const std::string problem = find_problem(axis); !problem.empty()) {
    return add(where, name, problem, "", findings);
  }
  for (std::size_t k = 1; k < axis.size(); ++k) {
    if (axis[k] - axis[k - 1] >= smallest_magnitude) continue;
    return add(where, name, fmt::format("must increase, got {} after {}", axis[k], axis[k - 1]), "",
               findings);
  }
  return true;
}

}  // namespace

bool is_well_formed(const DataTable& table) {
  std::vector<Finding> findings;
  return check_table(table, {}, findings);
}

bool check_formula_table(const Model& model, const Formula& formula, const Finding& where,
                         std::vector<Finding>& findings) {
  if (!formula.table) return true;
  return is_named(model, formula.table) ? is_well_formed(*formula.table)
                                        : check_table(*formula.table, where, findings);
}

bool check_map(const DataMap& map, const Finding& where, std::vector<Finding>& findings) {
  if (!check_axis(map.x, "x", where, findings) || !check_axis(map.y, "y", where, findings)) {
    return false;
  }
  const std::size_t n = map.x.size(), m = map.y.size();
  if (map.z.size() != n * m) {
    return add(where, "values",
               fmt::format("must have {} × {} numbers, got {}", n, m, map.z.size()), "", findings);
  }
  if (const std::string problem = find_problem(map.z); !problem.empty()) {
    return add(where, "values", problem, "", findings);
  }
  const double tolerance = closing_tolerance * largest_of(map.z);
  bool closes = true;
  for (std::size_t k = 0; map.periodic_x && k < m; ++k) {
    closes &= std::abs(map.z[n * k] - map.z[n * k + n - 1]) <= tolerance;
  }
  for (std::size_t i = 0; map.periodic_y && i < n; ++i) {
    closes &= std::abs(map.z[i] - map.z[n * (m - 1) + i]) <= tolerance;
  }
  return closes || add(where, "periodic", "the last values must repeat the first", "", findings);
}

bool check_function(const Model& model, const Function& function, const FunctionNeeds& needs,
                    const ConstantTable& parameters, const Finding& where,
                    std::vector<Finding>& findings) {
  const bool of_time = needs.variable == "t";
  if (const double* value = std::get_if<double>(&function.form)) {
    const std::string problem = find_problem(*value);
    return problem.empty() || add(where, "", problem, "", findings);
  }
  if (const auto* table = std::get_if<std::shared_ptr<const DataTable>>(&function.form)) {
    return (is_named(model, *table) || check_table(**table, where, findings)) &&
           check_interpolation(**table, needs, where, findings) && is_well_formed(**table) &&
           (!of_time || check_range(**table, model.simulation.t_end, where, findings)) &&
           (!needs.smooth || check_smooth_table(**table, where, findings));
  }
  VariableNames names;
  names.add(needs.variable);
  for (const auto& [name, offset] : list_names(std::get<Formula>(function.form).text)) {
    const auto& states = model.states;
    if (std::none_of(states.begin(), states.end(), [&, wanted = name](const StateVariable& state) {
          return state.name == wanted;
        })) {
      continue;
    }
    Finding finding = where;
    finding.offset = offset;
    return add(std::move(finding), std::get<Formula>(function.form).table ? ".of" : "",
               fmt::format("'{}' is a state: {} can depend on {} only", name, needs.purpose,
                           needs.variable),
               needs.variable == "t" ? "let a force follow it" : "", findings);
  }
  const Formula& formula = std::get<Formula>(function.form);
  if (!check_formula(formula, names, parameters, where, findings)) return false;
  if (!check_formula_table(model, formula, where, findings) ||
      (formula.table && !check_interpolation(*formula.table, needs, where, findings))) {
    return false;
  }
  const CompiledFunction compiled(function, needs.variable, parameters);
  const Expression* expression = compiled.expression();
  const std::string_view kink =
      needs.smooth && expression != nullptr ? expression->find_kink(!needs.curvature) : "";
  if (!kink.empty()) {
    const bool is_table = parameters.tables.is_table(kink) || parameters.tables.is_map(kink);
    return add(
        where, "",
        fmt::format("'{}' of {} is not smooth enough for {}", kink, needs.variable, needs.purpose),
        is_table ? "use interpolation: cubic"
                 : "step(x, x0, y0, x1, y1) is a smooth transition from y0 to y1",
        findings);
  }
  if (of_time) {
    const Jet start = compiled.evaluate(0.0);
    std::string problem = find_problem(start.value);
    if (problem.empty() && needs.smooth) {
      const double derivatives[] = {start.first, start.second};
      problem = find_problem(derivatives);
      if (!problem.empty()) problem = "its derivatives " + problem;
    }
    if (!problem.empty()) return add(where, "", problem + " at t = 0", "", findings);
  }
  return true;
}

}  // namespace trammel
