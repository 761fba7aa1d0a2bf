// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "report/text.hpp"

#include "trammel/option_table.hpp"

namespace trammel {

std::string count_text(std::int64_t n) {
  std::string digits = fmt::format("{}", n);
  for (std::size_t at = digits.size(); at > 3 + (n < 0 ? 1u : 0u);) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string count_of(std::int64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count_text(n), n == 1 ? one : many);
}

std::string in_row(const std::string& row) { return row.empty() ? "" : " in " + row; }

std::string describe_freedom(const CheckReport& check) {
  std::string text = count_of(check.dof, "degree of freedom", "degrees of freedom");
  if (check.drivers > 0) {
    text += fmt::format(" ({} more {} driven)", check.drivers, check.drivers == 1 ? "is" : "are");
  }
  if (check.is_structure()) text += ": a structure";
  return text;
}

std::string describe_mechanism(const CheckReport& check) {
  std::string text =
      fmt::format("{}, {}, {}", count_of(check.bodies, "body", "bodies"),
                  count_of(check.joints, "joint", "joints"), describe_freedom(check));
  if (check.rows == 0) return text;
  text += "; " + count_of(check.rows, "constraint equation", "constraint equations");
  if (check.rank < check.rows) {
    text += ", " + count_text(check.rows - check.rank) + " of them redundant";
  }
  return text;
}

std::string describe_method(const Results& results) {
  const SimulationOptions& options = results.options;
  if (results.is_kinematic()) {
    return results.check.is_structure() ? "static: reactions of a structure at each output time"
                                        : "kinematic: all degrees of freedom are driven";
  }
  std::string text = option_text(find_option("method"), options);
  if (!results.method_choice.empty()) text += fmt::format(" ({})", results.method_choice);
  text += options.fixed_step > 0 ? fmt::format(", fixed step {} s", options.fixed_step)
                                 : fmt::format(", rtol {}, atol {}", options.rtol, options.atol);
  text += ", projection " + option_text(find_option("projection"), options);
  if (options.project_stages) text += ", stages projected";
  return text;
}

std::string describe_energy(const Results& results) {
  std::string text = results.options.hold_energy ? "enforced" : "not enforced";
  text += fmt::format(", balance error ≤ {:.2g} J", results.energy.balance_error_max);
  // at rest there is no kinetic energy to compare with but that of rounding
  if (results.energy.kinetic_max > results.energy.balance_error_max) {
    text += fmt::format(" ({:.2g} of the largest kinetic energy)",
                        results.energy.balance_error_max / results.energy.kinetic_max);
  }
  return text;
}

}  // namespace trammel
