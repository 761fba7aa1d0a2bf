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

}  // namespace

ConstantTable make_constant_table(const Model& model) {
  return ConstantTable(model.parameters.begin(), model.parameters.end());
}

bool check_formula(const Formula& formula, const VariableNames& variables,
                   const ConstantTable& parameters, const Finding& where,
                   std::vector<Finding>& findings) {
  try {
    compile_formula(formula, variables, parameters);
    return true;
  } catch (const ExpressionError& error) {
    Finding finding = where;
    finding.offset = error.offset;
    return add(std::move(finding), "", error.what(), error.hint, findings);
  }
}

bool check_table(const DataTable& table, const Finding& where, std::vector<Finding>& findings) {
  const auto refuse = [&](const std::string& reason, const std::string& hint = "") {
    return add(where, ".table", reason, hint, findings);
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
    return add(where, ".table.slopes", problem, "", findings);
  }
  const double gap = std::abs(table.y.back() - table.y.front());
  if (table.ends == TableEnds::periodic && gap > closing_tolerance * largest_of(table.y)) {
    return refuse(fmt::format("is periodic, so the last value must repeat the first: {} and {}",
                              table.y.front(), table.y.back()));
  }
  return true;
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
    return check_table(**table, where, findings) &&
           (!of_time || check_range(**table, model.simulation.t_end, where, findings)) &&
           (!needs.smooth || check_smooth_table(**table, where, findings));
  }
  VariableNames names;
  names.add(needs.variable);
  if (!check_formula(std::get<Formula>(function.form), names, parameters, where, findings)) {
    return false;
  }
  const CompiledFunction compiled(function, needs.variable, parameters);
  const Expression* expression = compiled.expression();
  if (needs.smooth && expression != nullptr && !expression->find_kink().empty()) {
    return add(where, "",
               fmt::format("'{}' of {} is not smooth enough for {}", expression->find_kink(),
                           needs.variable, needs.purpose),
               "step(x, x0, y0, x1, y1) is a smooth transition from y0 to y1", findings);
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
