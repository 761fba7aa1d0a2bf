// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// CheckReport → text: whether the mechanism can run, its degrees of freedom, and how it was assembled.
#include "report/check_report.hpp"

#include <algorithm>
#include <cmath>

#include "report/text.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

// "-2*pin.C.x + hinge.C.x"; a coefficient of 1 is not written, of many terms the largest are.
std::string describe_combination(const std::vector<Dependency::Term>& terms) {
  constexpr std::size_t most_terms = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(terms.size(), most_terms); ++k) {
    const Dependency::Term& term = terms[k];
    const bool negative = term.coefficient < 0;
    if (text.empty()) {
      text += negative ? "-" : "";
    } else {
      text += negative ? " - " : " + ";
    }
    const std::string size = fmt::format("{:.4g}", std::abs(term.coefficient));
    text += size == "1" ? term.row : size + "*" + term.row;
  }
  if (terms.size() > most_terms) text += fmt::format(" + {} more", terms.size() - most_terms);
  return text.empty() ? "0" : text;
}

constexpr std::size_t listed_at_most = 12;

std::string list_words(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < std::min(words.size(), listed_at_most); ++k) {
    text += (k == 0 ? "" : ", ") + words[k];
  }
  if (words.size() > listed_at_most) {
    text += fmt::format(" and {} more", words.size() - listed_at_most);
  }
  return text;
}

// Of rows "hinge.C.x", "hinge.C.y", …: the names of their joints, each once.
std::vector<std::string> list_joints(const std::vector<std::string>& rows) {
  std::vector<std::string> joints;
  for (const std::string& row : rows) {
    const std::string joint = row.substr(0, row.find('.'));
    if (joints.empty() || joints.back() != joint) joints.push_back(joint);
  }
  return joints;
}

// Which joints constrain the same motion more than once, and equation by equation how.
void add_redundancy(ReportText& report, const CheckReport& check) {
  std::vector<std::string> rows;
  double open = 0.0;
  for (const Dependency& dependency : check.dependent) {
    rows.push_back(dependency.row);
    open = std::max(open, dependency.mismatch);
  }
  report.add(
      "redundancy", "overconstrained: {} others, in {}; {}",
      count_of(static_cast<std::int64_t>(rows.size()), "equation repeats", "equations repeat"),
      list_words(list_joints(rows)),
      open > 0 ? fmt::format("they contradict each other by up to {:.1e}", open)
               : "they agree, and the motion is not affected");
  for (std::size_t k = 0; k < std::min(rows.size(), listed_at_most); ++k) {
    const Dependency& dependency = check.dependent[k];
    report.add(
        "", "{} = {}{}", dependency.row, describe_combination(dependency.on),
        dependency.mismatch > 0 ? fmt::format(" (open by {:.1e})", dependency.mismatch) : "");
  }
  if (rows.size() > listed_at_most) {
    report.add("", "and {} more",
               count_text(static_cast<std::int64_t>(rows.size() - listed_at_most)));
  }
}

// The bodies that moved most; a chain of thousands is not listed whole.
void add_moved_bodies(ReportText& report, const CheckReport& check) {
  const std::vector<double>& distance = check.assembly.moved_distance;
  const std::vector<double>& angle = check.assembly.moved_angle;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < distance.size(); ++i) {
    if (distance[i] > 0 || angle.at(i) > 0) order.push_back(i);
  }
  if (order.empty()) report.add("moved", "no body");
  if (order.size() > listed_at_most) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return distance[i] + angle[i] > distance[j] + angle[j];
    });
  }
  for (std::size_t k = 0; k < std::min(order.size(), listed_at_most); ++k) {
    const std::size_t i = order[k];
    report.add("moved", "{:.3g} m, {:.3g} rad: {}", distance[i], angle[i], check.body_names.at(i));
  }
  if (order.size() > listed_at_most) {
    report.add("moved", "less: the other {} bodies",
               count_text(static_cast<std::int64_t>(order.size() - listed_at_most)));
  }
}

// What follows from the mobility for a run.
const char* describe_consequence(const CheckReport& check) {
  if (check.is_structure()) return "; a run gives its reactions under the loads";
  if (check.dof == 0 && check.drivers > 0) return "; the drivers determine the motion";
  return "";
}

}  // namespace

void add_assembly(ReportText& report, const CheckReport& check) {
  const Assembly& assembly = check.assembly;
  report.add("assembled", "{} in {}", assembly.converged ? "yes," : "NO, not",
             count_of(assembly.iterations, "iteration", "iterations"));
  report.add("position error", "largest gap {:.3g} as given, {:.3g} after assembly{}",
             assembly.residual_before, assembly.residual_after, in_row(assembly.worst_row));
  report.add("velocity error", "{:.3g} as given, velocities changed by up to {:.3g}",
             assembly.velocity_residual_before, assembly.velocity_change);
  add_moved_bodies(report, check);
}

void add_constraints(ReportText& report, const CheckReport& check) {
  if (check.dependent.empty()) {
    report.add("equations", "{}, {}", count_text(check.rows),
               check.rows == 1 ? "independent" : "all independent");
  } else {
    report.add("equations", "{}, {} of them independent", count_text(check.rows),
               count_text(check.rank));
    add_redundancy(report, check);
  }
  if (!check.shared_rows.empty()) {
    report.add(
        "reactions", "statically indeterminate in {} ({}); loads are shared evenly",
        list_words(list_joints(check.shared_rows)),
        count_of(static_cast<std::int64_t>(check.shared_rows.size()), "component", "components"));
  } else if (check.dependent.empty()) {
    report.add("reactions", "statically determinate");
  }
  if (!check.lost_at_start.empty()) {
    report.add("singular start", "{} at t = 0 only: {}",
               count_of(static_cast<std::int64_t>(check.lost_at_start.size()),
                        "more equation is dependent", "more equations are dependent"),
               list_words(check.lost_at_start));
  }
  report.add("conditioning", "smallest pivot {:.3g}{} (1 = orthogonal, 0 = dependent)",
             check.smallest_pivot, in_row(check.smallest_pivot_row));
}

std::string to_string(const CheckReport& check) {
  ReportText report(14);
  report.add_heading(check.model_name.empty() ? "Unnamed model" : check.model_name);
  report.add("mechanism", "{}, {} in {}", count_of(check.bodies, "body", "bodies"),
             count_of(check.joints, "joint", "joints"),
             count_of(check.components, "connected group", "connected groups"));
  report.add("mobility", "{}{}", describe_freedom(check), describe_consequence(check));

  if (check.rows > 0) {
    report.add_heading("Constraints");
    add_constraints(report, check);
    report.add_heading("Assembly (gaps in m, of directions without unit)");
    add_assembly(report, check);
  }

  report.add_heading(check.ok() ? "Result" : "Refused");
  for (const std::string& reason : check.reasons) report.add("reason", "{}", reason);
  for (const std::string& warning : check.warnings) report.add("warning", "{}", warning);
  if (check.ok()) report.add("ready", "the model can run");
  return report.text();
}

}  // namespace trammel
