// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Names of frames, and what they mean in a basis.
#include "format/places.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "format/waiting_body.hpp"
#include "math/nearest_word.hpp"
#include "math/unit_vector.hpp"
#include "model/mass_properties.hpp"

namespace trammel {

namespace {

using V = Vector3<double>;
using Kind = YamlNode::Kind;

V load(const Vec3& v) { return V::load(v.data()); }
Vec3 to_vec3(const V& v) { return {v.x, v.y, v.z}; }

// "-upper.tip.z" → the frame's name, and the axis; "z" → no name
struct AxisName {
  std::string frame;
  V axis;
};
std::optional<AxisName> find_axis_name(std::string_view text) {
  double sign = 1.0;
  if (!text.empty() && text[0] == '-') {
    sign = -1.0;
    text.remove_prefix(1);
  }
  const bool alone = text.size() == 1;
  if (!alone && (text.size() < 3 || text[text.size() - 2] != '.')) return std::nullopt;
  const std::string name(text.substr(0, alone ? 0 : text.size() - 2));
  switch (text.back()) {
    case 'x': return AxisName{name, {sign, 0, 0}};
    case 'y': return AxisName{name, {0, sign, 0}};
    case 'z': return AxisName{name, {0, 0, sign}};
    default: return std::nullopt;
  }
}

}  // namespace

// ---- names

int Places::body(const std::string& name) {
  if (name == ground) return Basis::world;
  for (; n_known_ < model_.bodies.size(); ++n_known_) {
    bodies_.emplace(model_.bodies[n_known_].name, static_cast<int>(n_known_));
  }
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? Basis::unknown : found->second;
}

const std::string& Places::name_of(int body) const {
  static const std::string of_ground = ground, none;
  if (body == Basis::world) return of_ground;
  return body < 0 ? none : model_.bodies[static_cast<std::size_t>(body)].name;
}

std::optional<Places::Found> Places::find_on(int body, std::string_view name) {
  if (body == Basis::unknown) return std::nullopt;
  if (body != Basis::world && name == center_of_mass) {
    const Body& of = model_.bodies[static_cast<std::size_t>(body)];
    if (!of.com) know_shapes(body);
    Vec3 com = calc_mass_properties(of).com;
    if (reader_.is_planar()) com[2] = 0.0;
    return Found{body, {std::string(name), com}};
  }
  Waiting* const waiting = find_waiting(body);
  if (waiting == nullptr) return std::nullopt;  // no frames
  list_frames(*waiting);
  const auto found = waiting->frame_of.find(name);
  if (found == waiting->frame_of.end()) return std::nullopt;
  WaitingFrame& frame = waiting->frames[found->second];
  know_frame(*waiting, frame);
  return Found{body, frame.frame};
}

std::optional<Places::Found> Places::find(const std::string& text, int context) {
  if (const auto own = find_on(context, text)) return own;
  const std::string name = reader_.resolve(text);
  if (const int whole = body(name); whole != Basis::unknown) return Found{whole, {}};
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  return find_on(body(name.substr(0, dot)), std::string_view(name).substr(dot + 1));
}

void Places::report_unknown(NodeId id, const std::string& text, int context) {
  const std::size_t dot = text.rfind('.');
  const std::string stem = dot == std::string::npos ? "" : reader_.resolve(text.substr(0, dot));
  const int owner = dot == std::string::npos ? context : body(stem);
  if (owner == Basis::unknown) {
    NearestWord nearest(dot == std::string::npos ? text : stem);
    for (const Body& one : model_.bodies) nearest.offer(one.name);
    return reader_.report(
        id, fmt::format("there is no body '{}'", dot == std::string::npos ? text : stem),
        nearest.hint());
  }
  const std::string name = dot == std::string::npos ? text : text.substr(dot + 1);
  NearestWord nearest(name);
  const Waiting* const waiting = find_waiting(owner);
  const bool none = waiting == nullptr || waiting->frames.empty();
  if (!none) {
    for (const WaitingFrame& frame : waiting->frames) nearest.offer(frame.frame.name);
  }
  const std::string hint = nearest.hint();
  reader_.report(id, fmt::format("'{}' has no frame '{}'", name_of(owner), name),
                 hint.empty() && none ? "give it one under 'frames'" : hint);
}

// An index in < > makes a name; an expression has operators, or is the name of a vector.
bool Places::is_name(NodeId id) const {
  if (reader_.tree()[id].kind != Kind::scalar || reader_.find_plain_number(id)) return false;
  const std::string_view text = reader_.tree().text(id);
  if (text.find('<') != std::string_view::npos) return true;
  if (text.empty() || text.find_first_of("()*/+^, ") != std::string_view::npos) return false;
  const auto names = list_names(text);
  return std::none_of(names.begin(), names.end(), [&](const NameInText& name) {
    const std::string whole(name.name);
    const bool is_component = whole.find('.') != std::string::npos;
    return reader_.variables.is_vector(whole) ||
           (is_component && reader_.variables.find(whole) >= 0);
  });
}

std::optional<Places::Found> Places::frame(NodeId id, int context) {
  if (reader_.is_reported(id)) return std::nullopt;
  const std::string text = reader_.text(id);
  if (reader_.is_reported(id)) return std::nullopt;
  const NodeId before = asking_;
  asking_ = id;
  const auto found = find(text, context);
  asking_ = before;
  if (!found && !reader_.is_reported(id)) report_unknown(id, text, context);
  return found;
}

// ---- places

Places::Pose Places::pose_of(int body) {
  if (body < 0) return {};
  know_pose(body);
  const Body& of = model_.bodies[static_cast<std::size_t>(body)];
  return {load(of.position), calc_rotation(of.orientation.data())};
}

// Known before the orientation, which may be along a line from here.
V Places::origin_of(int body) {
  const Waiting* const waiting = find_waiting(body);
  const bool is_known = waiting != nullptr && waiting->has_position;
  return is_known ? load(model_.bodies[static_cast<std::size_t>(body)].position) : pose_of(body).r;
}

Vec3 Places::move(const Vec3& point, int from, const Basis& in) {
  V p = load(point);
  if (from != in.body) {
    if (point == Vec3{}) {
      p = origin_of(from);
    } else {
      const Pose own = pose_of(from);
      p = own.r + own.R * p;
    }
    const Pose other = pose_of(in.body);
    if (in.body >= 0) p = transposed_times(other.R, p - other.r);
  }
  if (in.frame != nullptr) {
    p = transposed_times(calc_rotation(in.frame->orientation.data()), p - load(in.frame->position));
  }
  return to_vec3(p);
}

Vec3 Places::rotate(const Vec3& vector, int from, const Basis& in) {
  V v = load(vector);
  if (from != in.body) {
    const Pose own = pose_of(from), other = pose_of(in.body);
    v = own.R * v;
    if (in.body >= 0) v = transposed_times(other.R, v);
  }
  if (in.frame != nullptr) v = transposed_times(calc_rotation(in.frame->orientation.data()), v);
  return to_vec3(v);
}

// A word where nothing has a name: the reader of vectors says what it expects.
bool Places::is_no_frame(NodeId id, const Basis& in) {
  const std::string_view text = reader_.tree().text(id);
  return text.find('.') == std::string_view::npos && find_waiting(in.body) == nullptr &&
         text.find('<') == std::string_view::npos &&
         body(reader_.resolve(std::string(text))) == Basis::unknown;
}

Vec3 Places::point(NodeId id, const Basis& in) {
  if (!is_name(id) || is_no_frame(id, in)) return reader_.vector(id);
  const NodeId before = asking_;
  asking_ = id;
  const auto found = frame(id, in.frame == nullptr ? in.body : Basis::unknown);
  const Vec3 result = found ? move(found->frame.position, found->body, in) : Vec3{};
  asking_ = before;
  return result;
}

Vec3 Places::point_or_zero(NodeId map, std::string_view key, const Basis& in) {
  const NodeId id = reader_.find(map, key);
  return id == no_node ? Vec3{} : point(id, in);
}

bool Places::is_pair(NodeId list) {
  const YamlNode& node = reader_.tree()[list];
  if (node.kind != Kind::list || node.child_count != 2) return false;
  const auto is_point = [&](NodeId child) {
    if (reader_.tree()[child].kind == Kind::list || reader_.is_vector_text(child)) return true;
    if (!is_name(child)) return false;
    return !reader_.is_planar() || reader_.variables.find(reader_.text(child)) < 0;
  };
  return is_point(node.first_child) && is_point(reader_.tree()[node.first_child].next_sibling);
}

Vec3 Places::direction(NodeId id, const Basis& in) {
  if (is_pair(id)) {
    const NodeId first = reader_.tree()[id].first_child;
    const NodeId second = reader_.tree()[first].next_sibling;
    for (const NodeId end : {first, second}) reader_.set_unit(end, "m");
    const V from = load(point(first, in));
    return to_vec3(load(point(second, in)) - from);
  }
  if (!is_name(id) || reader_.is_reported(id)) return reader_.vector(id);
  const std::string text = reader_.text(id);
  if (reader_.is_reported(id)) return {};
  const auto axis = find_axis_name(text);
  if (!axis) {
    reader_.report(id,
                   "must be a vector, two points or an axis by name, got " + reader_.describe(id),
                   "an axis is BODY.FRAME.z");
    return {};
  }
  const int context = in.frame == nullptr ? in.body : Basis::unknown;
  const NodeId before = asking_;
  asking_ = id;
  Vec3 result{};
  if (axis->frame.empty()) {  // of the basis itself
    asking_ = before;
    return to_vec3(axis->axis);
  }
  const auto found = find(axis->frame, context);
  if (found) {
    const V in_body = calc_rotation(found->frame.orientation.data()) * axis->axis;
    result = rotate(to_vec3(in_body), found->body, in);
  } else if (!reader_.is_reported(id)) {
    report_unknown(id, axis->frame, context);
  }
  asking_ = before;
  return result;
}

EulerParameters Places::axes(const Found& of, const Basis& in) {
  if (of.body == in.body && in.frame == nullptr) return of.frame.orientation;
  Mat3 R{};
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3 unit{};
    unit[k] = 1.0;
    const V in_body = calc_rotation(of.frame.orientation.data()) * load(unit);
    const Vec3 column = rotate(to_vec3(in_body), of.body, in);
    for (std::size_t r = 0; r < 3; ++r) R[r][k] = column[r];
  }
  return make_euler_parameters(R);
}

NamedFrame Places::carry(const Found& of, const Basis& in) {
  return {of.frame.name, move(of.frame.position, of.body, in), axes(of, in)};
}

}  // namespace trammel
