// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The known word a person most likely meant, for "did you mean 'mass'?".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

// Lists longer than this are not searched: the cost of a hint stays bounded.
inline constexpr std::size_t most_names_for_hints = 10'000;

// Keeps the best candidate over any number of offered words.
class NearestWord {
 public:
  explicit NearestWord(std::string_view wanted) : wanted_(wanted) {}
  void offer(std::string_view known);
  // "did you mean 'mass'?", or empty when nothing offered is near enough.
  std::string hint() const;

 private:
  std::string wanted_;
  std::string best_;
  int best_distance_ = -1;
};

// The hint for a short list: the nearest word, else the whole list: "known: a, b, c".
std::string hint_for(std::string_view wanted, const std::vector<std::string_view>& known);

}  // namespace trammel
