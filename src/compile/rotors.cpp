// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/rotors.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "math/euler_parameters.hpp"
#include "math/vector3.hpp"
#include "model/coordinates.hpp"
#include "model/mass_properties.hpp"

namespace trammel {
namespace {

using V = Vector3<double>;

// The centre of mass of a body on which the joint acts, as drawn: the rotor is put there, so that it is no part far
// from the others, wherever the frames of the bodies are.
Vec3 find_place(const Model& model, const Joint& joint) {
  for (const Body& body : model.bodies) {
    if (body.name == joint.body_j || (joint.body_j == ground && body.name == joint.body_i)) {
      const V c = V::load(calc_mass_properties(body).com.data());
      const V place = V::load(body.position.data()) + calc_rotation(body.orientation.data()) * c;
      return {place.x, place.y, place.z};
    }
  }
  return {};
}

// m, a length of the size of the mechanism: half the extent of its bodies.
double calc_size(const Model& model) {
  double size = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto [least, most] = std::minmax_element(
        model.bodies.begin(), model.bodies.end(),
        [&](const Body& a, const Body& b) { return a.position[k] < b.position[k]; });
    size = std::max(size, 0.5 * (most->position[k] - least->position[k]));
  }
  return size > 0.0 ? size : 1.0;
}

// A unit vector normal to the weight, in a planar model in the plane.
V make_level_direction(const Model& model) {
  const V g = V::load(model.gravity.data());
  const double length = std::sqrt(dot(g, g));
  if (!(length > 0.0)) return {1, 0, 0};
  if (model.dimension == 2) return (1.0 / length) * V{g.y, -g.x, 0};
  const V other = std::abs(g.x) < 0.7 * length ? V{1, 0, 0} : V{0, 1, 0};
  const V level = cross(g, other);
  return (1.0 / std::sqrt(dot(level, level))) * level;
}

class RotorMaker {
 public:
  RotorMaker(const Model& model, const FindStart& find)
      : model_(model), find_(find), size_(calc_size(model)) {
    for (const Body& body : model.bodies) names_.insert(body.name);
    for (const Joint& joint : model.joints) names_.insert(joint.name);
    for (const Coupler& coupler : model.couplers) names_.insert(coupler.name);
  }

  Model make() {
    Model result = model_;
    for (const Joint& joint : model_.joints) {
      for (const Joint::Armature& armature : joint.armature) {
        if (armature.inertia > 0.0) add(joint, armature, result);
      }
    }
    return result;
  }

 private:
  std::string make_name(const std::string& wanted) {
    std::string name = wanted;
    while (!names_.insert(name).second) name += '_';
    return name;
  }

  void add(const Joint& joint, const Joint::Armature& armature, Model& result) {
    const auto has = list_coordinates(joint.kind, model_.dimension == 2);
    const JointCoordinate coordinate = armature.coordinate.value_or(has.at(0));
    const bool turns = is_angle(coordinate);
    const std::string of = has.size() == 1 ? joint.name : joint.name + "_" + to_word(coordinate);
    const auto [value, rate] = find_(joint.name, coordinate);
    Body rotor;
    rotor.name = make_name(of + "_rotor");
    rotor.position = find_place(model_, joint);
    Joint axle;
    axle.name = make_name(of + "_axle");
    axle.kind = turns ? JointKind::revolute : JointKind::translational;
    axle.body_i = ground;
    axle.body_j = rotor.name;
    WorldPlacement placement;
    placement.point = rotor.position;
    if (turns) {
      rotor.mass = armature.inertia / (size_ * size_);
      if (model_.dimension == 3) placement.axis = Vec3{0, 0, 1};
      rotor.angular_velocity = {0, 0, rate};
    } else {
      rotor.mass = armature.inertia;
      const V along = make_level_direction(model_);
      placement.axis = Vec3{along.x, along.y, along.z};
      rotor.velocity = {rate * along.x, rate * along.y, rate * along.z};
    }
    const double inertia = turns ? armature.inertia : armature.inertia * size_ * size_;
    rotor.inertia = Mat3{{{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}};
    axle.placement = placement;
    Coupler coupler;
    coupler.name = make_name(of + "_armature");
    coupler.law = LinearCoupler{
        {{axle.name, turns ? JointCoordinate::angle : JointCoordinate::travel, 1.0, {}},
         {joint.name, coordinate, -1.0, {}}},
        -value};
    result.bodies.push_back(std::move(rotor));
    result.joints.push_back(std::move(axle));
    result.couplers.push_back(std::move(coupler));
  }

  const Model& model_;
  const FindStart& find_;
  double size_;
  std::set<std::string> names_;
};

}  // namespace

bool has_armature(const Joint& joint) {
  return std::any_of(joint.armature.begin(), joint.armature.end(),
                     [](const Joint::Armature& of) { return of.inertia > 0.0; });
}

Model add_rotors(const Model& model, const FindStart& find) {
  return RotorMaker(model, find).make();
}

}  // namespace trammel
