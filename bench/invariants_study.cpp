// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Does holding invariants make a run more accurate? Ways to hold × problems × perturbed starts ×
// tolerances, error against a run at 1e-13 of the same start. Prints Markdown, for
// docs/studies/invariants.md.
//
//   error   largest distance of a centre of mass from where it should be, over the points at
//   t_end/100,
//           t_end·2/100, …; for the free flyer, whose centre moves exactly, of a point 0.1 m from
//           it
//   cost    evaluations of the distribution, those of the output points left out
//
// Every figure is relative to `none` with the same start: below 1 is better.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

#include "study_problems.hpp"

using namespace trammel;
using namespace trammel::study;

namespace {

constexpr double tolerances[] = {1e-5, 1e-7, 1e-9};
constexpr int n_points = 100;
constexpr double noise = 1e-13;  // m, below which errors are not compared

struct Way {
  std::string name;
  std::function<void(SimulationOptions&)> set;
  bool slow = false;  // every fifth start only
};

// To add a way, add a line. The paper's projections hold the energy, in jet coordinates; where they
// cannot (springs, dampers) there is no figure.
std::vector<Way> make_ways() {
  const auto jets = [](Projection projection) {
    return [projection](SimulationOptions& options) {
      options.projection = projection;
      options.hold_energy = true;
    };
  };
  const auto energy = [](EnergyCorrection correction) {
    return [correction](SimulationOptions& options) {
      options.hold_energy = true;
      options.energy_correction = correction;
    };
  };
  return {{"none", [](SimulationOptions&) {}},
          {"scaling", energy(EnergyCorrection::scaling)},
          {"combined", energy(EnergyCorrection::combined)},
          {"embedded", energy(EnergyCorrection::embedded)},
          {"relaxation", energy(EnergyCorrection::relaxation)},
          {"momenta",
           [](SimulationOptions& options) {
             options.hold_linear_momentum = options.hold_angular_momentum = true;
           }},
          {"energy and momenta",
           [](SimulationOptions& options) {
             options.hold_energy = true;
             options.energy_correction = EnergyCorrection::scaling;
             options.hold_linear_momentum = options.hold_angular_momentum = true;
           }},
          {"quasi_orthogonal", jets(Projection::quasi_orthogonal), true},
          {"orthogonal", jets(Projection::orthogonal), true}};
}

struct Run {
  double error = 0.0;  // m
  double cost = 0.0;   // evaluations
};

Results simulate_with(const System& system, const Problem& problem, double tolerance, Method method,
                      const Way& way) {
  SimulationOptions options;
  options.t_end = problem.model.simulation.t_end;
  options.rtol = options.atol = tolerance;
  options.method = method;
  options.output_interval = options.t_end / n_points;
  options.hold_dissipative = problem.dissipative;
  way.set(options);
  return simulate(system, options);
}

double calc_difference(const Results& a, const Results& b, const Problem& problem) {
  const std::size_t bodies = a.body_names.size();
  const std::size_t n = std::min(a.position.size(), b.position.size()) / (3 * bodies);
  double largest = 0.0;
  for (std::size_t k = 0; k < n * bodies; ++k) {
    if (problem.body >= 0 && static_cast<int>(k % bodies) != problem.body) continue;
    double distance2 = 0.0, product = 0.0, chord2 = 0.0;
    for (int i = 0; i < 3; ++i) {
      distance2 += std::pow(a.position[3 * k + i] - b.position[3 * k + i], 2);
    }
    for (int i = 0; i < 4; ++i) product += a.orientation[4 * k + i] * b.orientation[4 * k + i];
    const double sign = product < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; ++i) {
      chord2 += std::pow(a.orientation[4 * k + i] - sign * b.orientation[4 * k + i], 2);
    }
    largest = std::max({largest, std::sqrt(distance2), problem.arm * 2.0 * std::sqrt(chord2)});
  }
  return a.status.outcome == Outcome::finished ? largest : 1e3;
}

struct Quartiles {
  double low, median, high;
};

Quartiles calc_quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double x = share * static_cast<double>(values.size() - 1);
    const auto k = static_cast<std::size_t>(x);
    const std::size_t next = std::min(k + 1, values.size() - 1);
    return values[k] + (x - static_cast<double>(k)) * (values[next] - values[k]);
  };
  return {at(0.25), at(0.5), at(0.75)};
}

// The error that `none` has at this cost: log-log through its runs, the outer pieces continued.
double find_error_at(const std::vector<Run>& runs, double cost) {
  std::size_t k = 1;
  while (k + 1 < runs.size() && runs[k].cost < cost) ++k;
  const Run &a = runs[k - 1], &b = runs[k];
  const double width = std::log(b.cost / a.cost);
  if (!(width > 0.0)) return b.error;
  const double slope = std::log(b.error / a.error) / width;
  return std::exp(std::log(a.error) + slope * std::log(cost / a.cost));
}

// Whether a way can hold anything here: tried for an instant.
bool is_possible(const System& system, const Way& way) {
  SimulationOptions options;
  options.t_end = 1e-6;
  way.set(options);
  try {
    simulate(system, options);
  } catch (const ModelError&) {
    return false;
  }
  return true;
}

