// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "precision_problems.hpp"

#include <utility>

#include "one_coordinate.hpp"
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

std::vector<PrecisionProblem> make_paper_problems() {
  return {make_problem("pendulum", "paper/pendulum.yaml"),
          make_problem("quadrangle", "paper/quadrangle.yaml"),
          make_problem("crank", "paper/crank.yaml")};
}

std::vector<PrecisionProblem> make_precision_problems() {
  std::vector<PrecisionProblem> problems = make_paper_problems();
  PrecisionProblem andrews = make_problem("Andrews", "gallery/andrews.yaml");
  // 0.03 s in all: the frequencies are hundreds of times higher
  andrews.points = andrews.reference_interval = 1e-4;
  problems.push_back(std::move(andrews));
  PrecisionProblem top = make_problem("heavy top", "gallery/heavy_top.yaml");
  top.reference_interval = top.points;
  problems.push_back(std::move(top));
  for (const auto& [loops, starts] : {std::pair{2, 20}, {10, 3}, {40, 1}}) {
    PrecisionProblem bars = make_problem("four-bar N=" + std::to_string(loops),
                                         "gallery/n_four_bar.yaml", {{"loops", loops}});
    bars.reference_interval = bars.points;
    bars.most_starts = starts;
    bars.finest = 1e-9;  // singular positions are passed to some 1e-9 m only
    problems.push_back(std::move(bars));
  }
  return problems;
}

PrecisionStart make_start(const PrecisionProblem& problem, int index) {
  Model model = study::perturb(problem.model, static_cast<std::uint32_t>(index));
  System system = compile(model);
  AssembledStart start = assemble(system);
  ReferenceMotion reference =
      has_one_coordinate(problem.name)
          ? make_exact_reference(problem.name, model, start.bodies)
          : make_own_reference(system, model.simulation.t_end, problem.reference_interval);
  return {index, std::move(model), std::move(system), std::move(start.bodies),
          std::move(reference)};
}

}  // namespace trammel::bench
