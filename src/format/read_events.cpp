// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The sections `switches`, numbers that only events change, and `events`.
//
//   switches: {latched: false}
//   events:
//     closed: {when: door.angle - 40 deg, direction: rising, do: stop}
//     caught: {when: hook.travel - 0.1, set: {latched: true}}
#include <algorithm>

#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {

const Keys event_keys = {
    {"when", "function", "a function of t, the state and all states: zero at the event", true},
    {"direction", "either|rising|falling", "of the change of its sign; default: either"},
    {"do", "event_actions", "stop: end the run; record: a row of the results; or a list of both"},
    {"set", "event_changes", "new values of switches and states, by name"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"}};

namespace {

// "true" is 1, "false" is 0.
Function read_value(Reader& reader, NodeId id) {
  const YamlNode& node = reader.tree()[id];
  if (node.kind == YamlNode::Kind::scalar) {
    if (reader.tree().text(id) == "true") return 1.0;
    if (reader.tree().text(id) == "false") return 0.0;
  }
  return read_function(reader, id);
}

void read_action(Reader& reader, NodeId id, Event& event) {
  const std::string_view word = reader.word(id, {"stop", "record"});
  if (reader.is_reported(id)) return;
  (word == "stop" ? event.stop : event.record) = true;
}

void read_event(Reader& reader, NodeId entry, Event& event) {
  reader.check_keys(entry, event_keys);
  if (const NodeId when = reader.need(entry, "when"); when != no_node) {
    event.when = read_function(reader, when);
  }
  if (const NodeId id = reader.find(entry, "direction"); id != no_node) {
    event.direction = reader.choice<EventDirection>(id, {{"either", EventDirection::either},
                                                         {"rising", EventDirection::rising},
                                                         {"falling", EventDirection::falling}});
  }
  if (const NodeId id = reader.find(entry, "do"); id != no_node) {
    const bool is_list = reader.tree()[id].kind == YamlNode::Kind::list;
    for (const NodeId word : is_list ? reader.children(id) : std::vector<NodeId>{id}) {
      read_action(reader, word, event);
    }
  }
  const NodeId set = reader.find(entry, "set");
  if (set == no_node || !reader.expect_map(set)) return;
  for (const NodeId id : reader.children(set)) {
    event.set.push_back(
        {reader.resolve(std::string(reader.tree().key_text(id))), read_value(reader, id)});
  }
}

}  // namespace

void read_switches(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  if (reader.tree()[section].kind == YamlNode::Kind::null || !reader.expect_map(section)) return;
  for (const NodeId entry : reader.children(section)) {
    StateVariable state;
    state.name = reader.part_name(reader.tree()[entry].key);
    state.is_switch = true;
    const bool is_scalar = reader.tree()[entry].kind == YamlNode::Kind::scalar;
    const bool is_true = is_scalar && reader.tree().text(entry) == "true";
    const bool is_false = is_scalar && reader.tree().text(entry) == "false";
    state.initial = is_true ? 1.0 : is_false ? 0.0 : reader.number(entry);
    reader.state_names.insert(state.name);
    model.states.push_back(std::move(state));
    entries.push_back(entry);
  }
}

void read_events(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.events, entries,
               [&](NodeId entry, Event& event) { read_event(reader, entry, event); });
}

}  // namespace trammel
