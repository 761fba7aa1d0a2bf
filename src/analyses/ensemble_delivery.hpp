// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the finished members of an ensemble go, and whether to go on with it. One object, used by all threads
// of the ensemble.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <vector>

#include "trammel/ensemble.hpp"

namespace trammel {

class EnsembleDelivery {
 public:
  EnsembleDelivery(std::size_t n_members, const EnsembleCallbacks& callbacks);
  EnsembleDelivery(const EnsembleDelivery&) = delete;
  EnsembleDelivery& operator=(const EnsembleDelivery&) = delete;

  // A member is over. Does not throw: what a callback throws stops the ensemble and waits for finish().
  void deliver(std::size_t member, Results&& results);

  // false: no further member is to be started.
  bool goes_on() const { return !stopped_.load(std::memory_order_relaxed); }

  // The progress callback of a member; empty where the ensemble has none.
  ProgressCallback make_member_progress();

  // All results in the order of the members; none where a sink has them.
  std::vector<Results> finish();

 private:
  using Clock = std::chrono::steady_clock;

  void ask();  // with the lock
  void ask_if_due();

  const EnsembleCallbacks& callbacks_;
  std::size_t n_members_;
  std::vector<Results> results_;  // [members], empty with a sink
  std::vector<char> delivered_;   // [members], likewise
  std::mutex mutex_;              // of all below, and of the callbacks
  std::size_t n_finished_ = 0;
  Clock::time_point due_;
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
};

}  // namespace trammel
