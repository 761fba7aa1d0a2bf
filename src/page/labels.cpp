// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "page/labels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/option_table.hpp"

namespace trammel {

namespace {

// What runs may differ in, most telling first.
std::vector<std::string> list_facets(const Results& results) {
  const SimulationOptions& options = results.options;
  const auto text = [&](const char* word) { return option_text(find_option(word), options); };
  return {results.model_name,
          text("method"),
          options.rtol == options.atol
              ? fmt::format("tolerance {:g}", options.rtol)
              : fmt::format("rtol {:g}, atol {:g}", options.rtol, options.atol),
          "projection " + text("projection"),
          (text("invariants") == "none" ? "nothing" : text("invariants")) + " enforced",
          fmt::format("t_end {:g}", options.t_end)};
}

}  // namespace

std::vector<std::string> make_unique(std::vector<std::string> labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string stem = labels[i];
    const auto taken = [&] {
      return std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i),
                       labels[i]) != labels.begin() + static_cast<std::ptrdiff_t>(i);
    };
    for (int number = 2; taken(); ++number) labels[i] = fmt::format("{} ({})", stem, number);
  }
  return labels;
}

std::vector<std::string> make_labels(const std::vector<const Results*>& runs) {
  std::vector<std::vector<std::string>> facets;
  for (const Results* run : runs) facets.push_back(list_facets(*run));
  std::vector<std::string> labels(runs.size());
  for (std::size_t k = 0; !facets.empty() && k < facets[0].size(); ++k) {
    const bool differs = std::any_of(facets.begin(), facets.end(),
                                     [&](const auto& other) { return other[k] != facets[0][k]; });
    if (!differs) continue;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      labels[r] += (labels[r].empty() ? "" : ", ") + facets[r][k];
    }
  }
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (labels[r].empty()) labels[r] = fmt::format("run {}", r + 1);
  }
  return make_unique(std::move(labels));
}

}  // namespace trammel
