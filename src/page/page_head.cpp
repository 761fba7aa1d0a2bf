// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Everything of a run that is not a column, as JSON: names, scene, summary, texts.
#include <string>

#include "format/json_fields.hpp"
#include "page/page_run.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

void add_geometry(JsonWriter& json, const Box& box) {
  add_string(json, "kind", "box");
  add_numbers(json, "size", box.size);
}
void add_geometry(JsonWriter& json, const Cylinder& cylinder) {
  add_string(json, "kind", "cylinder");
  add_numbers(json, "size", std::vector<double>{cylinder.radius, cylinder.length});
}
void add_geometry(JsonWriter& json, const Sphere& sphere) {
  add_string(json, "kind", "sphere");
  add_numbers(json, "size", std::vector<double>{sphere.radius});
}

void add_geometry(JsonWriter& json, const Capsule& capsule) {
  add_string(json, "kind", "capsule");
  add_numbers(json, "size", std::vector<double>{capsule.radius, capsule.length});
}
void add_geometry(JsonWriter& json, const Cone& cone) {
  add_string(json, "kind", "cone");
  add_numbers(json, "size", std::vector<double>{cone.radius, cone.top, cone.length});
}
void add_geometry(JsonWriter& json, const Ring& ring) {
  add_string(json, "kind", "ring");
  add_numbers(json, "size", std::vector<double>{ring.radius, ring.inner, ring.length});
}
void add_geometry(JsonWriter& json, const Extrusion& extrusion) {
  add_string(json, "kind", "extrusion");
  add_numbers(json, "size", std::vector<double>{extrusion.length});
  json.key("loops");  // x, y, x, y, … of each
  json.open_array();
  for (const Extrusion::Loop& loop : extrusion.loops) {
    json.open_array();
    for (const auto& corner : loop) {
      for (const double x : corner) json.number(x);
    }
    json.close_array();
  }
  json.close_array();
}
void add_geometry(JsonWriter& json, const Mesh& mesh) {
  add_string(json, "kind", "mesh");
  add_numbers(json, "size", mesh.scale);
}

void add_shape(JsonWriter& json, const Shape& shape, PageMeshes& meshes) {
  json.open_object();
  std::visit([&](const auto& geometry) { add_geometry(json, geometry); }, shape.geometry);
  if (const Mesh* mesh = std::get_if<Mesh>(&shape.geometry)) {
    add_integer(json, "mesh", meshes.add(mesh->surface));
  }
  add_numbers(json, "position", shape.position);
  add_numbers(json, "orientation", shape.orientation);
  if (shape.color) {
    const Rgb& c = *shape.color;
    add_numbers(json, "color", std::vector<double>{c[0], c[1], c[2]});
  }
  if (shape.opacity != 1.0F) add_number(json, "opacity", shape.opacity);
  json.close_object();
}

void add_body(JsonWriter& json, const SceneBody& body, PageMeshes& meshes) {
  json.new_line();
  json.open_object();
  add_string(json, "name", body.name);
  add_number(json, "mass", body.mass);
  add_boolean(json, "inertia_shape", body.inertia_shape);
  json.key("shapes");
  json.open_array();
  for (const Shape& shape : body.shapes) add_shape(json, shape, meshes);
  json.close_array();
  json.close_object();
}

// What joints, forces and drivers have in common: two points of two bodies.
template <class Link>
void open_link(JsonWriter& json, const Link& link) {
  json.new_line();
  json.open_object();
  add_string(json, "name", link.name);
  add_integer(json, "body_i", link.body_i);
  add_integer(json, "body_j", link.body_j);
  add_numbers(json, "point_i", link.point_i);
  add_numbers(json, "point_j", link.point_j);
}

void add_actions(JsonWriter& json, const char* key, const std::vector<SceneForce>& actions) {
  static constexpr const char* shapes[] = {"line", "joint", "point", "bushing", "body"};
  json.key(key);
  json.open_array();
  for (const SceneForce& action : actions) {
    open_link(json, action);
    add_string(json, "kind", action.kind);
    add_string(json, "shape", shapes[static_cast<int>(action.shape)]);
    add_integer(json, "joint", action.joint);
    add_numbers(json, "axis", action.axis);
    add_numbers(json, "orientation", action.orientation);
    add_number(json, "free_length", action.free_length);
    json.close_object();
  }
  json.close_array();
}

