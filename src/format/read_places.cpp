// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Places (places.hpp): poses, frames and shapes of the bodies that wait.
#include <fmt/format.h>

#include <utility>

#include "format/model_keys.hpp"
#include "format/places.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"
#include "format/waiting_body.hpp"

namespace trammel {

const Keys frame_keys = {{"at", "vector", "origin of the frame in the body's frame, m"},
                         {"axes", "orientation", "frame to body"},
                         {"repeat", "repeat", "indices of a repeated entry"},
                         {"let", "let", "local names"}};
const Keys ground_keys = {{"frames", "frames", "points and axes of the ground, by name"}};

namespace {

using V = Vector3<double>;
using Kind = YamlNode::Kind;

V load(const Vec3& v) { return V::load(v.data()); }

struct FrameInBase {
  explicit FrameInBase(const NamedFrame& frame)
      : p(load(frame.position)), F(calc_rotation(frame.orientation.data())) {}
  V p;
  Matrix3<double> F;
};

bool has_axes(Reader& reader, NodeId orientation) {
  if (orientation == no_node) return false;
  if (reader.places().is_name(orientation)) return true;
  for (const char* axis : {"x", "y", "z"}) {
    if (reader.find(orientation, axis) != no_node) return true;
  }
  return false;
}

bool is_placed_by_name(Reader& reader, NodeId map) {
  if (reader.tree()[map].kind != Kind::map) return false;
  const NodeId position = reader.find(map, "position");
  return reader.find(map, "placed_in") != no_node ||
         (position != no_node && reader.places().is_name(position)) ||
         has_axes(reader, reader.find(map, "orientation"));
}

}  // namespace

Places::Places(Reader& reader, Model& model) : reader_(reader), model_(model) {}
Places::~Places() = default;

bool Places::must_wait(NodeId entry) const {
  if (reader_.find(entry, "frames") != no_node || is_placed_by_name(reader_, entry)) return true;
  const NodeId com = reader_.find(entry, "com"), inertia = reader_.find(entry, "inertia");
  if (com != no_node && is_name(com)) return true;
  if (inertia != no_node && reader_.tree()[inertia].kind == Kind::map) return true;
  const NodeId shape = reader_.find(entry, "shape");
  if (shape == no_node) return false;
  if (reader_.tree()[shape].kind != Kind::list) return is_placed_by_name(reader_, shape);
  for (NodeId k = reader_.tree()[shape].first_child; k != no_node;
       k = reader_.tree()[k].next_sibling) {
    if (is_placed_by_name(reader_, k)) return true;
  }
  return false;
}

// The scope is that of an entry that was read before, for as long as this lives.
class Places::EntryScope {
 public:
  EntryScope(Places& places, NodeId entry, Scope scope)
      : places_(places), entry_(entry), other_(std::move(scope)) {
    swap();
  }
  ~EntryScope() { swap(); }
  EntryScope(const EntryScope&) = delete;
  EntryScope& operator=(const EntryScope&) = delete;

