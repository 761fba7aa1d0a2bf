// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Scene ↔ HDF5: the group `scene`, a row per body, shape, joint or spring.
#include "format/results_file.hpp"

namespace trammel {
namespace {

using hdf5::read_array;
using hdf5::read_attribute;
using hdf5::write_array;
using hdf5::write_attribute;

template <class Values>
void add(std::vector<double>& to, const Values& values) {
  to.insert(to.end(), values.begin(), values.end());
}

template <std::size_t n>
void take(const std::vector<double>& from, std::size_t& at, std::array<double, n>& to) {
  for (double& x : to) x = from.at(at++);
}

// What joints and forces share: two bodies (−1: ground) and a point in each.
template <class Part>
void write_ends(hid_t group, const char* bodies_name, const char* points_name,
                const std::vector<Part>& parts) {
  std::vector<int> bodies;
  std::vector<double> points;
  for (const Part& part : parts) {
    bodies.insert(bodies.end(), {part.body_i, part.body_j});
    add(points, part.point_i);
    add(points, part.point_j);
  }
  write_array(group, bodies_name, {parts.size(), 2}, bodies);
  write_array(group, points_name, {parts.size(), 2, 3}, points);
}

template <class Part>
void read_ends(hid_t group, const char* bodies_name, const char* points_name, std::size_t n_bodies,
               std::vector<Part>& parts) {
  std::vector<int> bodies;
  std::vector<double> points;
  read_array(group, bodies_name, {0, 2}, bodies);
  read_array(group, points_name, {0, 2, 3}, points);
  std::size_t at = 0;
  parts.resize(bodies.size() / 2);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].body_i = bodies[2 * i];
    parts[i].body_j = bodies[2 * i + 1];
    for (const int b : {parts[i].body_i, parts[i].body_j}) {
      if (b < ground_index || b >= static_cast<int>(n_bodies)) {
        throw hdf5::Failure("the scene names a body that is not there");
      }
    }
    take(points, at, parts[i].point_i);
    take(points, at, parts[i].point_j);
  }
}

void read_joints(hid_t group, const Results& results, Scene& scene) {
  read_ends(group, "joint_bodies", "joint_points", scene.bodies.size(), scene.joints);
  std::vector<std::string> kinds;
  std::vector<double> axes;
  read_array(group, "joint_kind", kinds);
  read_array(group, "joint_axes", {0, 2, 3}, axes);
  std::size_t at = 0;
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    scene.joints[i].name = results.joint_names.at(i);
    scene.joints[i].kind = kinds.at(i);
    take(axes, at, scene.joints[i].axis_i);
    take(axes, at, scene.joints[i].axis_j);
  }
}

// Forces and drivers: names of the datasets begin with "force" or "driver".
void write_actions(hid_t group, const std::string& what, const std::vector<SceneForce>& actions) {
  std::vector<std::string> names, kinds;
  std::vector<int> shapes, joints;
  std::vector<double> axes, orientations, lengths;
  for (const SceneForce& action : actions) {
    names.push_back(action.name);
    kinds.push_back(action.kind);
    shapes.push_back(static_cast<int>(action.shape));
    joints.push_back(action.joint);
    add(axes, action.axis);
    add(orientations, action.orientation);
    lengths.push_back(action.free_length);
  }
  const std::size_t n = actions.size();
  write_ends(group, (what + "_bodies").c_str(), (what + "_points").c_str(), actions);
  write_array(group, (what + "_names").c_str(), names);
  write_array(group, (what + "_kind").c_str(), kinds);
  write_array(group, (what + "_shape").c_str(), {n}, shapes);
  write_array(group, (what + "_joint").c_str(), {n}, joints);
  write_array(group, (what + "_axis").c_str(), {n, 3}, axes);
  write_array(group, (what + "_orientation").c_str(), {n, 4}, orientations);
  write_array(group, (what + "_free_length").c_str(), {n}, lengths);
}

void read_actions(hid_t group, const std::string& what, const Scene& scene,
                  std::vector<SceneForce>& actions) {
  std::vector<std::string> names, kinds;
  std::vector<int> shapes, joints;
  std::vector<double> axes, orientations, lengths;
  read_ends(group, (what + "_bodies").c_str(), (what + "_points").c_str(), scene.bodies.size(),
            actions);
  read_array(group, (what + "_names").c_str(), names);
  read_array(group, (what + "_kind").c_str(), kinds);
  read_array(group, (what + "_shape").c_str(), {0}, shapes);
  read_array(group, (what + "_joint").c_str(), {0}, joints);
  read_array(group, (what + "_axis").c_str(), {0, 3}, axes);
  read_array(group, (what + "_orientation").c_str(), {0, 4}, orientations);
  read_array(group, (what + "_free_length").c_str(), {0}, lengths);
  std::size_t at_axis = 0, at_orientation = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    SceneForce& action = actions[i];
    action.name = names.at(i);
    action.kind = kinds.at(i);
    if (shapes.at(i) < 0 || shapes[i] > static_cast<int>(ActionShape::body)) {
      throw hdf5::Failure(what + "_shape is not known");
    }
    action.shape = static_cast<ActionShape>(shapes[i]);
    if (joints.at(i) < -1 || joints[i] >= static_cast<int>(scene.joints.size())) {
      throw hdf5::Failure(what + "_joint names a joint that is not there");
    }
    action.joint = joints[i];
    take(axes, at_axis, action.axis);
    take(orientations, at_orientation, action.orientation);
    action.free_length = lengths.at(i);
  }
}

