// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Work–precision: tolerances × methods × perturbed starts of our own runs, and the one-coordinate
// program of quadrangle and crank beside them in the same process. Writes the raw points as CSV;
// `make bench` makes tables and plots of them.
//
//   error        largest distance of a centre of mass from the reference, over points every 0.01 s
//   cpu          of the integration loop without output: what is recorded and how often is the
//                user's choice. "MODEL with reactions": with all reactions at these points
//   evaluations  of the accelerations in that loop
//
// usage: work_precision OUT.csv [STARTS] [MODEL…]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cpu_clock.hpp"
#include "measurement.hpp"
#include "one_coordinate.hpp"
#include "precision_problems.hpp"

using namespace trammel;
using namespace trammel::bench;

namespace {

constexpr double tolerances[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};

constexpr double long_enough = 0.3;  // s: a run of that length is not repeated
constexpr double too_long = 8.0;     // s: after it a line tries nothing finer, as with the peers

struct Line {
  const char* program;
  const char* method_name;
  Method method;
  bool hold_energy;
  bool reactions = false;
};
constexpr Line lines[] = {{"trammel", "dopri5", Method::dopri5, false},
                          {"trammel", "dopri5, energy held", Method::dopri5, true},
                          {"trammel", "dop853", Method::dop853, false},
                          {"trammel", "dop853, energy held", Method::dop853, true},
                          {"trammel", "dop853, energy held", Method::dop853, true, true},
                          {"trammel", "radau", Method::radau, false},
                          {"trammel", "auto", Method::automatic, false}};

SimulationOptions make_options(const Line& line, double t_end, double tolerance) {
  SimulationOptions options;
  options.t_end = t_end;
  options.rtol = options.atol = tolerance;
  options.method = line.method;
  options.hold_energy = line.hold_energy;
  Recorded& record = options.record;  // positions alone
  record.velocities = record.reactions = record.forces = record.energies = false;
  record.violations = record.steps = false;
  return options;
}

double calc_error(const Results& results, const ReferenceMotion& reference) {
  if (results.status.outcome != Outcome::finished) return 1e3;
  double largest = 0.0;
  const int bodies = reference.bodies();
  for (std::size_t k = 0; k < results.time.size(); ++k) {
    const double* at = results.position.data() + 3 * k * bodies;
    const auto position = [&](int b) { return Vec3{at[3 * b], at[3 * b + 1], at[3 * b + 2]}; };
    largest = std::max(largest, reference.calc_error(results.time[k], position));
  }
  return largest;
}

Measurement measure(const PrecisionProblem& problem, const PrecisionStart& start, const Line& line,
                    double tolerance) {
  Measurement measured{problem.name, line.program, line.method_name, tolerance, start.index};
  SimulationOptions options = make_options(line, start.model.simulation.t_end, tolerance);
  options.output_interval = problem.points;
  options.record.reactions = line.reactions;
  const Results watched = simulate(start.system, options);
  measured.error = calc_error(watched, start.reference);
  measured.violation = watched.violation.position;
  measured.evaluations = static_cast<double>(watched.counts.accelerations);
  const int least = watched.cpu_seconds.total > long_enough ? 1 : 2;
  const auto run_whole = [&] { return simulate(start.system, options).cpu_seconds.total; };
  const double whole = line.reactions ? find_least_seconds(run_whole, least) : 0.0;
  // output leaves the steps as they are: the same run without it
  options.output_interval = options.t_end;
  options.record.positions = options.record.reactions = false;
  double set_up = watched.cpu_seconds.total;
  const auto run_loop = [&] {
    const Results results = simulate(start.system, options);
    measured.evaluations = static_cast<double>(results.counts.accelerations);
    const double loop = results.cpu_seconds.stages + results.cpu_seconds.projection;
    set_up = std::min(set_up, results.cpu_seconds.total - loop);
    return loop;
  };
  const double loop = find_least_seconds(run_loop, least);
  // a run with output but for its set-up, which is left out for all
  measured.cpu = line.reactions ? whole - set_up : loop;
  if (line.reactions) measured.model += " with reactions";
  return measured;
}

void measure_line(const PrecisionProblem& problem, const PrecisionStart& start, const Line& line,
                  MeasurementFile& file) {
  if (line.hold_energy && !problem.energy) return;
  if (line.reactions && !problem.reactions) return;
  for (const double tolerance : tolerances) {
    if (tolerance < 0.9 * problem.finest) return;
    const Measurement measured = measure(problem, start, line, tolerance);
    file.add(measured);
    if (measured.cpu > too_long) return;
  }
}

void measure_start(const PrecisionProblem& problem, const PrecisionStart& start,
                   MeasurementFile& file) {
  for (const Line& line : lines) measure_line(problem, start, line, file);
  if (!has_one_coordinate(problem.name)) return;
  for (const double tolerance : tolerances) {
    for (const bool hold_energy : {false, true}) {
      Measurement limit = measure_one_coordinate(problem.name, start.model, start.bodies, tolerance,
                                                 hold_energy, start.reference);
      limit.start = start.index;
      file.add(limit);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: work_precision OUT.csv [STARTS] [MODEL…]\n");
    return 3;
  }
  const int starts = argc > 2 ? std::max(1, std::atoi(argv[2])) : 20;
  const std::vector<std::string> only(argv + std::min(argc, 3), argv + argc);
  MeasurementFile file(argv[1]);
  for (const PrecisionProblem& problem : make_precision_problems()) {
    if (!only.empty() && std::count(only.begin(), only.end(), problem.name) == 0) continue;
    const double begin = cpu_now();
    for (int k = 0; k < std::min(starts, problem.most_starts); ++k) {
      measure_start(problem, make_start(problem, k), file);
    }
    fmt::print(stderr, "work_precision: {} {:.0f} s\n", problem.name, cpu_now() - begin);
  }
  return 0;
}
