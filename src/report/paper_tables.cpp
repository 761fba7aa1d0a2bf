// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's tables next to our results, as Markdown.
#include <fmt/format.h>

#include <cmath>

#include "report/paper_numbers.hpp"
#include "trammel/paper.hpp"

namespace trammel {

namespace {

constexpr const char* settings_text =
    R"(Settings, the same for every column of the paper's method: DOPRI5 without sharing of stages, h0 = 0.25,
fac_max = 3, tol_abs = 1e-5 (Euclidean norm, f_inv in joules), W_ext by the trapezoidal rule, every stage
projected onto M_theta and M_hc, 4th and 5th order results onto M_inv too, error = their difference in
Hairer's root-mean-square norm. The paper does not give, and was not fitted: safety factor 0.9, smallest
factor 0.2, exact Newton steps, halt of a projection after 50 iterations or 400 rounds. Initial data are
assembled to rounding level first. `trammel` is our default: dop853, projection mass, the same tolerances.
CPU seconds of the paper are of a 1.75 GHz PC; compare ratios. Errors are at t = 10, against a run at 1e-13.
Short runs are repeated and the fastest is shown.
)";

const PaperRun* find_run(const PaperStudy& study, const std::string& model,
                         const std::string& variant, bool energy, const std::string& work) {
  for (const PaperRun& run : study.runs) {
    if (run.model == model && run.variant == variant && run.energy == energy && run.work == work &&
        run.torque == 0.0) {
      return &run;
    }
  }
  return nullptr;
}

std::string show(double value, const char* format = "{:.0f}") {
  return value < 0 ? "–" : fmt::format(fmt::runtime(format), value);
}

// A Markdown table, columns padded so that it reads as text.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> width(rows_[0].size(), 0);
    for (const auto& row : rows_) {
      for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], length(row[c]));
    }
    std::string text;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      text += '|';
      for (std::size_t c = 0; c < rows_[r].size(); ++c) {
        const std::string pad(width[c] - length(rows_[r][c]), ' ');
        text += c == 0 ? " " + rows_[r][c] + pad + " |" : " " + pad + rows_[r][c] + " |";
      }
      text += '\n';
      if (r == 0) text += rule(width);
    }
    return text;
  }

 private:
  // characters, not bytes
  static std::size_t length(const std::string& s) {
    std::size_t n = 0;
    for (char c : s) n += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    return n;
  }
  static std::string rule(const std::vector<std::size_t>& width) {
    std::string text = "|";
    for (std::size_t c = 0; c < width.size(); ++c) {
      text += c == 0 ? std::string(width[c] + 2, '-') : std::string(width[c] + 1, '-') + ":";
      text += '|';
    }
    return text + '\n';
  }
  std::vector<std::vector<std::string>> rows_;
};

std::string steps_of(const Results& r) {
  const std::string steps = fmt::format("{}({})", r.counts.accepted, r.counts.rejected);
  return r.status.outcome == Outcome::finished ? steps
                                               : fmt::format("{} to t = {:.3g}", steps, r.status.t);
}

std::string newton_of(const Results& r) {
  return fmt::format("{:.2f}({})", r.counts.iterations_average(), r.counts.iterations_max);
}

void add_counted(Table& table, const char* name, const std::vector<double>& paper,
                 const std::vector<double>& ours, const char* format) {
  std::vector<std::string> row{name};
  for (std::size_t k = 0; k < ours.size(); ++k) {
    if (k < paper.size()) row.push_back(show(paper[k], format));
    row.push_back(show(ours[k], format));
  }
  table.add(std::move(row));
}

