// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `forces` section.
#include <algorithm>
#include <deque>

#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"
#include "model/coordinates.hpp"
#include "model/described_force.hpp"

namespace trammel {
namespace {

const std::vector<std::pair<std::string_view, Frame>> frames = {{"world", Frame::world},
                                                                {"body", Frame::body}};

std::string need_name(Reader& reader, NodeId entry, std::string_view key) {
  const NodeId id = reader.need(entry, key);
  return id == no_node ? std::string() : reader.name(id);
}

double need_number(Reader& reader, NodeId entry, std::string_view key) {
  const NodeId id = reader.need(entry, key);
  return id == no_node ? 0.0 : reader.number(id);
}

Frame read_frame(Reader& reader, NodeId entry) {
  const NodeId id = reader.find(entry, "frame");
  return id == no_node ? Frame::world : reader.choice(id, frames);
}

// The text names a number of the state: the time, or a name with a point, which may be one only once the
// index of `repeat` is filled in ("pin_<k>.angle").
bool uses_state(Reader& reader, NodeId id) {
  const YamlNode& node = reader.tree()[id];
  if (node.kind == YamlNode::Kind::map) return true;
  if (node.kind != YamlNode::Kind::scalar || reader.find_plain_number(id)) return false;
  const bool has_index =
      reader.is_repeated() && reader.tree().text(id).find('<') != std::string::npos;
  const std::string filled = has_index ? reader.text(id, max_expression_length) : std::string();
  for (const auto& [name, offset] : list_names(has_index ? filled : reader.tree().text(id))) {
    if (reader.formulas.contains(std::string(name))) return true;
    if (reader.variables.find(std::string(name)) >= 0) continue;
    if (name == "t" || name.find('.') != std::string_view::npos) return true;
    if (reader.state_names.contains(reader.resolve_formula(std::string(name)))) return true;
  }
  const std::string text =
      reader.resolve_formula(has_index ? filled : std::string(reader.tree().text(id)));
  return std::any_of(reader.named_tables.begin(), reader.named_tables.end(),
                     [&](const auto& table) { return calls(text, table.first); });
}

bool is_variable(Reader& reader, NodeId value) {
  if (reader.tree()[value].kind != YamlNode::Kind::list) return uses_state(reader, value);
  for (const NodeId id : reader.children(value)) {
    if (uses_state(reader, id)) return true;
  }
  return false;
}

// Three functions; in a planar model two, or one for a torque.
std::array<Function, 3> read_functions(Reader& reader, NodeId value, bool axial) {
  std::array<Function, 3> result;
  const YamlNode& node = reader.tree()[value];
  if (axial && reader.is_planar() && node.kind != YamlNode::Kind::list) {
    result[2] = read_function(reader, value);
    return result;
  }
  const bool two = !axial && reader.is_planar() && node.child_count == 2;
  if (!reader.expect_list(value, two ? 2 : 3, "numbers or functions")) return result;
  std::size_t k = 0;
  for (const NodeId id : reader.children(value)) result[k++] = read_function(reader, id);
  return result;
}

void read_point_force(Reader& reader, NodeId entry, Force& force) {
  const NodeId value = reader.need(entry, "value");
  const std::string body = need_name(reader, entry, "body");
  const Vec3 point = reader.places().point_or_zero(entry, "point", reader.places().in(body));
  if (value != no_node && is_variable(reader, value)) {
    force.law =
        VariableForce{body, read_frame(reader, entry), read_functions(reader, value, false), point};
    return;
  }
  force.law = PointForce{body, read_frame(reader, entry),
                         value == no_node ? Vec3{} : reader.vector(value), point};
}

void read_torque(Reader& reader, NodeId entry, Force& force) {
  const NodeId value = reader.need(entry, "value");
  if (value != no_node && is_variable(reader, value)) {
    force.law = VariableTorque{need_name(reader, entry, "body"), read_frame(reader, entry),
                               read_functions(reader, value, true)};
    return;
  }
  force.law = Torque{need_name(reader, entry, "body"), read_frame(reader, entry),
                     value == no_node ? Vec3{} : reader.axial_vector(value)};
}

// [i, j]
void read_pair(Reader& reader, NodeId bodies, std::string& body_i, std::string& body_j) {
  if (bodies == no_node || !reader.expect_list(bodies, 2, "names of bodies")) return;
  const NodeId first = reader.tree()[bodies].first_child;
  body_i = reader.name(first);
  body_j = reader.name(reader.tree()[first].next_sibling);
}

// [[3], [3]]
void read_pair(Reader& reader, NodeId points, const std::string& body_i, const std::string& body_j,
               Vec3& point_i, Vec3& point_j) {
  if (points == no_node || !reader.expect_list(points, 2, "points, one in each body's frame")) {
    return;
  }
  Places& places = reader.places();
  const NodeId first = reader.tree()[points].first_child;
  point_i = places.point(first, places.in(body_i));
  point_j = places.point(reader.tree()[first].next_sibling, places.in(body_j));
}

template <class Law>
void read_bodies_of(Reader& reader, NodeId entry, Law& law) {
  read_pair(reader, reader.need(entry, "bodies"), law.body_i, law.body_j);
}

template <class Law>
void read_points_of(Reader& reader, NodeId entry, Law& law) {
  read_pair(reader, reader.need(entry, "points"), law.body_i, law.body_j, law.point_i, law.point_j);
}

// ---- forces that describe themselves

class FieldReader {
 public:
  FieldReader(Reader& reader, NodeId entry) : reader_(reader), entry_(entry) {}

