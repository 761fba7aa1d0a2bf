// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One line per part where that is short, numbers with as many digits as they have.
#include "format/write_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "trammel/option_table.hpp"

namespace trammel {
namespace {

constexpr const char* coordinate_words[] = {"angle", "travel", "angle_i", "angle_j"};
constexpr std::size_t longest_line = 110;

const char* word_of(JointCoordinate coordinate) {
  return coordinate_words[static_cast<int>(coordinate)];
}

// What YAML would not read as the same text is quoted.
std::string name_text(const std::string& name) {
  static const std::vector<std::string> words = {"true", "false", "null", "yes", "no",
                                                 "on",   "off",   "y",    "n",   "ground"};
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_word =
      !name.empty() && (std::isalpha(static_cast<unsigned char>(name[0])) != 0 || name[0] == '_') &&
      std::all_of(name.begin(), name.end(),
                  [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
  if (name == "ground" ||
      (is_word && std::find(words.begin(), words.end(), lower) == words.end())) {
    return name;
  }
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string number(double x) { return fmt::format("{}", x == 0.0 ? 0.0 : x); }

template <class List>
std::string list(const List& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + number(value);
  return "[" + text + "]";
}

// A simple multiple of a degree as such: 90 deg, −45 deg.
std::string angle_text(double angle) {
  const double degrees = std::round(angle * 180 / std::numbers::pi * 1e6) / 1e6;
  if (degrees != 0.0 && std::abs(degrees * std::numbers::pi / 180 - angle) < 4e-16) {
    return number(degrees) + " deg";
  }
  return number(angle);
}

// {axis: [0, 0, 1], angle: 90 deg} about a coordinate axis, else the Euler parameters.
std::string orientation_text(const EulerParameters& theta) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3, m = (k + 2) % 3;
    if (theta[1 + l] != 0.0 || theta[1 + m] != 0.0) continue;
    const std::string angle = angle_text(2 * std::atan2(theta[1 + k], theta[0]));
    if (angle.find("deg") == std::string::npos) break;
    return fmt::format("{{axis: [{}, {}, {}], angle: {}}}", k == 0 ? 1 : 0, k == 1 ? 1 : 0,
                       k == 2 ? 1 : 0, angle);
  }
  return "{euler_parameters: " + list(theta) + "}";
}

bool is_turned(const EulerParameters& theta) { return theta != EulerParameters{1, 0, 0, 0}; }

std::string function_text(const Function& function) {
  if (const auto* value = std::get_if<double>(&function.form)) return number(*value);
  if (const auto* formula = std::get_if<Formula>(&function.form)) return '"' + formula->text + '"';
  const DataTable& table = *std::get<std::shared_ptr<const DataTable>>(function.form);
  std::string points;
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    points += fmt::format("{}[{}, {}]", k > 0 ? ", " : "", number(table.x[k]), number(table.y[k]));
  }
  return "{table: {points: [" + points + "]}}";
}

// The keys of a map; on one line, or on a line each where that is too long.
class Entry {
 public:
  explicit Entry(std::string name) : name_(std::move(name)) {}
  void add(const char* key, std::string value) { pairs_.push_back({key, std::move(value)}); }
  void add(const char* key, const std::optional<Vec3>& value) {
    if (value) add(key, list(*value));
  }
  void add(const char* key, const std::optional<double>& value) {
    if (value) add(key, number(*value));
  }
  void add_unless_zero(const char* key, const Vec3& value) {
    if (value != Vec3{}) add(key, list(value));
  }
  void add_unless_zero(const char* key, double value) {
    if (value != 0.0) add(key, number(value));
  }

  std::string text() const {
    std::string line = "  " + name_text(name_) + ": {";
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      line += fmt::format("{}{}: {}", k > 0 ? ", " : "", pairs_[k].first, pairs_[k].second);
    }
    line += "}\n";
    if (line.size() <= longest_line && line.find('\n') == line.size() - 1) return line;
    std::string lines = "  " + name_text(name_) + ":\n";
    for (const auto& [key, value] : pairs_) {
      lines += fmt::format("    {}:{}{}\n", key, value[0] == '\n' ? "" : " ", value);
    }
    return lines;
  }

