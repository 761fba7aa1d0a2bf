// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Throughput of an ensemble: quadrangles and cranks with masses and torque spread by ±20 %, one by one
// and together, CPU time of the process on one thread, one output at the end. Whole runs, with assembly
// and the making of code. `ensemble OUT.csv [members]`
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <trammel/trammel.hpp>
#include <vector>

#include "cpu_clock.hpp"

using namespace trammel;

namespace {

std::vector<System> make_members(const Model& model, int n) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> factor(0.8, 1.2);
  std::vector<System> members;
  for (int k = 0; k < n; ++k) {
    Model member = model;
    for (Body& body : member.bodies) {
      const double f = factor(generator);
      body.mass = *body.mass * f;
      for (auto& row : *body.inertia) {
        for (double& x : row) x *= f;
      }
    }
    for (Force& force : member.forces) {
      if (Torque* torque = std::get_if<Torque>(&force.law)) {
        const double f = factor(generator);
        for (double& x : torque->value) x *= f;
      }
    }
    members.push_back(compile(member));
  }
  return members;
}

int count_different(const std::vector<Results>& a, const std::vector<Results>& b) {
  int different = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    bool same = a[k].position.size() == b[k].position.size();
    for (std::size_t i = 0; same && i < a[k].position.size(); ++i) {
      same = std::bit_cast<std::uint64_t>(a[k].position[i]) ==
             std::bit_cast<std::uint64_t>(b[k].position[i]);
    }
    different += !same;
  }
  return different;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: ensemble OUT.csv [members]\n");
    return 3;
  }
  const int n = argc > 2 ? std::stoi(argv[2]) : 64;
  std::FILE* out = std::fopen(argv[1], "w");
  if (out == nullptr) return 1;
  fmt::print(out, "model,tolerance,members,single_ms,loops_ms,together_ms,ratio,different\n");
  for (const char* name : {"quadrangle", "crank"}) {
    const Model model = read_model(fmt::format("{}/paper/{}.yaml", TRAMMEL_MODELS_DIR, name));
    const std::vector<System> members = make_members(model, n);
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      SimulationOptions options = model.simulation;
      options.rtol = options.atol = tolerance;
      options.output_interval = options.t_end;
      double single = 1e9, loops = 1e9, together = 1e9;
      std::vector<Results> alone(n), ensemble;
      for (int repetition = 0; repetition < 3; ++repetition) {
        double begin = bench::cpu_now();
        for (int k = 0; k < n; ++k) alone[k] = simulate(members[k], options);
        single = std::min(single, bench::cpu_now() - begin);
        begin = bench::cpu_now();
        ensemble = simulate_ensemble(members, options);
        together = std::min(together, bench::cpu_now() - begin);
      }
      SimulationOptions by_loops = options;
      by_loops.kernel = KernelChoice::loops;
      const double begin = bench::cpu_now();
      for (int k = 0; k < n; ++k) simulate(members[k], by_loops);
      loops = bench::cpu_now() - begin;
      const int different = count_different(alone, ensemble);
      const std::string line = fmt::format("{},{:g},{},{:.3f},{:.3f},{:.3f},{:.2f},{}", name,
                                           tolerance, n, 1e3 * single / n, 1e3 * loops / n,
                                           1e3 * together / n, single / together, different);
      fmt::print(out, "{}\n", line);
      fmt::print("{}\n", line);
    }
  }
  std::fclose(out);
  return 0;
}
