// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One line on stderr with the progress of a run.
#include "progress_bar.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace trammel::cli {
namespace {

constexpr auto interval = std::chrono::milliseconds(100);
constexpr auto delay = std::chrono::milliseconds(300);  // a short run shows no bar at all
constexpr std::size_t bar_width = 24;

bool is_terminal() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string describe_duration(double seconds) {
  if (!(seconds < 1e9)) return "very long";
  const auto s = static_cast<long>(std::max(0.0, seconds) + 0.5);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {} s", s / 60, s % 60);
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

ProgressBar::ProgressBar(bool wanted, Unit unit)
    : unit_(unit), active_(wanted && is_terminal()), start_(Clock::now()), next_(start_ + delay) {}

void ProgressBar::show(double t, double t_end) {
  if (!active_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + interval;
  draw(t, t_end, now);
}

void ProgressBar::draw(double t, double t_end, Clock::time_point now) {
  const double done = std::clamp(t / t_end, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string bar(bar_width, ' ');
  std::fill_n(bar.begin(), static_cast<std::size_t>(done * bar_width), '#');
  const std::string place = unit_ == Unit::seconds ? fmt::format("t = {:.4g} of {:.4g} s", t, t_end)
                                                   : fmt::format("{} of {} runs", t, t_end);
  std::string line = fmt::format("{:3.0f} % [{}] {}, {} left", 100 * done, bar, place,
                                 describe_duration(elapsed * (1 - done) / done));
  line.resize(std::min(line.size(), terminal_width() - 1));  // a line that wraps is not erased
  fmt::print(stderr, "\r{}\033[K", line);
  std::fflush(stderr);
  visible_ = true;
}

void ProgressBar::erase() {
  if (!visible_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace trammel::cli
