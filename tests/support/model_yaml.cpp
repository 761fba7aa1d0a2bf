// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "support/model_yaml.hpp"

#include <cstdio>

namespace trammel::test {
namespace {

std::string to_text(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

template <class List>
std::string to_list(const List& values) {
  std::string text = "[";
  for (std::size_t k = 0; k < values.size(); ++k) text += (k > 0 ? ", " : "") + to_text(values[k]);
  return text + "]";
}

template <class Rows>
std::string to_rows(const Rows& rows) {
  std::string text = "[";
  for (std::size_t k = 0; k < rows.size(); ++k) text += (k > 0 ? ", " : "") + to_list(rows[k]);
  return text + "]";
}

// A point or a direction: in the plane two numbers would do, but three with a zero are read as well.
std::string to_text(const Vec3& v) { return to_list(v); }

std::string to_text(const Function& function) {
  if (const auto* number = std::get_if<double>(&function.form)) return to_text(*number);
  const Formula* formula = std::get_if<Formula>(&function.form);
  if (formula != nullptr && !formula->table) return '"' + formula->text + '"';
  const DataTable& table = formula != nullptr
                               ? *formula->table
                               : *std::get<std::shared_ptr<const DataTable>>(function.form);
  const std::string of = formula != nullptr ? ", of: \"" + formula->text + '"' : "";
  std::string text = "{table: {points: [";
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    text += (k > 0 ? ", [" : "[") + to_text(table.x[k]) + ", " + to_text(table.y[k]) + "]";
  }
  return text + "]}" + of + "}";
}

template <class Placement>
std::string place(const Placement& placement, bool points) {
  std::string text;
  const auto add = [&](const char* key, const std::optional<Vec3>& v) {
    if (v) text += std::string(", ") + key + ": " + to_text(*v);
  };
  if (const auto* local = std::get_if<LocalPlacement>(&placement)) {
    if (points) {
      text += ", points: [" + to_text(local->point_i) + ", " + to_text(local->point_j) + "]";
    }
    add("a_i", local->a_i);
    add("b_i", local->b_i);
    add("a_j", local->a_j);
    add("b_j", local->b_j);
    return text;
  }
  if (!std::holds_alternative<WorldPlacement>(placement)) {
    throw std::invalid_argument("joints between frames are not written");
  }
  const auto& world = std::get<WorldPlacement>(placement);
  if (points && world.point_j) {
    text += ", at: [" + to_text(world.point) + ", " + to_text(*world.point_j) + "]";
  } else if (points) {
    add("at", world.point);
  }
  if (world.axis && world.axis_j) {
    text += ", axes: [" + to_text(*world.axis) + ", " + to_text(*world.axis_j) + "]";
  } else {
    add("axis", world.axis);
  }
  return text;
}

bool has_points(JointKind kind) {
  return kind != JointKind::parallel_axes && kind != JointKind::perpendicular &&
         kind != JointKind::orientation && kind != JointKind::angle;
}

std::string write_body(const Body& body) {
  std::string text = "  " + body.name + ": {";
  const auto add = [&](const std::string& key, const std::string& value) {
    text += (text.back() == '{' ? "" : ", ") + key + ": " + value;
  };
  if (body.mass) add("mass", to_text(*body.mass));
  if (body.inertia) add("inertia", to_rows(*body.inertia));
  if (body.com) add("com", to_text(*body.com));
  add("position", to_text(body.position));
  add("orientation", "{euler_parameters: " + to_list(body.orientation) + "}");
  add("velocity", to_text(body.velocity));
  add("angular_velocity", to_text(body.angular_velocity));
  std::string shapes;
  for (const Shape& shape : body.shapes) {
    shapes += shapes.empty() ? "{" : ", {";
    if (const auto* box = std::get_if<Box>(&shape.geometry)) {
      shapes += "box: " + to_list(box->size);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
      shapes += "cylinder: {radius: " + to_text(cylinder->radius) +
                ", length: " + to_text(cylinder->length) + "}";
    } else {
      shapes += "sphere: " + to_text(std::get<Sphere>(shape.geometry).radius);
    }
    if (shape.density) shapes += ", density: " + to_text(*shape.density);
    shapes += ", position: " + to_text(shape.position) +
              ", orientation: {euler_parameters: " + to_list(shape.orientation) + "}}";
  }
  if (!shapes.empty()) add("shape", "[" + shapes + "]");
  if (body.hold_position && body.hold_orientation) add("hold", "true");
  return text + "}\n";
}

std::string write_initial(const Body& body) {
  const InitialState& start = *body.initial;
  return "  " + body.name + ": {position: " + to_text(start.position) +
         ", orientation: {euler_parameters: " + to_list(start.orientation) +
         "}, velocity: " + to_text(start.velocity) +
         ", angular_velocity: " + to_text(start.angular_velocity) + "}\n";
}

std::string write_joint(const Joint& joint) {
  std::string text = "  " + joint.name + ": {kind: " + to_word(joint.kind) + ", bodies: [" +
                     joint.body_i + ", " + joint.body_j + "]";
  if (joint.kind == JointKind::generic) {
    constexpr const char* words[] = {"C", "SO", "O", "D", "CV"};
    text += ", constraints: [";
    for (std::size_t k = 0; k < joint.constraints.size(); ++k) {
      const BasicConstraint& basic = joint.constraints[k];
      const bool turns = basic.kind == BasicKind::symmetric_orthogonality ||
                         basic.kind == BasicKind::constant_velocity ||
                         basic.kind == BasicKind::angle;
      text += std::string(k > 0 ? ", {" : "{") + "kind: " + words[static_cast<int>(basic.kind)] +
              place(basic.placement, !turns);
      if (basic.length) text += ", length: " + to_text(*basic.length);
      if (basic.angle) text += ", angle: " + to_text(*basic.angle);
      if (basic.offset) text += ", offset: " + to_text(*basic.offset);
      text += "}";
    }
    text += "]";
  } else {
    text += place(joint.placement, has_points(joint.kind));
  }
  if (joint.length) text += ", length: " + to_text(*joint.length);
  if (joint.angle) text += ", angle: " + to_text(*joint.angle);
  if (joint.offset) text += ", offset: " + to_text(*joint.offset);
  if (joint.pitch) text += ", pitch: " + to_text(*joint.pitch);
  if (joint.start_angle) text += ", start_angle: " + to_text(*joint.start_angle);
  if (joint.start_travel) text += ", start_travel: " + to_text(*joint.start_travel);
  if (joint.curve) {
    text += ", curve: {points: " + to_rows(joint.curve->points) +
            ", closed: " + (joint.curve->closed ? "true" : "false") + "}";
  }
  return text + "}\n";
}

constexpr const char* coordinate_words[] = {"angle", "travel", "angle_i", "angle_j"};
const char* word_of(JointCoordinate coordinate) {
  return coordinate_words[static_cast<int>(coordinate)];
}

std::string write_law(const Gear& gear) {
  return "kind: gear, joints: [" + gear.joint_1 + ", " + gear.joint_2 + "], teeth: [" +
         to_text(gear.teeth_1) + ", " + to_text(gear.teeth_2) + "]" +
         (gear.internal ? ", mesh: internal" : "");
}
std::string write_law(const RackAndPinion& rack) {
  return "kind: rack_and_pinion, joints: [" + rack.hinge + ", " + rack.slide +
         "], radius: " + to_text(rack.radius);
}
std::string write_law(const Belt& belt) {
  return "kind: belt, joints: [" + belt.joint_1 + ", " + belt.joint_2 + "], radii: [" +
         to_text(belt.radius_1) + ", " + to_text(belt.radius_2) +
         "], crossed: " + (belt.crossed ? "true" : "false");
}
std::string write_law(const LinearCoupler& coupler) {
  std::string text = "kind: coupler, terms: [";
  for (std::size_t k = 0; k < coupler.terms.size(); ++k) {
    const LinearCoupler::Term& term = coupler.terms[k];
    text += std::string(k > 0 ? ", " : "") + "{joint: " + term.joint +
            ", coordinate: " + word_of(term.coordinate) +
            ", coefficient: " + to_text(term.coefficient) + "}";
  }
  return text + "]" + (coupler.value ? ", value: " + to_text(*coupler.value) : "");
}

std::string write_law(const JointDriver& driver) {
  return "joint: " + driver.joint + ", " + word_of(driver.coordinate) +
         (driver.is_rate ? "_rate" : "") + ": " + to_text(driver.value);
}
std::string write_law(const DistanceDriver& driver) {
  return "bodies: [" + driver.body_i + ", " + driver.body_j + "], points: [" +
         to_text(driver.point_i) + ", " + to_text(driver.point_j) + "], distance" +
         (driver.is_rate ? "_rate: " : ": ") + to_text(driver.value);
}
std::string write_law(const PointDriver& driver) {
  std::string text = "body: " + driver.body + ", point: " + to_text(driver.point) +
                     (driver.is_rate ? ", velocity: [" : ", position: [");
  for (int c = 0; c < 3; ++c) {
    text += (c > 0 ? ", " : "") + (driver.value[c] ? to_text(*driver.value[c]) : "free");
  }
  return text + "]";
}

std::string write_law(const PointForce& force) {
  return "kind: force, body: " + force.body + ", value: " + to_text(force.value) +
         ", point: " + to_text(force.point) +
         ", frame: " + (force.frame == Frame::body ? "body" : "world");
}
std::string write_law(const Torque& torque) {
  return "kind: torque, body: " + torque.body + ", value: " + to_text(torque.value) +
         ", frame: " + (torque.frame == Frame::body ? "body" : "world");
}
std::string write_law(const SpringDamper& spring) {
  return "kind: spring_damper, bodies: [" + spring.body_i + ", " + spring.body_j + "], points: [" +
         to_text(spring.point_i) + ", " + to_text(spring.point_j) +
         "], stiffness: " + to_text(spring.stiffness) + ", damping: " + to_text(spring.damping) +
         ", free_length: " + to_text(spring.free_length);
}
std::string write_law(const RotationalDamper& damper) {
  return "kind: rotational_damper, joint: " + damper.joint +
         ", damping: " + to_text(damper.damping);
}
template <class Other>
std::string write_law(const Other&) {
  return {};  // not written: models that need it are of the repository
}

template <class Part>
std::string write_parts(const std::vector<Part>& parts, const char* section) {
  std::string text;
  for (const Part& part : parts) {
    const std::string law = std::visit([](const auto& own) { return write_law(own); }, part.law);
    text += law.empty() ? "  # " + part.name + ": not written\n"
                        : "  " + part.name + ": {" + law + "}\n";
  }
  return text.empty() ? text : std::string(section) + ":\n" + text;
}

}  // namespace

std::string to_yaml(const Model& model) {
  std::string text = "trammel: 1\nname: \"" + model.name + "\"\n";
  if (model.dimension == 2) text += "dimension: 2\n";
  text += "gravity: " + to_text(model.gravity) + "\n";
  text += "redundancy_tolerance: " + to_text(model.redundancy_tolerance) + "\n";
  if (!model.parameters.empty()) text += "parameters:\n";
  for (const auto& [name, value] : model.parameters) {
    text += "  " + name + ": " + to_text(value) + "\n";
  }
  text += "bodies:\n";
  std::string initial;
  for (const Body& body : model.bodies) {
    text += write_body(body);
    if (body.initial) initial += write_initial(body);
  }
  if (!initial.empty()) text += "initial:\n" + initial;
  if (!model.joints.empty()) text += "joints:\n";
  for (const Joint& joint : model.joints) text += write_joint(joint);
  text += write_parts(model.couplers, "couplers");
  text += write_parts(model.drivers, "drivers");
  text += write_parts(model.forces, "forces");
  const SimulationOptions& options = model.simulation;
  text += "simulation: {t_end: " + to_text(options.t_end) + ", rtol: " + to_text(options.rtol) +
          ", atol: " + to_text(options.atol) +
          ", output_interval: " + to_text(options.output_interval) +
          ", max_steps: " + std::to_string(options.max_steps) + "}\n";
  return text;
}

}  // namespace trammel::test
