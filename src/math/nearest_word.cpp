// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Edit distance (insert, delete, replace, swap neighbours; Damerau 1964) with an upper bound.
#include "math/nearest_word.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace trammel {
namespace {

constexpr std::size_t longest_word = 64;  // longer ones are not compared

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Three rows of the dynamic programme; d(i, j) is the distance of the first i and j letters.
int calc_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

// A third of the letters may be wrong, at least one and at most three.
int allowed_distance(std::size_t length) {
  return std::clamp(static_cast<int>((length + 1) / 3), 1, 3);
}

}  // namespace

void NearestWord::offer(std::string_view known) {
  if (wanted_.empty() || wanted_.size() > longest_word || known.size() > longest_word) return;
  const int bound = best_distance_ < 0 ? allowed_distance(wanted_.size()) : best_distance_ - 1;
  const auto difference = static_cast<int>(known.size()) - static_cast<int>(wanted_.size());
  if (std::abs(difference) > bound) return;
  const int distance = calc_distance(wanted_, known);
  // a word of one letter is never "nearly" another one
  if (distance > bound || distance >= static_cast<int>(std::max(wanted_.size(), known.size()))) {
    return;
  }
  best_distance_ = distance;
  best_ = known;
}

std::string NearestWord::hint() const {
  return best_distance_ < 0 ? std::string() : "did you mean '" + best_ + "'?";
}

std::string hint_for(std::string_view wanted, const std::vector<std::string_view>& known) {
  NearestWord nearest(wanted);
  for (const auto word : known) nearest.offer(word);
  if (auto hint = nearest.hint(); !hint.empty()) return hint;
  std::string list = "known:";
  for (std::size_t i = 0; i < known.size(); ++i) {
    list.append(i == 0 ? " " : ", ").append(known[i]);
  }
  return list;
}

}  // namespace trammel
