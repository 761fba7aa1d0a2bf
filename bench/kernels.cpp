// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels by size, with Google Benchmark: one evaluation, its parts, and the projections of a
// step's end, for the paper's mechanisms, Andrews' squeezer, a tree with loops, chains and nets.
// `kernels --benchmark_filter=crank`.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "evaluation.hpp"
#include "large_models.hpp"

using namespace trammel;
using namespace trammel::bench;

namespace {

using Kernel = void (Evaluation::*)();

struct NamedKernel {
  const char* name;
  Kernel call;
};
constexpr NamedKernel all_kernels[] = {{"evaluation", &Evaluation::evaluate},
                                       {"rows", &Evaluation::calc_rows_of},
                                       {"factor", &Evaluation::calc_factor_of},
                                       {"distribution", &Evaluation::calc_distribution_of},
                                       {"projection", &Evaluation::project}};

// make(): the model, made only where a filter lets one of its kernels run.
template <class Make>
void add_kernels(const std::string& name, const Make& make) {
  const auto shared = std::make_shared<std::unique_ptr<Evaluation>>();
  for (const NamedKernel& kernel : all_kernels) {
    const std::string title = std::string(kernel.name) + "/" + name;
    benchmark::RegisterBenchmark(title.c_str(), [shared, kernel, make](benchmark::State& state) {
      if (!*shared) *shared = std::make_unique<Evaluation>(compile(make()));
      Evaluation& evaluation = **shared;
      evaluation.evaluate();  // each kernel finds what it needs
      for (auto _ : state) (evaluation.*kernel.call)();
      state.counters["bodies"] = evaluation.bodies();
      state.counters["rows"] = evaluation.rows();
    });
  }
}

Model read(const std::string& file) {
  return read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + file);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 3;
  for (const char* name : {"pendulum", "quadrangle", "crank"}) {
    add_kernels(name, [name] { return read("paper/" + std::string(name) + ".yaml"); });
  }
  add_kernels("andrews", [] { return read("gallery/andrews.yaml"); });
  add_kernels("tree with loops", make_tree_with_loops);
  for (const int bodies : {10, 30, 100, 1000, 10'000}) {
    add_kernels("chain:" + std::to_string(bodies), [bodies] { return make_chain(bodies); });
  }
  for (const int bodies : {100, 1000, 10'000}) {
    add_kernels("net:" + std::to_string(bodies), [bodies] { return make_net(bodies); });
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
