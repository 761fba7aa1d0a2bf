// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `joints` section: placed by data in both bodies' frames, or by a point and axes in the world.
#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"
#include "model/coordinates.hpp"
#include "model/joint_rules.hpp"

namespace trammel {

const Keys place_keys = {
    {"points", "two_points", "the joint's point in each body's frame, m"},
    {"a_i", "direction", "in the frame of the first body"},
    {"b_i", "direction", "in the frame of the first body"},
    {"a_j", "direction", "in the frame of the second body"},
    {"b_j", "direction", "in the frame of the second body"},
    {"at", "point_or_two",
     "the joint's point in the world at t = 0, m; both ends "
     "of a link"},
    {"axis", "direction", "in the world at t = 0"},
    {"axes", "two_directions", "in the world at t = 0, one for each body"},
    {"length", "number", "of a link, m; default: the distance at t = 0"},
    {"offset", "number",
     "of the second body's point from the plane, along its normal, m; default: 0"},
    {"angle", "number", "between the two axes, rad, in (0, pi); default: the angle at t = 0"}};
const Keys joint_keys = {
    {"kind", "joint_kind", "", true},
    {"bodies", "two_names", "names of two bodies; one may be ground"},
    {"frames", "two_names", "frames on both bodies that the joint brings together"},
    {"constraints", "constraints", "basic constraints of a generic joint"},
    {"curve", "curve", "fixed in the first body, through points"},
    {"pitch", "number", "of a screw, m per revolution"},
    {"start_angle", "number", "angle of the joint at t = 0, rad"},
    {"start_travel", "number", "travel of the joint at t = 0, m"},
    {"limits", "limits",
     "least and most value of the coordinate at the start, rad or m; 'free': no limit; of a joint "
     "with several coordinates a map of such pairs"},
    {"initial", "start", "value and rate of coordinates at t = 0, to which the bodies are moved"},
    {"armature", "armature", "inertia along a coordinate, kg m² or kg"},
    {"compliance", "compliance", "how redundant joints share a load"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"}};
const Keys curve_keys = {{"points", "vectors", "m", true},
                         {"closed", "flag", "back to the first point"}};
const Keys compliance_keys = {{"force", "number", "m/N", true},
                              {"moment", "number", "rad/(N m)", true}};

const std::vector<std::pair<std::string_view, JointCoordinate>> coordinate_words = {
    {"angle", JointCoordinate::angle},
    {"travel", JointCoordinate::travel},
    {"angle_i", JointCoordinate::angle_i},
    {"angle_j", JointCoordinate::angle_j}};

const Keys start_keys = {{"angle", "number", "rad"},   {"angle_rate", "number", "rad/s"},
                         {"travel", "number", "m"},    {"travel_rate", "number", "m/s"},
                         {"angle_i", "number", "rad"}, {"angle_i_rate", "number", "rad/s"},
                         {"angle_j", "number", "rad"}, {"angle_j_rate", "number", "rad/s"}};
const Keys armature_keys = {{"angle", "number", "kg m²"},
                            {"travel", "number", "kg"},
                            {"angle_i", "number", "kg m²"},
                            {"angle_j", "number", "kg m²"}};

CoupledFrames read_frame_pair(Reader& reader, NodeId list) {
  CoupledFrames pair;
  if (!reader.expect_list(list, 2, "names of frames, one on each body")) return pair;
  const NodeId first = reader.tree()[list].first_child;
  const auto read = [&](NodeId id, std::string& body, NamedFrame& frame) {
    const auto found = reader.places().frame(id);
    if (!found) return;
    body = reader.places().name_of(found->body);
    frame = found->frame;
  };
  read(first, pair.body_i, pair.frame_i);
  read(reader.tree()[first].next_sibling, pair.body_j, pair.frame_j);
  return pair;
}

namespace {

const std::vector<std::string_view> local_keys = {"points", "a_i", "b_i", "a_j", "b_j"};
const std::vector<std::string_view> world_keys = {"at", "axis", "axes"};

// A kind of the other space is understood here and refused by check_model, which can say more.
JointKind read_kind(Reader& reader, NodeId id) {
  const bool scalar = reader.tree()[id].kind == YamlNode::Kind::scalar;
  std::vector<std::string_view> words;
  for (const JointWord& entry : joint_rules::joints) {
    if (scalar && reader.tree().text(id) == entry.word) return entry.kind;
    if ((reader.is_planar() ? entry.in_plane : entry.in_space).exists) words.push_back(entry.word);
  }
  report_kind(reader, id, KindOf::joint, words);
  return JointKind::spherical;
}

NodeId find_any(const Reader& reader, NodeId entry, const std::vector<std::string_view>& keys) {
  for (const auto key : keys) {
    if (const NodeId id = reader.find(entry, key); id != no_node) return id;
  }
  return no_node;
}

// The bodies of a joint, in whose frames vectors are given.
struct JointBodies {
  Basis i, j;
};

LocalPlacement read_local(Reader& reader, NodeId entry, const JointRules& rules,
                          const JointBodies& in) {
  Places& places = reader.places();
  LocalPlacement placement;
  const NodeId points =
      rules.points == 0 ? reader.find(entry, "points")
                        : reader.need(entry, "points", "the joint's point in both bodies' frames");
  if (points != no_node && reader.expect_list(points, 2, "points, one in each body's frame")) {
    const NodeId first = reader.tree()[points].first_child;
    placement.point_i = places.point(first, in.i);
    placement.point_j = places.point(reader.tree()[first].next_sibling, in.j);
  }
  const auto read = [&](const char* key, const Basis& body, std::optional<Vec3>& vector) {
    const NodeId id = reader.find(entry, key);
    if (id != no_node) vector = places.direction(id, body);
  };
  read("a_i", in.i, placement.a_i);
  read("b_i", in.i, placement.b_i);
  read("a_j", in.j, placement.a_j);
  read("b_j", in.j, placement.b_j);
  return placement;
}

// One point, or two of a joint with two ends.
void read_at(Reader& reader, NodeId at, WorldPlacement& placement) {
  Places& places = reader.places();
  if (!places.is_pair(at)) {
    placement.point = places.point(at, {});
    return;
  }
  const NodeId first = reader.tree()[at].first_child;
  placement.point = places.point(first, {});
  placement.point_j = places.point(reader.tree()[first].next_sibling, {});
}

WorldPlacement read_world(Reader& reader, NodeId entry, const JointRules& rules) {
  WorldPlacement placement;
  const NodeId at = rules.points == 0
                        ? reader.find(entry, "at")
                        : reader.need(entry, "at", "the joint's point in the world at t = 0");
  if (at != no_node) read_at(reader, at, placement);
  const NodeId axis = reader.find(entry, "axis"), axes = reader.find(entry, "axes");
  if (axis != no_node && axes != no_node) {
    reader.report_key(axes, "give either axis or axes, not both");
  } else if (axis != no_node) {
    placement.axis = reader.places().direction(axis, {});
  } else if (axes != no_node && reader.expect_list(axes, 2, "vectors, one for each body")) {
    const NodeId first = reader.tree()[axes].first_child;
    placement.axis = reader.places().direction(first, {});
    placement.axis_j = reader.places().direction(reader.tree()[first].next_sibling, {});
  }
  return placement;
}

Joint::Compliance read_compliance(Reader& reader, NodeId id) {
  Joint::Compliance compliance;
  if (!reader.expect_map(id)) return compliance;
  reader.check_keys(id, compliance_keys);
  if (const NodeId force = reader.need(id, "force", "m/N"); force != no_node) {
    compliance.force = reader.number(force);
  }
  if (const NodeId moment = reader.need(id, "moment", "rad/(N m)"); moment != no_node) {
    compliance.moment = reader.number(moment);
  }
  return compliance;
}

// [least, most], or {angle: [least, most], travel: [least, most]}
void read_limits(Reader& reader, NodeId id, Joint& joint) {
  const auto add = [&](NodeId pair, std::optional<JointCoordinate> named) {
    const auto found = find_coordinate(joint, reader.is_planar(), named);
    if (found) reader.set_unit(pair, is_angle(*found) ? "rad" : "m");
    const Range range = read_range(reader, pair);
    joint.limits.push_back({named, range.least, range.most});
  };
  if (reader.tree()[id].kind != YamlNode::Kind::map) return add(id, {});
  std::vector<std::string_view> words;
  for (const auto& [word, coordinate] : coordinate_words) words.push_back(word);
  reader.check_keys(id, words);
  for (const auto& [word, coordinate] : coordinate_words) {
    if (const NodeId pair = reader.find(id, word); pair != no_node) add(pair, coordinate);
  }
}

template <class Part>
void read_sizes(Reader& reader, NodeId entry, Part& part) {
  const auto read_number = [&](const char* key, std::optional<double>& value) {
    if (const NodeId id = reader.find(entry, key); id != no_node) value = reader.number(id);
  };
  read_number("length", part.length);
  read_number("offset", part.offset);
  read_number("angle", part.angle);
}

// Of a joint, or of a constraint of a generic joint.
template <class Part>
void read_place(Reader& reader, NodeId entry, const JointRules& rules, const JointBodies& in,
                Part& part) {
  read_sizes(reader, entry, part);
  const NodeId local = find_any(reader, entry, local_keys);
  const NodeId world = find_any(reader, entry, world_keys);
  if (local != no_node && world != no_node) {
    reader.report_key(
        world, "cannot be combined with '" + std::string(reader.tree().key_text(local)) + "'",
        "place a joint either by points and vectors in the bodies' frames or by at "
        "and axis in the world");
  } else if (world != no_node) {
    part.placement = read_world(reader, entry, rules);
  } else if (local != no_node || rules.points == 0) {
    part.placement = read_local(reader, entry, rules, in);
  } else if (!reader.is_reported_around(entry)) {
    reader.report_key(entry, "has no location",
                      std::is_same_v<Part, Joint>
                          ? "give frames, or points in the bodies' frames, or at and axis"
                          : "give points in the bodies' frames, or at and axis");
  }
}

// {SO: {a_i: …, a_j: …}}
BasicConstraint read_constraint(Reader& reader, NodeId entry, const JointBodies& in) {
  BasicConstraint basic;
  const YamlNode& node = reader.tree()[entry];
  if (node.kind != YamlNode::Kind::map || node.child_count != 1) {
    reader.report(entry, "must be a map with one key, got " + reader.describe(entry),
                  "C, SO, O, D, CV, A, R or X");
    return basic;
  }
  const NodeId value = node.first_child;
  const std::string_view key = reader.tree().key_text(value);
  std::vector<std::string_view> known;
  for (const BasicWord& word : joint_rules::basic_constraints) {
    known.push_back(word.word);
    if (word.word != key) continue;
    basic.kind = word.kind;
    if (!reader.expect_map(value)) return basic;
    reader.check_keys(value, place_keys);
    read_place(reader, value, reader.is_planar() ? word.in_plane : word.in_space, in, basic);
    return basic;
  }
  reader.check_keys(entry, known);
  return basic;
}

// {points: [[3], …], closed: true}
Curve read_curve(Reader& reader, NodeId id) {
  Curve curve;
  if (!reader.expect_map(id)) return curve;
  reader.check_keys(id, curve_keys);
  const NodeId points = reader.need(id, "points");
  if (points != no_node && reader.tree()[points].kind != YamlNode::Kind::list) {
    reader.report(points, "must be a list of points, got " + reader.describe(points));
  } else if (points != no_node) {
    for (const NodeId point : reader.children(points)) curve.points.push_back(reader.vector(point));
  }
  if (const NodeId closed = reader.find(id, "closed"); closed != no_node) {
    curve.closed = reader.flag(closed);
  }
  return curve;
}

void read_constraints(Reader& reader, NodeId list, const JointBodies& in, Joint& joint) {
  if (reader.tree()[list].kind != YamlNode::Kind::list) {
    reader.report(list, "must be a list of constraints, got " + reader.describe(list));
    return;
  }
  for (const NodeId entry : reader.children(list)) {
    joint.constraints.push_back(read_constraint(reader, entry, in));
  }
}

void read_bodies(Reader& reader, NodeId entry, Joint& joint) {
  const NodeId bodies = reader.need(entry, "bodies", "or the 'frames' that the joint connects");
  if (bodies == no_node || !reader.expect_list(bodies, 2, "names of bodies")) return;
  const NodeId first = reader.tree()[bodies].first_child;
  joint.body_i = reader.name(first);
  joint.body_j = reader.name(reader.tree()[first].next_sibling);
}

// [crank.tip, rod.big_end]
void read_frames(Reader& reader, NodeId entry, NodeId frames, Joint& joint) {
  std::vector<std::string_view> others = {"bodies"};
  others.insert(others.end(), local_keys.begin(), local_keys.end());
  others.insert(others.end(), world_keys.begin(), world_keys.end());
  if (const NodeId other = find_any(reader, entry, others); other != no_node) {
    reader.report_key(other, "cannot be combined with 'frames'",
                      "frames say which bodies a joint connects, and where; leave the others out");
  }
  CoupledFrames pair = read_frame_pair(reader, frames);
  joint.body_i = std::move(pair.body_i);
  joint.body_j = std::move(pair.body_j);
  joint.placement = FramePlacement{std::move(pair.frame_i), std::move(pair.frame_j)};
}

// {angle: 30 deg, angle_rate: 10 rpm}
void read_starts(Reader& reader, NodeId id, Joint& joint) {
  if (!reader.expect_map(id)) return;
  reader.check_keys(id, start_keys);
  static constexpr JointCoordinate coordinates[] = {JointCoordinate::angle, JointCoordinate::travel,
                                                    JointCoordinate::angle_i,
                                                    JointCoordinate::angle_j};
  for (const JointCoordinate coordinate : coordinates) {
    const std::string word = to_word(coordinate);
    const NodeId value = reader.find(id, word), rate = reader.find(id, word + "_rate");
    if (value == no_node && rate == no_node) continue;
    Joint::Start start{coordinate};
    if (value != no_node) start.value = reader.number(value);
    if (rate != no_node) start.rate = reader.number(rate);
    joint.starts.push_back(start);
  }
}

// A number, or one for each coordinate.
void read_armature(Reader& reader, NodeId id, Joint& joint) {
  if (reader.tree()[id].kind != YamlNode::Kind::map) {
    joint.armature.push_back({{}, reader.number(id)});
    return;
  }
  reader.check_keys(id, armature_keys);
  static constexpr JointCoordinate coordinates[] = {JointCoordinate::angle, JointCoordinate::travel,
                                                    JointCoordinate::angle_i,
                                                    JointCoordinate::angle_j};
  for (const JointCoordinate coordinate : coordinates) {
    const NodeId of = reader.find(id, to_word(coordinate));
    if (of != no_node) joint.armature.push_back({coordinate, reader.number(of)});
  }
}

void read_joint(Reader& reader, NodeId entry, Joint& joint) {
  static const Keys known = [] {
    Keys keys = joint_keys;
    keys.insert(keys.end(), place_keys.begin(), place_keys.end());
    return keys;
  }();
  reader.check_keys(entry, known);
  if (const NodeId id = reader.find(entry, "compliance"); id != no_node) {
    joint.compliance = read_compliance(reader, id);
  }
  if (const NodeId id = reader.need(entry, "kind"); id != no_node) {
    joint.kind = read_kind(reader, id);
  }
  const auto read_number = [&](const char* key, std::optional<double>& value) {
    if (const NodeId id = reader.find(entry, key); id != no_node) value = reader.number(id);
  };
  read_number("pitch", joint.pitch);
  read_number("start_angle", joint.start_angle);
  read_number("start_travel", joint.start_travel);
  if (const NodeId id = reader.find(entry, "limits"); id != no_node) {
    read_limits(reader, id, joint);
  }
  if (const NodeId id = reader.find(entry, "initial"); id != no_node) {
    read_starts(reader, id, joint);
  }
  if (const NodeId id = reader.find(entry, "armature"); id != no_node) {
    read_armature(reader, id, joint);
  }
  const NodeId frames = reader.find(entry, "frames");
  frames != no_node ? read_frames(reader, entry, frames, joint) : read_bodies(reader, entry, joint);
  const JointBodies in{reader.places().in(joint.body_i), reader.places().in(joint.body_j)};
  if (const NodeId id = reader.find(entry, "constraints"); id != no_node) {
    read_constraints(reader, id, in, joint);
  }
  if (const NodeId id = reader.find(entry, "curve"); id != no_node) {
    joint.curve = read_curve(reader, id);
  }
  if (joint.kind != JointKind::generic) {
    if (frames != no_node) return read_sizes(reader, entry, joint);
    read_place(reader, entry, rules_of(joint.kind, reader.is_planar()), in, joint);
  } else {
    for (const Key& key : place_keys) {
      const NodeId id = reader.find(entry, key.word);
      if (id != no_node) reader.report_key(id, "belongs in the constraints of a generic joint");
    }
  }
}

}  // namespace

Range read_range(Reader& reader, NodeId id) {
  Range range;
  if (!reader.expect_list(id, 2, "numbers, least and most")) return range;
  const auto read = [&](NodeId at, double& x) {
    const bool scalar = reader.tree()[at].kind == YamlNode::Kind::scalar;
    if (!scalar || reader.tree().text(at) != "free") x = reader.number(at);
  };
  const NodeId first = reader.tree()[id].first_child;
  read(first, range.least);
  read(reader.tree()[first].next_sibling, range.most);
  return range;
}

void read_joints(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.joints, entries,
               [&](NodeId entry, Joint& joint) { read_joint(reader, entry, joint); });
}

}  // namespace trammel
