// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// CPU times of a run: its parts add up to the whole, whatever the wall clock does meanwhile.
#include <doctest/doctest.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <trammel/trammel.hpp>

#include "analyses/run_clock.hpp"

using namespace trammel;

namespace {

const std::string models = TRAMMEL_MODELS_DIR;

double process_cpu() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void check_parts(const CpuSeconds& cpu) {
  CHECK(cpu.projection >= 0.0);
  CHECK(cpu.stages > 0.0);
  CHECK(cpu.stages + cpu.projection <= cpu.total * (1.0 + 1e-12));
}

}  // namespace

TEST_CASE("projections that wait cost no CPU time") {
  const Model model = read_model(models + "/paper/pendulum.yaml");
  SimulationOptions options = model.simulation;
  options.t_end = options.output_interval = 0.1;
  options.kernel = KernelChoice::loops;
  options.user_invariants.push_back({"waits", [](const std::vector<BodyState>& bodies) {
                                       std::this_thread::sleep_for(std::chrono::microseconds(200));
                                       return bodies[0].velocity[0];
                                     }});
  const auto begin = std::chrono::steady_clock::now();
  const Results results = simulate(compile(model), options);
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  REQUIRE(wall > 0.02);
  CHECK(results.cpu_seconds.total < 0.8 * wall);
  check_parts(results.cpu_seconds);
  const std::string report = full_report(results);
  const std::size_t rest = report.find("everything else");
  REQUIRE(rest != std::string::npos);
  CHECK(report.substr(rest, report.find('\n', rest) - rest).find(" -") == std::string::npos);
}

TEST_CASE("a run is not charged for other threads") {
  const Model model = read_model(models + "/paper/pendulum.yaml");
  const System system = compile(model);
  SimulationOptions options = model.simulation;
  options.t_end = 1.0;
  const double alone = simulate(system, options).cpu_seconds.total;
  bool stop = false;
  std::thread busy([&stop] {
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    }
  });
  double least = 1e300;
  for (int repeat = 0; repeat < 20 && least >= 0.8; ++repeat) {
    const double before = process_cpu();
    const Results results = simulate(system, options);
    const double used = process_cpu() - before;
    check_parts(results.cpu_seconds);
    least = std::min(least, results.cpu_seconds.total / used);
  }
  __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
  busy.join();
  CHECK(alone > 0.0);
  CHECK(least < 0.8);
}

TEST_CASE("members of an ensemble share its CPU time") {
  const Model model = read_model(models + "/paper/quadrangle.yaml");
  SimulationOptions options = model.simulation;
  options.t_end = 0.5;
  options.output_interval = 0.05;
  const std::vector<System> members(24, compile(model));
  for (const int threads : {1, 2}) {
    CAPTURE(threads);
    options.threads = threads;
    const double before = process_cpu();
    const std::vector<Results> results = simulate_ensemble(members, options);
    const double used = process_cpu() - before;
    double sum = 0.0;
    for (const Results& member : results) {
      check_parts(member.cpu_seconds);
      CHECK(member.cpu_seconds.projection > 0.0);
      CHECK(member.options.threads == threads);
      sum += member.cpu_seconds.total;
    }
    CHECK(sum <= used);
    CHECK(sum >= 0.1 * used);  // the rest: code is generated once for all
  }
}

TEST_CASE("the CPU time of a loop is divided by wall time, and all of it") {
  LoopTime loop;
  loop.add(2.0, 8.0, 2.0);
  CHECK(loop.cpu == 2.0);
  CHECK(loop.projection == 0.5);
  loop.add(1.0, 0.0, 0.0);  // shorter than the clock can see
  CHECK(loop.cpu == 3.0);
  CHECK(loop.projection == 0.5);
  loop.add(1.0, 1.0, 3.0);  // a part is never more than the whole
  CHECK(loop.projection == 1.5);
}
