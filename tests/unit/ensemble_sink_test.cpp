// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Ensembles with callbacks: results go to a sink as members finish, progress is reported, and a stop ends what
// runs and starts nothing more.
#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <trammel/ensemble.hpp>

using namespace trammel;

namespace {

const std::string models = TRAMMEL_MODELS_DIR;

struct Members {
  std::vector<System> systems;
  SimulationOptions options;
};

// Pendulums of different mass and spin; short runs with a few rows.
Members make_members(int n, int n_different, double t_end) {
  Members members;
  Model model = read_model(models + "/paper/pendulum.yaml");
  members.options = model.simulation;
  members.options.t_end = t_end;
  members.options.output_interval = t_end / 4;
  std::vector<System> different;
  for (int k = 0; k < n_different; ++k) {
    model.bodies[0].angular_velocity[2] += 0.01;
    different.push_back(compile(model));
  }
  for (int k = 0; k < n; ++k) members.systems.push_back(different[k % n_different]);
  return members;
}

bool have_same_bits(const Results& a, const Results& b) {
  return a.time == b.time && a.position == b.position && a.velocity == b.velocity &&
         a.reaction_force == b.reaction_force && a.balance_error == b.balance_error;
}

std::size_t bytes_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

TEST_CASE("a sink gets each member once, with the bits of the list") {
  Members members = make_members(30, 30, 0.3);
  for (const KernelChoice kernel : {KernelChoice::automatic, KernelChoice::loops}) {
    for (const int threads : {1, 2}) {
      CAPTURE(threads);
      members.options.kernel = kernel;
      members.options.threads = threads;
      const std::vector<Results> list = simulate_ensemble(members.systems, members.options);
      std::set<std::size_t> seen;
      std::size_t last = 0;
      EnsembleCallbacks callbacks;
      callbacks.sink = [&](std::size_t k, Results&& results) {
        CHECK(seen.insert(k).second);
        CHECK(have_same_bits(results, list[k]));
        CHECK(results.options.kernel == kernel);
        CHECK(results.options.threads == threads);
      };
      callbacks.progress = [&](const EnsembleProgress& progress) {
        CHECK(progress.finished >= last);
        CHECK(progress.members == 30);
        last = progress.finished;
        return true;
      };
      CHECK(simulate_ensemble(members.systems, members.options, callbacks).empty());
      CHECK(seen.size() == 30);
      CHECK(last == 30);
    }
  }
}

TEST_CASE("20,000 members with a sink take no more memory than a few") {
  const Members members = make_members(20'000, 50, 0.01);
  std::vector<std::array<double, 3>> final(members.systems.size());
  const std::size_t before = bytes_in_use();
  std::size_t n = 0, most = 0;
  EnsembleCallbacks callbacks;
  callbacks.sink = [&](std::size_t k, Results&& results) {
    final[k] = results.final[0].position;
    if (++n % 500 == 0) most = std::max(most, bytes_in_use() - before);
  };
  simulate_ensemble(members.systems, members.options, callbacks);
  CHECK(n == members.systems.size());
  MESSAGE("most bytes in use: ", most);
  CHECK(most < 2'000'000);  // 20,000 results of this length take more than 100 MB
  CHECK(final[0] == final[50]);
  CHECK(final[0] != final[1]);
}

TEST_CASE("progress stops an ensemble after a member, and within long ones") {
  Members members = make_members(40, 40, 0.05);
  for (const KernelChoice kernel : {KernelChoice::automatic, KernelChoice::loops}) {
    members.options.kernel = kernel;
    EnsembleCallbacks callbacks;
    callbacks.progress = [](const EnsembleProgress& progress) { return progress.finished < 5; };
    const std::vector<Results> list =
        simulate_ensemble(members.systems, members.options, callbacks);
    REQUIRE(list.size() == 40);
    const auto count = [&](const auto& is) { return std::count_if(list.begin(), list.end(), is); };
    CHECK(count([](const Results& r) { return r.status.outcome == Outcome::finished; }) >= 5);
    CHECK(count([](const Results& r) {
            return r.status.outcome == Outcome::interrupted && r.time.empty();
          }) >= 30);
    CHECK(count([](const Results& r) { return r.status.outcome == Outcome::interrupted; }) +
              count([](const Results& r) { return r.status.outcome == Outcome::finished; }) ==
          40);
  }
  // a run of hours: progress is asked while it goes
  Members longer = make_members(2, 2, 1e6);
  longer.options.max_steps = 0;
  int calls = 0, delivered = 0;
  EnsembleCallbacks callbacks;
  callbacks.progress = [&](const EnsembleProgress&) { return ++calls < 2; };
  callbacks.sink = [&](std::size_t, Results&& results) {
    ++delivered;
    CHECK(results.status.outcome == Outcome::interrupted);
    CHECK(results.status.t > 0.0);
    CHECK(results.status.t < 1e6);
  };
  simulate_ensemble(longer.systems, longer.options, callbacks);
  CHECK(delivered == 2);
}

TEST_CASE("what a callback throws stops the ensemble and arrives at the caller") {
  Members members = make_members(40, 40, 0.05);
  for (const int threads : {1, 2}) {
    members.options.threads = threads;
    int calls = 0;
    EnsembleCallbacks callbacks;
    callbacks.sink = [&](std::size_t, Results&&) {
      if (++calls == 3) throw std::runtime_error("disk full");
    };
    CHECK_THROWS_WITH(simulate_ensemble(members.systems, members.options, callbacks), "disk full");
    CHECK(calls == 3);
  }
}
