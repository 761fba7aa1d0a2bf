// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// compile_drawn: Model → System. The only file right of the Model that sees it: names become indices,
// frames become principal axes, placements become points and vectors in both bodies.
#include "compile/compile.hpp"

#include <algorithm>
#include <cmath>

#include "compile/actions.hpp"
#include "compile/coordinates.hpp"
#include "compile/elements.hpp"
#include "compile/light.hpp"
#include "compile/looks.hpp"
#include "compile/motor_currents.hpp"
#include "compile/place_joint.hpp"
#include "compile/principal_axes.hpp"
#include "compile/scales.hpp"
#include "model/find_overshoots.hpp"
#include "model/mass_properties.hpp"
#include "system/frames.hpp"
#include "system/joint_table.hpp"
#include "system/row_shape.hpp"
#include "system/system.hpp"

namespace trammel {

namespace {

// Geometry is done in three dimensions, as the Model has it; what goes into the System is reduced
// to the vectors of the space.
template <class Space>
class Compiler : private BodyFrames<Space> {
 public:
  Compiler(const Model& model, const std::vector<std::string>& ignored)
      : Compiler(model, std::make_shared<SystemIn<Space>>()) {
    system_->ignored_joints = ignored;
  }

  System compile() {
    system_->planar = Space::dimension == 2;
    compile_bodies();
    choose_origin();
    const CoordinateCompiler<Space> coordinates(*this);
    const int entry_shape = find_general_shape<Space>(1);
    system_->topology = make_topology(n_bodies(), list_joints(), list_force_links(), entry_shape,
                                      count_numbers<Space>(entry_shape), make_weld_shape(),
                                      coordinates.list_coordinates(), coordinates.list_rows(),
                                      list_followed(coordinates));
    add_basic_constraints(system_->topology, list_basic_constraints());
    system_->topology.layout =
        make_layout<Space>(n_bodies(), system_->topology.n_components(),
                           static_cast<int>(system_->topology.references.size()),
                           static_cast<int>(model_.states.size()));
    compile_joints();
    compile_forces();
    compile_scales(*system_);
    compile_light(*system_);
    compile_assembly();
    compile_initial_state();
    compile_names();
    coordinates.compile(*system_);
    compile_outputs(model_, *system_);
    compile_picture();
    return System(system_);
  }

 private:
  using Position = Linear<double, Space>;
  using Spin = Angular<double, Space>;
  using Frames = BodyFrames<Space>;
  using Frames::body_index;
  using Frames::center;
  using Frames::import_point;
  using Frames::n_bodies;
  using Frames::names;
  using Frames::to_inside;

  Compiler(const Model& model, std::shared_ptr<SystemIn<Space>> system)
      : Frames(model, *system), model_(model), system_(std::move(system)) {}

  // ---- bodies

  void compile_bodies() {
    SystemIn<Space>& s = *system_;
    s.parameters.gravity = Space::import_linear(load(model_.gravity));
    s.principal.reserve(model_.bodies.size());
    s.parameters.bodies.reserve(model_.bodies.size() + 1);
    for (const Body& body : model_.bodies) {
      const MassProperties properties = calc_mass_properties(body);
      const PrincipalAxes axes = find_principal_axes(properties.inertia);
      s.principal.push_back(axes.orientation);
      s.com.push_back(properties.com);
      if (Space::dimension == 2) s.com.back()[2] = 0.0;
      // rounding of a moment that is 0; inverses of 0 are left to compile_light
      const double zero = 1e-14 * std::max({axes.inertia.x, axes.inertia.y, axes.inertia.z});
      const auto clean = [&](double x) { return x > zero ? x : 0.0; };
      const auto invert = [](double x) { return x > 0.0 ? 1.0 / x : 0.0; };
      const V I{clean(axes.inertia.x), clean(axes.inertia.y), clean(axes.inertia.z)};
      s.parameters.bodies.push_back(
          {properties.mass, invert(properties.mass), Space::import_angular(I),
           Space::import_angular({invert(I.x), invert(I.y), invert(I.z)})});
    }
    s.parameters.bodies.push_back({0.0, 0.0, Spin::zero(), Spin::zero()});  // the ground
    if (std::all_of(s.com.begin(), s.com.end(), [](const Vec3& c) { return c == Vec3{}; })) {
      s.com = {};
    }
  }

