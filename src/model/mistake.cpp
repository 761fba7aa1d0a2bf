// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mistakes as text: "crank.yaml:12:11: bodies.crank.mass: must be greater than 0, got -3 (hint)".
#include <algorithm>

#include "trammel/error.hpp"

namespace trammel {
namespace {

constexpr std::size_t most_printed = 100;  // errors in one message

std::string make_message(const std::vector<Mistake>& mistakes) {
  std::string message;
  const std::size_t count = std::min(mistakes.size(), most_printed);
  for (std::size_t i = 0; i < count; ++i) {
    message.append(i == 0 ? "" : "\n").append(to_string(mistakes[i]));
  }
  if (mistakes.size() > count) {
    message += "\nand " + std::to_string(mistakes.size() - count) + " more";
  }
  return message;
}

}  // namespace

std::string to_string(const Mistake& mistake) {
  std::string text = mistake.file;
  if (mistake.line > 0) {
    text.append(text.empty() ? "line " : ":").append(std::to_string(mistake.line));
    if (mistake.column > 0) text.append(":").append(std::to_string(mistake.column));
  }
  if (!text.empty()) text += ": ";
  if (!mistake.path.empty()) text += mistake.path + ": ";
  text += mistake.reason;
  if (!mistake.hint.empty()) text += " (" + mistake.hint + ")";
  // names and values are quoted as they are; an error stays on one line all the same
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return text;
}

ModelError::ModelError(std::vector<Mistake> mistakes)
    : std::runtime_error(make_message(mistakes)), mistakes_(std::move(mistakes)) {}

}  // namespace trammel