void add_scene(JsonWriter& json, const Scene& scene, PageMeshes& meshes) {
  open_section(json, "scene");
  add_integer(json, "dimension", scene.dimension);
  add_numbers(json, "gravity", scene.gravity);
  add_number(json, "length", scene.length);
  json.key("bodies");
  json.open_array();
  for (const SceneBody& body : scene.bodies) add_body(json, body, meshes);
  json.close_array();
  json.key("joints");
  json.open_array();
  for (const SceneJoint& joint : scene.joints) {
    open_link(json, joint);
    add_string(json, "kind", joint.kind);
    add_numbers(json, "axis_i", joint.axis_i);
    add_numbers(json, "axis_j", joint.axis_j);
    json.close_object();
  }
  json.close_array();
  add_actions(json, "forces", scene.forces);
  add_actions(json, "drivers", scene.drivers);
  json.key("points");
  json.open_array();
  for (const ScenePoint& point : scene.points) {
    json.open_object();
    add_string(json, "name", point.name);
    add_integer(json, "body", point.body);
    add_numbers(json, "point", point.point);
    json.close_object();
  }
  json.close_array();
  json.close_object();
}

// Columns that have names of their own, one for each.
void add_named(JsonWriter& json, const char* array, std::vector<std::string> names,
               std::vector<std::string> units, const char* suffix, const char* per) {
  for (std::string& name : names) name += suffix;
  for (std::string& unit : units) unit += per;
  json.open_object();
  add_string(json, "array", array);
  add_strings(json, "names", names);
  add_strings(json, "units", units);
  json.close_object();
}

void add_tables(JsonWriter& json, const Results& results) {
  json.new_line();
  json.key("tables");
  json.open_array();
  add_named(json, "coordinate", results.coordinate_names, results.coordinate_units, "", "");
  add_named(json, "coordinate_rate", results.coordinate_names, results.coordinate_units, "_rate",
            "/s");
  add_named(json, "coordinate_acceleration", results.coordinate_names, results.coordinate_units,
            "_acceleration", "/s²");
  add_named(json, "load", results.load_names, results.load_units, "", "");
  add_named(json, "element", results.element_names, results.element_units, "", "");
  add_named(json, "output", results.output_names, results.output_units, "", "");
  json.close_array();
}

void add_arrays(JsonWriter& json, const DataBlock& block) {
  open_section(json, "arrays");
  for (const DataBlock::Entry& entry : block.entries()) {
    json.key(entry.name);
    json.open_object();
    add_string(json, "type", entry.type);
    add_integer(json, "offset", static_cast<std::int64_t>(entry.offset));
    add_integer(json, "length", static_cast<std::int64_t>(entry.length));
    json.close_object();
  }
  json.close_object();
}

}  // namespace

void add_run_head(JsonWriter& json, const PageRun& run, const PageColumns& columns,
                  PageMeshes& meshes) {
  const Results& results = *run.results;
  json.new_line();
  json.open_object();
  add_string(json, "label", run.label);
  add_string(json, "summary", to_json(results));  // JSON in a string: parsed by itself
  add_string(json, "report", full_report(results));
  add_string(json, "model_text", results.model_text);
  open_section(json, "check");
  add_integer(json, "bodies", results.check.bodies);
  add_integer(json, "joints", results.check.joints);
  add_integer(json, "rows", results.check.rows);
  add_integer(json, "rank", results.check.rank);
  json.close_object();
  add_integer(json, "rows", static_cast<std::int64_t>(results.time.size()));
  add_integer(json, "thinning", static_cast<std::int64_t>(columns.thinning));
  add_numbers(json, "origin", columns.origin);
  add_scene(json, results.scene, meshes);
  add_tables(json, results);
  add_arrays(json, columns.block);
  json.close_object();
}

}  // namespace trammel