  void body(const ForceField& field, std::string& name) {
    if (const NodeId id = find(field); id != no_node) name = reader_.name(id);
    body_i_ = body_j_ = name;
  }
  void bodies(const ForceField& field, std::string& i, std::string& j, BodyJ = BodyJ::any) {
    read_pair(reader_, find(field), i, j);
    body_i_ = i;
    body_j_ = j;
  }
  void points(const ForceField& field, Vec3& i, Vec3& j) {
    read_pair(reader_, find(field), body_i_, body_j_, i, j);
  }
  void point(const ForceField& field, Vec3& p) {
    Places& places = reader_.places();
    if (const NodeId id = find(field); id != no_node) p = places.point(id, places.in(body_i_));
  }
  void vector(const ForceField& field, Vec3& v) {
    if (const NodeId id = find(field); id != no_node) v = reader_.vector(id);
  }
  template <class Number>
  void size(const ForceField& field, Number& x) {
    if (const NodeId id = find(field); id != no_node) x = reader_.number(id);
  }
  template <class Number>
  void positive(const ForceField& field, Number& x) {
    size(field, x);
  }
  void number(const ForceField& field, double& x) { size(field, x); }
  void range(const ForceField& field, std::optional<Range>& range) {
    if (const NodeId id = find(field); id != no_node) range = read_range(reader_, id);
  }
  void choice(const ForceField& field, const std::array<std::string_view, 2>& words, bool& x) {
    const NodeId id = find(field);
    if (id != no_node) x = reader_.choice<bool>(id, {{words[0], false}, {words[1], true}});
  }
  void joint(std::string& name, std::optional<JointCoordinate>& coordinate) {
    name = need_name(reader_, entry_, "joint");
    if (const NodeId id = reader_.find(entry_, "coordinate"); id != no_node) {
      coordinate = reader_.choice(id, coordinate_words);
    }
    const auto joint = reader_.joints.find(name);
    if (joint == reader_.joints.end()) return;
    const auto found = find_coordinate(*joint->second, reader_.is_planar(), coordinate);
    if (found) is_angle_ = is_angle(*found);
  }
  void along(Along& path) {
    const NodeId bodies = reader_.find(entry_, "bodies");
    const NodeId points = reader_.find(entry_, "points");
    const NodeId of_joint = reader_.find(entry_, "joint");
    if (bodies == no_node && points == no_node) {
      if (of_joint == no_node) reader_.need(entry_, "joint", "or 'bodies' and 'points'");
      if (of_joint != no_node) joint(path.joint, path.coordinate);
      return;
    }
    if (of_joint != no_node) {
      reader_.report_key(of_joint, "give either 'joint' or 'bodies' and 'points', not both");
    }
    is_angle_ = false;
    read_bodies_of(reader_, entry_, path);
    read_points_of(reader_, entry_, path);
  }
  template <class Law>
  void load(const ForceField& field, Law& function) {
    if (const NodeId id = find(field); id != no_node) function = read_function(reader_, id);
  }
  void energy(const ForceField& field, std::optional<Function>& function) { load(field, function); }

