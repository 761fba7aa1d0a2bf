// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A few threads that share the loops of one run. A run says once how many it uses:
//
//   const UsedThreads threads(2);              // until the end of this scope, for this thread
//   parallel_for(n, [&](int k) { … });         // anywhere below
//
// Without it parallel_for is a loop. Which thread takes which k is unspecified: the body must
// write to places that belong to k alone, and sum in an order that does not depend on the number of
// threads, so that bits do not either. The body must not throw, and floating point behaves in it as
// in the thread that called.
#pragma once

#include <atomic>
#include <cfenv>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace trammel {

class ThreadPool {
 public:
  explicit ThreadPool(int n_threads);  // with the caller's; fewer where the system has no more
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  // body(k, worker) for k = 0 … n, worker from 0 (the calling thread) to size(). Returns when all are done.
  template <class Body>
  void run(int n, Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    if (n < 2 || busy_) {  // a loop within a loop
      for (int k = 0; k < n; ++k) body(k, 0);
      return;
    }
    call_ = [](void* context, int k, int worker) { (*static_cast<Plain*>(context))(k, worker); };
    context_ = const_cast<std::remove_const_t<Plain>*>(&body);
    execute(n);
  }

  // n numbers that only this worker uses, until it asks for more; not initialised.
  int* scratch(int worker, std::size_t n);

 private:
  void execute(int n);
  void work(int worker);
  bool claim(std::uint64_t& at, int& k);

  std::vector<std::thread> workers_;
  std::vector<std::vector<int>> scratch_;
  bool busy_ = false;
  // the job: written by the caller, read by the threads that have claimed a part of it
  void (*call_)(void*, int, int) = nullptr;
  void* context_ = nullptr;
  std::fenv_t environment_{};
  // number of the job in the upper half, the next k in the lower: a worker that comes late finds
  // another number and claims nothing, so that no thread waits for it
  std::atomic<std::uint64_t> next_{0};
  std::atomic<int> n_{0};
  std::atomic<int> n_done_{0};
  std::atomic<bool> stop_{false};
};

// The threads of the run that the calling thread is in; null: it is alone.
ThreadPool* used_threads();

class UsedThreads {
 public:
  explicit UsedThreads(int n_threads);
  ~UsedThreads();
  UsedThreads(const UsedThreads&) = delete;
  UsedThreads& operator=(const UsedThreads&) = delete;

 private:
  std::unique_ptr<ThreadPool> pool_;
  ThreadPool* before_;
};

template <class Body>
void parallel_for(int n, Body&& body) {
  if (ThreadPool* const pool = used_threads()) {
    pool->run(n, [&](int k, int) { body(k); });
  } else {
    for (int k = 0; k < n; ++k) body(k);
  }
}

// body(begin, end) for pieces of 0 … n, on all threads. A piece is small enough that what its bodies
// need is still in the second cache when the next loop in `body` comes, and large enough for a thread.
inline constexpr int chunk_size = 1024;
constexpr int count_chunks(int n) { return n < 2 * chunk_size ? 1 : n / chunk_size; }
template <class Body>
void in_many_chunks(int n, Body&& body) {
  const int n_chunks = count_chunks(n);  // the last is up to twice as long
  parallel_for(n_chunks,
               [&](int k) { body(k * chunk_size, k + 1 < n_chunks ? (k + 1) * chunk_size : n); });
}
template <class Body>
[[gnu::always_inline]] inline void in_chunks(int n, Body&& body) {
  if (count_chunks(n) == 1) [[likely]] {
    body(0, n);
  } else {
    in_many_chunks(n, body);
  }
}

}  // namespace trammel
