// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/thread_pool.hpp"

#include <system_error>

namespace trammel {

namespace {

thread_local ThreadPool* used = nullptr;

constexpr std::uint64_t one_job = std::uint64_t{1} << 32;
constexpr int k_of(std::uint64_t next) { return static_cast<int>(next & (one_job - 1)); }

// Parts of a factorisation follow each other within microseconds: a thread that finds nothing looks
// again some times before it sleeps, because to be woken takes longer than that.
constexpr int looks_before_sleep = 2000;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int n_threads) : scratch_(n_threads > 0 ? n_threads : 1) {
  workers_.reserve(scratch_.size());
  try {
    for (int worker = 1; worker < n_threads; ++worker) {
      workers_.emplace_back([this, worker] { work(worker); });
    }
  } catch (const std::system_error&) {
    // the system gives no more of them: those that are there do the work
  }
}

ThreadPool::~ThreadPool() {
  stop_ = true;
  n_ = 0;
  next_ += one_job;
  next_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

int* ThreadPool::scratch(int worker, std::size_t n) {
  if (scratch_[worker].size() < n) scratch_[worker].resize(n);
  return scratch_[worker].data();
}

// Takes one k of the job that `at` has seen; at becomes what is there now.
bool ThreadPool::claim(std::uint64_t& at, int& k) {
  at = next_.load(std::memory_order_acquire);
  for (;;) {
    if (k_of(at) >= n_.load(std::memory_order_acquire)) return false;
    if (next_.compare_exchange_weak(at, at + 1, std::memory_order_acq_rel)) break;
  }
  k = k_of(at);
  return true;
}

void ThreadPool::execute(int n) {
  busy_ = true;
  std::fegetenv(&environment_);
  n_done_.store(0, std::memory_order_relaxed);
  // between the two stores no k is left to claim: of the old job all are taken, of the new one none
  // is there
  const std::uint64_t job = (next_.load() / one_job + 1) * one_job;
  n_.store(0);
  next_.store(job);
  n_.store(n);
  next_.notify_all();
  std::uint64_t at;
  for (int k; claim(at, k);) {
    call_(context_, k, 0);
    n_done_.fetch_add(1, std::memory_order_acq_rel);
  }
  for (int looks = 0; n_done_.load(std::memory_order_acquire) < n; ++looks) {
    if (looks < looks_before_sleep) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
  busy_ = false;
}

void ThreadPool::work(int worker) {
  std::uint64_t environment_of = 0;  // the job whose floating-point environment is set
  std::uint64_t at = 0;
  while (!stop_) {
    int k;
    if (claim(at, k)) {
      if (environment_of != at / one_job) {
        environment_of = at / one_job;
        std::fesetenv(&environment_);
      }
      call_(context_, k, worker);
      n_done_.fetch_add(1, std::memory_order_acq_rel);
      continue;
    }
    int looks = 0;
    while (looks < looks_before_sleep && next_.load(std::memory_order_acquire) == at) {
      pause();
      ++looks;
    }
    if (looks == looks_before_sleep && !stop_) next_.wait(at);
  }
}

ThreadPool* used_threads() { return used; }

UsedThreads::UsedThreads(int n_threads) : before_(used) {
  if (n_threads > 1) pool_ = std::make_unique<ThreadPool>(n_threads);
  used = pool_.get();
}

UsedThreads::~UsedThreads() { used = before_; }

}  // namespace trammel
