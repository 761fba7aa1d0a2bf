// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Every block of every element of the models against differences in long double, at random states on and off
// the joints; and the loads of all elements together against the loops.
#include "generate/element_blocks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/kernel.hpp"
#include "math/tape_values.hpp"
#include "support/central_difference.hpp"
#include "support/random_model.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// Moves the inputs of an element in direction d of one of its bodies, by h: (δr, φ), then (δv, δΩ).
template <class Space>
void move(std::vector<long double>& inputs, int slot, int d, bool of_position, long double h) {
  constexpr int dimension = Space::dimension;
  long double* pose = &inputs[ElementBlocks<Space>::pose_size * slot];
  long double* R = pose + dimension;
  if (!of_position) {
    pose[dimension + ElementBlocks<Space>::n_rotation + d] += h;
  } else if (d < dimension) {
    pose[d] += h;
  } else if constexpr (dimension == 2) {  // (cos, sin) of β + h
    const long double c = R[0], s = R[1];
    R[0] = c * std::cos(h) - s * std::sin(h);
    R[1] = s * std::cos(h) + c * std::sin(h);
  } else {  // R·(turn about axis k)
    const int k = d - dimension, i = (k + 1) % 3, j = (k + 2) % 3;
    for (int row = 0; row < 3; ++row) {
      const long double a = R[3 * row + i], b = R[3 * row + j];
      R[3 * row + i] = a * std::cos(h) + b * std::sin(h);
      R[3 * row + j] = b * std::cos(h) - a * std::sin(h);
    }
  }
}

// How far blocks are from differences, relative to the largest entry of each kind of block.
template <class Space>
double find_error(ElementBlocks<Space>& all, int element, const Workspace<double, Space>& ws) {
  const Tape& tape = all.load_tape(element);
  const std::vector<double> gathered = all.gather_inputs(element, ws);
  const std::vector<double> values = all.numbers_of(element);
  const typename ElementBlocks<Space>::Blocks blocks = all.calc(element, ws);
  const bool calls = !tape.functions.empty();  // have the digits of a double: larger steps
  const auto calc_load = [&](const std::vector<long double>& inputs,
                             const std::vector<long double>& numbers) {
    const auto at = calc_values<long double>(tape, [&](int array, int offset) {
      return array == ElementBlocks<Space>::inputs ? inputs[offset] : numbers[offset];
    });
    std::vector<long double> load;
    for (const Tape::Output& output : tape.outputs) load.push_back(at[output.node]);
    return load;
  };
  const std::vector<long double> inputs0(gathered.begin(), gathered.end());
  const std::vector<long double> numbers0(values.begin(), values.end());
  double worst = 0.0;
  // block: [size × n] by rows; change(h, column): inputs and numbers moved
  const auto compare = [&](const double* block, int n, long double h0, auto&& change) {
    double largest = 0.0, error = 0.0;
    for (int column = 0; column < n; ++column) {
      const long double h = h0 * change(column, 0.0L, nullptr, nullptr);
      std::vector<long double> slope(blocks.size, 0.0L);
      for (int step = 1; step <= 4; ++step) {
        for (const int sign : {1, -1}) {
          std::vector<long double> inputs = inputs0, numbers = numbers0;
          change(column, sign * step * h, &inputs, &numbers);
          const std::vector<long double> load = calc_load(inputs, numbers);
          for (int row = 0; row < blocks.size; ++row) {
            slope[row] += sign * test::central_weights[step - 1] * load[row] / h;
          }
        }
      }
      for (int row = 0; row < blocks.size; ++row) {
        const double exact = static_cast<double>(slope[row]);
        largest = std::max(largest, std::abs(exact));
        error = std::max(error, std::abs(block[row * n + column] - exact));
      }
    }
    // what is as small as the load's own rounding is 0
    double load = 0.0;
    for (int row = 0; row < blocks.size; ++row) load = std::max(load, std::abs(blocks.load[row]));
    if (error > 0.0) worst = std::max(worst, error / std::max(largest, load));
  };
  for (const bool of_position : {true, false}) {
    compare(of_position ? blocks.by_position : blocks.by_velocity, blocks.size,
            calls ? 1e-3L : 1e-4L,
            [&](int column, long double h, std::vector<long double>* inputs, void*) {
              const int slot = column / Space::n_u, d = column % Space::n_u;
              if (inputs != nullptr) move<Space>(*inputs, slot, d, of_position, h);
              return 1.0L;
            });
  }
  compare(blocks.by_parameter, static_cast<int>(blocks.numbers.size()), calls ? 1e-3L : 1e-4L,
          [&](int column, long double h, void*, std::vector<long double>* numbers) {
            if (numbers != nullptr) (*numbers)[column] += h;
            return std::max(1.0L, std::abs(numbers0[column]));
          });
  return worst;
}

