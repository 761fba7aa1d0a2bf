// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of docs/ that are made from tables of the program are what the tables say. `make renew-docs` renews them:
// it runs this test with TRAMMEL_RENEW_DOCS=1.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/model_schema.hpp"
#include "trammel/option_table.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

std::string read_text(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void compare_or_renew(const std::string& name, const std::string& expected) {
  const std::string path = std::string(TRAMMEL_MODELS_DIR) + "/../docs/" + name;
  if (std::getenv("TRAMMEL_RENEW_DOCS") != nullptr) {
    std::ofstream(path, std::ios::binary) << expected;
  }
  const bool is_current = read_text(path) == expected;
  CHECK_MESSAGE(is_current, "docs/" << name << " is stale: run 'make renew-docs'");
}

// ---- the tables of options

std::string in_code(std::string_view word) { return fmt::format("`{}`", word); }

std::string list_words(const std::vector<std::string_view>& words) {
  std::string text;
  for (const auto word : words) text += (text.empty() ? "" : ", ") + in_code(word);
  return text;
}

std::string describe_type(const Option& option) {
  const OptionAccess& access = option.access;
  switch (access.kind) {
    case OptionKind::flag: return "`true`, `false`";
    case OptionKind::choice: return list_words(access.words);
    case OptionKind::set:
      return fmt::format("{}, or one or a list of {}", in_code(access.alone),
                         list_words(access.words));
    default: break;
  }
  std::string text = access.kind == OptionKind::count ? "integer" : "number";
  if (!option.unit.empty()) text += fmt::format(", {}", option.unit);
  const bool positive = access.range.least == 0 && access.range.most > 1e15;
  if (!positive) text += ", " + to_text(access.range);
  return text;
}

std::string describe_default(const Option& option) {
  const std::string text = option_text(option, SimulationOptions());
  if (text == option.zero) return "0: " + text;
  const bool number = option.access.kind == OptionKind::number;
  return number || option.access.kind == OptionKind::count ? text : in_code(text);
}

std::string make_option_tables() {
  std::string text;
  const OptionGroup* group = nullptr;
  for (const Option& option : option_table()) {
    if (option.group != group) {
      group = option.group;
      text += fmt::format("\n**{}**{}\n\n| key | type | default | meaning |\n|---|---|---|---|\n",
                          group->heading,
                          group->needs.empty() ? "" : fmt::format(", with {} only", group->needs));
    }
    std::string meaning(option.help);
    if (!option.details.empty()) meaning += fmt::format(". {}", option.details);
    text += fmt::format("| `{}` | {} | {} | {} |\n", option.word, describe_type(option),
                        describe_default(option), meaning);
  }
  return text + "\n";
}

}  // namespace

TEST_CASE("docs/reference/model_file.md has the tables of options") {
  const std::string name = "reference/model_file.md";
  const std::string text = read_text(std::string(TRAMMEL_MODELS_DIR) + "/../docs/" + name);
  const std::string begin =
      "<!-- options: made from src/model/option_table.cpp by `make renew-docs` -->\n";
  const std::size_t from = text.find(begin), to = text.find("<!-- end of options -->");
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  compare_or_renew(name,
                   text.substr(0, from + begin.size()) + make_option_tables() + text.substr(to));
}

TEST_CASE("docs/schema/model.schema.json is made from the tables of the readers") {
  compare_or_renew("schema/model.schema.json", test::make_model_schema());
}
