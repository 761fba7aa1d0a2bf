// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "analyses/ensemble_delivery.hpp"

namespace trammel {

namespace {

constexpr std::chrono::milliseconds interval{100};  // between questions while members run
constexpr int steps_between_looks = 64;             // at the clock

}  // namespace

EnsembleDelivery::EnsembleDelivery(std::size_t n_members, const EnsembleCallbacks& callbacks)
    : callbacks_(callbacks),
      n_members_(n_members),
      results_(callbacks.sink ? 0 : n_members),
      delivered_(callbacks.sink ? 0 : n_members, 0),
      due_(Clock::now() + interval) {}

void EnsembleDelivery::ask() {
  due_ = Clock::now() + interval;
  if (!goes_on() || !callbacks_.progress) return;
  try {
    if (callbacks_.progress({n_finished_, n_members_})) return;
  } catch (...) {
    failure_ = std::current_exception();
  }
  stopped_ = true;
}

void EnsembleDelivery::deliver(std::size_t member, Results&& results) {
  if (!callbacks_.sink) {  // each thread writes to its own members
    results_[member] = std::move(results);
    delivered_[member] = 1;
  }
  const std::lock_guard lock(mutex_);
  ++n_finished_;
  if (callbacks_.sink && failure_ == nullptr) {
    try {
      callbacks_.sink(member, std::move(results));
    } catch (...) {
      failure_ = std::current_exception();
      stopped_ = true;
    }
  }
  ask();
}

// A thread that finds the lock taken goes on: another one is asking.
void EnsembleDelivery::ask_if_due() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock && Clock::now() >= due_) ask();
}

ProgressCallback EnsembleDelivery::make_member_progress() {
  if (!callbacks_.progress) return {};
  return [this, steps = 0](const Progress&) mutable {
    if (++steps % steps_between_looks == 0) ask_if_due();
    return goes_on();
  };
}

std::vector<Results> EnsembleDelivery::finish() {
  if (failure_) std::rethrow_exception(failure_);
  for (std::size_t k = 0; k < results_.size(); ++k) {
    if (delivered_[k]) continue;
    results_[k].status = {Outcome::interrupted, 0.0, "not started: the ensemble was stopped"};
  }
  return std::move(results_);
}

}  // namespace trammel
