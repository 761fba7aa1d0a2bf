// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Text helpers shared by the reports.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "trammel/results.hpp"

namespace trammel {

// "1,001".
std::string count_text(std::int64_t n);

// "1 body", "1,001 bodies".
std::string count_of(std::int64_t n, std::string_view one, std::string_view many);

// " in pin.C.x", or nothing when the row is not known.
std::string in_row(const std::string& row);

// "1 degree of freedom (2 more are driven)".
std::string describe_freedom(const CheckReport& check);

// "3 bodies, 3 joints, 1 degree of freedom; 18 constraint equations, 1 of them redundant".
std::string describe_mechanism(const CheckReport& check);

// "dop853, rtol 1e-07, atol 1e-07, projection mass".
std::string describe_method(const Results& results);

// "enforced, balance error ≤ 2e-12 J (1e-13 of the largest kinetic energy)", or "not enforced, …".
std::string describe_energy(const Results& results);

// Lines of a report: headings, and "  label        value" with the values below each other.
class ReportText {
 public:
  explicit ReportText(int label_width) : label_width_(label_width) {}

  void add_heading(std::string_view heading) {
    if (!text_.empty()) text_ += '\n';
    text_ += heading;
    text_ += '\n';
  }

  template <typename... Args>
  void add(std::string_view label, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), "  {:<{}} ", label, label_width_);
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  const std::string& text() const { return text_; }

 private:
  int label_width_;
  std::string text_;
};

}  // namespace trammel
