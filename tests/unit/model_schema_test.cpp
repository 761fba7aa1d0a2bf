// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The editor schema against the reader of model files: what the reader accepts the schema accepts, and
// common errors are found by both.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>

#include "trammel/trammel.hpp"

using namespace trammel;
using Json = nlohmann::ordered_json;

namespace {

// ---- YAML as JSON, scalars as in YAML 1.2

Json to_json_value(const YAML::Node& node) {
  if (node.IsMap()) {
    Json map = Json::object();
    for (const auto& entry : node) map[entry.first.Scalar()] = to_json_value(entry.second);
    return map;
  }
  if (node.IsSequence()) {
    Json list = Json::array();
    for (const auto& entry : node) list.push_back(to_json_value(entry));
    return list;
  }
  if (node.IsNull()) return nullptr;
  const std::string& text = node.Scalar();
  if (node.Tag() == "!") return text;  // in quotes
  if (text == "true" || text == "false") return text == "true";
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (std::from_chars(text.data(), end, integer).ptr == end) return integer;
  double number = 0;
  if (std::from_chars(text.data(), end, number).ptr == end) return number;
  return text;
}

// ---- the keywords of JSON Schema that the schema uses

class Validator {
 public:
  explicit Validator(Json schema) : root_(std::move(schema)) {}

  // Where and why the value is refused; empty: it is not.
  std::string find_fault(const Json& value) const { return find_fault(root_, value, ""); }

 private:
  bool accepts(const Json& schema, const Json& value) const {
    return find_fault(schema, value, "").empty();
  }

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number_integer();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "array") return value.is_array();
    REQUIRE(type == "object");
    return value.is_object();
  }

  std::string find_fault(const Json& schema, const Json& value, const std::string& path) const {
    if (schema.is_boolean()) return schema.get<bool>() ? "" : path + ": not allowed";
    for (const auto& [keyword, rule] : schema.items()) {
      const std::string fault = find_fault(schema, keyword, rule, value, path);
      if (!fault.empty()) return fault;
    }
    return {};
  }

  std::string find_fault(const Json& schema, const std::string& keyword, const Json& rule,
                         const Json& value, const std::string& path) const {
    const auto refuse_if = [&](bool wrong) { return wrong ? path + ": " + keyword : ""; };
    const auto count = [&] {
      return std::count_if(rule.begin(), rule.end(),
                           [&](const Json& one) { return accepts(one, value); });
    };
    if (keyword == "$schema" || keyword == "title" || keyword == "description" ||
        keyword == "default" || keyword == "$defs" || keyword == "then" || keyword == "else") {
      return {};
    }
    if (keyword == "$ref") {
      const std::string name = rule.get<std::string>().substr(std::string("#/$defs/").size());
      REQUIRE_MESSAGE(root_["$defs"].contains(name), name);
      return find_fault(root_["$defs"][name], value, path);
    }
    if (keyword == "type") {
      const Json types = rule.is_array() ? rule : Json::array({rule});
      return refuse_if(std::none_of(types.begin(), types.end(),
                                    [&](const Json& type) { return has_type(value, type); }));
    }
    if (keyword == "const") return refuse_if(value != rule);
    if (keyword == "enum") return refuse_if(std::count(rule.begin(), rule.end(), value) == 0);
    if (keyword == "anyOf") return refuse_if(count() == 0);
    if (keyword == "oneOf") return refuse_if(count() != 1);
    if (keyword == "allOf") {
      for (const Json& part : rule) {
        if (const auto fault = find_fault(part, value, path); !fault.empty()) return fault;
      }
      return {};
    }
    if (keyword == "if") {
      const char* const branch = accepts(rule, value) ? "then" : "else";
      return schema.contains(branch) ? find_fault(schema[branch], value, path) : "";
    }
    if (keyword == "minimum") return refuse_if(value.is_number() && !(value >= rule));
    if (keyword == "maximum") return refuse_if(value.is_number() && !(value <= rule));
    if (keyword == "exclusiveMinimum") return refuse_if(value.is_number() && !(value > rule));
    if (keyword == "exclusiveMaximum") return refuse_if(value.is_number() && !(value < rule));
    if (keyword == "pattern") {
      return refuse_if(
          value.is_string() &&
          !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>())));
    }
    if (keyword == "minItems") return refuse_if(value.is_array() && value.size() < rule);
    if (keyword == "maxItems") return refuse_if(value.is_array() && value.size() > rule);
    if (keyword == "minProperties") return refuse_if(value.is_object() && value.size() < rule);
    if (keyword == "maxProperties") return refuse_if(value.is_object() && value.size() > rule);
    if (keyword == "items") {
      if (!value.is_array()) return {};
      for (std::size_t k = 0; k < value.size(); ++k) {
        const auto fault = find_fault(rule, value[k], path + "[" + std::to_string(k) + "]");
        if (!fault.empty()) return fault;
      }
      return {};
    }
    if (keyword == "required") {
      for (const Json& key : rule) {
        if (value.is_object() && !value.contains(key.get<std::string>())) {
          return path + ": required " + key.get<std::string>();
        }
      }
      return {};
    }
    const bool of_keys = keyword == "propertyNames";
    const bool of_others = keyword == "additionalProperties";
    REQUIRE_MESSAGE((of_keys || of_others || keyword == "properties"), keyword);
    if (!value.is_object()) return {};
    for (const auto& [key, entry] : value.items()) {
      const bool named = schema.contains("properties") && schema["properties"].contains(key);
      const std::string here = path + "." + key;
      std::string fault;
      if (of_keys) {
        fault = find_fault(rule, key, here);
      } else if (of_others && !named) {
        fault = find_fault(rule, entry, here);
      } else if (!of_others && named) {
        fault = find_fault(rule[key], entry, here);
      }
      if (!fault.empty()) return fault;
    }
    return {};
  }

  Json root_;
};