  // The rows of a fixed joint: C, and no turn.
  static WeldShape make_weld_shape() {
    const int shape = find_shape<Space>({Space::dimension, Space::n_angular, 0});
    return {shape, Space::n_u, count_numbers<Space>(shape), 0};
  }

  // In the plane only the moment about z takes part, and any axes will do.
  static PrincipalAxes find_principal_axes(const Mat3& inertia) {
    if (Space::dimension == 2) return {V::filled(inertia[2][2]), {1.0, 0.0, 0.0, 0.0}};
    return calc_principal_axes(inertia);
  }

  // The zero of r inside: near the mechanism, so that a model far from the world's origin loses
  // no digits. A multiple of a power of two well above its size: 0 for a model near the origin.
  void choose_origin() {
    V centre = V::zero();
    for (int b = 0; b < n_bodies(); ++b) centre += center(b);
    centre = (1.0 / n_bodies()) * centre;
    double extent = 0.0;
    for (int b = 0; b < n_bodies(); ++b) {
      extent = std::max(extent, length_of(center(b) - centre) + gyration_radius(b));
    }
    if (extent == 0.0) extent = 1.0;  // one body without mass
    const double grid = std::exp2(std::ceil(std::log2(16.0 * extent)));
    const auto round = [&](double x) { return grid * std::round(x / grid); };
    system_->origin = {round(centre.x), round(centre.y), round(centre.z)};
    double mass = 0.0;
    for (int b = 0; b < n_bodies(); ++b) mass += system_->parameters.bodies[b].mass;
    system_->potential_of_origin = -mass * dot(load(model_.gravity), system_->origin);
  }

  double gyration_radius(int body) const {
    const BodyParameters<double, Space>& p = system_->parameters.bodies[body];
    const V inertia = Space::export_angular(p.inertia);
    return std::sqrt(std::max({inertia.x, inertia.y, inertia.z}) * p.inverse_mass);
  }

  // ---- joints

  LargeVector<JointTopology> list_joints() const {
    LargeVector<JointTopology> joints;
    joints.reserve(model_.joints.size());
    for (const Joint& joint : model_.joints) {
      int rows = layout_of<Space>(joint.kind).rows();
      for (const BasicConstraint& basic : joint.constraints) {
        rows += layout_of<Space>(basic.kind).rows();
      }
      const int shape = joint.kind == JointKind::generic
                            ? find_general_shape<Space>(rows)
                            : find_shape_of<Space>(layout_of<Space>(joint.kind));
      joints.push_back({joint.kind, body_index(joint.body_i), body_index(joint.body_j), rows, shape,
                        count_numbers<Space>(shape)});
    }
    return joints;
  }

  std::vector<BasicTopology> list_basic_constraints() const {
    std::vector<BasicTopology> basic_constraints;
    for (std::size_t k = 0; k < model_.joints.size(); ++k) {
      int row = 0, index = 0;
      for (const BasicConstraint& basic : model_.joints[k].constraints) {
        basic_constraints.push_back({basic.kind, static_cast<int>(k), index++, row});
        row += layout_of<Space>(basic.kind).rows();
      }
    }
    return basic_constraints;
  }

