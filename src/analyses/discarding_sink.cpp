// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A sink that drops recorded rows, so that the memory of a run without output files does not grow with its
// length.
#include <algorithm>

#include "record/quantities.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

constexpr std::size_t most_kept = 1 << 17;  // numbers, about
constexpr int longest_period = 1024;        // steps: so rarely that it costs nothing

class DiscardingSink : public ResultsSink {
 public:
  bool needs_description() const override { return false; }

  // The larger a row, the sooner it goes.
  void start(const Results& results) override {
    std::size_t numbers = 1;
    for (const Quantity& quantity : quantities()) {
      if (is_recorded(quantity, results.options.record)) numbers += row_size(results, quantity);
    }
    const std::size_t rows = std::max<std::size_t>(most_kept / numbers, 1);
    period_ = static_cast<int>(std::min<std::size_t>(rows, longest_period));
  }

  bool is_due() override { return ++calls_ >= period_; }

  void update(Results& results) override {
    calls_ = 0;
    results.steps.clear();
    // keep the last row: its time is needed at the end of the run
    if (results.time.size() > 1) drop_rows(results, results.time.size() - 1);
  }

  void finish(const Results&) override {}

 private:
  int period_ = 1;
  int calls_ = 0;  // of is_due since the last update
};

}  // namespace

std::unique_ptr<ResultsSink> make_discarding_sink() { return std::make_unique<DiscardingSink>(); }

}  // namespace trammel