// A full table with energy, or the shorter one without: paper | Trammel for both projections, ours.
std::string model_table(const PaperStudy& study, const std::string& model, bool energy) {
  const PaperRun* quasi = find_run(study, model, "quasi_orthogonal", energy, "trapezoidal");
  const PaperRun* orthogonal = find_run(study, model, "orthogonal", energy, "trapezoidal");
  const PaperRun* own = find_run(study, model, "trammel", energy, "runge_kutta");
  if (quasi == nullptr || orthogonal == nullptr || own == nullptr) return {};
  const PaperNumbers& q = find_paper_numbers(model, "quasi_orthogonal", energy);
  const PaperNumbers& o = find_paper_numbers(model, "orthogonal", energy);
  const Results &a = quasi->results, &b = orthogonal->results, &c = own->results;
  Table table({model + (energy ? ", energy imposed" : ", energy ignored"), "quasi-orth. paper",
               "quasi-orth. here", "orthogonal paper", "orthogonal here", "trammel"});
  table.add({"# succ. (rej.) steps", show(q.accepted) + "(" + show(q.rejected) + ")", steps_of(a),
             show(o.accepted) + "(" + show(o.rejected) + ")", steps_of(b), steps_of(c)});
  table.add({"Newton: av(max)", fmt::format("{}({})", q.iterations_average, q.iterations_max),
             newton_of(a), fmt::format("{}({})", o.iterations_average, o.iterations_max),
             newton_of(b), newton_of(c)});
  const auto add = [&](const char* name, auto number, auto count, const char* format) {
    add_counted(table, name, {number(q), number(o)}, {count(a), count(b), count(c)}, format);
  };
  using N = PaperNumbers;
  using R = Results;
  const char* whole = "{:.0f}";
  const char* seconds = "{:.3g}";
  add(
      "# dist", [](const N& n) { return n.dist; },
      [](const R& r) { return double(r.counts.accelerations); }, whole);
  add(
      "# proj", [](const N& n) { return n.proj; },
      [](const R& r) { return double(r.counts.projection); }, whole);
  add(
      "CPU dist, s", [](const N& n) { return n.cpu_dist; },
      [](const R& r) { return r.cpu_seconds.stages; }, seconds);
  add(
      "CPU proj, s", [](const N& n) { return n.cpu_proj; },
      [](const R& r) { return r.cpu_seconds.projection; }, seconds);
  add(
      "CPU total, s", [](const N& n) { return n.cpu_total; },
      [](const R& r) { return r.cpu_seconds.total; }, seconds);
  add(
      "# dg", [](const N& n) { return n.dg; }, [](const R& r) { return double(r.counts.dg); },
      whole);
  add(
      "# d²gⁱ", [](const N& n) { return n.d2g; }, [](const R& r) { return double(r.counts.d2g); },
      whole);
  add(
      "# d³gⁱ", [](const N& n) { return n.d3g; }, [](const R& r) { return double(r.counts.d3g); },
      whole);
  add(
      "# df_inv", [](const N& n) { return n.df_inv; },
      [](const R& r) { return double(r.counts.df_inv); }, whole);
  add(
      "# d²f_inv", [](const N& n) { return n.d2f_inv; },
      [](const R& r) { return double(r.counts.d2f_inv); }, whole);
  const auto add_own = [&](const char* name, double x, double y, double z) {
    add_counted(table, name, {-1.0, -1.0}, {x, y, z}, "{:.1e}");
  };
  add_own("position error, m", quasi->position_error, orthogonal->position_error,
          own->position_error);
  add_own("violation of g", a.violation.position, b.violation.position, c.violation.position);
  add_own("violation of dg y1", a.violation.velocity, b.violation.velocity, c.violation.velocity);
  add_own("true energy error, J", quasi->energy_error, orthogonal->energy_error, own->energy_error);
  return table.text();
}

