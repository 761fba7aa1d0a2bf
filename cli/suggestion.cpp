// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Suggestions by edit distance, and for options by the names they have in other programs.
#include "suggestion.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace trammel::cli {
namespace {

// Names in other programs, and what they are called here.
constexpr std::array<std::pair<const char*, const char*>, 17> synonyms = {{
    {"--duration", "--t-end"},
    {"--end", "--t-end"},
    {"--end-time", "--t-end"},
    {"--stop-time", "--t-end"},
    {"--t-stop", "--t-end"},
    {"--time", "--t-end"},
    {"--dt", "--fixed-step"},
    {"--step", "--fixed-step"},
    {"--step-size", "--fixed-step"},
    {"--timestep", "--fixed-step"},
    {"--time-step", "--fixed-step"},
    {"--tol", "--rtol"},
    {"--tolerance", "--rtol"},
    {"--output-step", "--output-interval"},
    {"--out", "--output"},
    {"--param", "--set"},
    {"--verbose", "--full"},
}};

// Edits that turn one word into the other: letters inserted, deleted, replaced or swapped.
std::size_t count_edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  before = above;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::string suggest(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t longest_word = 64;
  if (word.size() > longest_word) return "";
  std::string plain = word;
  std::replace(plain.begin(), plain.end(), '_', '-');
  std::string best;
  std::size_t least = std::clamp<std::size_t>(plain.size() / 3, 1, 3) + 1;
  const auto offer = [&](const std::string& candidate, std::size_t edits) {
    if (edits >= least) return;
    least = edits;
    best = candidate;
  };
  for (const std::string& candidate : known) offer(candidate, count_edits(plain, candidate));
  for (const auto& [other, ours] : synonyms) {
    // a name taken as it is in another program is closer than any misspelling
    if (plain == other && std::find(known.begin(), known.end(), ours) != known.end())
      offer(ours, 0);
  }
  return best.empty() ? "" : " (did you mean '" + best + "'?)";
}

}  // namespace trammel::cli
