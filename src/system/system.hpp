// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// System: a mechanism compiled into flat arrays. Topology + Parameters + the initial state + the
// tables that turn indices back into names. Immutable; shared between threads.
//
// SystemData is what a mechanism has in any space; SystemIn<Space> adds the numbers whose type is
// that of the space. `visit_space` is the one place where a run learns which space it is in.
#pragma once

#include <string>
#include <vector>

#include "math/corner.hpp"
#include "math/expression.hpp"
#include "system/parameters.hpp"
#include "system/topology.hpp"
#include "trammel/scene.hpp"
#include "trammel/types.hpp"

namespace trammel {

// What is recorded of a coupler or driver on a coordinate q:
// load −λ·weight of its row; driver_power −λ f˙; power: load times q̇; value q; rate q̇.
struct LoadChannel {
  enum class Kind { load, driver_power, power, value, rate };
  std::string name;  // "motor.torque"
  std::string unit;
  Kind kind;
  int row;
  double weight;
  int index;          // the driver of driver_power, else the coordinate
  int function = -1;  // f of a term f(q), whose slope is a factor of the weight
};

// Where a force of the model is among the forces of the System: entries first … first + count − 1 of list
// number `list` (elements/forces/forces.hpp).
struct NamedForce {
  std::string name;
  int list = -1;
  int first = 0;
  int count = 0;
  bool is_torque = false;  // a load is shown as a torque, else as a force
};

// A state of the model, recorded as the channels NAME and, unless it is held within steps, NAME_rate.
struct NamedState {
  std::string name;
  std::string unit, rate_unit;
  double initial = 0.0;
};

// An output of the model: a formula over t and channels by name.
struct OutputFormula {
  std::string name;
  std::string unit;
  Expression expression;
  std::vector<std::string> channels;  // of the slots of the expression; "t" is the time
};

// How willingly a body moves in the assembly: 1/weight, 0 where it is held.
struct Placement {
  double mobility = 1.0;           // of its position
  double rotation_mobility = 1.0;  // of its attitude
};

// What a picture needs of the model beyond the mechanism itself, in the frames of the user:
// make_scene (picture.hpp) has the rest.
struct PictureData {
  Vec3 gravity{};                   // m/s²
  std::vector<Mat3> inertia;        // [bodies] kg m², as the model gives it
  std::vector<Shape> shapes;        // of body b from shape_begin[b] to shape_begin[b + 1]
  std::vector<int> shape_begin{0};  // [bodies + 1]
  std::vector<SceneForce> forces, drivers;
  std::vector<ScenePoint> points;
  std::vector<std::string> notes;  // warnings about what is shown
};

struct SystemData {
  bool planar = false;  // a SystemIn<Planar>, else a SystemIn<Spatial>
  Topology topology;

  // ---- state at t = 0 as the model gives it, before assembly
  std::vector<double> initial;  // [layout.size()]

  std::vector<Placement> placement;    // [bodies]
  double redundancy_tolerance = 1e-3;  // |g|/scale by which a dependent row may stay open
  std::vector<double> compliance;  // [joints × 2] 1/N and 1/(N m) up to a factor: how reactions are
                                   // shared between joints that carry the same load

  // ---- from the frames of the user to those inside and back
  Vector3<double> origin;                  // m, world point that is the zero of r inside
  std::vector<EulerParameters> principal;  // [bodies] principal axes to the body frame of the model
  std::vector<Vec3> com;  // [bodies] m, centre of mass in the body frame of the model; empty: all 0

  // ---- scales
  std::vector<double> length;        // [bodies] m, size of the mechanism the body belongs to
  std::vector<double> size;          // [bodies] m, of the body itself (compile_scales.hpp)
  std::vector<double> own_part;      // [bodies] size/length where the body is far smaller, else 1
  std::vector<double> row_scale;     // [rows] natural size of g: own_part·length, or 1 for SO
  std::vector<double> row_size;      // [rows] size of the smaller body it joins, or 1 for SO
  std::vector<double> row_reach;     // [rows] 1 for lengths (tiny bodies: less), 0 for SO
  std::vector<int> row_component;    // [rows] the component the row belongs to
  double potential_of_origin = 0.0;  // J, added to U in reports: zero level at the world's origin

  // ---- names, for reports only
  std::string model_name;
  std::string model_text;
  std::vector<std::string> body_names;
  std::vector<std::string> joint_names;
  std::vector<std::string> coordinate_row_names;  // of couplers and drivers; others: row_names.hpp
  std::vector<std::string> coordinate_names;      // [coordinates] "shaft.angle"
  std::vector<double> coordinate_near;  // [coordinates] rad or m: turns are counted from here
  std::vector<LoadChannel> loads;
  std::vector<NamedForce> forces;  // in the order of the model file
  std::vector<NamedState> states;
  std::vector<OutputFormula> outputs;
  std::vector<std::string> ignored_joints;  // between two frames of one body
  std::vector<std::string> warnings;        // about the model, for its check
  double model_atol = 0.0;                  // the tolerance that the model asks for, for its check

  PictureData picture;  // for pictures only
};

// A body far lighter than what it is joined to: ΔM, which it is given in the metric of the
// projections (manifold/light_bodies.hpp).
template <class Space>
struct LightBody {
  int body;
  double extra_mass;  // kg, 0: it has its own
  Angular<double, Space>
      extra_inertia;  // kg m², 0 about axes with a moment of inertia of their own
};

// An event of the model.
struct EventParameters {
  StateFunction when;
  int direction;  // +1 rising, −1 falling, 0 either
  bool record, stop;
  struct Change {
    int state;
    StateFunction value;
  };
  std::vector<Change> set;
};

// A corner or a jump of a law: the state `branch` says which smooth piece holds within a step
// (math/corner.hpp), and is 0 where the law is as it stands.
struct CornerParameters {
  Corner corner;
  int branch;  // the state
  int list;  // of the element whose law it is (elements/forces/forces.hpp); −1: the rate of a state
  int index;  // in that list
};

template <class Space>
struct SystemIn : SystemData {
  Parameters<double, Space> parameters;
  std::vector<LightBody<Space>> light_candidates;  // (compile_light.hpp)
  std::vector<LightBody<Space>> light;  // those for which M⁻¹ in the parameters is that of M + ΔM

  // ---- what steps end at
  std::vector<EventParameters> events;
  std::vector<std::string> event_names;
  std::vector<CornerParameters> corners;
};

inline const SystemIn<Spatial>& as_spatial(const SystemData& system) {
  return static_cast<const SystemIn<Spatial>&>(system);
}
inline const SystemIn<Planar>& as_planar(const SystemData& system) {
  return static_cast<const SystemIn<Planar>&>(system);
}

// visitor(const SystemIn<Space>&) for the space the system lives in.
template <class Visitor>
decltype(auto) visit_space(const SystemData& system, Visitor&& visitor) {
  return system.planar ? visitor(as_planar(system)) : visitor(as_spatial(system));
}

}  // namespace trammel
