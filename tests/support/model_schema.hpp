// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The form of model files as JSON Schema (draft 2020-12), for editors: docs/schema/model.schema.json. Made
// from the option table, the rules of joints and the keys that the readers accept; only the forms of
// values are written out here. It is more generous than the readers, which know values and names.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "format/model_keys.hpp"
#include "model/coordinates.hpp"
#include "model/joint_rules.hpp"
#include "trammel/option_table.hpp"
#include "trammel/trammel.hpp"

namespace trammel::test {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

inline Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

inline Json list_of(const Json& items, int least, int most) {
  return {{"type", "array"}, {"items", items}, {"minItems", least}, {"maxItems", most}};
}

// ---- forms of values; an expression may take the place of a number

inline Json any_of(const Json& forms) { return {{"anyOf", forms}}; }

inline Json make_forms() {
  const Json number = reference("number"), vector = reference("vector");
  const Json function = reference("function"), null_or_map = {"object", "null"};
  const auto map_of = [&](const Json& type, const char* entry) {
    return Json{{"type", type}, {"additionalProperties", reference(entry)}};
  };
  Json forms;
  forms["version"] = {{"const", 1}};
  forms["dimension"] = {{"enum", {2, 3}}};
  forms["number"] = {{"type", {"number", "string"}}, {"pattern", R"(^[-+*/^(),. \w·²³°µμΩ]+$)"}};
  forms["text"] = {{"type", {"string", "number", "boolean"}}};
  forms["flag"] = {{"type", "boolean"}};
  forms["two_names"] = list_of(reference("text"), 2, 2);
  forms["two_columns"] = list_of(reference("text"), 2, 2);
  forms["two_numbers"] = list_of(number, 2, 2);
  forms["range"] = list_of(any_of({number, {{"const", "free"}}}), 2, 2);
  const Json range = reference("range");
  forms["limits"] =
      any_of({range,
              {{"type", "object"},
               {"properties",
                {{"angle", range}, {"travel", range}, {"angle_i", range}, {"angle_j", range}}},
               {"additionalProperties", false}}});
  forms["three_numbers"] = list_of(number, 3, 3);
  forms["four_numbers"] = list_of(number, 4, 4);
  forms["number_list"] = {{"type", "array"}, {"items", number}, {"minItems", 2}};
  forms["number_rows"] = {{"type", "array"}, {"items", reference("number_list")}};
  forms["pairs"] = {{"type", "array"}, {"items", reference("two_numbers")}};
  forms["matrix"] = list_of(reference("three_numbers"), 3, 3);
  forms["vector"] = any_of({list_of(number, 2, 3), {{"type", "string"}}});  // or an expression
  forms["vectors"] = {{"type", "array"}, {"items", vector}};
  forms["two_vectors"] = list_of(vector, 2, 2);
  // of a frame, an axis: "upper.tip", "-upper.tip.z"
  const Json name = {{"type", "string"}}, point = reference("point");
  forms["point"] = any_of({vector, name});
  forms["two_points"] = list_of(point, 2, 2);
  forms["point_or_two"] = any_of({point, reference("two_points")});
  forms["direction"] = any_of({vector, name, reference("two_points")});
  forms["two_directions"] = list_of(reference("direction"), 2, 2);
  forms["orientation"] = any_of({name, reference("orientation_map")});
  forms["frames"] = map_of("object", "frame");
  forms["frame"] = any_of({point, reference("frame_map")});
  forms["axial_vector"] = any_of({number, reference("three_numbers")});
  forms["inertia_numbers"] = any_of({number, reference("three_numbers"), reference("matrix")});
  forms["inertia"] = any_of({reference("inertia_numbers"), reference("inertia_map")});
  forms["bushing_matrix"] = list_of(any_of({number, {{"type", "array"}, {"items", number}}}), 3, 6);
  forms["function"] = any_of({{{"type", {"number", "string"}}},
                              {{"type", "object"},
                               {"properties",
                                {{"table", any_of({{{"type", "string"}}, reference("table")})},
                                 {"of", reference("text")}}},
                               {"required", {"table"}},
                               {"additionalProperties", false}}});
  forms["functions"] = list_of(function, 2, 3);
  forms["angles"] = any_of({function, list_of(function, 3, 3)});
  forms["axis_order"] = {{"enum", {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx"}}};
  forms["armature"] = any_of({number, reference("armature_map")});
  forms["axial_functions"] = any_of({function, list_of(function, 3, 3)});
  forms["repeat"] = {{"type", "object"},
                     {"minProperties", 1},
                     {"maxProperties", 4},
                     {"additionalProperties", any_of({number, reference("two_numbers")})}};
  forms["include"] = map_of(null_or_map, "include_entry");
  forms["names"] = map_of("object", "text");
  forms["files"] = map_of("object", "text");
  forms["unit"] = {{"type", "string"}};
  forms["parameters"] = map_of(null_or_map, "named_value");
  forms["let"] = map_of(null_or_map, "named_value");
  forms["named_value"] = any_of({number, vector, {{"type", "string"}}});
  forms["parameters"]["propertyNames"] = {{"pattern", R"(^[A-Za-z_]\w*$)"}};
  forms["sphere"] = any_of({number, reference("sphere_map")});
  forms["mesh"] = any_of({reference("text"), reference("mesh_map")});
  forms["scale"] = any_of({number, reference("three_numbers")});
  forms["color"] = any_of({{{"type", "string"}}, reference("three_numbers")});
  forms["outline"] = {{"type", "array"}, {"minItems", 3}, {"items", reference("two_numbers")}};
  forms["outlines"] = {{"type", "array"}, {"items", reference("outline")}};
  forms["shapes"] =
      any_of({reference("shape"), {{"type", "array"}, {"items", reference("shape")}}});
  forms["terms"] = {{"type", "array"}, {"items", reference("term")}};
  forms["constraints"] = {{"type", "array"}, {"items", reference("constraint")}};
  forms["states"] = map_of(null_or_map, "state");
  forms["switches"] = {{"type", null_or_map},
                       {"additionalProperties", any_of({number, {{"type", "boolean"}}})}};
  forms["events"] = map_of(null_or_map, "event");
  const Json actions = {{"enum", {"stop", "record"}}};
  forms["event_actions"] = any_of({actions, {{"type", "array"}, {"items", actions}}});
  forms["event_changes"] = {{"type", "object"},
                            {"additionalProperties", any_of({function, {{"type", "boolean"}}})}};
  forms["tables"] = map_of(null_or_map, "named_table");
  forms["bodies"] = map_of("object", "body");
  forms["bodies"]["minProperties"] = 1;
  forms["bodies"]["properties"] = {{"ground", reference("ground")}};
  forms["joints"] = map_of(null_or_map, "joint");
  forms["couplers"] = map_of(null_or_map, "coupler");
  forms["drivers"] = map_of(null_or_map, "driver");
  forms["forces"] = map_of(null_or_map, "force");
  forms["points"] = map_of(null_or_map, "named_point");
  forms["outputs"] = map_of(null_or_map, "output");
  forms["initial"] = map_of("object", "initial_state");
  return forms;
}

// ---- maps

// "world|body": one of the words
inline Json make_type(std::string_view type) {
  if (type.find('|') == std::string_view::npos) return reference(std::string(type));
  Json words = Json::array();
  std::istringstream stream{std::string(type)};
  for (std::string word; std::getline(stream, word, '|');) {
    words.push_back(word == "true" || word == "false" ? Json(word == "true") : Json(word));
  }
  return {{"enum", words}};
}

inline Json make_map(const Keys& keys) {
  Json properties = Json::object(), needed = Json::array();
  for (const Key& key : keys) {
    Json& property = properties[std::string(key.word)] = make_type(key.type);
    property["description"] = key.meaning;
    if (key.needed) needed.push_back(key.word);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", needed},
          {"additionalProperties", false}};
}

// The same, with exactly one of some keys.
inline Json make_map(const Keys& keys, const Words& alternatives) {
  Json map = make_map(keys);
  for (const std::string& key : alternatives) map["oneOf"].push_back({{"required", {key}}});
  return map;
}

// Entries whose form depends on their kind: `forms` by word.
inline void add_kinds(const std::string& noun, const Json& forms, Json& definitions) {
  Json cases = Json::array(), words = Json::array();
  for (const auto& [word, form] : forms.items()) {
    Json& definition = definitions[word + "_" + noun] = form;
    definition["properties"]["kind"] = true;  // known by now
    words.push_back(word);
    cases.push_back({{"if", {{"properties", {{"kind", {{"const", word}}}}}}},
                     {"then", reference(word + "_" + noun)}});
  }
  definitions[noun] = {{"type", "object"},
                       {"properties", {{"kind", {{"enum", words}}}}},
                       {"required", {"kind"}},
                       {"allOf", cases}};
}

template <class Kind>
Json make_kinds(const std::vector<Kind>& kinds) {
  Json forms;
  for (const Kind& kind : kinds) {
    Keys keys = kind.keys;
    keys.push_back({"repeat", "repeat", "indices of a repeated entry"});
    keys.push_back({"let", "let", "local names"});
    Json& form = forms[std::string(kind.word)] = make_map(keys);
    const auto has = [&](std::string_view word) {
      return std::any_of(keys.begin(), keys.end(),
                         [&](const Key& key) { return key.word == word; });
    };
    if (has("joints") && has("frames")) {
      form["oneOf"] = {{{"required", {"joints"}}}, {{"required", {"frames"}}}};
    }
    form["description"] = kind.meaning;
  }
  return forms;
}

// ---- joints

// What a joint or a basic constraint may say about its place, in either space.
inline Keys list_place_keys(const JointRules& space, const JointRules& plane) {
  unsigned vectors = 0;
  int points = 0;
  bool axis = false, axes = false, angle = false, offset = false;
  for (const JointRules* rules : {&space, &plane}) {
    if (!rules->exists) continue;
    using W = WorldVectors;
    const W world = rules->world;
    vectors |= rules->vectors;
    points = std::max(points, rules->points);
    axis |= world == W::around || world == W::normal || world == W::shafts;
    angle |= rules->has_angle;
    offset |= rules->has_offset;
    axes |= world == W::axes || world == W::cross || world == W::slot || world == W::shafts;
  }
  const auto is_used = [&](std::string_view key) {
    if (key == "points" || key == "at") return points > 0;
    if (key == "length") return points == 2;
    if (key == "angle") return angle;
    if (key == "offset") return offset;
    if (key == "axis") return axis;
    if (key == "axes") return axes;
    const std::string_view names[] = {"a_i", "b_i", "a_j", "b_j"};  // in the order of vector_bit
    return (vectors >> (std::find(names, names + 4, key) - names) & 1) != 0;
  };
  Keys keys;
  std::copy_if(place_keys.begin(), place_keys.end(), std::back_inserter(keys),
               [&](const Key& key) { return is_used(key.word); });
  return keys;
}

// Either in the bodies' frames or in the world.
inline Words alternatives_of(const Keys& place) {
  return !place.empty() && place[0].word == "points" ? Words{"points", "at"} : Words{};
}

// A joint between two frames names no bodies; any other names them.
inline void add_frames(bool has_points, Json& map) {
  Json bodies = {{"required", {"bodies"}}};
  if (has_points) bodies["oneOf"] = map["oneOf"];
  map["oneOf"] = {bodies, {{"required", {"frames"}}}};
}

inline Json make_joint(const JointWord& joint) {
  const bool generic = joint.kind == JointKind::generic;
  const Keys place = generic ? Keys() : list_place_keys(joint.in_space, joint.in_plane);
  const auto has = [&](JointCoordinate coordinate) {
    return has_coordinate(joint.kind, false, coordinate) ||
           has_coordinate(joint.kind, true, coordinate);
  };
  const auto is_used = [&](std::string_view key) {
    if (key == "kind") return false;  // add_kinds
    if (key == "constraints") return generic;
    if (key == "curve") return joint.kind == JointKind::point_on_curve;
    if (key == "pitch") return joint.kind == JointKind::screw;
    if (key == "start_angle") return has(JointCoordinate::angle);
    if (key == "start_travel") return has(JointCoordinate::travel);
    return true;
  };
  Keys keys;
  for (Key key : joint_keys) {
    key.needed |= key.word == "constraints" || key.word == "curve" || key.word == "pitch";
    if (is_used(key.word)) keys.push_back(key);
  }
  keys.insert(keys.end(), place.begin(), place.end());
  const Words alternatives = alternatives_of(place);
  Json map = make_map(keys, alternatives);
  add_frames(!alternatives.empty(), map);
  return map;
}

inline Json make_constraint() {
  Json properties;
  for (const BasicWord& basic : joint_rules::basic_constraints) {
    const Keys place = list_place_keys(basic.in_space, basic.in_plane);
    properties[std::string(basic.word)] = make_map(place, alternatives_of(place));
  }
  return {{"type", "object"},
          {"properties", properties},
          {"minProperties", 1},
          {"maxProperties", 1},
          {"additionalProperties", false}};
}

// ---- drivers

// One thing is driven; of a frame its position, its attitude, or both.
inline Json make_driver(const Keys& keys) {
  Words driven;
  bool turns = false;
  for (const Key& key : keys) {
    if (key.type.starts_with("function")) driven.emplace_back(key.word);
    turns |= key.word == "orientation";
  }
  if (!turns) return make_map(keys, driven);
  Json map = make_map(keys);
  driven.emplace_back("orientation");
  for (const std::string& key : driven) map["anyOf"].push_back({{"required", {key}}});
  return map;
}

// ---- simulation

inline Json make_option(const Option& option) {
  const OptionAccess& access = option.access;
  const OptionRange& range = access.range;
  const bool zero = !option.zero.empty();
  Json form;
  switch (access.kind) {
    case OptionKind::number:
    case OptionKind::count:
      form["type"] = {access.kind == OptionKind::number ? "number" : "integer", "string"};
      form[zero || range.includes_least ? "minimum" : "exclusiveMinimum"] = zero ? 0 : range.least;
      if (range.most < 1e15) {
        form[range.includes_most ? "maximum" : "exclusiveMaximum"] = range.most;
      }
      break;
    case OptionKind::flag: form["type"] = "boolean"; break;
    case OptionKind::choice: form["enum"] = access.words; break;
    case OptionKind::set: {
      auto words = access.words;
      words.push_back(access.alone);
      Json word = {{"enum", access.words}}, alone = {{"enum", words}};
      if (access.takes_channels) {
        const Json channel = {{"type", "string"}, {"pattern", "[.*?]"}};
        word = any_of({word, channel});
        alone = any_of({alone, channel});
      }
      form["anyOf"] = {alone, {{"type", "array"}, {"items", word}}};
    }
  }
  form["description"] = std::string(option.help) +
                        (option.unit.empty() ? "" : ", " + std::string(option.unit)) +
                        " (default: " + option_text(option, SimulationOptions()) + ")";
  return form;
}

// ---- the whole

// What fits into a line of 100 characters is not broken.
inline std::string to_lines(const Json& value, std::size_t indent = 0) {
  std::string text = value.dump();
  if (text.size() + indent < 100 || value.is_primitive()) return text;
  text = value.is_object() ? "{" : "[";
  for (const auto& [key, part] : value.items()) {
    text += (text.size() > 1 ? ",\n" : "\n") + std::string(indent + 2, ' ');
    if (value.is_object()) text += Json(key).dump() + ": ";
    text += to_lines(part, indent + 2);
  }
  return text + '\n' + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

inline std::string make_model_schema() {
  Json definitions = make_forms();
  definitions["include_entry"] = make_map(include_keys);
  definitions["units"] = make_map(unit_keys);
  definitions["body"] = make_map(body_keys);
  definitions["initial_state"] = make_map(initial_keys);
  definitions["named_point"] = make_map(point_keys);
  definitions["output"] = any_of({{{"type", {"number", "string"}}}, make_map(output_keys)});
  definitions["shape"] = make_map(
      shape_keys, {"box", "cylinder", "sphere", "capsule", "cone", "ring", "extrusion", "mesh"});
  definitions["cylinder"] = make_map(cylinder_keys);
  definitions["sphere_map"] = make_map(sphere_keys);
  definitions["capsule"] = make_map(capsule_keys);
  definitions["cone"] = make_map(cone_keys);
  definitions["ring"] = make_map(ring_keys);
  definitions["extrusion"] = make_map(extrusion_keys);
  definitions["mesh_map"] = make_map(mesh_keys);
  Json& orientation = definitions["orientation_map"] =
      make_map(orientation_keys, {"euler_parameters", "angle", "matrix"});
  Json axes;
  for (const char* axis : {"x", "y", "z"}) axes["anyOf"].push_back({{"required", {axis}}});
  orientation["oneOf"].push_back(axes);
  definitions["frame_map"] = make_map(frame_keys);
  definitions["ground"] = make_map(ground_keys);
  definitions["inertia_map"] = make_map(inertia_keys, {"about_com", "about_origin"});
  definitions["table"] = make_map(table_keys, {"file", "points"});
  definitions["state"] = make_map(state_keys, {"rate", "next"});
  definitions["event"] = make_map(event_keys);
  definitions["event"]["anyOf"] = {{{"required", {"do"}}}, {{"required", {"set"}}}};
  definitions["map"] = make_map(map_keys, {"values", "grid"});
  definitions["named_table"] = any_of({reference("table"), reference("map")});

  Json joints, planar_words = Json::array();
  for (const JointWord& joint : joint_rules::joints) {
    joints[std::string(joint.word)] = make_joint(joint);
    if (joint.in_plane.exists) planar_words.push_back(joint.word);
  }
  add_kinds("joint", joints, definitions);
  definitions["constraint"] = make_constraint();
  definitions["curve"] = make_map(curve_keys);
  definitions["start"] = make_map(start_keys);
  definitions["armature_map"] = make_map(armature_keys);
  definitions["compliance"] = make_map(compliance_keys);
  add_kinds("coupler", make_kinds(coupler_kinds), definitions);
  definitions["term"] = make_map(term_keys);
  definitions["joint_driver"] = make_driver(joint_driver_keys);
  definitions["distance_driver"] = make_driver(distance_driver_keys);
  definitions["point_driver"] = make_driver(point_driver_keys);
  definitions["frame_driver"] = make_driver(frame_driver_keys);
  definitions["driver"] = {{"type", "object"},
                           {"if", {{"required", {"joint"}}}},
                           {"then", reference("joint_driver")},
                           {"else",
                            {{"if", {{"required", {"bodies"}}}},
                             {"then", reference("distance_driver")},
                             {"else",
                              {{"if", {{"required", {"frames"}}}},
                               {"then", reference("frame_driver")},
                               {"else", reference("point_driver")}}}}}};
  add_kinds("force", make_kinds(force_kinds), definitions);
  Json& simulation =
      definitions["simulation"] = {{"type", {"object", "null"}}, {"additionalProperties", false}};
  for (const Option& option : option_table()) {
    simulation["properties"][std::string(option.word)] = make_option(option);
  }

  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Trammel model"}};
  schema.update(make_map(model_keys));
  schema["anyOf"] = {{{"required", {"bodies"}}}, {{"required", {"include"}}}};
  schema["if"] = {{"properties", {{"dimension", {{"const", 2}}}}}, {"required", {"dimension"}}};
  // in the plane there are fewer kinds of joints
  schema["then"]["properties"]["joints"]["additionalProperties"]["properties"]["kind"]["enum"] =
      planar_words;
  schema["$defs"] = definitions;
  return to_lines(schema) + '\n';
}

}  // namespace trammel::test
