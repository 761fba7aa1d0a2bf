// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is no curve and no growth: one evaluation of the models that the peers run too, and the
// set-up from a file's text to a System with its start, for these and for chains. Writes CSV in the
// form of scaling.cpp.
//
//   set-up   read + compile + assemble (which checks the rank and closes the joints); the peers
//   build
//            their model by calls, MuJoCo from the text of a file
//
// usage: costs OUT.csv [MOST_LINKS]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <vector>

#include "cpu_clock.hpp"
#include "math/flushed_subnormals.hpp"
#include "precision_problems.hpp"
#include "problem/mechanical_problem.hpp"
#include "system/frames.hpp"

using namespace trammel;
using namespace trammel::bench;

namespace {

class CostFile {
 public:
  explicit CostFile(const char* path) : file_(std::fopen(path, "w"), &std::fclose) {
    if (!file_) std::exit(1);
    fmt::print(file_.get(), "family,bodies,program,quantity,value\n");
  }
  void add(const std::string& family, int bodies, const char* quantity, double value) {
    fmt::print(file_.get(), "\"{}\",{},\"trammel\",\"{}\",{:.5g}\n", family, bodies, quantity,
               value);
    std::fflush(file_.get());
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

std::string read_text(const std::string& file) {
  std::ifstream in(std::string(TRAMMEL_MODELS_DIR) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The parts of a set-up, each the least of several: s.
struct SetUp {
  double read, compile, assemble;
};

SetUp time_set_up(const std::string& file, const ParameterOverrides& overrides) {
  const std::string text = read_text(file);
  const auto time = [](auto&& call) { return find_least_cpu(call, 1, 50, 0.3); };
  Model model;
  SetUp seconds{};
  seconds.read = time([&] { model = read_model_text(text, file, overrides); });
  std::unique_ptr<System> system;
  seconds.compile = time([&] { system = std::make_unique<System>(compile(model)); });
  seconds.assemble = time([&] { assemble(*system); });
  return seconds;
}

void add_set_up(const std::string& family, int bodies, const SetUp& s, CostFile& file) {
  file.add(family, bodies, "set-up, ms", 1e3 * (s.read + s.compile + s.assemble));
  file.add(family, bodies, "read, ms", 1e3 * s.read);
  file.add(family, bodies, "compile, ms", 1e3 * s.compile);
  file.add(family, bodies, "assemble, ms", 1e3 * s.assemble);
}

// As in a stage of a run: ż from z, γ and checks included.
double time_evaluation(const System& handle) {
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  MechanicalProblem<Spatial> problem(system, {});
  std::vector<double> z(system.topology.layout.size(), 0.0), rate(z.size());
  import_state(system, assemble(handle).bodies, z.data());
  problem.start(z.data(), rate.data());
  // many at once: the clock itself takes longer than a short one
  const int many = std::max(1, 1000 / system.topology.n_rows);
  const auto evaluate = [&] {
    for (int k = 0; k < many; ++k) problem.calc_derivative(0.0, z.data(), rate.data());
  };
  return find_least_cpu(evaluate, 2, 200, 0.3) / many;
}

void measure_evaluations(CostFile& file) {
  for (const PrecisionProblem& problem : make_peer_problems()) {
    file.add(problem.name, static_cast<int>(problem.model.bodies.size()), "evaluation, us",
             1e6 * time_evaluation(compile(problem.model)));
  }
}

// Arm and tree have no file: from the Model on.
void measure_set_ups(int most_links, CostFile& file) {
  for (const char* name : {"pendulum", "quadrangle", "crank"}) {
    const std::string path = std::string("paper/") + name + ".yaml";
    const int bodies = name[0] == 'p' ? 1 : 3;
    add_set_up(name, bodies, time_set_up(path, {}), file);
  }
  add_set_up("governor", 4, time_set_up("gallery/flyball_governor.yaml", {}), file);
  for (const PrecisionProblem& problem : make_peer_problems()) {
    if (problem.name != "arm" && problem.name != "tree of 30") continue;
    const double seconds = find_least_cpu([&] { assemble(compile(problem.model)); }, 2, 50, 0.3);
    file.add(problem.name, static_cast<int>(problem.model.bodies.size()), "set-up, ms",
             1e3 * seconds);
  }
  for (int links = 10; links <= most_links; links *= 10) {
    const SetUp seconds = time_set_up("gallery/chain.yaml", {{"links", links}});
    add_set_up("chain", links, seconds, file);
    fmt::print(stderr, "costs: chain of {}\n", links);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: costs OUT.csv [MOST_LINKS]\n");
    return 3;
  }
  const FlushedSubnormals flushed;  // as in a run
  CostFile file(argv[1]);
  measure_evaluations(file);
  measure_set_ups(argc > 2 ? std::atoi(argv[2]) : 100'000, file);
  return 0;
}