template <class Space>
void set_state(const SystemIn<Space>& system, const std::vector<double>& z,
               Workspace<double, Space>& ws) {
  calc_positions(system.topology, z.data(), ws);
  calc_velocities(system.topology, z.data(), ws);
}

template <class Space>
std::vector<double> make_state(const SystemIn<Space>& system, test::Random& random, bool off) {
  std::vector<double> z = system.initial;
  const StateLayout& layout = system.topology.layout;
  for (int k = 0; k < layout.work(0); ++k) {
    const bool of_position = k < layout.u(0);
    if (!of_position || off) z[k] += random.uniform(-1, 1) * (of_position ? 0.05 : 1.0);
  }
  return z;
}

template <class Space>
int check_blocks(const SystemIn<Space>& system) {
  Workspace<double, Space> ws(system.topology);
  test::Random random(3);
  ElementBlocks<Space> blocks(system, true), folded(system);
  REQUIRE(blocks.size() == folded.size());
  CHECK(folded.n_codes() <= folded.size());
  for (const bool off : {false, true}) {
    set_state(system, make_state(system, random, off), ws);
    for (double& lambda : ws.lambda) lambda = random.uniform(-10, 10);
    for (int e = 0; e < blocks.size(); ++e) {
      CAPTURE(e);
      CAPTURE(off);
      const double tolerance = blocks.load_tape(e).functions.empty() ? 1e-12 : 1e-8;
      CHECK(find_error(blocks, e, ws) < tolerance);
      // with numbers folded away the same
      const auto a = blocks.calc(e, ws);
      const auto b = folded.calc(e, ws);
      REQUIRE(a.size == b.size);
      CHECK(a.is_smooth);
      double largest = 0.0, error = 0.0;
      for (int k = 0; k < a.size * a.size; ++k) {
        largest = std::max({largest, std::abs(a.by_position[k]), std::abs(a.by_velocity[k])});
        error = std::max({error, std::abs(a.by_position[k] - b.by_position[k]),
                          std::abs(a.by_velocity[k] - b.by_velocity[k])});
      }
      CHECK(error <= 1e-13 * largest);
    }
  }
  return blocks.size();
}

// Loads of all forces are those of the loops, of all rows Jᵀλ.
template <class Space>
void check_loads(const SystemIn<Space>& system) {
  const Topology& topology = system.topology;
  Workspace<double, Space> ws(topology);
  test::Random random(5);
  ElementBlocks<Space> blocks(system);
  set_state(system, make_state(system, random, true), ws);
  for (double& lambda : ws.lambda) lambda = random.uniform(-10, 10);
  calc_forces(topology, system.parameters, ws);
  calc_rows(topology, system.parameters, ws);
  std::vector<Twist<double, Space>> by_rows(topology.n_bodies + 1);
  kernel<double, Space>().calc_mass_step(ws.arrays, system.parameters.arrays(), ws.lambda.data(),
                                         by_rows.data(), {0, topology.n_bodies});
  const int n = Space::n_u * topology.n_bodies;
  std::vector<double> forces(n, 0.0), rows(n, 0.0), forces_by_loops(n), rows_by_loops(n);
  for (int e = 0; e < blocks.size(); ++e) {
    const auto of = blocks.calc(e, ws);
    std::vector<double>& sum = e < blocks.n_forces() ? forces : rows;
    for (std::size_t slot = 0; slot < of.bodies.size(); ++slot) {
      for (int k = 0; k < Space::n_u; ++k) {
        sum[Space::n_u * of.bodies[slot] + k] += of.load[Space::n_u * slot + k];
      }
    }
  }
  double largest = 0.0, error = 0.0;
  for (int b = 0; b < topology.n_bodies; ++b) {
    double* force = &forces_by_loops[Space::n_u * b];
    ws.force_W[b].store(force);
    ws.torque_B[b].store(force + Space::dimension);
    double* row = &rows_by_loops[Space::n_u * b];
    by_rows[b].linear.store(row);
    by_rows[b].angular.store(row + Space::dimension);
    const BodyParameters<double, Space>& body = system.parameters.bodies[b];
    double inertia[3];
    body.inverse_inertia.store(inertia);
    for (int k = 0; k < Space::n_u; ++k) {
      const double inverse =
          k < Space::dimension ? body.inverse_mass : inertia[k - Space::dimension];
      rows[Space::n_u * b + k] *= inverse;
    }
  }
  for (int k = 0; k < n; ++k) {
    largest = std::max({largest, std::abs(forces_by_loops[k]), std::abs(rows_by_loops[k])});
    error = std::max(
        {error, std::abs(forces[k] - forces_by_loops[k]), std::abs(rows[k] - rows_by_loops[k])});
  }
  CHECK(error <= 1e-12 * largest);
}

}  // namespace