// What the starts of one problem gave, by way.
struct Outcomes {
  std::vector<std::vector<double>> by_tolerance, by_cost, cost;  // [ways][starts × tolerances]
  double reference = 0.0;                                        // m, its own error, largest
  explicit Outcomes(std::size_t ways) : by_tolerance(ways), by_cost(ways), cost(ways) {}
};

Outcomes study_problem(const Problem& problem, const std::vector<Way>& ways, int starts,
                       Method method) {
  Outcomes outcomes(ways.size());
  const bool all_slow =
      std::all_of(ways.begin() + 1, ways.end(), [](const Way& w) { return w.slow; });
  for (int start = 0; start < starts; start += all_slow ? 5 : 1) {
    const System system = compile(perturb(problem.model, static_cast<std::uint32_t>(start)));
    const Results exact = simulate_with(system, problem, 1e-13, Method::dop853, ways[0]);
    const Results check = simulate_with(system, problem, 1e-12, Method::dop853, ways[0]);
    outcomes.reference = std::max(outcomes.reference, 0.1 * calc_difference(check, exact, problem));
    std::vector<Run> none;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (ways[w].slow && (start % 5 != 0 || !is_possible(system, ways[w]))) continue;
      for (std::size_t k = 0; k < std::size(tolerances); ++k) {
        const Results results = simulate_with(system, problem, tolerances[k], method, ways[w]);
        // jets are not evaluated once more at output points
        const int at_outputs = uses_jets(results.options.projection) ? 0 : n_points;
        const Run run{calc_difference(results, exact, problem) + noise,
                      static_cast<double>(results.counts.accelerations) - at_outputs};
        if (w == 0) none.push_back(run);
        if (none.size() < std::size(tolerances)) continue;
        if (w == 0) continue;
        outcomes.by_tolerance[w].push_back(run.error / none[k].error);
        outcomes.by_cost[w].push_back(run.error / find_error_at(none, run.cost));
        outcomes.cost[w].push_back(run.cost / none[k].cost);
      }
    }
  }
  return outcomes;
}

std::string make_cell(const std::vector<double>& values) {
  if (values.empty()) return "–";
  const Quartiles q = calc_quartiles(values);
  return fmt::format("{:.2g} ({:.2g}–{:.2g})", q.median, q.low, q.high);
}

void print_table(const char* title, const std::vector<Problem>& problems,
                 const std::vector<Way>& ways, const std::vector<Outcomes>& all,
                 std::vector<std::vector<double>> Outcomes::*what) {
  fmt::print("\n{}\n\n| problem |", title);
  for (std::size_t w = 1; w < ways.size(); ++w) fmt::print(" {} |", ways[w].name);
  fmt::print("\n|---|");
  for (std::size_t w = 1; w < ways.size(); ++w) fmt::print("---|");
  for (std::size_t p = 0; p < problems.size(); ++p) {
    fmt::print("\n| {} |", problems[p].name);
    for (std::size_t w = 1; w < ways.size(); ++w) fmt::print(" {} |", make_cell((all[p].*what)[w]));
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  int starts = 20;
  Method method = Method::dop853;
  const std::vector<Way> all_ways = make_ways();
  std::vector<Way> ways = {all_ways[0]};
  for (int k = 1; k < argc; ++k) {
    const auto way = std::find_if(all_ways.begin() + 1, all_ways.end(),
                                  [&](const Way& one) { return one.name == argv[k]; });
    if (std::strcmp(argv[k], "dopri5") == 0) {
      method = Method::dopri5;
    } else if (way != all_ways.end()) {
      ways.push_back(*way);
    } else if (const int number = std::atoi(argv[k]); number > 0) {
      starts = number;
    } else {
      fmt::print(stderr, "usage: invariants_study [STARTS] [dopri5] [WAY ...]\n");
      return 3;
    }
  }
  if (ways.size() == 1) ways = all_ways;
  const std::vector<Problem> problems = make_problems();
  std::vector<Outcomes> all;
  for (const Problem& problem : problems) {
    fmt::print(stderr, "{}\n", problem.name);
    all.push_back(study_problem(problem, ways, starts, method));
  }
  fmt::print(
      "{} starts, tolerances 1e-5, 1e-7, 1e-9, method {}: median (quartiles), below 1 is "
      "better than `none`.\n",
      starts, method == Method::dopri5 ? "dopri5" : "dop853");
  print_table("Error at equal tolerance:", problems, ways, all, &Outcomes::by_tolerance);
  print_table("Error at equal cost:", problems, ways, all, &Outcomes::by_cost);
  print_table("Cost at equal tolerance:", problems, ways, all, &Outcomes::cost);
  double worst = 0.0;
  for (const Outcomes& outcomes : all) worst = std::max(worst, outcomes.reference);
  fmt::print("\nError of the reference runs: at most about {:.0e} m. CPU time {:.0f} s.\n", worst,
             static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return 0;
}
