// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "precision_problems.hpp"

#include <utility>

#include "four_bar_reference.hpp"
#include "one_coordinate.hpp"
#include "open_models.hpp"
#include "study_problems.hpp"

namespace trammel::bench {

namespace {

PrecisionProblem make_problem(const std::string& name, const std::string& file,
                              const ParameterOverrides& overrides = {}) {
  PrecisionProblem problem;
  problem.name = name;
  problem.model = read_model(std::string(TRAMMEL_MODELS_DIR) + "/" + file, overrides);
  return problem;
}

}  // namespace

std::vector<PrecisionProblem> make_peer_problems() {
  std::vector<PrecisionProblem> problems = {make_problem("pendulum", "paper/pendulum.yaml"),
                                            make_problem("quadrangle", "paper/quadrangle.yaml"),
                                            make_problem("crank", "paper/crank.yaml")};
  PrecisionProblem arm, tree;
  arm.name = "arm";
  arm.model = make_arm();
  problems.push_back(std::move(arm));
  tree.name = "tree of 30";
  tree.model = make_hinge_tree();
  problems.push_back(std::move(tree));
  for (PrecisionProblem& problem : problems) problem.reactions = true;
  PrecisionProblem governor = make_problem("governor", "gallery/flyball_governor.yaml");
  governor.energy = false;  // dampers
  governor.most_starts = 5;
  governor.reference_interval = 5e-5;  // the springs settle within 1e-4 s
  governor.finest = 1e-8;              // enough for the finest error that is asked for
  problems.push_back(std::move(governor));
  return problems;
}

std::vector<PrecisionProblem> make_precision_problems() {
  std::vector<PrecisionProblem> problems = make_peer_problems();
  PrecisionProblem andrews = make_problem("Andrews", "gallery/andrews.yaml");
  // 0.03 s in all: the frequencies are hundreds of times higher
  andrews.points = andrews.reference_interval = 1e-4;
  problems.push_back(std::move(andrews));
  PrecisionProblem top = make_problem("heavy top", "gallery/heavy_top.yaml");
  top.reference_interval = top.points;
  problems.push_back(std::move(top));
  struct Bars {
    int loops, starts;
    double finest;  // singular positions are passed to some 1e-9 m only
  };
  // Larger ones with fewer starts and tolerances, so that the whole stays a matter of minutes.
  for (const auto& [loops, starts, finest] :
       {Bars{2, 20, 1e-9}, {10, 3, 1e-9}, {40, 1, 1e-9}, {160, 1, 1e-7}, {640, 1, 1e-6}}) {
    PrecisionProblem bars = make_problem("four-bar N=" + std::to_string(loops),
                                         "gallery/n_four_bar.yaml", {{"loops", loops}});
    bars.reference_interval = bars.points;
    bars.most_starts = starts;
    bars.finest = finest;
    problems.push_back(std::move(bars));
  }
  return problems;
}

PrecisionStart make_start(const PrecisionProblem& problem, int index) {
  Model model = study::perturb(problem.model, static_cast<std::uint32_t>(index));
  System system = compile(model);
  AssembledStart start = assemble(system);
  ReferenceMotion reference =
      has_one_coordinate(problem.name) ? make_exact_reference(problem.name, model, start.bodies)
      : problem.name.rfind("four-bar", 0) == 0
          ? make_four_bar_reference(model, start.bodies, problem.reference_interval)
          : make_own_reference(system, model.simulation.t_end, problem.reference_interval);
  return {index, std::move(model), std::move(system), std::move(start.bodies),
          std::move(reference)};
}

}  // namespace trammel::bench