 private:
  NodeId find(const ForceField& field) {
    const NodeId id =
        field.needed ? reader_.need(entry_, field.key) : reader_.find(entry_, field.key);
    // "N/m or N m/rad": the units are those of a length or of an angle
    const std::size_t at = field.meaning.rfind(" or ");
    if (id != no_node && is_angle_ && at != std::string_view::npos) {
      reader_.set_unit(id, *is_angle_ ? field.meaning.substr(at + 4) : field.meaning.substr(0, at));
    }
    return id;
  }
  Reader& reader_;
  NodeId entry_;
  std::string body_i_, body_j_;   // in whose frames points are
  std::optional<bool> is_angle_;  // of a force along a coordinate or a distance, where it is known
};

// Keys that several kinds have.
const Key body_key = {"body", "text", "name of a body", true};
const Key bodies_key = {"bodies", "two_names", "names of two bodies; one may be ground", true};
const Key points_key = {"points", "two_points", "one in each body's frame, m", true};
const Key frame_key = {"frame", "world|body",
                       "axes of the components; body: they rotate with the body"};
const Key joint_key = {"joint", "text", "name of a joint", true};
const Key coordinate_key = {"coordinate", "angle|travel|angle_i|angle_j", "of that joint"};

// The keys of a law, in the order of its fields.
class KeyList {
 public:
  Keys keys;

  void body(const ForceField& field, const std::string&) { add(field, "text"); }
  void bodies(const ForceField& field, const std::string&, const std::string&, BodyJ = BodyJ::any) {
    add(field, "two_names");
  }
  void points(const ForceField& field, const Vec3&, const Vec3&) { add(field, "two_points"); }
  void point(const ForceField& field, const Vec3&) { add(field, "point"); }
  void vector(const ForceField& field, const Vec3&) { add(field, "vector"); }
  template <class Number>
  void size(const ForceField& field, const Number&) {
    add(field, "number");
  }
  template <class Number>
  void positive(const ForceField& field, const Number&) {
    add(field, "number");
  }
  void number(const ForceField& field, double) { add(field, "number"); }
  void range(const ForceField& field, const std::optional<Range>&) { add(field, "range"); }
  void choice(const ForceField& field, const std::array<std::string_view, 2>& words, bool) {
    static std::deque<std::string> forms;  // keys refer to their texts
    add(field, forms.emplace_back(std::string(words[0]) + "|" + std::string(words[1])));
  }
  void joint(const std::string&, const std::optional<JointCoordinate>&) {
    keys.push_back(joint_key);
    keys.push_back(coordinate_key);
  }
  void along(const Along&) {
    add({"joint", "name of a joint, along a coordinate of which it acts"}, "text");
    keys.push_back(coordinate_key);
    add({"bodies", "or names of two bodies; one may be ground"}, "two_names");
    add({"points", "between which it acts, one in each body's frame, m"}, "two_points");
  }
  template <class Law>
  void load(const ForceField& field, const Law&) {
    add(field, "function");
  }
  void energy(const ForceField& field, const std::optional<Function>&) { add(field, "function"); }