TEST_CASE("blocks of every element are those of differences, and loads those of the loops") {
  int models = 0, elements = 0;
  for (const char* folder :
       {"examples/forces", "examples/joints", "examples/drivers", "paper", "planar", "gallery"}) {
    const std::filesystem::path path = std::filesystem::path(TRAMMEL_MODELS_DIR) / folder;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() != ".yaml") continue;
      CAPTURE(entry.path().string());
      const System system = compile(read_model(entry.path().string()));
      if (system.data().topology.n_curves > 0 || system.data().topology.n_bodies > 30) continue;
      visit_space(system.data(), [&](const auto& of) {
        elements += check_blocks(of);
        check_loads(of);
      });
      ++models;
    }
  }
  CHECK(models >= 40);
  CHECK(elements >= 150);
}

TEST_CASE("elements of a kind share a code; curves are refused") {
  const System chain = compile(
      read_model(std::string(TRAMMEL_MODELS_DIR) + "/gallery/chain.yaml", {{"links", 50.0}}));
  const ElementBlocks<Spatial> blocks(as_spatial(chain.data()));
  CHECK(blocks.size() == 50);
  CHECK(blocks.n_codes() == 2);  // one with the ground
  const System cam = compile(read_model(std::string(TRAMMEL_MODELS_DIR) + "/gallery/cam.yaml"));
  visit_space(cam.data(), [](const auto& of) {
    using Space = std::conditional_t<std::is_same_v<std::decay_t<decltype(of)>, SystemIn<Planar>>,
                                     Planar, Spatial>;
    CHECK_THROWS_AS(ElementBlocks<Space>{of}, NotDifferentiable);
  });
}

TEST_CASE("aerodynamic drag has the derivative 0 in still air") {
  const auto make = [](const char* velocity) {
    return compile(read_model_text(
        std::string("trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 2, 3], velocity: ") + velocity +
            ", angular_velocity: [1, 2, 3]}}\n"
            "forces: {air: {kind: aerodynamic_drag, body: b, drag_coefficient: 0.9, area: 2, "
            "density: 1, wind: [1, 2, 3]}}\n",
        "air"));
  };
  const auto find_largest = [](const System& system, double& load) {
    const SystemIn<Spatial>& of = as_spatial(system.data());
    Workspace<double, Spatial> ws(of.topology);
    set_state(of, of.initial, ws);
    ElementBlocks<Spatial> blocks(of);
    const auto at = blocks.calc(0, ws);
    load = 0.0;
    for (int k = 0; k < at.size; ++k) load = std::max(load, std::abs(at.load[k]));
    double largest = 0.0;
    for (int k = 0; k < at.size * at.size; ++k) {
      CHECK(std::isfinite(at.by_velocity[k]));
      largest = std::max({largest, std::abs(at.by_position[k]), std::abs(at.by_velocity[k])});
    }
    return largest;
  };
  double load;
  CHECK(find_largest(make("[1, 2, 3]"), load) == 0.0);  // with the wind
  CHECK(load == 0.0);
  // against it by 1e-3 m/s along x: F = −k w², ∂F/∂w = −2 k w, k = 0.9
  CHECK(find_largest(make("[1.001, 2, 3]"), load) == doctest::Approx(2 * 0.9 * 1e-3).epsilon(1e-9));
  CHECK(load == doctest::Approx(0.9e-6).epsilon(1e-9));
}
