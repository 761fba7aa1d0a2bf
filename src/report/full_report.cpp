// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → all numbers of a run that are not curves over time, as text.
#include "report/check_report.hpp"
#include "report/motion_report.hpp"
#include "report/text.hpp"
#include "trammel/option_table.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

// Those that had a meaning in this run.
void add_options(ReportText& report, const SimulationOptions& options) {
  report.add_heading("Options");
  for (const Option& option : option_table()) {
    const OptionGroup& group = *option.group;
    if (group.applies != nullptr && !group.applies(options)) continue;
    const std::string text = option_text(option, options);
    const bool in_units = !option.unit.empty() && text != option.zero;
    report.add(std::string(option.word), "{}{}{}", text, in_units ? " " : "",
               in_units ? option.unit : "");
  }
}

void add_counts(ReportText& report, const Counts& counts) {
  report.add_heading("Counts");
  report.add("accepted", "{} steps", counts.accepted);
  report.add("rejected", "{} steps (error too large, or the projection failed)", counts.rejected);
  report.add("accelerations", "{} evaluations, {} by generated code", counts.accelerations,
             counts.evaluations_by_code);
  report.add("projection", "{} points projected onto the manifold", counts.projection);
  report.add("iterations", "{} in all projections: {:.3g} on average, {} at most",
             counts.iterations, counts.iterations_average(), counts.iterations_max);
  report.add("dg", "{} evaluations of the constraint Jacobian", counts.dg);
  // the others only where they occur: most of them are of the paper's own formulation
  const auto add = [&](const char* label, std::int64_t n, const char* what) {
    if (n > 0) report.add(label, "{} {}", n, what);
  };
  add("d2g", counts.d2g, "second derivatives of constraints");
  add("d3g", counts.d3g, "third derivatives of constraints");
  add("df_inv", counts.df_inv, "gradients of the invariants");
  add("d2f_inv", counts.d2f_inv, "second derivatives of the invariants");
  add("corners", counts.corners, "corners of laws at which steps end");
  add("event_attempts", counts.event_attempts,
      "steps made once more, to end at events and corners");
  const ImplicitCounts& implicit = counts.implicit;
  if (implicit.linearisations > 0) {
    const std::int64_t n_implicit =
        implicit.steps_of_order_5 + implicit.steps_of_order_9 + implicit.steps_of_order_13;
    report.add("orders", "{} implicit steps of order 5, {} of order 9, {} of order 13; {} explicit",
               implicit.steps_of_order_5, implicit.steps_of_order_9, implicit.steps_of_order_13,
               counts.accepted - n_implicit);
    report.add("stages", "{} iterations of Newton's method, which failed to converge {} times",
               implicit.iterations, implicit.failures);
    report.add("matrices", "{} Jacobians, {} real and {} complex factorisations",
               implicit.linearisations, implicit.real_factors, implicit.complex_factors);
  }
  if (counts.schur_solves > 0) {
    report.add(
        "schur", "{} solves by conjugate gradients, {:.3g} iterations on average",
        counts.schur_solves,
        static_cast<double>(counts.schur_iterations) / static_cast<double>(counts.schur_solves));
  }
}

void add_quality(ReportText& report, const Results& results) {
  const Violation& violation = results.violation;
  report.add_heading("Constraint violation (largest over all steps and output points)");
  report.add("position", "{:.3g}{}", violation.position, in_row(violation.position_row));
  report.add("velocity", "{:.3g}{}", violation.velocity, in_row(violation.velocity_row));
  report.add("euler_parameters", "{:.3g}", violation.euler_parameters);

  const Conditioning& conditioning = results.conditioning;
  report.add_heading("Conditioning");
  report.add("smallest pivot", "{:.3g} relative to its value at t = 0, at t = {:.6g} s{}",
             conditioning.smallest_pivot, conditioning.t, in_row(conditioning.row));
  report.add("singular", "{}",
             conditioning.passages == 0
                 ? "no singular position was passed"
                 : count_of(conditioning.passages, "singular position was passed",
                            "singular positions were passed"));
  for (std::size_t k = 0; k < conditioning.singular.size() && k < 10; ++k) {
    const SingularPassage& passage = conditioning.singular[k];
    report.add("", "t = {:.6g} s: {} left out, {}", passage.t,
               count_of(passage.rows, "equation", "equations"), passage.row);
  }
  if (conditioning.exchanges > 0) {
    report.add("exchanged", "redundant equations, {} times", conditioning.exchanges);
  }

  const WorstProjection& worst = results.worst_projection;
  if (!worst.row.empty()) {
    report.add_heading("Largest correction at the end of a step");
    report.add("before", "|g| = {:.3g}{}, at t = {:.6g} s", worst.residual_in, in_row(worst.row),
               worst.t);
    report.add("after", "|g| = {:.3g}, in {} iteration{}", worst.residual_out, worst.iterations,
               worst.iterations == 1 ? "" : "s");
  }

  const EnergySummary& energy = results.energy;
  report.add_heading("Energy");
  report.add("kinetic", "{:.10g} J at the end, {:.10g} J at most", energy.kinetic,
             energy.kinetic_max);
  report.add("potential", "{:.10g} J at the end", energy.potential);
  report.add("external_work", "{:.10g} J by all forces without a potential, until the end",
             energy.external_work);
  report.add("balance_error", "{:.3g} J at the end", energy.balance_error);
  report.add("conservation", "{}", describe_energy(results));
}

void add_timings(ReportText& report, const CpuSeconds& cpu) {
  const auto share = [&](double part) { return cpu.total > 0 ? 100.0 * part / cpu.total : 0.0; };
  const double rest = cpu.total - cpu.stages - cpu.projection;
  report.add_heading("CPU time");
  report.add("total", "{:.4g} s", cpu.total);
  report.add("stages", "{:.4g} s, {:.0f} %", cpu.stages, share(cpu.stages));
  report.add("projection", "{:.4g} s, {:.0f} %", cpu.projection, share(cpu.projection));
  report.add("everything else", "{:.4g} s, {:.0f} %", rest, share(rest));
}

template <std::size_t n>
std::string list_numbers(const std::array<double, n>& values) {
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.10g}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

void add_final(ReportText& report, const Results& results) {
  report.add_heading(fmt::format("State at t = {} s", results.status.t));
  for (std::size_t i = 0; i < results.final.size(); ++i) {
    const BodyState& state = results.final[i];
    report.add(results.body_names.at(i), "position {} m", list_numbers(state.position));
    report.add("", "orientation {}", list_numbers(state.orientation));
    report.add("", "velocity {} m/s", list_numbers(state.velocity));
    report.add("", "angular velocity {} rad/s (body frame)", list_numbers(state.angular_velocity));
  }
}

}  // namespace

std::string full_report(const Results& results) {
  ReportText report(18);
  add_ranges(report, results);
  if (results.check.rows > 0) {
    report.add_heading("Constraints");
    add_constraints(report, results.check);
    report.add_heading("Assembly (gaps in m, of directions without unit)");
    add_assembly(report, results.check);
  }
  add_options(report, results.options);
  add_counts(report, results.counts);
  add_quality(report, results);
  add_timings(report, results.cpu_seconds);
  add_final(report, results);
  return brief_report(results) + '\n' + report.text() +
         fmt::format("\nTrammel {}\n", results.version);
}

}  // namespace trammel
