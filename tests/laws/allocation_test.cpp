// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Inside a step nothing is allocated: malloc counts, which Eigen calls too, and the global operator new.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

#include "generate/machine_code.hpp"
#include "integrate/loop.hpp"
#include "integrate/steppers/explicit_rk.hpp"
#include "integrate/steppers/radau.hpp"
#include "manifold/assembly.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/mechanical_problem.hpp"
#include "support/reference.hpp"

namespace {
long allocations = 0;
}

// sanitizers have a malloc of their own
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
#endif

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

using namespace trammel;

namespace {

// Watches steps and asks for an output point in each.
template <class Space>
struct Watcher {
  MechanicalProblem<Space>& problem;
  double next = 0.001;
  int steps = 0, outputs = 0;
  bool on_step(const StepReport& step) {
    steps += step.accepted;
    return true;
  }
  double next_output() const { return next; }
  void on_output(double t, double h, double* z) {
    REQUIRE(problem.finish_output(t, h, z));
    next = t + 0.01;
    ++outputs;
  }
};

template <class Space>
struct Explicit {
  Explicit(const Tableau& tableau, MechanicalProblem<Space>& problem) : stepper(tableau, problem) {}
  ExplicitRungeKutta<MechanicalProblem<Space>> stepper;
};
template <class Space>
struct Implicit {
  explicit Implicit(MechanicalProblem<Space>& of) : problem(of), stepper(problem) {}
  ImplicitProblem<Space> problem;
  Radau<ImplicitProblem<Space>> stepper;
};

// make(problem): a method with its `stepper`
template <class Space, class Make>
void check_run_with(const SystemIn<Space>& system, const SimulationOptions& options,
                    int least_steps, const Make& make) {
  std::vector<double> z = assemble(system).z, rate(z.size());
  MechanicalProblem<Space> problem(system, options);
  REQUIRE(problem.start(z.data(), rate.data()));
  Watcher<Space> watcher{problem};
  // before: code is generated while a run goes, between two steps
  const std::vector<double> start = z;
  for (int k = 0; k < 4; ++k) {
    auto method = make(problem);
    Loop(LoopSettings{}, method.stepper, watcher).run(2.0, z.data(), rate.data());
    z = start;
    REQUIRE(problem.start(z.data(), rate.data()));
    watcher.next = 0.001;
    watcher.steps = watcher.outputs = 0;
  }
  auto method = make(problem);
  Loop loop(LoopSettings{}, method.stepper, watcher);
  const long before = allocations;
  const Stop stop = loop.run(2.0, z.data(), rate.data());
  const long after = allocations;
  CHECK(stop == Stop::finished);
  CHECK(watcher.steps > least_steps);
  CHECK(watcher.outputs > 100);
  CHECK(after - before == 0);
}

template <class Space>
void check_run(const SystemIn<Space>& system, const SimulationOptions& options) {
  check_run_with(system, options, 30, [&](MechanicalProblem<Space>& problem) {
    return Explicit<Space>(options.method == Method::dopri5 ? dopri5() : dop853(), problem);
  });
}

}  // namespace

TEST_CASE("steps, projections, invariants and output points allocate nothing") {
  const auto check = [](const std::string& name, Method method, EnergyCorrection correction) {
    const Model model = test::read_repository_model(name);
    SimulationOptions options = model.simulation;
    options.method = method;
    options.hold_energy = options.hold_linear_momentum = options.hold_angular_momentum = true;
    options.energy_correction = correction;
    const System handle = compile(model);
    visit_space(handle.data(), [&](const auto& system) { check_run(system, options); });
  };
  for (Method method : {Method::dopri5, Method::dop853}) {
    for (EnergyCorrection correction : {EnergyCorrection::scaling, EnergyCorrection::combined,
                                        EnergyCorrection::embedded, EnergyCorrection::relaxation}) {
      check("paper/crank.yaml", method, correction);
      check("gallery/heavy_top.yaml", method, correction);
      check("planar/quadrangle.yaml", method, correction);
      check("gallery/quick_return.yaml", method, correction);
      check("gallery/differential.yaml", method, correction);
    }
  }
  CHECK(allocations > 0);  // the counter counts
}

TEST_CASE("implicit steps allocate nothing") {
  for (const char* name : {"gallery/flyball_governor.yaml", "gallery/n_four_bar.yaml",
                           "planar/quadrangle.yaml", "examples/forces/bushing.yaml"}) {
    CAPTURE(name);
    const Model model = test::read_repository_model(name);
    SimulationOptions options = model.simulation;
    options.hold_energy = false;
    const System handle = compile(model);
    visit_space(handle.data(), [&]<class Space>(const SystemIn<Space>& system) {
      if (!MachineCode::is_possible()) return;  // tapes are executed on vectors there
      check_run_with(system, options, 15,
                     [](MechanicalProblem<Space>& problem) { return Implicit<Space>(problem); });
    });
  }
}

TEST_CASE("invariants of the user allocate nothing") {
  // two that can be held and one that repeats another: least squares
  const auto momentum = [](const std::vector<BodyState>& bodies) {
    return bodies[0].velocity[0] + 2.0 * bodies[0].velocity[1];
  };
  const auto spin = [](const std::vector<BodyState>& bodies) {
    return bodies[0].angular_velocity[2] * bodies[0].angular_velocity[2];
  };
  const Model model = test::read_repository_model("gallery/heavy_top.yaml");
  SimulationOptions options = model.simulation;
  options.hold_energy = false;
  options.user_invariants = {{"spin", spin}, {"momentum", momentum}, {"twice", momentum}};
  const System handle = compile(model);
  visit_space(handle.data(), [&](const auto& system) { check_run(system, options); });
}
