// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The sections `points` and `outputs`: what is recorded besides bodies, joints and forces.
#include "format/model_keys.hpp"
#include "format/names.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {

const Keys point_keys = {{"body", "text", "name of a body, or ground; default: that of the frame"},
                         {"at", "point", "in the body's frame, m; default: its origin"},
                         {"repeat", "repeat", "indices of a repeated entry"},
                         {"let", "let", "local names"}};
const Keys output_keys = {{"formula", "text", "of channels, t and parameters", true},
                          {"unit", "text", "of the result, for reports"},
                          {"let", "let", "local names"}};

void read_points(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.points, entries, [&](NodeId entry, NamedPoint& point) {
    reader.check_keys(entry, point_keys);
    const NodeId body = reader.find(entry, "body"), at = reader.find(entry, "at");
    Places& places = reader.places();
    if (body == no_node && at != no_node && places.is_name(at)) {  // that of the frame
      if (const auto found = places.frame(at)) {
        point.body = places.name_of(found->body);
        point.point = found->frame.position;
      }
      return;
    }
    if (reader.need(entry, "body") == no_node) return;
    point.body = reader.name(body);
    point.point = places.point_or_zero(entry, "at", places.in(point.body));
  });
}

// A formula, or {formula: …, unit: …}.
void read_outputs(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  if (!reader.expect_map(section)) return;
  const auto read = [&](NodeId entry) {
    Output output;
    output.name = reader.part_names.prefix + std::string(reader.tree().key_text(entry));
    NodeId formula = entry;
    if (reader.tree()[entry].kind == YamlNode::Kind::map) {
      reader.check_keys(entry, output_keys);
      formula = reader.need(entry, "formula");
      if (const NodeId unit = reader.find(entry, "unit"); unit != no_node) {
        output.unit = reader.text(unit);
      }
    }
    if (formula == no_node) return;
    const Function function = read_function(reader, formula);
    if (const auto* text = std::get_if<Formula>(&function.form)) {
      output.formula = *text;
    } else if (!reader.is_reported_around(formula)) {
      output.formula = Formula{reader.text(formula)};
    }
    model.outputs.push_back(std::move(output));
    entries.push_back(entry);
  };
  for (const NodeId entry : reader.children(section)) {
    with_let(reader, entry, [&] { read(entry); });
  }
}

}  // namespace trammel
