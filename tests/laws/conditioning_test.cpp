// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How many digits of accelerations and joint forces are right where the Schur complement is
// ill-conditioned: long chains, unlike masses. The bounds are ten times the errors found by
// `make study-conditioning` (docs/conditioning.md). References: weights below for hanging chains,
// else the articulated-body recursion in quadruple precision.
#include <doctest/doctest.h>

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

struct Bound {
  ChainMasses masses;
  double ratio;
  double acceleration, force;
};

}  // namespace

TEST_CASE("hanging chains of 10,000: digits by mass ratio") {
  for (const Bound& bound : {Bound{ChainMasses::equal, 1.0, 2e-10, 3e-11},
                             Bound{ChainMasses::heavy_then_light, 1e6, 2e-10, 1e-14},
                             Bound{ChainMasses::light_then_heavy, 1e6, 2e-6, 1e-6},
                             Bound{ChainMasses::heavy_end, 1e6, 6e-8, 4e-8},
                             Bound{ChainMasses::alternating, 1e4, 7e-6, 2e-6}}) {
    CAPTURE(to_word(bound.masses));
    const Chain chain =
        make_conditioned_chain(false, ChainPose::hanging, bound.masses, 10'000, bound.ratio);
    const ChainErrors errors = calc_errors(calc_by_library(chain), make_hanging(chain));
    CHECK(errors.acceleration <= bound.acceleration);
    CHECK(errors.force <= bound.force);
  }
}

TEST_CASE("chains in random poses, with velocities: digits by mass ratio") {
  for (const bool revolute : {false, true}) {
    for (const Bound& bound :
         {Bound{ChainMasses::equal, 1.0, 2e-12, 2e-12},
          Bound{ChainMasses::light_then_heavy, 1e6, 2e-12, 2e-12},
          Bound{ChainMasses::heavy_then_light, 1e6, 2e-12, 2e-12},
          Bound{ChainMasses::alternating, 1e6, revolute ? 5e-7 : 1e-9, revolute ? 3e-7 : 3e-9},
          Bound{ChainMasses::heavy_end, 1e6, 2e-12, 2e-12}}) {
      CAPTURE(revolute);
      CAPTURE(to_word(bound.masses));
      const Chain chain =
          make_conditioned_chain(revolute, ChainPose::random, bound.masses, 500, bound.ratio);
      const ChainErrors errors =
          calc_errors(calc_by_library(chain), calc_by_recursion<Quadruple>(chain));
      CHECK(errors.acceleration <= bound.acceleration);
      CHECK(errors.force <= bound.force);
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