std::string ratio_table(const PaperStudy& study) {
  Table table({"CPU quasi/orthogonal, energy imposed", "paper", "here"});
  for (const char* model : {"pendulum", "quadrangle", "crank"}) {
    const PaperRun* quasi = find_run(study, model, "quasi_orthogonal", true, "trapezoidal");
    const PaperRun* orthogonal = find_run(study, model, "orthogonal", true, "trapezoidal");
    if (quasi == nullptr || orthogonal == nullptr) continue;
    const double printed = find_paper_numbers(model, "quasi_orthogonal", true).cpu_total /
                           find_paper_numbers(model, "orthogonal", true).cpu_total;
    const double here = quasi->results.cpu_seconds.total / orthogonal->results.cpu_seconds.total;
    table.add({model, show(printed, "{:.2f}"), show(here, "{:.2f}")});
  }
  return table.text();
}

std::string quadrature_table(const PaperStudy& study) {
  Table table(
      {"position error at t = 10, m", "energy ignored", "W_ext trapezoidal", "W_ext Runge–Kutta"});
  for (const char* model : {"quadrangle", "crank"}) {
    for (const char* variant : {"quasi_orthogonal", "orthogonal"}) {
      const PaperRun* none = find_run(study, model, variant, false, "trapezoidal");
      const PaperRun* trapezoidal = find_run(study, model, variant, true, "trapezoidal");
      const PaperRun* runge_kutta = find_run(study, model, variant, true, "runge_kutta");
      if (none == nullptr || trapezoidal == nullptr || runge_kutta == nullptr) continue;
      table.add({std::string(model) + ", " + variant, show(none->position_error, "{:.1e}"),
                 show(trapezoidal->position_error, "{:.1e}"),
                 show(runge_kutta->position_error, "{:.1e}")});
    }
  }
  return table.text();
}

std::string torque_table(const PaperStudy& study) {
  Table table({"pendulum with torque", "projection", "steps, energy ignored", "steps, imposed",
               "Newton, imposed", "CPU increase"});
  for (const PaperRun& with : study.runs) {
    if (with.torque == 0.0 || !with.energy) continue;
    for (const PaperRun& without : study.runs) {
      if (without.energy || without.torque != with.torque || without.axis != with.axis ||
          without.variant != with.variant) {
        continue;
      }
      const auto cpu = [](const PaperRun& run) { return run.results.cpu_seconds.total; };
      table.add({fmt::format("{} N m about {}", with.torque, with.axis), with.variant,
                 steps_of(without.results), steps_of(with.results), newton_of(with.results),
                 fmt::format("{:+.0f} %", 100.0 * (cpu(with) / cpu(without) - 1.0))});
    }
  }
  return table.text();
}

std::string stall_notes(const PaperStudy& study) {
  std::string text;
  for (const PaperRun& run : study.runs) {
    if (run.results.status.outcome == Outcome::finished) continue;
    text += fmt::format(
        "- {}{}, {}, energy {}: {}\n", run.model,
        run.torque > 0 ? fmt::format(" with {} N m about {}", run.torque, run.axis) : "",
        run.variant, run.energy ? "imposed" : "ignored", run.results.status.message);
  }
  return text;
}

}  // namespace

std::string paper_tables(const PaperStudy& study) {
  std::string text = "# The paper's runs next to Trammel's\n\n";
  text += settings_text;
  for (const char* model : {"pendulum", "quadrangle", "crank"}) {
    for (bool energy : {true, false}) {
      const std::string table = model_table(study, model, energy);
      if (!table.empty()) text += "\n" + table;
    }
  }
  text +=
      "\nThe paper prints, for energy ignored, only steps, Newton, # proj, CPU total and # dg.\n\n";
  text += ratio_table(study);
  text += "\nEffect of the quadrature of W_ext in the invariant:\n\n" + quadrature_table(study);
  text +=
      "\nThe pendulum with a constant torque (paper: at 10, +110 % quasi-orthogonal and +276 % "
      "orthogonal; at 50, many more Newton\niterations and a radically decreasing step):\n\n";
  text += torque_table(study);
  const std::string notes = stall_notes(study);
  if (!notes.empty()) text += "\nRuns that did not reach t = 10:\n\n" + notes;
  return text;
}

}  // namespace trammel
