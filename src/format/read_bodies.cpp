// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `bodies` section.
#include <fmt/format.h>

#include <unordered_map>

#include "format/model_keys.hpp"
#include "format/names.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"
#include "math/nearest_word.hpp"
#include "model/mass_properties.hpp"

namespace trammel {

const Keys body_keys = {
    {"mass", "number", "kg; default: from the shapes"},
    {"com", "point", "centre of mass in the body's frame, m; default: from the shapes"},
    {"inertia", "inertia", "about the centre of mass, body axes, kg m²; default: from the shapes"},
    {"placed_in", "text", "frame to which position, orientation and velocities are relative"},
    {"position", "point", "of the origin of the body's frame in the world at t = 0, m"},
    {"orientation", "orientation", "body frame to world at t = 0"},
    {"velocity", "vector", "of that origin at t = 0, world frame, m/s"},
    {"angular_velocity", "axial_vector", "at t = 0, body frame, rad/s"},
    {"frames", "frames", "points and axes of the body, by name"},
    {"shape", "shapes", "one shape or a list of shapes"},
    {"density", "number", "default for shapes without a density, kg/m³"},
    {"color", "color", "default for shapes without a colour"},
    {"opacity", "number", "default for shapes without an opacity"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"},
    {"hold", "true|false|position|orientation", "what the assembly must not move"},
    {"assembly_weight", "number", "larger values keep the body closer to its given position"}};

const Keys inertia_keys = {
    {"about_com", "inertia_numbers", "about the centre of mass, kg m²"},
    {"about_origin", "inertia_numbers", "about the origin of the body's frame, kg m²"},
    {"axes", "orientation", "axes of the numbers to the body; default: the body's axes"}};

const Keys initial_keys = {{"position", "vector", "m"},
                           {"orientation", "orientation", "body frame to world"},
                           {"velocity", "vector", "world frame, m/s"},
                           {"angular_velocity", "axial_vector", "body frame, rad/s"},
                           {"let", "let", "local names"}};

namespace {

using Kind = YamlNode::Kind;

// `hold: true`, `hold: position`, `hold: orientation`
void read_hold(Reader& reader, NodeId id, Body& body) {
  enum class Hold { all, none, position, orientation };
  const auto hold = reader.choice(
      id, std::vector<std::pair<std::string_view, Hold>>{{"true", Hold::all},
                                                         {"false", Hold::none},
                                                         {"position", Hold::position},
                                                         {"orientation", Hold::orientation}});
  body.hold_position = hold == Hold::all || hold == Hold::position;
  body.hold_orientation = hold == Hold::all || hold == Hold::orientation;
}

// Three principal moments or the whole matrix; in a planar model also the moment about z alone,
// which is then taken as that of a disc.
Mat3 read_moments(Reader& reader, NodeId id) {
  const YamlNode& node = reader.tree()[id];
  if (reader.is_planar() && node.kind == Kind::scalar) {
    const double moment = reader.number(id);
    return {{{moment / 2, 0, 0}, {0, moment / 2, 0}, {0, 0, moment}}};
  }
  if (node.kind != Kind::list || node.child_count != 3) {
    reader.report(id, fmt::format("must be {}3 numbers or a matrix of 3 rows, got {}",
                                  reader.is_planar() ? "a number, " : "", reader.describe(id)));
    return {};
  }
  if (reader.tree()[node.first_child].kind == Kind::list) return reader.matrix(id);
  const Vec3 d = reader.numbers<3>(id, "numbers");
  return {{{d[0], 0, 0}, {0, d[1], 0}, {0, 0, d[2]}}};
}

// Numbers, or {about_com: numbers, axes: orientation}, or about_origin. After shapes and centre of mass.
void read_inertia(Reader& reader, NodeId id, const Basis& in, Body& body) {
  if (reader.tree()[id].kind != Kind::map) {
    body.inertia = read_moments(reader, id);
    return;
  }
  reader.check_keys(id, inertia_keys);
  const NodeId com = reader.find(id, "about_com"), origin = reader.find(id, "about_origin");
  if ((com == no_node) == (origin == no_node)) {
    if (!reader.is_reported_around(id)) {
      reader.report_key(id, "needs either 'about_com' or 'about_origin'");
    }
    return;
  }
  Mat3 inertia = read_moments(reader, com != no_node ? com : origin);
  if (const NodeId axes = reader.find(id, "axes"); axes != no_node) {
    inertia = rotate_inertia(inertia, read_orientation(reader, axes, in));
  }
  body.inertia = inertia;  // what the centre of mass depends on
  if (origin == no_node) return;
  const MassProperties properties = calc_mass_properties(body);
  body.inertia = shift_inertia(inertia, -properties.mass, properties.com);
}

void read_body(Reader& reader, NodeId entry, int index, Body& body) {
  reader.check_keys(entry, body_keys);
  if (const NodeId id = reader.find(entry, "mass"); id != no_node) body.mass = reader.number(id);
  if (const NodeId id = reader.find(entry, "hold"); id != no_node) read_hold(reader, id, body);
  if (const NodeId id = reader.find(entry, "assembly_weight"); id != no_node) {
    body.assembly_weight = reader.number(id);
  }
  Places& places = reader.places();
  if (places.must_wait(entry)) return places.add(index, entry);

  body.position = reader.vector_or_zero(entry, "position");
  if (const NodeId id = reader.find(entry, "orientation"); id != no_node) {
    body.orientation = read_orientation(reader, id, {});
  }
  body.velocity = reader.vector_or_zero(entry, "velocity");
  if (const NodeId id = reader.find(entry, "angular_velocity"); id != no_node) {
    body.angular_velocity = reader.axial_vector(id);
  }
  read_mass_of(reader, entry, {index, nullptr}, body);
}

// The ground may have frames, and nothing else.
bool is_ground(Reader& reader, NodeId entry) {
  const YamlTree& tree = reader.tree();
  return tree.key_text(entry) == ground && tree[entry].kind == Kind::map &&
         tree[entry].child_count == 1 && tree.key_text(tree[entry].first_child) == "frames";
}

// What is not given is as in the body.
InitialState read_initial_state(Reader& reader, NodeId entry, const Body& body) {
  InitialState start{body.position, body.orientation, body.velocity, body.angular_velocity};
  reader.check_keys(entry, initial_keys);
  if (const auto given = reader.find_vector(entry, "position")) start.position = *given;
  if (const NodeId id = reader.find(entry, "orientation"); id != no_node) {
    start.orientation = read_orientation(reader, id, {});
  }
  if (const auto given = reader.find_vector(entry, "velocity")) start.velocity = *given;
  if (const NodeId id = reader.find(entry, "angular_velocity"); id != no_node) {
    start.angular_velocity = reader.axial_vector(id);
  }
  return start;
}

}  // namespace

void read_initial(Reader& reader, NodeId section, Model& model) {
  if (!reader.expect_map(section)) return;
  std::unordered_map<std::string_view, Body*> bodies;
  for (Body& body : model.bodies) bodies.emplace(body.name, &body);
  for (const NodeId entry : reader.children(section)) {
    const std::string_view name = reader.tree().key_text(entry);
    const auto found = bodies.find(name);
    if (found == bodies.end()) {
      NearestWord nearest(name);
      for (const Body& body : model.bodies) nearest.offer(body.name);
      reader.report_key(entry, "there is no body '" + std::string(name) + "'", nearest.hint());
    } else if (reader.expect_map(entry)) {
      with_let(reader, entry,
               [&] { found->second->initial = read_initial_state(reader, entry, *found->second); });
    }
  }
}

void read_mass_of(Reader& reader, NodeId entry, const Basis& in, Body& body) {
  if (const NodeId id = reader.find(entry, "com"); id != no_node) {  // shapes may be placed there
    body.com = reader.places().point(id, in);
  }
  const NodeId density_id = reader.find(entry, "density");
  const NodeId shape_id = reader.find(entry, "shape");
  Shape shape;
  if (density_id != no_node) shape.density = reader.number(density_id);
  read_looks(reader, entry, shape);
  if (shape_id != no_node) {
    body.shapes = read_shapes(reader, shape_id, shape, in);
  } else {
    for (const char* key : {"density", "color", "opacity"}) {
      const NodeId id = reader.find(entry, key);
      if (id == no_node) continue;
      reader.report(id, std::string(key) + " given, but the body has no shape", "add a shape");
    }
  }
  if (const NodeId id = reader.find(entry, "inertia"); id != no_node) {
    read_inertia(reader, id, in, body);
  }
}

void read_bodies(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.bodies, entries, [&](NodeId entry, Body& body) {
    const auto index = static_cast<int>(model.bodies.size()) - 1;
    if (!is_ground(reader, entry)) return read_body(reader, entry, index, body);
    if (!reader.part_names.prefix.empty()) {
      reader.report_key(entry, "an included file cannot give the ground frames",
                        "name them in the model, and give them to the file with 'connect'");
    } else {
      reader.places().add(Basis::world, entry);
    }
    model.bodies.pop_back();  // no body
    entries.pop_back();
  });
}

}  // namespace trammel
