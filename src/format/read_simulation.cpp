// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `simulation` section: the rows of the option table.
#include "format/read_sections.hpp"
#include "trammel/option_table.hpp"

namespace trammel {
namespace {

using Kind = YamlNode::Kind;

// One word or a list of words; the word that stands for none or all of them only by itself.
std::vector<std::string> read_set(Reader& reader, NodeId id, const OptionAccess& access) {
  std::vector<std::string> result;
  const auto add = [&](NodeId word, const std::vector<std::string_view>& words) {
    const bool is_text = reader.tree()[word].kind == Kind::scalar;
    if (access.takes_channels && is_text && is_channel_pattern(reader.tree().text(word))) {
      result.push_back(reader.text(word));
    } else {
      result.emplace_back(reader.word(word, words));
    }
  };
  if (reader.tree()[id].kind == Kind::list) {
    for (const NodeId child : reader.children(id)) {
      add(child, access.words);
    }
  } else {
    auto words = access.words;
    words.push_back(access.alone);
    add(id, words);
  }
  return result;
}

OptionValue read_value(Reader& reader, NodeId id, const OptionAccess& access) {
  switch (access.kind) {
    case OptionKind::number: return reader.number(id);
    case OptionKind::count: return static_cast<std::int64_t>(reader.integer(id));
    case OptionKind::flag: return reader.flag(id);
    case OptionKind::choice: return std::string(reader.word(id, access.words));
    case OptionKind::set: break;
  }
  return read_set(reader, id, access);
}

}  // namespace

void read_simulation(Reader& reader, NodeId section, SimulationOptions& options) {
  if (reader.tree()[section].kind == Kind::null) return;
  if (!reader.expect_map(section)) return;
  std::vector<std::string_view> words;
  for (const Option& option : option_table()) words.push_back(option.word);
  reader.check_keys(section, words);
  for (const Option& option : option_table()) {
    const NodeId id = reader.find(section, option.word);
    if (id == no_node) continue;
    reader.set_unit(id, option.unit);
    option.access.set(options, read_value(reader, id, option.access));
  }
}

}  // namespace trammel
