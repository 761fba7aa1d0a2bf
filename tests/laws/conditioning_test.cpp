// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Accelerations and joint forces are right to the last digits where the Schur complement is ill-conditioned,
// long chains and unlike masses, because they are refined (docs/studies/conditioning.md). References: weights below
// for hanging chains, else the articulated-body recursion in quadruple precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <trammel/trammel.hpp>

#include "../../bench/conditioning_chains.hpp"
#include "../../bench/conditioning_model.hpp"

using namespace trammel;
using namespace trammel::bench;

namespace {

__extension__ using Quadruple = __float128;

// By the public function; angular accelerations to the world, the multipliers of C are −force.
ChainAccelerations<double> calc_by_library(const Chain& chain) {
  const std::vector<BodyState> state = make_chain_state(chain);
  const Accelerations found = calc_accelerations(compile(make_chain_model(chain)), state);
  ChainAccelerations<double> result;
  const std::size_t rows = chain.revolute ? 5 : 3;
  for (std::size_t k = 0; k < chain.rods.size(); ++k) {
    const M3<double> R = make_rod_motion<double>(chain.rods[k]).R;
    const double* lambda = found.multipliers.data() + rows * k;
    result.linear.push_back(found.linear[k]);
    result.angular.push_back(times(R, V3<double>(found.angular[k])));
    result.force.push_back({-lambda[0], -lambda[1], -lambda[2]});
  }
  return result;
}

// Gravity is along +x: the joint pulls up with the weight of its rod and all below.
ChainAccelerations<double> make_hanging(const Chain& chain) {
  ChainAccelerations<double> exact;
  exact.linear.resize(chain.rods.size());
  exact.angular = exact.force = exact.linear;
  long double weight = 0.0L;
  for (std::size_t k = chain.rods.size(); k-- > 0;) {
    weight += static_cast<long double>(chain.rods[k].mass) * chain.gravity[0];
    exact.force[k] = {static_cast<double>(-weight), 0, 0};
  }
  return exact;
}

struct Masses {
  ChainMasses masses;
  double ratio;
};

}  // namespace

TEST_CASE("hanging chains of 10,000 with unlike masses keep their digits") {
  for (const Masses& of :
       {Masses{ChainMasses::equal, 1.0}, Masses{ChainMasses::heavy_then_light, 1e6},
        Masses{ChainMasses::light_then_heavy, 1e6}, Masses{ChainMasses::heavy_end, 1e6},
        Masses{ChainMasses::alternating, 1e4}}) {
    CAPTURE(to_word(of.masses));
    const Chain chain =
        make_conditioned_chain(false, ChainPose::hanging, of.masses, 10'000, of.ratio);
    const ChainErrors errors = calc_errors(calc_by_library(chain), make_hanging(chain));
    CHECK(errors.acceleration <= 1e-15);
    CHECK(errors.force <= 2e-15);
  }
}

TEST_CASE("recorded reactions of a hanging chain with unlike masses keep their digits") {
  const Chain chain =
      make_conditioned_chain(false, ChainPose::hanging, ChainMasses::alternating, 1'000, 1e4);
  Model model = make_chain_model(chain);
  const std::vector<BodyState> state = make_chain_state(chain);
  for (std::size_t k = 0; k < state.size(); ++k) model.bodies[k].position = state[k].position;
  SimulationOptions options;
  options.t_end = options.output_interval = 0.01;
  const Results results = simulate(compile(model), options);
  const ChainAccelerations<double> exact = make_hanging(chain);
  const double largest = std::abs(exact.force[0][0]);
  REQUIRE(results.time.size() == 2);
  for (std::size_t row = 0; row < 2; ++row) {
    double error = 0.0;
    for (std::size_t k = 0; k < chain.rods.size(); ++k) {
      const double found = results.reaction_force[3 * (row * chain.rods.size() + k)];
      error = std::max(error, std::abs(found - exact.force[k][0]));
    }
    CHECK(error <= 2e-15 * largest);
  }
}

TEST_CASE("chains in random poses, with velocities and unlike masses, keep their digits") {
  for (const bool revolute : {false, true}) {
    for (const Masses& of :
         {Masses{ChainMasses::equal, 1.0}, Masses{ChainMasses::light_then_heavy, 1e6},
          Masses{ChainMasses::heavy_then_light, 1e6}, Masses{ChainMasses::alternating, 1e6},
          Masses{ChainMasses::heavy_end, 1e6}}) {
      CAPTURE(revolute);
      CAPTURE(to_word(of.masses));
      const Chain chain =
          make_conditioned_chain(revolute, ChainPose::random, of.masses, 500, of.ratio);
      const ChainErrors errors =
          calc_errors(calc_by_library(chain), calc_by_recursion<Quadruple>(chain));
      // a light rod between heavy ones spins about its axis by the rounding of their forces
      const bool spins = !revolute && of.masses == ChainMasses::alternating;
      CHECK(errors.acceleration <= (spins ? 3e-9 : 2e-14));
      CHECK(errors.force <= 5e-14);
    }
  }
}

TEST_CASE("the recursion agrees with dense equations") {
  for (const bool revolute : {false, true}) {
    for (const ChainPose pose : {ChainPose::stretched, ChainPose::random}) {
      const Chain chain = make_conditioned_chain(revolute, pose, ChainMasses::alternating, 5, 1e3);
      const ChainErrors errors = calc_errors(calc_by_dense_equations<Quadruple>(chain),
                                             calc_by_recursion<Quadruple>(chain));
      CHECK(errors.acceleration <= 1e-24);
      CHECK(errors.force <= 1e-24);
    }
  }
}
