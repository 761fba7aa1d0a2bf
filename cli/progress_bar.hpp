// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One line on stderr with the progress of a run: "  43 % [#########            ] t = 4.3 of 10 s,
// 12 s left", or a series of runs: "12 of 38 runs". Only if stderr is a
// terminal that can erase a line.
#pragma once

#include <chrono>
#include <string>

namespace trammel::cli {

// "8 s", "3 min 20 s", "2 h 5 min".
std::string describe_duration(double seconds);

class ProgressBar {
 public:
  enum class Unit { seconds, runs };
  explicit ProgressBar(bool wanted, Unit unit = Unit::seconds);
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Cheap enough for every step: draws at most ten times a second.
  void show(double t, double t_end);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  void draw(double t, double t_end, Clock::time_point now);

  Unit unit_;
  bool active_ = false;   // wanted, and a terminal
  bool visible_ = false;  // there is something to erase
  Clock::time_point start_;
  Clock::time_point next_;  // not drawn again before
};

}  // namespace trammel::cli
