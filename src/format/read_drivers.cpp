// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `drivers` section: what is driven is the key, its value a function of time.
#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {

const Keys joint_driver_keys = {{"joint", "text", "name of a joint", true},
                                {"angle", "function", "rad"},
                                {"angle_rate", "function", "rad/s"},
                                {"travel", "function", "m"},
                                {"travel_rate", "function", "m/s"},
                                {"angle_i", "function", "rad"},
                                {"angle_i_rate", "function", "rad/s"},
                                {"angle_j", "function", "rad"},
                                {"angle_j_rate", "function", "rad/s"},
                                {"repeat", "repeat", "indices of a repeated entry"},
                                {"let", "let", "local names"}};
const Keys distance_driver_keys = {{"bodies", "two_names", "names of two bodies", true},
                                   {"points", "two_points", "one in each body's frame, m", true},
                                   {"distance", "function", "m"},
                                   {"distance_rate", "function", "m/s"},
                                   {"repeat", "repeat", "indices of a repeated entry"},
                                   {"let", "let", "local names"}};
const Keys point_driver_keys = {
    {"body", "text", "name of a body", true},
    {"point", "point", "in the body's frame, m; default: its origin"},
    {"position", "functions", "in the world, m; 'free' for a component that is not driven"},
    {"velocity", "functions", "in the world, m/s; 'free' for a component that is not driven"},
    {"orientation", "angles", "three angles about the axes of the world, rad"},
    {"order", "axis_order", "of the axes; default: xyz"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"}};
const Keys frame_driver_keys = {
    {"frames", "two_names", "the second is driven, seen from the first", true},
    {"position", "functions", "of its origin, m; 'free' for a component that is not driven"},
    {"orientation", "angles", "three angles about axes of the first frame, rad"},
    {"order", "axis_order", "of the axes; default: xyz"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"}};

namespace {

// Of a joint's coordinate.
struct Driven {
  std::string_view key;
  JointCoordinate coordinate;
  bool is_rate;
};
const std::vector<Driven> of_joints = {
    {"angle", JointCoordinate::angle, false},     {"angle_rate", JointCoordinate::angle, true},
    {"travel", JointCoordinate::travel, false},   {"travel_rate", JointCoordinate::travel, true},
    {"angle_i", JointCoordinate::angle_i, false}, {"angle_i_rate", JointCoordinate::angle_i, true},
    {"angle_j", JointCoordinate::angle_j, false}, {"angle_j_rate", JointCoordinate::angle_j, true}};

// The one of the keys that the entry has; an error where there is not exactly one.
NodeId find_one(Reader& reader, NodeId entry, const std::vector<std::string_view>& keys) {
  NodeId found = no_node;
  for (const std::string_view key : keys) {
    const NodeId id = reader.find(entry, key);
    if (id == no_node) continue;
    if (found != no_node) {
      reader.report_key(
          id, "cannot be combined with '" + std::string(reader.tree().key_text(found)) + "'",
          "a driver prescribes one quantity");
      return no_node;
    }
    found = id;
  }
  if (found == no_node && !reader.is_reported_around(entry)) {
    std::string list;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      list += (k == 0 ? "" : k + 1 < keys.size() ? ", " : " or ") + std::string(keys[k]);
    }
    reader.report_key(entry, "nothing is driven", "give " + list);
  }
  return found;
}

JointDriver read_joint_driver(Reader& reader, NodeId entry, NodeId joint) {
  std::vector<std::string_view> keys;
  for (const Driven& driven : of_joints) keys.push_back(driven.key);
  reader.check_keys(entry, joint_driver_keys);
  JointDriver driver;
  driver.joint = reader.name(joint);
  const NodeId id = find_one(reader, entry, keys);
  if (id == no_node) return driver;
  for (const Driven& driven : of_joints) {
    if (reader.tree().key_text(id) != driven.key) continue;
    driver.coordinate = driven.coordinate;
    driver.is_rate = driven.is_rate;
  }
  driver.value = read_function(reader, id);
  return driver;
}

DistanceDriver read_distance_driver(Reader& reader, NodeId entry, NodeId bodies) {
  reader.check_keys(entry, distance_driver_keys);
  DistanceDriver driver;
  if (reader.expect_list(bodies, 2, "names of bodies")) {
    const NodeId first = reader.tree()[bodies].first_child;
    driver.body_i = reader.name(first);
    driver.body_j = reader.name(reader.tree()[first].next_sibling);
  }
  const NodeId points = reader.need(entry, "points");
  if (points != no_node && reader.expect_list(points, 2, "points, one in each body's frame")) {
    const NodeId first = reader.tree()[points].first_child;
    Places& places = reader.places();
    driver.point_i = places.point(first, places.in(driver.body_i));
    driver.point_j = places.point(reader.tree()[first].next_sibling, places.in(driver.body_j));
  }
  const NodeId id = find_one(reader, entry, {"distance", "distance_rate"});
  if (id == no_node) return driver;
  driver.is_rate = reader.tree().key_text(id) == "distance_rate";
  driver.value = read_function(reader, id);
  return driver;
}

// One for each component that is not free.
std::array<std::optional<Function>, 3> read_components(Reader& reader, NodeId id) {
  std::array<std::optional<Function>, 3> value;
  const YamlNode& node = reader.tree()[id];
  const bool two = reader.is_planar() && node.child_count == 2;
  if (node.kind != YamlNode::Kind::list || (node.child_count != 3 && !two)) {
    reader.report(id, std::string("must be a list of ") + (reader.is_planar() ? "2 or 3" : "3") +
                          " functions of t or 'free', got " + reader.describe(id));
    return value;
  }
  std::size_t k = 0;
  for (const NodeId component : reader.children(id)) {
    const bool scalar = reader.tree()[component].kind == YamlNode::Kind::scalar;
    if (!scalar || reader.tree().text(component) != "free") {
      value[k] = read_function(reader, component);
    }
    ++k;
  }
  return value;
}

// Three angles, in a planar model one; and the order of their axes.
void read_attitude(Reader& reader, NodeId entry, FrameDriver& driver) {
  const NodeId id = reader.find(entry, "orientation"), order = reader.find(entry, "order");
  if (id == no_node) {
    if (order != no_node) reader.report_key(order, "is about 'orientation', which is not given");
    return;
  }
  std::array<Function, 3>& angles = driver.orientation.emplace();
  if (reader.is_planar()) {
    angles[0] = read_function(reader, id);
  } else if (reader.expect_list(id, 3, "angles, functions of t")) {
    std::size_t k = 0;
    for (const NodeId angle : reader.children(id)) angles[k++] = read_function(reader, angle);
  }
  if (order == no_node) return;
  driver.order = reader.choice<std::array<int, 3>>(order, {{"xyz", {0, 1, 2}},
                                                           {"xzy", {0, 2, 1}},
                                                           {"yxz", {1, 0, 2}},
                                                           {"yzx", {1, 2, 0}},
                                                           {"zxy", {2, 0, 1}},
                                                           {"zyx", {2, 1, 0}}});
}

FrameDriver read_frame_driver(Reader& reader, NodeId entry, NodeId frames) {
  reader.check_keys(entry, frame_driver_keys);
  FrameDriver driver;
  driver.frames = read_frame_pair(reader, frames);
  const NodeId position = reader.find(entry, "position");
  if (position != no_node) driver.position = read_components(reader, position);
  read_attitude(reader, entry, driver);
  if (position == no_node && !driver.orientation && !reader.is_reported_around(entry)) {
    reader.report_key(entry, "nothing is driven", "give position, orientation or both");
  }
  return driver;
}

// A point of a body in the world; with its attitude, a frame.
void read_point_driver(Reader& reader, NodeId entry, NodeId body, Driver& driver) {
  reader.check_keys(entry, point_driver_keys);
  const std::string name = reader.name(body);
  const Vec3 point = reader.places().point_or_zero(entry, "point", reader.places().in(name));
  const NodeId orientation = reader.find(entry, "orientation"), order = reader.find(entry, "order");
  if (orientation != no_node || order != no_node) {
    FrameDriver law;
    law.frames = {ground, name, {}, {"", point}};
    if (const NodeId rate = reader.find(entry, "velocity"); rate != no_node) {
      reader.report_key(rate, "cannot be combined with 'orientation'", "give 'position'");
    }
    if (const NodeId position = reader.find(entry, "position"); position != no_node) {
      law.position = read_components(reader, position);
    }
    read_attitude(reader, entry, law);
    driver.law = std::move(law);
    return;
  }
  PointDriver law{name, point};
  const NodeId id = find_one(reader, entry, {"position", "velocity"});
  if (id != no_node) {
    law.is_rate = reader.tree().key_text(id) == "velocity";
    law.value = read_components(reader, id);
  }
  driver.law = std::move(law);
}

void read_driver(Reader& reader, NodeId entry, Driver& driver) {
  if (const NodeId joint = reader.find(entry, "joint"); joint != no_node) {
    driver.law = read_joint_driver(reader, entry, joint);
  } else if (const NodeId bodies = reader.find(entry, "bodies"); bodies != no_node) {
    driver.law = read_distance_driver(reader, entry, bodies);
  } else if (const NodeId body = reader.find(entry, "body"); body != no_node) {
    read_point_driver(reader, entry, body, driver);
  } else if (const NodeId frames = reader.find(entry, "frames"); frames != no_node) {
    driver.law = read_frame_driver(reader, entry, frames);
  } else if (!reader.is_reported_around(entry)) {
    reader.report_key(
        entry, "nothing is driven",
        "give joint, body (a point of it), frames or bodies (a distance between them)");
  }
}

}  // namespace

void read_drivers(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.drivers, entries,
               [&](NodeId entry, Driver& driver) { read_driver(reader, entry, driver); });
}

}  // namespace trammel
