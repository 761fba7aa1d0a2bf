// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The accelerations of the chains of conditioning.cpp as Simbody calculates them, in joint
// coordinates, against the same reference. Prints a table of docs/studies/conditioning.md.
//
// usage: simbody_conditioning [MOST_BODIES]
#include <Simbody.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "conditioning_chains.hpp"

using namespace trammel::bench;
using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::Vec3;

namespace {

__extension__ using Quadruple = __float128;

// Pin turns about z of its frames; the hinges of odd rods are about their y.
SimTK::Rotation make_hinge_frame(std::size_t rod) {
  return hinge_axis(rod) == 2 ? SimTK::Rotation() : SimTK::Rotation(-SimTK::Pi / 2, SimTK::XAxis);
}

ChainErrors calc_simbody_errors(const Chain& chain) {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  matter.setShowDefaultGeometry(false);
  SimTK::Force::UniformGravity(forces, matter,
                               Vec3(chain.gravity[0], chain.gravity[1], chain.gravity[2]));
  std::vector<MobilizedBody> bodies;
  MobilizedBody last = matter.Ground();
  for (std::size_t k = 0; k < chain.rods.size(); ++k) {
    const ChainRod& rod = chain.rods[k];
    const SimTK::Body::Rigid body(SimTK::MassProperties(
        rod.mass, Vec3(0), SimTK::Inertia(rod.inertia[0], rod.inertia[1], rod.inertia[2])));
    const Vec3 inboard(k == 0 ? 0.0 : 0.5, 0, 0), outboard(-0.5, 0, 0);
    if (chain.revolute) {
      const SimTK::Rotation frame = make_hinge_frame(k);
      last = MobilizedBody::Pin(last, Transform(frame, inboard), body, Transform(frame, outboard));
    } else {
      last = MobilizedBody::Ball(last, Transform(inboard), body, Transform(outboard));
    }
    bodies.push_back(last);
  }
  SimTK::State state = system.realizeTopology();
  system.realizeModel(state);
  // relative attitudes and angular velocities of a rod to the one before, as doubles
  M3<long double> R_before{V3<long double>{1, 0, 0}, V3<long double>{0, 1, 0},
                           V3<long double>{0, 0, 1}};
  V3<long double> omega_before{};
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const RodMotion<long double> at = make_rod_motion<long double>(chain.rods[k]);
    const M3<long double> relative = times(transposed(R_before), at.R);
    SimTK::Mat33 R;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) R(i, j) = static_cast<double>(relative[i][j]);
    }
    const V3<long double> turning = times(transposed(R_before), at.omega - omega_before);
    const SimTK::Rotation frame = chain.revolute ? make_hinge_frame(k) : SimTK::Rotation();
    bodies[k].setQToFitRotation(state, ~frame * SimTK::Rotation(R) * frame);
    bodies[k].setUToFitAngularVelocity(
        state, ~frame * Vec3(static_cast<double>(turning[0]), static_cast<double>(turning[1]),
                             static_cast<double>(turning[2])));
    R_before = at.R;
    omega_before = at.omega;
  }
  system.realize(state, SimTK::Stage::Acceleration);
  SimTK::Vector_<SimTK::SpatialVec> reactions;
  matter.calcMobilizerReactionForces(state, reactions);
  ChainAccelerations<double> found;
  for (const MobilizedBody& body : bodies) {
    const SimTK::SpatialVec& a = body.getBodyAcceleration(state);
    const Vec3& F = reactions[body.getMobilizedBodyIndex()][1];
    found.angular.push_back({a[0][0], a[0][1], a[0][2]});
    found.linear.push_back({a[1][0], a[1][1], a[1][2]});
    found.force.push_back({F[0], F[1], F[2]});
  }
  return calc_errors(found, calc_by_recursion<Quadruple>(chain));
}

void print_case(bool revolute, ChainPose pose, ChainMasses masses, int bodies, double ratio) {
  const Chain chain = make_conditioned_chain(revolute, pose, masses, bodies, ratio);
  std::printf("| %s | %s | %s | %d | %.0e | ", revolute ? "revolute" : "spherical", to_word(pose),
              to_word(masses), bodies, ratio);
  try {
    const ChainErrors errors = calc_simbody_errors(chain);
    std::printf("%.0e | %.0e |\n", errors.acceleration, errors.force);
  } catch (const std::exception& error) {
    std::printf("gives up: %.60s | |\n", error.what());
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : 10'000;
  std::printf(
      "\n## Simbody\n\n| joints | pose | masses | bodies | ratio | u̇ | force |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const bool revolute : {false, true}) {
    for (const ChainPose pose : {ChainPose::hanging, ChainPose::stretched, ChainPose::random}) {
      for (int n = 10; n <= most; n *= 10) {
        print_case(revolute, pose, ChainMasses::equal, n, 1.0);
      }
      for (const ChainMasses masses : {ChainMasses::light_then_heavy, ChainMasses::heavy_then_light,
                                       ChainMasses::alternating, ChainMasses::heavy_end}) {
        for (const double ratio : {1e2, 1e4, 1e6, 1e8}) {
          print_case(revolute, pose, masses, std::min(most, 100), ratio);
        }
      }
    }
  }
  return 0;
}