const Validator& validator() {
  static const Validator result = [] {
    std::ifstream file(std::string(TRAMMEL_MODELS_DIR) + "/../docs/schema/model.schema.json");
    REQUIRE(file.good());
    return Validator(Json::parse(file));
  }();
  return result;
}

std::vector<std::string> list_models() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TRAMMEL_MODELS_DIR)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool reader_accepts(const std::string& text, const std::string& path) {
  try {
    read_model_text(text, path);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

// ---- each model with one key left out or one value replaced

// Calls `use` with the whole model for every change of something within `part`.
void change_each(Json& whole, Json& part, const std::function<void()>& use) {
  const std::vector<Json> values = {nullptr, true, -1, "x", Json::array(), Json::object()};
  const auto replace = [&](Json& place) {
    Json kept = place;
    for (const Json& value : values) {
      place = value;
      use();
    }
    place = std::move(kept);
  };
  if (part.is_array()) {
    for (Json& element : part) change_each(whole, element, use);
    if (!part.empty()) replace(part[0]);
  } else if (part.is_object()) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : part.items()) keys.push_back(key);
    for (const std::string& key : keys) {
      change_each(whole, part[key], use);
      replace(part[key]);
      const Json kept = part;
      part.erase(key);
      use();
      part = kept;
    }
  }
}

}  // namespace

TEST_CASE("every model of the repository fits the schema") {
  const auto models = list_models();
  CHECK(models.size() > 50);
  for (const std::string& path : models) {
    CAPTURE(path);
    CHECK(validator().find_fault(to_json_value(YAML::LoadFile(path))) == "");
  }
}

TEST_CASE("what the reader accepts fits the schema, and most of what it refuses does not") {
  int refused_by_reader = 0, refused_by_both = 0;
  for (const std::string& path : list_models()) {
    if (path.find("/examples/") == std::string::npos &&
        path.find("/planar/") == std::string::npos) {
      continue;
    }
    CAPTURE(path);
    Json model = to_json_value(YAML::LoadFile(path));
    change_each(model, model, [&] {
      const std::string text = model.dump();
      const std::string fault = validator().find_fault(model);
      if (reader_accepts(text, path)) {
        CHECK_MESSAGE(fault.empty(), fault << "\n" << text);
      } else {
        ++refused_by_reader;
        refused_by_both += fault.empty() ? 0 : 1;
      }
    });
  }
  MESSAGE(refused_by_both << " of " << refused_by_reader << " refused models");
  CHECK(refused_by_reader > 1000);
  CHECK(refused_by_both > 0.8 * refused_by_reader);
}

