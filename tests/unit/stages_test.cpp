// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Stages of an evaluation that are missing or stale are assertions, in builds that have them.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include <trammel/trammel.hpp>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "support/reference.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

using namespace trammel;

namespace {

// Whether a child process that does this ends by an assertion.
bool aborts(const std::function<void()>& act) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    fclose(stderr);
    act();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

#ifdef NDEBUG
constexpr bool has_assertions = false;
#else
constexpr bool has_assertions = true;
#endif

}  // namespace

TEST_CASE("a stage that is missing or stale is an assertion where these are on") {
  const System handle = compile(test::read_repository_model("paper/quadrangle.yaml"));
  const auto& system = static_cast<const SystemIn<Spatial>&>(handle.data());
  const Topology& topology = system.topology;
  const std::vector<double>& z = system.initial;
  Workspace<double, Spatial> ws(topology);
  const auto calc_all = [&] {
    calc_positions(topology, z.data(), ws);
    calc_velocities(topology, z.data(), ws);
    calc_rows_and_gamma(topology, system.parameters, ws);
    calc_factor(topology, system.parameters, ws, 0.0);
    calc_distribution(topology, system.parameters, ws);
  };
  CHECK(aborts([&] { calc_velocities(topology, z.data(), ws); }) == has_assertions);
  CHECK_FALSE(aborts(calc_all));
  CHECK(aborts([&] {
          calc_all();
          calc_positions(topology, z.data(), ws);
          calc_velocity_rates(topology, ws, ws.mu.data());
        }) == has_assertions);
  CHECK(aborts([&] {
          calc_all();
          calc_velocities(topology, z.data(), ws);
          calc_distribution(topology, system.parameters, ws);
        }) == has_assertions);
}
