// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Loops shared by threads: every index once, whatever the number of threads and however short.
#include <doctest/doctest.h>

#include <atomic>
#include <vector>

#include "math/flushed_subnormals.hpp"
#include "math/thread_pool.hpp"

using namespace trammel;

TEST_CASE("without threads a parallel loop is a loop") {
  CHECK(used_threads() == nullptr);
  std::vector<int> order;
  parallel_for(5, [&](int k) { order.push_back(k); });
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
  const UsedThreads one(1);
  CHECK(used_threads() == nullptr);
}

TEST_CASE("every index is visited once, in loop after loop") {
  for (const int threads : {2, 3, 5}) {
    const UsedThreads used(threads);
    REQUIRE(used_threads() != nullptr);
    CHECK(used_threads()->size() == threads);
    std::vector<int> visits(1000, 0);
    for (int round = 0; round < 2000; ++round) {
      const int n = round % 17;
      parallel_for(n, [&](int k) { ++visits[k]; });
    }
    for (int k = 0; k < 17; ++k) {
      int expected = 0;
      for (int round = 0; round < 2000; ++round) expected += round % 17 > k;
      CHECK(visits[k] == expected);
    }
  }
  CHECK(used_threads() == nullptr);
}

TEST_CASE("a loop within a loop runs on the thread it is met in") {
  const UsedThreads used(3);
  std::atomic<int> count{0};
  parallel_for(20, [&](int) { parallel_for(10, [&](int) { ++count; }); });
  CHECK(count == 200);
}

TEST_CASE("workers have names of their own, and scratch") {
  const UsedThreads used(4);
  ThreadPool& pool = *used_threads();
  std::vector<std::atomic<int>> of_worker(4);
  pool.run(400, [&](int k, int worker) {
    int* const scratch = pool.scratch(worker, 100);
    scratch[k % 100] = k;
    of_worker[worker] += scratch[k % 100] == k ? 1 : 0;
  });
  CHECK(of_worker[0] + of_worker[1] + of_worker[2] + of_worker[3] == 400);
}

TEST_CASE("floating point in a worker behaves as where the loop was called") {
  const UsedThreads used(3);
  std::atomic<int> subnormal{0};
  volatile double tiny = 1e-300;
  const auto count = [&] {
    subnormal = 0;
    parallel_for(3000, [&](int) { subnormal += tiny * 1e-15 != 0.0 ? 1 : 0; });
    return subnormal.load();
  };
  CHECK(count() == 3000);
#ifdef __SSE2__
  const FlushedSubnormals flushed;
  CHECK(count() == 0);
#endif
}