 private:
  void add(const ForceField& field, std::string_view form) {
    keys.push_back({field.key, form, field.meaning, field.needed});
  }
};

template <class Law>
void read_described(Reader& reader, NodeId entry, Force& force) {
  Law law;
  Law::fields(law, FieldReader(reader, entry));
  force.law = std::move(law);
}

RotationalDamper read_rotational_damper(Reader& reader, NodeId entry) {
  return {need_name(reader, entry, "joint"), need_number(reader, entry, "damping")};
}

NonlinearSpring read_nonlinear_spring(Reader& reader, NodeId entry) {
  NonlinearSpring spring;
  read_bodies_of(reader, entry, spring);
  read_points_of(reader, entry, spring);
  const NodeId tension = reader.find(entry, "tension"), energy = reader.find(entry, "energy");
  if (tension != no_node) spring.tension = read_function(reader, tension);
  if (energy != no_node) spring.energy = read_function(reader, energy);
  spring.damping = reader.number_or(entry, "damping", 0.0);
  return spring;
}

// The diagonal or all rows: 6 numbers, in a planar model 3 (x, y and the turn about z). `units`: of
// the blocks of translations, of rotations, and of both.
Mat6 read_bushing_matrix(Reader& reader, NodeId id, const std::array<const char*, 3>& units) {
  static constexpr std::array<std::size_t, 3> planar_index = {0, 1, 5};
  const std::size_t n = reader.is_planar() ? 3 : 6;
  const auto at = [&](std::size_t k) { return n == 3 ? planar_index[k] : k; };
  Mat6 matrix{};
  if (!reader.expect_list(id, n, "numbers (the diagonal) or rows")) return matrix;
  const auto children = reader.children(id);
  const bool rows = reader.tree()[children[0]].kind == YamlNode::Kind::list;
  const auto number = [&](NodeId entry, std::size_t r, std::size_t c) {
    const bool turns = at(r) >= 3, turned = at(c) >= 3;
    reader.set_unit(entry, units[turns != turned ? 2 : turns ? 1 : 0]);
    matrix[at(r)][at(c)] = reader.number(entry);
  };
  for (std::size_t r = 0; r < n; ++r) {
    if (!rows) {
      number(children[r], r, r);
      continue;
    }
    if (!reader.expect_list(children[r], n, "numbers")) return matrix;
    std::size_t c = 0;
    for (const NodeId entry : reader.children(children[r])) {
      number(entry, r, c++);
    }
  }
  return matrix;
}

Bushing read_bushing(Reader& reader, NodeId entry) {
  Bushing bushing;
  read_bodies_of(reader, entry, bushing);
  const NodeId at = reader.find(entry, "at"), points = reader.find(entry, "points");
  if (at != no_node && points != no_node) {
    reader.report_key(points, "give either 'at' or 'points', not both");
  } else if (at != no_node) {
    bushing.at = reader.places().point(at, {});
  } else {
    read_points_of(reader, entry, bushing);
  }
  if (const NodeId id = reader.find(entry, "orientation"); id != no_node) {
    const bool world = at != no_node;
    bushing.orientation =
        read_orientation(reader, id, world ? Basis{} : reader.places().in(bushing.body_i));
  }
  if (const NodeId id = reader.need(entry, "stiffness"); id != no_node) {
    bushing.stiffness = read_bushing_matrix(reader, id, {"N/m", "N m/rad", "N"});
  }
  if (const NodeId id = reader.find(entry, "damping"); id != no_node) {
    bushing.damping = read_bushing_matrix(reader, id, {"N s/m", "N m s/rad", "N s"});
  }
  return bushing;
}

// A function that returns the law, as one that puts it into a force.
template <auto read_law>
void read_into(Reader& reader, NodeId entry, Force& force) {
  force.law = read_law(reader, entry);
}

// Kinds that do not describe themselves.
const std::vector<ForceKind> written_kinds = {
    {"force",
     "force on a point of a body",
     {body_key,
      frame_key,
      {"value", "functions", "N; numbers, or functions of time and state", true},
      {"point", "point", "in the body's frame, m; default: its origin"}},
     read_point_force},
    {"torque",
     "torque on a body",
     {body_key, frame_key, {"value", "axial_functions", "N m; numbers, or functions", true}},
     read_torque},
    {"rotational_damper",
     "damper about the axis of a joint",
     {joint_key, {"damping", "number", "N m s/rad", true}},
     read_into<read_rotational_damper>},
    {"nonlinear_spring",
     "spring with a user-defined force law between two points",
     {bodies_key,
      points_key,
      {"tension", "function", "of length and rate, N"},
      {"energy", "function", "of length, J"},
      {"damping", "number", "N s/m"}},
     read_into<read_nonlinear_spring>},
    {"bushing",
     "spring and damper in all directions",
     {bodies_key,
      {"at", "point", "in the world at t = 0, m"},
      {"points", "two_points", "one in each body's frame, m"},
      {"orientation", "orientation", "of its axes"},
      {"stiffness", "bushing_matrix", "N/m, N m/rad: the diagonal or all rows", true},
      {"damping", "bushing_matrix", "N s/m, N m s/rad: the diagonal or all rows"}},
     read_into<read_bushing>}};

std::vector<ForceKind> list_kinds() {
  std::vector<ForceKind> kinds = written_kinds;
  for_each_described_force([&]<class Law>(const Law& law) {
    KeyList list;
    Law::fields(law, list);
    kinds.push_back({Law::kind.word, Law::kind.meaning, list.keys, read_described<Law>});
  });
  return kinds;
}

}  // namespace

const std::vector<ForceKind> force_kinds = list_kinds();

void read_forces(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.forces, entries, [&](NodeId entry, Force& force) {
    const ForceKind* kind = find_kind(reader, entry, force_kinds, KindOf::force);
    if (kind != nullptr) kind->read(reader, entry, force);
  });
}

}  // namespace trammel