void write_points(hid_t group, const std::vector<ScenePoint>& points) {
  std::vector<std::string> names;
  std::vector<int> bodies;
  std::vector<double> places;
  for (const ScenePoint& point : points) {
    names.push_back(point.name);
    bodies.push_back(point.body);
    add(places, point.point);
  }
  write_array(group, "point_names", names);
  write_array(group, "point_body", {points.size()}, bodies);
  write_array(group, "point_place", {points.size(), 3}, places);
}

void read_points(hid_t group, Scene& scene) {
  std::vector<std::string> names;
  std::vector<int> bodies;
  std::vector<double> places;
  read_array(group, "point_names", names);
  read_array(group, "point_body", {0}, bodies);
  read_array(group, "point_place", {0, 3}, places);
  std::size_t at = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i] < ground_index || bodies[i] >= static_cast<int>(scene.bodies.size())) {
      throw hdf5::Failure("the scene names a body that is not there");
    }
    ScenePoint point{names.at(i), bodies[i], {}};
    take(places, at, point.point);
    scene.points.push_back(std::move(point));
  }
}

void read_bodies(hid_t group, const Results& results, Scene& scene) {
  std::vector<double> mass, inertia;
  std::vector<int> inertia_shape;
  read_array(group, "mass", {0}, mass);
  read_array(group, "inertia", {0, 3, 3}, inertia);
  read_array(group, "inertia_shape", {0}, inertia_shape);
  std::vector<double> com(3 * mass.size(), 0.0);  // not there where all are the origins
  if (hdf5::has(group, "com")) read_array(group, "com", {0, 3}, com);
  std::size_t at = 0, at_com = 0;
  scene.bodies.resize(mass.size());
  for (std::size_t b = 0; b < mass.size(); ++b) {
    SceneBody& body = scene.bodies[b];
    body.name = results.body_names.at(b);
    body.mass = mass[b];
    for (auto& row : body.inertia) take(inertia, at, row);
    body.inertia_shape = inertia_shape.at(b) != 0;
    take(com, at_com, body.com);
  }
}

}  // namespace

void write_scene(hid_t file, const Scene& scene) {
  const hdf5::Handle group = hdf5::make_group(file, "scene");
  write_attribute(group, "dimension", scene.dimension);
  write_attribute(group, "length", scene.length);
  write_array(group, "gravity", {3},
              std::vector<double>(scene.gravity.begin(), scene.gravity.end()));

  std::vector<double> mass, inertia, com;
  std::vector<int> inertia_shape;
  bool is_off_center = false;
  for (const SceneBody& body : scene.bodies) {
    mass.push_back(body.mass);
    add(com, body.com);
    is_off_center |= body.com != Vec3{};
    for (const auto& row : body.inertia) add(inertia, row);
    inertia_shape.push_back(body.inertia_shape ? 1 : 0);
  }
  write_array(group, "mass", {mass.size()}, mass);
  write_array(group, "inertia", {mass.size(), 3, 3}, inertia);
  write_array(group, "inertia_shape", {mass.size()}, inertia_shape);
  if (is_off_center) write_array(group, "com", {mass.size(), 3}, com);
  write_shapes(group, scene);

  std::vector<std::string> kinds;
  std::vector<double> axes;
  for (const SceneJoint& joint : scene.joints) {
    kinds.push_back(joint.kind);
    add(axes, joint.axis_i);
    add(axes, joint.axis_j);
  }
  write_ends(group, "joint_bodies", "joint_points", scene.joints);
  write_array(group, "joint_kind", kinds);
  write_array(group, "joint_axes", {kinds.size(), 2, 3}, axes);
  write_actions(group, "force", scene.forces);
  write_actions(group, "driver", scene.drivers);
  write_points(group, scene.points);
}

Scene read_scene(hid_t file, const Results& results) {
  const hdf5::Handle group = hdf5::open_group(file, "scene");
  Scene scene;
  read_attribute(group, "dimension", scene.dimension);
  read_attribute(group, "length", scene.length);
  std::vector<double> gravity;
  read_array(group, "gravity", {3}, gravity);
  std::size_t at = 0;
  take(gravity, at, scene.gravity);
  read_bodies(group, results, scene);
  read_shapes(group, scene);
  read_joints(group, results, scene);
  read_actions(group, "force", scene, scene.forces);
  read_actions(group, "driver", scene, scene.drivers);
  read_points(group, scene);
  return scene;
}

}  // namespace trammel