 private:
  std::string name_;
  std::vector<std::pair<std::string, std::string>> pairs_;
};

std::string inertia_text(const Mat3& inertia) {
  const bool diagonal = inertia[0][1] == 0 && inertia[0][2] == 0 && inertia[1][2] == 0 &&
                        inertia[1][0] == 0 && inertia[2][0] == 0 && inertia[2][1] == 0;
  if (diagonal) return list(Vec3{inertia[0][0], inertia[1][1], inertia[2][2]});
  return "[" + list(inertia[0]) + ", " + list(inertia[1]) + ", " + list(inertia[2]) + "]";
}

std::string shape_text(const Shape& shape) {
  std::string text = "{";
  if (const auto* box = std::get_if<Box>(&shape.geometry)) {
    text += "box: " + list(box->size);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
    text += fmt::format("cylinder: {{radius: {}, length: {}}}", number(cylinder->radius),
                        number(cylinder->length));
  } else {
    text += "sphere: " + number(std::get<Sphere>(shape.geometry).radius);
  }
  if (shape.density) text += ", density: " + number(*shape.density);
  if (shape.position != Vec3{}) text += ", position: " + list(shape.position);
  if (is_turned(shape.orientation)) text += ", orientation: " + orientation_text(shape.orientation);
  return text + "}";
}

// {tip: [0, 0, 0.3], axle: {at: [0, 0, 0], axes: {axis: [1, 0, 0], angle: 90 deg}}}, on a line each
// where there are several.
std::string frames_text(const std::vector<NamedFrame>& frames) {
  std::string text;
  for (const NamedFrame& frame : frames) {
    const bool turned = is_turned(frame.orientation);
    std::string value = list(frame.position);
    if (turned) {
      const std::string at = frame.position == Vec3{} ? "" : "at: " + value + ", ";
      value = "{" + at + "axes: " + orientation_text(frame.orientation) + "}";
    }
    const std::string entry = name_text(frame.name) + ": " + value;
    if (frames.size() == 1) return "{" + entry + "}";
    text += "\n      " + entry;
  }
  return text;
}

std::string write(const Body& body) {
  Entry entry(body.name);
  entry.add("mass", body.mass);
  if (body.inertia) entry.add("inertia", inertia_text(*body.inertia));
  if (body.com) entry.add_unless_zero("com", *body.com);
  entry.add_unless_zero("position", body.position);
  if (is_turned(body.orientation)) entry.add("orientation", orientation_text(body.orientation));
  entry.add_unless_zero("velocity", body.velocity);
  entry.add_unless_zero("angular_velocity", body.angular_velocity);
  if (!body.frames.empty()) entry.add("frames", frames_text(body.frames));
  if (body.shapes.size() == 1) {
    entry.add("shape", shape_text(body.shapes[0]));
  } else if (!body.shapes.empty()) {
    std::string shapes;
    for (const Shape& shape : body.shapes) shapes += "\n      - " + shape_text(shape);
    entry.add("shape", shapes);
  }
  return entry.text();
}

std::string pair_text(const std::string& a, const std::string& b) {
  return "[" + a + ", " + b + "]";
}

std::string frame_text(const std::string& body, const NamedFrame& frame) {
  return name_text(frame.name.empty() ? body : body + "." + frame.name);
}
std::string pair_text(const CoupledFrames& frames) {
  return pair_text(frame_text(frames.body_i, frames.frame_i),
                   frame_text(frames.body_j, frames.frame_j));
}

std::string curve_text(const Curve& curve) {
  std::string text =
      std::string("\n      closed: ") + (curve.closed ? "true" : "false") + "\n      points:";
  for (const Vec3& point : curve.points) text += "\n        - " + list(point);
  return text;
}

std::string write(const Joint& joint) {
  const auto* place = std::get_if<FramePlacement>(&joint.placement);
  if (place == nullptr || joint.kind == JointKind::generic) {
    throw std::logic_error("write_yaml: joint " + joint.name);
  }
  Entry entry(joint.name);
  entry.add("kind", to_word(joint.kind));
  entry.add("frames", pair_text({joint.body_i, joint.body_j, place->frame_i, place->frame_j}));
  entry.add("length", joint.length);
  entry.add("pitch", joint.pitch);
  if (joint.curve) entry.add("curve", curve_text(*joint.curve));
  if (joint.angle) entry.add("angle", angle_text(*joint.angle));
  if (joint.armature.size() == 1) entry.add("armature", number(joint.armature[0].inertia));
  return entry.text();
}

std::string write(const Coupler& coupler) {
  Entry entry(coupler.name);
  if (const auto* gear = std::get_if<Gear>(&coupler.law); gear != nullptr && gear->frames) {
    entry.add("kind", "gear");
    entry.add("frames", pair_text(*gear->frames));
    entry.add("teeth", pair_text(number(gear->teeth_1), number(gear->teeth_2)));
    if (gear->internal) entry.add("mesh", "internal");
    return entry.text();
  }
  if (const auto* rack = std::get_if<RackAndPinion>(&coupler.law);
      rack != nullptr && rack->frames) {
    entry.add("kind", "rack_and_pinion");
    entry.add("frames", pair_text(*rack->frames));
    entry.add("radius", number(rack->radius));
    return entry.text();
  }
  if (const auto* thread = std::get_if<Thread>(&coupler.law)) {
    entry.add("kind", "thread");
    entry.add("frames", pair_text(thread->frames));
    entry.add("pitch", number(thread->pitch));
    return entry.text();
  }
  const auto* linear = std::get_if<LinearCoupler>(&coupler.law);
  if (linear == nullptr) throw std::logic_error("write_yaml: coupler " + coupler.name);
  std::string terms;
  for (const LinearCoupler::Term& term : linear->terms) {
    terms +=
        fmt::format("{}{{joint: {}, coordinate: {}, coefficient: {}{}}}", terms.empty() ? "" : ", ",
                    name_text(term.joint), word_of(term.coordinate), number(term.coefficient),
                    term.function ? ", function: " + function_text(*term.function) : "");
  }
  entry.add("kind", "coupler");
  entry.add("terms", "[" + terms + "]");
  entry.add("value", linear->value);
  return entry.text();
}

std::string components_text(const std::array<std::optional<Function>, 3>& components) {
  std::string values;
  for (const auto& value : components) {
    values += (values.empty() ? "" : ", ") + (value ? function_text(*value) : "free");
  }
  return "[" + values + "]";
}

std::string write(const std::string& name, const FrameDriver& driver) {
  Entry entry(name);
  entry.add("frames", pair_text(driver.frames));
  if (std::any_of(driver.position.begin(), driver.position.end(),
                  [](const auto& value) { return value.has_value(); })) {
    entry.add("position", components_text(driver.position));
  }
  if (driver.orientation) {
    const auto& angles = *driver.orientation;
    entry.add("orientation", components_text({angles[0], angles[1], angles[2]}));
    std::string order;
    for (const int axis : driver.order) order += static_cast<char>('x' + axis);
    if (order != "xyz") entry.add("order", order);
  }
  return entry.text();
}

std::string write(const Driver& driver) {
  Entry entry(driver.name);
  if (const auto* point = std::get_if<PointDriver>(&driver.law)) {
    entry.add("body", name_text(point->body));
    entry.add_unless_zero("point", point->point);
    entry.add(point->is_rate ? "velocity" : "position", components_text(point->value));
    return entry.text();
  }
  if (const auto* frames = std::get_if<FrameDriver>(&driver.law)) {
    return write(driver.name, *frames);
  }
  const auto* joint = std::get_if<JointDriver>(&driver.law);
  if (joint == nullptr) throw std::logic_error("write_yaml: driver " + driver.name);
  entry.add("joint", name_text(joint->joint));
  const std::string key = std::string(word_of(joint->coordinate)) + (joint->is_rate ? "_rate" : "");
  entry.add(key.c_str(), function_text(joint->value));
  return entry.text();
}

std::string write(const Force& force) {
  Entry entry(force.name);
  const auto add_ends = [&](const char* kind, const auto& law) {
    entry.add("kind", kind);
    entry.add("bodies", pair_text(name_text(law.body_i), name_text(law.body_j)));
    entry.add("points", pair_text(list(law.point_i), list(law.point_j)));
  };
  if (const auto* spring = std::get_if<JointSpringDamper>(&force.law)) {
    entry.add("kind", "joint_spring_damper");
    entry.add("joint", name_text(spring->joint));
    if (spring->coordinate) entry.add("coordinate", word_of(*spring->coordinate));
    entry.add_unless_zero("stiffness", spring->stiffness);
    entry.add_unless_zero("damping", spring->damping);
    if (spring->free != 0.0) entry.add("free", number(spring->free));
    if (spring->load) entry.add("load", function_text(*spring->load));
  } else if (const auto* damper = std::get_if<RotationalDamper>(&force.law)) {
    entry.add("kind", "rotational_damper");
    entry.add("joint", name_text(damper->joint));
    entry.add("damping", number(damper->damping));
  } else if (const auto* between = std::get_if<SpringDamper>(&force.law)) {
    add_ends("spring_damper", *between);
    entry.add_unless_zero("stiffness", between->stiffness);
    entry.add_unless_zero("damping", between->damping);
    entry.add_unless_zero("free_length", between->free_length);
  } else if (const auto* nonlinear = std::get_if<NonlinearSpring>(&force.law)) {
    add_ends("nonlinear_spring", *nonlinear);
    if (nonlinear->tension) entry.add("tension", function_text(*nonlinear->tension));
    entry.add_unless_zero("damping", nonlinear->damping);
  } else {
    throw std::logic_error("write_yaml: force " + force.name);
  }
  return entry.text();
}

std::string write(const NamedPoint& point) {
  Entry entry(point.name);
  entry.add("body", name_text(point.body));
  entry.add_unless_zero("at", point.point);
  return entry.text();
}

template <class Part>
std::string write_section(const char* heading, const std::vector<Part>& parts) {
  if (parts.empty()) return {};
  std::string text = fmt::format("\n{}:\n", heading);
  for (const Part& part : parts) text += write(part);
  return text;
}

// The options that are not the defaults.
std::string write_options(const SimulationOptions& options) {
  const SimulationOptions defaults;
  Entry entry("simulation");
  bool any = false;
  for (const Option& option : option_table()) {
    const OptionValue value = option.access.get(options);
    if (value == option.access.get(defaults)) continue;
    any = true;
    const std::string key(option.word);
    if (const auto* x = std::get_if<double>(&value)) {
      entry.add(key.c_str(), number(*x));
    } else {
      entry.add(key.c_str(), option_text(option, options));
    }
  }
  return any ? "\n" + entry.text().substr(2) : "";
}

}  // namespace

std::string write_yaml(const Model& model, const std::string& heading) {
  std::string text;
  std::size_t begin = 0;
  while (begin < heading.size()) {
    const std::size_t end = std::min(heading.find('\n', begin), heading.size());
    text += "# " + heading.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  text += "trammel: 1\nname: " + name_text(model.name) + "\n";
  if (model.gravity != Vec3{}) text += "gravity: " + list(model.gravity) + "\n";
  text += "\nbodies:\n";
  if (!model.ground_frames.empty()) {
    Entry own("ground");
    own.add("frames", frames_text(model.ground_frames));
    text += own.text();
  }
  for (const Body& body : model.bodies) text += write(body);
  text += write_section("joints", model.joints);
  text += write_section("couplers", model.couplers);
  text += write_section("drivers", model.drivers);
  text += write_section("forces", model.forces);
  text += write_section("points", model.points);
  return text + write_options(model.simulation);
}

}  // namespace trammel
