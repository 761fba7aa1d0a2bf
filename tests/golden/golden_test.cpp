// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The same model and options give the same bits, by loops and by generated code, whatever the compiler and
// its optimisation: the build with the address sanitizer, clang++ at -O1, runs this file, too.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <trammel/trammel.hpp>

using namespace trammel;

namespace {

// The paper's crank, data exact in binary or by sqrt only: no function of the C library whose last
// bit may depend on the processor takes part.
Model make_crank() {
  Model model;
  model.gravity = {0, -9.81, 0};
  const auto body = [&](const char* name, double mass, Vec3 inertia, Vec3 position) {
    Body b;
    b.name = name;
    b.mass = mass;
    b.inertia = Mat3{{{inertia[0], 0, 0}, {0, inertia[1], 0}, {0, 0, inertia[2]}}};
    b.position = position;
    model.bodies.push_back(b);
  };
  body("crank", 19.50, {0.02, 0.41, 0.42}, {0, 0, -0.25});
  body("rod", 70.29, {0.07, 18.99, 19.04}, {0.9, 0, -0.5});
  body("slider", 7.81, {0.01, 0.01, 0.01}, {1.8, 0, -0.5});
  const double half = 0.70710678118654752440;
  model.bodies[0].orientation = {half, 0, half, 0};
  const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  model.joints = {{"pin", JointKind::spherical, "crank", "rod",
                   LocalPlacement{{0.25, 0, 0}, {-0.9, 0, 0}, {}, {}, {}, {}}},
                  {"guide", JointKind::translational, "ground", "slider",
                   LocalPlacement{{0, 0, 0}, {-1.8, 0, 0.5}, y, z, x, z}},
                  {"cross", JointKind::universal, "rod", "slider",
                   LocalPlacement{{0.9, 0, 0}, {0, 0, 0}, y, {}, z, {}}},
                  {"shaft", JointKind::revolute, "crank", "ground",
                   LocalPlacement{{-0.25, 0, 0}, {0, 0, 0}, y, x, x, {}}}};
  model.forces = {{"motor", Torque{"crank", Frame::body, {0, 0, -50}}}};
  model.simulation.hold_energy = true;
  model.simulation.t_end = 4.0;
  return model;
}

// A planar crank, rod and slider that all start without a turn, a spring and a distance joint.
Model make_planar_crank() {
  Model model;
  model.dimension = 2;
  model.gravity = {0, -9.81, 0};
  const auto body = [&](const char* name, double mass, double inertia, Vec3 position) {
    Body b;
    b.name = name;
    b.mass = mass;
    b.inertia = Mat3{{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}};
    b.position = position;
    model.bodies.push_back(b);
  };
  body("crank", 2.0, 0.25, {0.25, 0, 0});
  body("rod", 3.0, 0.5, {1.0, 0, 0});
  body("slider", 1.0, 0.125, {1.5, 0, 0});
  body("bob", 0.5, 0.0625, {1.5, -0.75, 0});
  model.joints = {
      {"shaft", JointKind::revolute, "ground", "crank", WorldPlacement{{0, 0, 0}, {}, {}}},
      {"pin", JointKind::revolute, "crank", "rod", WorldPlacement{{0.5, 0, 0}, {}, {}}},
      {"wrist", JointKind::revolute, "rod", "slider", WorldPlacement{{1.5, 0, 0}, {}, {}}},
      {"guide", JointKind::point_on_line, "ground", "slider",
       WorldPlacement{{1.5, 0, 0}, Vec3{1, 0, 0}, {}}},
      {"rope", JointKind::distance, "slider", "bob", LocalPlacement{}}};
  model.forces = {{"motor", Torque{"crank", Frame::body, {0, 0, 5}}}};
  model.simulation.hold_energy = true;
  model.simulation.t_end = 2.0;
  return model;
}

// FNV-1a over the bits of a column.
std::uint64_t add_to_hash(std::uint64_t hash, const std::vector<double>& column) {
  for (double x : column) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    for (int k = 0; k < 8; ++k) {
      hash = (hash ^ ((bits >> (8 * k)) & 0xff)) * 0x100000001b3u;
    }
  }
  return hash;
}

std::uint64_t hash_of_run(Model model, Method method, KernelChoice kernel) {
  model.simulation.method = method;
  model.simulation.kernel = kernel;
  const Results results = simulate(compile(model), model.simulation);
  std::uint64_t hash = 0xcbf29ce484222325u;
  hash = add_to_hash(hash, results.position);
  hash = add_to_hash(hash, results.orientation);
  hash = add_to_hash(hash, results.reaction_force);
  return add_to_hash(hash, results.balance_error);
}

}  // namespace

// A change of these numbers is a change of the numerics: name it in CHANGELOG.md.
TEST_CASE("a run gives the same bits twice, and those of the last version") {
  const Model model = make_crank();
  for (const KernelChoice kernel : {KernelChoice::automatic, KernelChoice::loops}) {
    CHECK(hash_of_run(model, Method::dop853, kernel) == hash_of_run(model, Method::dop853, kernel));
    CHECK(hash_of_run(model, Method::dop853, kernel) == 8958392809751895025u);
    CHECK(hash_of_run(model, Method::dopri5, kernel) == 10110109654891940770u);
  }
}

TEST_CASE("a planar run gives the same bits too") {
  const Model model = make_planar_crank();
  for (const KernelChoice kernel : {KernelChoice::automatic, KernelChoice::loops}) {
    CHECK(hash_of_run(model, Method::dop853, kernel) == 8336241085706505602u);
    CHECK(hash_of_run(model, Method::dopri5, kernel) == 15971294454186003758u);
  }
}
