// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/actions.hpp"

#include <algorithm>

#include "compile/body_frames.hpp"
#include "math/compiled_function.hpp"
#include "math/euler_parameters.hpp"
#include "model/check_function.hpp"

namespace trammel {

namespace {

bool is_own_constant(const Formula& formula, const std::string& name) {
  return std::any_of(formula.constants.begin(), formula.constants.end(),
                     [&](const auto& constant) { return constant.first == name; });
}

// One SceneForce per force or driver; an overload per law.
class ActionCompiler {
 public:
  ActionCompiler(const ModelIndex& index, const SystemData& system)
      : index_(index), system_(system) {}

  template <class Part>
  SceneForce make(const Part& part) {
    action_ = {};
    action_.name = part.name;
    std::visit([&](const auto& law) { place(law); }, part.law);
    return action_;
  }

 private:
  int find(const std::string& body) const {
    return body == ground ? ground_index : index_.body(body);
  }
  void set(const char* kind, ActionShape shape) {
    action_.kind = kind;
    action_.shape = shape;
  }
  void act_on(const std::string& body, const Vec3& point = {}) {
    action_.body_j = find(body);
    action_.point_j = point;
  }
  void act_on_center(const char* kind, const std::string& body) {
    set(kind, ActionShape::body);
    act_on(body, com(body));
  }
  Vec3 com(const std::string& body) const {
    return system_.com.empty() ? Vec3{} : system_.com[index_.body(body)];
  }
  template <class Law>
  void connect(const Law& law) {
    action_.body_i = find(law.body_i);
    action_.body_j = find(law.body_j);
    action_.point_i = law.point_i;
  }

  void place(const PointForce& law) {
    set("force", ActionShape::point), act_on(law.body, law.point);
  }
  void place(const VariableForce& law) {
    set("force", ActionShape::point);
    act_on(law.body, law.point);
  }
  void place(const Torque& law) { act_on_center("torque", law.body); }
  void place(const VariableTorque& law) { act_on_center("torque", law.body); }
  void place(const Drag& law) { act_on_center("drag", law.body); }
  void place(const AerodynamicDrag& law) {
    set("aerodynamic_drag", ActionShape::point);
    act_on(law.body, law.point);
  }
  void place(const SpringDamper& law) {
    set("spring_damper", ActionShape::line);
    connect(law);
    action_.point_j = law.point_j;
    action_.free_length = law.free_length;
  }
  void place(const NonlinearSpring& law) {
    set("nonlinear_spring", ActionShape::line);
    connect(law);
    action_.point_j = law.point_j;
  }
  void place(const Gravitation& law) {
    set("gravitation", ActionShape::line);
    connect(law);
    action_.point_j = com(law.body_j);
  }
  void place(const RotationalDamper& law) {
    set("rotational_damper", ActionShape::joint);
    action_.joint = index_.joint(law.joint);
  }
  void place(const JointSpringDamper& law) {
    set("joint_spring_damper", ActionShape::joint);
    action_.joint = index_.joint(law.joint);
  }
  // Forces along a coordinate or a distance.
  template <class Law>
  requires requires(const Law& law) { law.along; }
  void place(const Law& law) {
    const bool is_line = law.along.joint.empty();
    set(Law::kind.word.data(), is_line ? ActionShape::line : ActionShape::joint);
    if (!is_line) {
      action_.joint = index_.joint(law.along.joint);
      return;
    }
    connect(law.along);
    action_.point_j = law.along.point_j;
  }
  void place(const Bushing& law) {
    set("bushing", ActionShape::bushing);
    connect(law);
    action_.point_j = law.point_j;
    action_.orientation = law.orientation;
    if (!law.at) return;
    // as drawn: both points at `at`, the axes given in the world
    action_.point_i = point_in(law.body_i, *law.at);
    action_.point_j = point_in(law.body_j, *law.at);
    if (law.body_i == ground) return;
    const EulerParameters& q = body_of(law.body_i).orientation;
    const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
    multiply4(conjugate, law.orientation.data(), action_.orientation.data());
  }
  void place(const JointDriver& law) {
    set("driver", ActionShape::joint);
    action_.joint = index_.joint(law.joint);
  }
  void place(const DistanceDriver& law) {
    set("driver", ActionShape::line);
    connect(law);
    action_.point_j = law.point_j;
  }
  void place(const PointDriver& law) {
    set("driver", ActionShape::point);
    act_on(law.body, law.point);
  }
  void place(const FrameDriver& law) {
    set("driver", ActionShape::point);
    if (law.frames.body_j != ground) act_on(law.frames.body_j, law.frames.frame_j.position);
  }

  const Body& body_of(const std::string& name) const {
    return index_.model().bodies[index_.body(name)];
  }
  Vec3 point_in(const std::string& name, const Vec3& at) const {
    if (name == ground) return at;
    const Body& body = body_of(name);
    Vec3 result;
    transposed_times(calc_rotation(body.orientation.data()), load(at) - load(body.position))
        .store(result.data());
    return result;
  }

  const ModelIndex& index_;
  const SystemData& system_;
  SceneForce action_;
};

}  // namespace

void compile_actions(const ModelIndex& index, SystemData& system) {
  PictureData& picture = system.picture;
  ActionCompiler compiler(index, system);
  const Model& model = index.model();
  for (const Force& force : model.forces) picture.forces.push_back(compiler.make(force));
  for (const Driver& driver : model.drivers) picture.drivers.push_back(compiler.make(driver));
  for (const NamedPoint& point : model.points) {
    const int body = point.body == ground ? ground_index : index.body(point.body);
    picture.points.push_back({point.name, body, point.point});
  }
}

void compile_outputs(const Model& model, SystemData& system) {
  const ConstantTable parameters = make_constant_table(model);
  for (const Output& output : model.outputs) {
    VariableNames names;
    for (const auto& [name, offset] : list_names(output.formula.text)) {
      const std::string channel(name);
      const bool is_constant =
          parameters.contains(channel) || is_own_constant(output.formula, channel);
      if (!is_constant && names.find(channel) < 0) names.add(channel);
    }
    system.outputs.push_back({output.name, output.unit,
                              compile_formula(output.formula, names, parameters), names.names()});
  }
}

}  // namespace trammel
