// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How the cost of an evaluation, the set-up and the memory grow with the number of bodies: chains,
// tree, ladder and nets of 10 … 100,000 bodies, the chain to a million. For nets also other
// factorisations of the same matrix. Writes CSV; `make bench` prints costs a body and growth
// exponents.
//
// usage: scaling OUT.csv [MOST_BODIES] [FAMILY]
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "cpu_clock.hpp"
#include "evaluation.hpp"
#include "large_models.hpp"
#include "math/thread_pool.hpp"
#include "sparse_solvers.hpp"

using namespace trammel;
using namespace trammel::bench;

namespace {

constexpr double most_bytes = 6e9;

// Bytes in use on the heap.
double calc_heap() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

class ScalingFile {
 public:
  explicit ScalingFile(const char* path) : file_(std::fopen(path, "w")) {
    if (file_ == nullptr) std::exit(1);
    fmt::print(file_, "family,bodies,program,quantity,value\n");
  }
  ~ScalingFile() { std::fclose(file_); }
  ScalingFile(const ScalingFile&) = delete;
  ScalingFile& operator=(const ScalingFile&) = delete;

  void add(const std::string& family, int bodies, const std::string& program, const char* quantity,
           double value) {
    fmt::print(file_, "\"{}\",{},\"{}\",\"{}\",{:.5g}\n", family, bodies, program, quantity, value);
    std::fflush(file_);
  }

 private:
  std::FILE* file_;
};

// Factorisation and solve of S, ours and others', on the same numbers.
void compare_solvers(const std::string& family, Evaluation& evaluation, ScalingFile& file) {
  const int n = evaluation.bodies();
  const double to_us = 1e6 / n;
  evaluation.calc_rows_of();
  const Eigen::SparseMatrix<double> S = evaluation.make_schur_matrix();
  std::vector<double> b(S.rows());
  for (std::size_t r = 0; r < b.size(); ++r) b[r] = std::sin(static_cast<double>(r));
  evaluation.put_schur_matrix(S);
  std::vector<double> x;
  const double own = find_least_seconds(
      [&] {
        evaluation.restore_schur_matrix();  // outside of the clock: others keep their input
        x = b;
        const double begin = cpu_now();
        evaluation.factorise_only();
        evaluation.solve_only(x);
        return cpu_now() - begin;
      },
      2, 15, 0.3);
  file.add(family, n, "trammel", "factor and solve, us/body", to_us * own);
  for (const SolverTime& other : time_sparse_solvers(S, b, x)) {
    file.add(family, n, other.name, "factor and solve, us/body", to_us * other.seconds);
    if (!(other.difference < 1e-6)) {
      fmt::print(stderr, "{} {}: solutions differ by {:.1e}\n", family, other.name,
                 other.difference);
    }
  }
}

// One thread and two, by the clock on the wall: on a machine that does other things the second thread
// may wait.
void compare_threads(const std::string& family, Evaluation& evaluation, ScalingFile& file) {
  const int n = evaluation.bodies();
  const auto time = [](auto&& call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto compare = [&](const std::string& what, const auto& result, auto&& run) {
    std::decay_t<decltype(result)> alone;
    for (const int threads : {1, 2}) {
      const UsedThreads used(threads);
      const double seconds = find_least_seconds(run, 5, 200, 1.0);
      const std::string how = threads == 1 ? "wall" : "wall, 2 threads";
      file.add(family, n, "trammel", (what + ", " + how + ", us/body").c_str(), 1e6 * seconds / n);
      if (threads == 1) alone = result;
      if (result != alone) fmt::print(stderr, "{} {}: bits depend on the threads\n", family, n);
    }
  };
  compare("evaluation", evaluation.rate(), [&] { return time([&] { evaluation.evaluate(); }); });
  evaluation.put_schur_matrix(evaluation.make_schur_matrix());
  const std::vector<double> b(evaluation.rows(), 1.0);
  std::vector<double> x;
  compare("factor and solve", x, [&] {
    evaluation.restore_schur_matrix();
    x = b;
    return time([&] {
      evaluation.factorise_only();
      evaluation.solve_only(x);
    });
  });
}

// Returns the bytes of System and Workspace.
double measure(const Family& family, int bodies, ScalingFile& file) {
  const Model model = family.make(bodies);
  const double heap = calc_heap(), begin = cpu_now();
  const System system = compile(model);
  const double compiled = cpu_now(), heap_compiled = calc_heap();
  Evaluation evaluation(system);
  const double heap_ready = calc_heap();
  const int n = evaluation.bodies();
  const double to_us = 1e6 / n;
  const auto add = [&](const char* quantity, double value) {
    file.add(family.name, n, "trammel", quantity, value);
  };
  const auto time = [&](auto&& call) { return to_us * find_least_cpu(call, 2, 200, 2.0); };
  add("compile, us/body", to_us * (compiled - begin));
  add("system, bytes/body", (heap_compiled - heap) / n);
  add("workspace, bytes/body", (heap_ready - heap_compiled) / n);
  add("evaluation, us/body", time([&] { evaluation.evaluate(); }));
  add("rows, us/body", time([&] { evaluation.calc_rows_of(); }));
  add("factor, us/body", time([&] { evaluation.calc_factor_of(); }));
  add("distribution, us/body", time([&] { evaluation.calc_distribution_of(); }));
  add("projection, us/body", time([&] { evaluation.project(); }));
  if (family.name == "net") compare_solvers(family.name, evaluation, file);
  if ((family.name == "net" || family.name == "tree") && n >= 1000) {
    compare_threads(family.name, evaluation, file);
  }
  fmt::print(stderr, "scaling: {} {}, {:.0f} bytes a body\n", family.name, n,
             (heap_ready - heap) / n);
  return heap_ready - heap;
}

// Sizes in steps of ten, as long as the memory the next one needs, extrapolated, is there to have.
void measure_family(const Family& family, int most, ScalingFile& file) {
  double before = 0.0, last = 0.0;
  for (int bodies = 10; bodies <= std::min(most, family.most_bodies); bodies *= 10) {
    const double next = before > 0.0 ? last * last / before : 0.0;
    if (next > most_bytes) {
      fmt::print(stderr, "scaling: {} {} left out, it would need about {:.0f} GB\n", family.name,
                 bodies, next / 1e9);
      return;
    }
    before = last;
    last = measure(family, bodies, file);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: scaling OUT.csv [MOST_BODIES] [FAMILY]\n");
    return 3;
  }
  const int most = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
  const std::string only = argc > 3 ? argv[3] : "";
  ScalingFile file(argv[1]);
  for (const Family& family : all_families()) {
    if (!only.empty() && family.name != only) continue;
    measure_family(family, most, file);
  }
  return 0;
}
