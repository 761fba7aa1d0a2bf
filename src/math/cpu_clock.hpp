// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// CPU time in seconds, from an arbitrary zero. Reading it is a system call (some 0.2 µs): cheap next to a
// run, not next to a step.
#pragma once

#include <chrono>
#include <ctime>

namespace trammel {

inline double read_clock(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Wall time, without a system call: for parts of a step, in proportion to the wall time of the whole loop.
inline double wall_seconds() {
  using std::chrono::steady_clock;
  return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

// of the calling thread
inline double thread_cpu_seconds() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

// What a run uses: a run with one thread is not charged for what other threads of the program do.
class CpuClock {
 public:
  explicit CpuClock(int n_threads)
      : id_(n_threads > 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID) {}
  double now() const { return read_clock(id_); }

 private:
  clockid_t id_;
};

}  // namespace trammel