  void compile_joints() {
    const JointPlacer<Space> placer(*this);
    system_->parameters.joints.reserve(model_.joints.size());
    for (int k = 0; k < system_->topology.n_joints; ++k) {
      const Joint& joint = model_.joints[k];
      if (joint.kind == JointKind::generic) {
        system_->parameters.joints.push_back(placer.place_generic(joint));
      } else if (joint.kind == JointKind::point_on_curve) {
        system_->parameters.joints.push_back(
            placer.place_on_curve(joint, system_->parameters.curves));
      } else {
        system_->parameters.joints.push_back(
            placer.place(rules_of(joint.kind, system_->planar), joint, joint));
      }
    }
    for (const BasicTopology& basic : system_->topology.basic_constraints) {
      const Joint& joint = model_.joints[basic.joint];
      system_->parameters.basic_constraints.push_back(placer.place(
          rules_of(basic.kind, system_->planar), joint, joint.constraints[basic.constraint]));
    }
  }

  // ---- forces

  std::vector<ForceLink> list_force_links() const {
    std::vector<ForceLink> links;
    for (const Force& force : model_.forces) {
      if (const auto* damper = std::get_if<RotationalDamper>(&force.law)) {
        const Joint& joint = names().joint_of(damper->joint);
        links.push_back(
            {body_index(joint.body_i), body_index(joint.body_j), damper->damping > 0.0});
      }
    }
    for (const ForceLink& link : list_element_links(names())) {
      links.push_back(link);
    }
    return links;
  }

  std::vector<int> list_followed(const CoordinateCompiler<Space>& coordinates) {
    find_coordinate_ = [&coordinates](const std::string& joint, JointCoordinate coordinate) {
      return coordinates.find(joint, coordinate);
    };
    return list_element_coordinates(names(), find_coordinate_);
  }

  void compile_forces() {
    for (const Force& force : model_.forces) {
      const auto before = count_forces(system_->parameters.forces);
      std::visit([&](const auto& law) { add_force(law); }, force.law);
      NamedForce& named = system_->forces.emplace_back();
      named.name = force.name;
      named.is_torque = std::holds_alternative<Torque>(force.law) ||
                        std::holds_alternative<VariableTorque>(force.law);
      note_force(system_->parameters.forces, before, named);
    }
    compile_elements<Space>(*this, find_coordinate_, *system_);
  }

  template <class Law>
  void add_force(const Law&) {}  // those of compile_elements.cpp

  void add_force(const PointForce& law) {
    ConstantLoad<double, Space> load_of_body{};
    load_of_body.body = body_index(law.body);
    load_of_body.point = import_point(load_of_body.body, load(law.point));
    if (law.frame == Frame::world) {
      load_of_body.force_W = Space::import_linear(load(law.value));
    } else {
      load_of_body.force_B = Space::import_linear(to_inside(load_of_body.body, load(law.value)));
      load_of_body.torque_B = cross(load_of_body.point, load_of_body.force_B);
    }
    system_->parameters.forces.add(load_of_body);
  }

  void add_force(const Torque& law) {
    ConstantLoad<double, Space> load_of_body{};
    load_of_body.body = body_index(law.body);
    if (law.frame == Frame::world) {
      load_of_body.torque_W = Space::import_angular(load(law.value));
    } else {
      load_of_body.torque_B = Space::import_angular(to_inside(load_of_body.body, load(law.value)));
    }
    system_->parameters.forces.add(load_of_body);
  }

  void add_force(const RotationalDamper& law) {
    const int k = names().joint(law.joint);
    const JointTopology& at = system_->topology.joints[k];
    const auto add = [&](const Spin& axis) {
      system_->parameters.forces.add(
          RotationalDamperForce<double, Space>{at.body_i, at.body_j, axis, law.damping});
    };
    if constexpr (Space::dimension == 2) {
      add(Spin::filled(1.0));  // z
    } else if (at.kind == JointKind::spherical) {
      // about three axes at right angles: −c (ω_j − ω_i)
      for (const V& axis : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}}) add(to_inside(at.body_j, axis));
    } else {
      add(system_->parameters.joints[k].vector_j[0]);
    }
  }

  // ---- assembly, and how reactions are shared

