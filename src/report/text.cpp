// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "report/text.hpp"

#include "trammel/option_table.hpp"

namespace trammel {

std::string count_of(std::int64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string in_row(const std::string& row) { return row.empty() ? "" : " in " + row; }

std::string describe_freedom(const CheckReport& check) {
  std::string text = count_of(check.dof, "degree of freedom", "degrees of freedom");
  if (check.drivers > 0) text += fmt::format(" beside {} driven", check.drivers);
  if (check.is_structure()) text += ": a structure";
  return text;
}

std::string describe_mechanism(const CheckReport& check) {
  std::string text =
      fmt::format("{}, {}, {}", count_of(check.bodies, "body", "bodies"),
                  count_of(check.joints, "joint", "joints"), describe_freedom(check));
  if (check.rows == 0) return text;
  text += " (" + count_of(check.rows, "constraint equation", "constraint equations");
  if (check.rank < check.rows) text += fmt::format(", {} independent", check.rank);
  return text + ")";
}

std::string describe_method(const Results& results) {
  const SimulationOptions& options = results.options;
  if (results.is_kinematic()) {
    return results.check.is_structure() ? "static: a structure, its reactions at each output time"
                                        : "kinematic: all degrees of freedom are driven, positions "
                                          "by Newton's method at each "
                                          "output time";
  }
  std::string text = option_text(find_option("method"), options);
  text += options.fixed_step > 0 ? fmt::format(", fixed step {} s", options.fixed_step)
                                 : fmt::format(", rtol {}, atol {}", options.rtol, options.atol);
  text += ", projection " + option_text(find_option("projection"), options);
  if (options.project_stages) text += ", stages projected";
  return text;
}

std::string describe_energy(const Results& results) {
  std::string text = results.options.hold_energy ? "held" : "not held, only watched";
  text += fmt::format("; balance error at most {:.2g} J", results.energy.balance_error_max);
  if (results.energy.kinetic_max > 0) {
    text += fmt::format(", {:.2g} of the largest kinetic energy",
                        results.energy.balance_error_max / results.energy.kinetic_max);
  }
  return text;
}

}  // namespace trammel