TEST_CASE("common errors are found by the schema and by the reader") {
  const std::string head =
      "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, "
      "inertia: [1, 1, 1]}}\n";
  const std::string hinge =
      "joints: {h: {kind: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n";
  const auto refused = [](const std::string& text) {
    const std::string fault = validator().find_fault(to_json_value(YAML::Load(text)));
    CHECK_MESSAGE(!fault.empty(), text);
    CHECK_MESSAGE(!reader_accepts(text, "f"), text);
  };
  CHECK(validator().find_fault(to_json_value(YAML::Load(head + hinge))) == "");
  CHECK(reader_accepts(head + hinge, "f"));

  refused("bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n");
  refused("trammel: 2\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n");
  refused("trammel: 1\n");
  for (const char* text : {"gravty: [0, 0, 0]", "gravity: 9.81", "gravity: [0, 0, 0, 0]",
                           "dimension: 4", "parameters: {2x: 1}", "parameters: {x: [1]}"}) {
    refused(head + text + "\n");
  }
  for (const char* body :
       {"mas: 1", "mass: [1]", "mass: 2;3", "mass: true", "mass: 1, inertia: [1, 1]",
        "mass: 1, inertia: [1, 1, 1], shape: {box: [1, 1, 1], sphere: 1}",
        "mass: 1, inertia: [1, 1, 1], shape: {cylinder: {radius: 1}}",
        "mass: 1, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1]}",
        "mass: 1, inertia: [1, 1, 1], hold: maybe", "mass: 1, inertia: [1, 1, 1], repeat: {}"}) {
    refused(std::string("trammel: 1\nbodies: {b: {") + body + "}}\n");
  }
  for (const char* joint :
       {"bodies: [b, c], at: [0, 0, 0]", "kind: ball, bodies: [b, c], at: [0, 0, 0]",
        "kind: spherical, at: [0, 0, 0]", "kind: spherical, bodies: [b, c]",
        "kind: spherical, bodies: [b], at: [0, 0, 0]",
        "kind: spherical, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1]",
        "kind: universal, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1]",
        "kind: revolute, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1], pitch: 1",
        "kind: revolute, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1], start_travel: 1",
        "kind: revolute, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1], length: 1",
        "kind: spherical, bodies: [b, c], at: [0, 0, 0], points: [[0, 0, 0], [0, 0, 0]]",
        "kind: screw, bodies: [b, c], at: [0, 0, 0], axis: [0, 0, 1]",
        "kind: generic, bodies: [b, c]", "kind: generic, bodies: [b, c], constraints: [{X: {}}]",
        "kind: point_on_curve, bodies: [b, c], at: [0, 0, 0]"}) {
    refused(head + "joints: {j: {" + joint + "}}\n");
  }
  refused(
      "trammel: 1\ndimension: 2\nbodies: {b: {mass: 1, inertia: 1}}\n"
      "joints: {j: {kind: spherical, bodies: [ground, b], at: [0, 0]}}\n");
  for (const char* force :
       {"kind: wind", "body: b, value: [0, 0, 1]", "kind: force, body: b",
        "kind: force, body: b, value: [1]", "kind: force, body: b, value: [0, 0, 1], frame: moon",
        "kind: drag, body: b, linear: 1, stiffness: 2", "kind: drag, bodies: [b, c]",
        "kind: spring_damper, bodies: [b, c], stiffness: 1",
        "kind: force, body: b, value: [0, 0, {table: {file: a.csv, points: [[0, 0]]}}]",
        "kind: bushing, bodies: [b, c], at: [0, 0, 0]"}) {
    refused(head + "forces: {f: {" + force + "}}\n");
  }
  for (const char* coupler : {"kind: gear, teeth: [1, 2]", "kind: chain, joints: [h, h]",
                              "kind: gear, joints: [h, h], teeth: [1, 2], mesh: outer",
                              "kind: coupler, terms: [{coordinate: angle}]"}) {
    refused(head + hinge + "couplers: {c: {" + coupler + "}}\n");
  }
  for (const char* driver : {"joint: h", "joint: h, angle: t, angle_rate: 1", "angle: t",
                             "body: b, position: 1", "bodies: [b, c], distance: 1"}) {
    refused(head + hinge + "drivers: {d: {" + driver + "}}\n");
  }
  for (const char* option :
       {"tend: 1", "method: rk4", "rtol: 2", "t_end: -1", "t_end: 0", "max_steps: 1.5",
        "threads: 65", "invariants: [none, energy]", "invariants: momentum", "record: [all]",
        "project_stages: 1", "max_step: [1]", "kernel: fast"}) {
    refused(head + "simulation: {" + option + "}\n");
  }
}
