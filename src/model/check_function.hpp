// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of a Function, wherever in a model it is used.
#pragma once

#include <string>
#include <vector>

#include "math/compiled_function.hpp"
#include "model/check_parts.hpp"

namespace trammel {

// The parameters of a model as a table, and its tables.
ConstantTable make_constant_table(const Model& model);

// The formula's mistakes at `where` (section, index, field); false when there is one.
bool check_formula(const Formula& formula, const VariableNames& variables,
                   const ConstantTable& parameters, const Finding& where,
                   std::vector<Finding>& findings);

// A table by itself: enough points, finite, increasing, closed where it is periodic.
bool check_table(const DataTable& table, const Finding& where, std::vector<Finding>& findings);
bool is_well_formed(const DataTable& table);
bool check_map(const DataMap& map, const Finding& where, std::vector<Finding>& findings);

// The table of a formula; one of the section `tables` is reported there. False: it cannot be used.
bool check_formula_table(const Model& model, const Formula& formula, const Finding& where,
                         std::vector<Finding>& findings);

struct FunctionNeeds {
  std::string variable = "t";  // its name in a formula
  // Twice continuously differentiable: no kinks, and no jump of the slope where a table ends. For
  // drivers, whose velocity and acceleration are its derivatives.
  bool smooth = false;
  std::string purpose = "a driver";  // what it must be smooth enough for
  bool curvature = true;  // with `smooth`; without it, tables need a continuous slope only
};

// A function of one variable. Of time ("t"): tables must cover the run, 0 to t_end.
bool check_function(const Model& model, const Function& function, const FunctionNeeds& needs,
                    const ConstantTable& parameters, const Finding& where,
                    std::vector<Finding>& findings);

}  // namespace trammel