  void compile_assembly() {
    system_->redundancy_tolerance = model_.redundancy_tolerance;
    system_->placement.reserve(model_.bodies.size());
    system_->compliance.reserve(2 * model_.joints.size());
    for (const Body& body : model_.bodies) {
      const double mobility = 1.0 / body.assembly_weight;
      system_->placement.push_back(
          {body.hold_position ? 0.0 : mobility, body.hold_orientation ? 0.0 : mobility});
    }
    for (int k = 0; k < system_->topology.n_joints; ++k) {
      const JointTopology& at = system_->topology.joints[k];
      const double length = system_->length[at.body_i == n_bodies() ? at.body_j : at.body_i];
      const auto& given = model_.joints[k].compliance;
      system_->compliance.push_back(given ? given->force : 1.0);
      system_->compliance.push_back(given ? given->moment : 1.0 / (length * length));
    }
  }

  // ---- state and names

  void compile_initial_state() {
    std::vector<BodyState> states;
    for (const Body& body : model_.bodies) {
      const InitialState start = body.initial.value_or(
          InitialState{body.position, body.orientation, body.velocity, body.angular_velocity});
      states.push_back({start.position, start.orientation, start.velocity, start.angular_velocity});
    }
    system_->initial.assign(system_->topology.layout.size(), 0.0);
    import_state(*system_, states, system_->initial.data());
    for (std::size_t k = 0; k < model_.states.size(); ++k) {
      const StateVariable& state = model_.states[k];
      system_->initial[system_->topology.layout.state(static_cast<int>(k))] = state.initial;
      const std::string rate = state.unit.empty() ? "1/s" : state.unit + "/s";
      system_->states.push_back({state.name, state.unit, rate, state.initial});
    }
  }

  void compile_names() {
    SystemData& s = *system_;
    s.model_name = model_.name;
    s.model_text = model_.text;
    s.warnings = find_overshoots(model_);
    s.model_atol = model_.simulation.atol;
    s.body_names.reserve(model_.bodies.size());
    s.joint_names.reserve(model_.joints.size());
    for (const Body& body : model_.bodies) s.body_names.push_back(body.name);
    for (const Joint& joint : model_.joints) s.joint_names.push_back(joint.name);
  }

  void compile_picture() {
    PictureData& picture = system_->picture;
    picture.gravity = model_.gravity;
    picture.inertia.reserve(model_.bodies.size());
    picture.shape_begin.reserve(model_.bodies.size() + 1);
    for (const Body& body : model_.bodies) {
      picture.inertia.push_back(calc_mass_properties(body).inertia);
      picture.shapes.insert(picture.shapes.end(), body.shapes.begin(), body.shapes.end());
      picture.shape_begin.push_back(static_cast<int>(picture.shapes.size()));
    }
    picture.shapes.shrink_to_fit();
    limit_meshes(picture);
    compile_actions(names(), *system_);
  }

  const Model& model_;
  std::shared_ptr<SystemIn<Space>> system_;
  CoordinateIndex find_coordinate_;
};

System compile_space(const Model& model, const std::vector<std::string>& ignored) {
  if (model.dimension == 2) return Compiler<Planar>(model, ignored).compile();
  return Compiler<Spatial>(model, ignored).compile();
}

// A joint between two frames of one body constrains nothing, and is left out.
System compile_active(const Model& model) {
  const auto is_idle = [](const Joint& joint) { return joint.body_i == joint.body_j; };
  if (std::none_of(model.joints.begin(), model.joints.end(), is_idle)) {
    return compile_space(model, {});
  }
  Model rest = model;
  std::vector<std::string> ignored;
  std::erase_if(rest.joints, [&](const Joint& joint) {
    if (is_idle(joint)) ignored.push_back(joint.name);
    return is_idle(joint);
  });
  return compile_space(rest, ignored);
}

}  // namespace

System compile_drawn(const Model& model) {
  const std::vector<StateVariable> currents = list_motor_currents(model);
  if (currents.empty()) return compile_active(model);
  Model whole = model;
  whole.states.insert(whole.states.end(), currents.begin(), currents.end());
  return compile_active(whole);
}

}  // namespace trammel