 private:
  void swap() {
    Reader& reader = places_.reader_;
    if (reader.part_names.prefix != other_.part_names.prefix) {  // another reading of its file
      const YamlTree& tree = reader.tree();
      const std::size_t file = tree.file_of(entry_) + 1;
      reader.forget_compiled(tree.files()[file - 1].root, file == tree.files().size()
                                                              ? static_cast<NodeId>(tree.size())
                                                              : tree.files()[file].root);
    }
    std::swap(reader.variables, other_.variables);
    std::swap(reader.values, other_.values);
    std::swap(reader.part_names, other_.part_names);
    const Unit unit = reader.length_unit();
    reader.set_length_unit(other_.length_unit);
    other_.length_unit = unit;
    const bool repeated = reader.is_repeated();
    reader.set_repeated(other_.repeated);
    other_.repeated = repeated;
  }
  Places& places_;
  NodeId entry_;
  Scope other_;
};

Places::Scope Places::save_scope() const {
  return {reader_.variables, reader_.values, reader_.part_names, reader_.length_unit(),
          reader_.is_repeated()};
}

void Places::add(int body, NodeId entry) {
  Waiting waiting;
  waiting.body = body;
  waiting.entry = entry;
  waiting.scope = save_scope();
  waiting_.emplace(body, std::move(waiting));
  order_.push_back(body);
}

void Places::read_waiting() {
  for (const int body : order_) {
    Waiting& waiting = *find_waiting(body);
    list_frames(waiting);
    if (body >= 0) know_pose(body);
    for (WaitingFrame& frame : waiting.frames) know_frame(waiting, frame);
    if (body >= 0) know_shapes(body);
    auto& frames =
        body < 0 ? model_.ground_frames : model_.bodies[static_cast<std::size_t>(body)].frames;
    for (const WaitingFrame& frame : waiting.frames) frames.push_back(frame.frame);
  }
}

Places::Waiting* Places::find_waiting(int body) {
  const auto found = waiting_.find(body);
  return found == waiting_.end() ? nullptr : &found->second;
}

template <class Read>
void Places::know(State& state, const Scope& scope, NodeId id_of_entry, const std::string& name,
                  const Read& read) {
  if (state == State::known) return;
  if (state == State::reading) {
    std::string chain;
    for (const std::string& one : chain_) chain += one + " → ";
    const NodeId id = asking_ != no_node ? asking_ : id_of_entry;
    if (!reader_.is_reported(id)) {
      reader_.report(id, "is needed for its own place: " + chain + name,
                     "give one of them by numbers");
    }
    return;
  }
  state = State::reading;
  chain_.push_back(name);
  {
    const EntryScope in(*this, id_of_entry, scope);
    read();
  }
  chain_.pop_back();
  state = State::known;
}

void Places::know_pose(int body) {
  Waiting* const waiting = find_waiting(body);
  if (waiting == nullptr) return;
  know(waiting->pose, waiting->scope, waiting->entry, name_of(body), [&] { read_pose(*waiting); });
}

void Places::know_shapes(int body) {
  Waiting* const waiting = find_waiting(body);
  if (waiting == nullptr) return;
  know(waiting->shapes, waiting->scope, waiting->entry, name_of(body) + "." + center_of_mass, [&] {
    read_mass_of(reader_, waiting->entry, {body, nullptr},
                 model_.bodies[static_cast<std::size_t>(body)]);
  });
}

void Places::know_frame(Waiting& waiting, WaitingFrame& frame) {
  const std::string name = name_of(waiting.body) + "." + frame.frame.name;
  know(frame.state, frame.scope, frame.id, name, [&] {
    const Basis in{waiting.body, nullptr};
    if (reader_.tree()[frame.id].kind != Kind::map) {  // a point alone
      reader_.set_unit(frame.id, "m");
      frame.frame.position = point(frame.id, in);
      return;
    }
    reader_.check_keys(frame.id, frame_keys);
    frame.frame.position = point_or_zero(frame.id, "at", in);
    const NodeId axes = reader_.find(frame.id, "axes");
    if (axes != no_node) frame.frame.orientation = read_orientation(reader_, axes, in);
  });
}

// By name; what they are is read when somebody asks.
void Places::list_frames(Waiting& waiting) {
  if (waiting.frames_listed) return;
  waiting.frames_listed = true;
  const NodeId section = reader_.find(waiting.entry, "frames");
  if (section == no_node) return;
  const EntryScope in(*this, waiting.entry, waiting.scope);
  expand_section(
      reader_, section, [](std::size_t) {},
      [&](NodeId id, std::string&& name) {
        name.erase(0, reader_.part_names.prefix.size());  // of parts of the model only
        waiting.frames.push_back({id, save_scope(), State::waiting, {std::move(name)}});
      });
  for (std::size_t k = 0; k < waiting.frames.size(); ++k) {
    waiting.frame_of.emplace(waiting.frames[k].frame.name, k);
  }
}

// Relative to a frame of another body: at rest in it unless velocities are given, which are then relative, too.
void Places::read_pose(Waiting& waiting) {
  const NodeId entry = waiting.entry, placed_in = reader_.find(entry, "placed_in");
  std::optional<Found> base;
  if (placed_in != no_node) base = frame(placed_in);
  if (base && base->body == waiting.body) {
    reader_.report(placed_in, "is a frame of the body itself", "name a frame of another body");
    return;
  }
  Basis in;
  if (base) in = {base->body, &base->frame};
  const auto body = [&]() -> Body& {
    return model_.bodies[static_cast<std::size_t>(waiting.body)];
  };
  const NodeId before = std::exchange(asking_, placed_in);
  const Pose pose = pose_of(in.body);
  asking_ = before;
  const FrameInBase of_base = base ? FrameInBase(base->frame) : FrameInBase(NamedFrame());
  const V position = load(point_or_zero(entry, "position", in));
  const V p = base ? of_base.p + of_base.F * position : position;
  (base ? pose.r + pose.R * p : p).store(body().position.data());
  waiting.has_position = true;

  EulerParameters orientation{1, 0, 0, 0};
  if (const NodeId id = reader_.find(entry, "orientation"); id != no_node) {
    orientation = read_orientation(reader_, id, in);
  }
  body().orientation = orientation;
  body().velocity = reader_.vector_or_zero(entry, "velocity");
  if (const NodeId id = reader_.find(entry, "angular_velocity"); id != no_node) {
    body().angular_velocity = reader_.axial_vector(id);
  }
  if (!base) return;
  EulerParameters in_body;
  multiply4(base->frame.orientation.data(), orientation.data(), in_body.data());
  body().orientation = in_body;
  const V relative = of_base.F * load(body().velocity);
  if (base->body < 0) return relative.store(body().velocity.data());
  // v = v_b + R_b (Ω_b × p + F v_relative), Ω = Rᵀ R_b Ω_b + Ω_relative
  const Body& other = model_.bodies[static_cast<std::size_t>(base->body)];
  multiply4(other.orientation.data(), in_body.data(), body().orientation.data());
  const V Omega = load(other.angular_velocity);
  (load(other.velocity) + pose.R * (cross(Omega, p) + relative)).store(body().velocity.data());
  (transposed_times(calc_rotation(in_body.data()), Omega) + load(body().angular_velocity))
      .store(body().angular_velocity.data());
}

}  // namespace trammel
