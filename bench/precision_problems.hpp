// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What work–precision curves are measured on: a problem, and a start of it with its reference
// motion. Shared by our own runs and the peers', so that all see the same numbers.
#pragma once

#include <string>
#include <trammel/trammel.hpp>
#include <vector>

#include "reference_motion.hpp"

namespace trammel::bench {

struct PrecisionProblem {
  std::string name;
  Model model;
  double points = 0.01;                // s between the points where the error is taken
  double reference_interval = 2.5e-4;  // s, finer: others are measured at steps of their own
  int most_starts = 20;                // fewer where a run is long
  double finest = 1e-12;               // tolerance
  bool energy = true;                  // the energy can be held
  bool reactions = false;              // also with reactions at every point
};

// What the peers run too: the paper's pendulum, quadrangle and crank; an arm and a tree on hinges,
// which codes in joint coordinates are made for; the stiff flyball governor, IFToMM's A05, made for
// implicit integrators.
std::vector<PrecisionProblem> make_peer_problems();
// Those, Andrews' squeezer, the heavy top and N four-bar linkages.
std::vector<PrecisionProblem> make_precision_problems();

// One of the slightly perturbed starts (study_problems.hpp), assembled; always the same for an
// index.
struct PrecisionStart {
  int index;
  Model model;
  System system;
  std::vector<BodyState> bodies;
  ReferenceMotion reference;  // exact where the problem has one coordinate, else our own at 1e-13
};
PrecisionStart make_start(const PrecisionProblem& problem, int index);

}  // namespace trammel::bench
