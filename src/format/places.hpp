// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Points and axes by name, wherever a model file may give three numbers:
//
//   upper.tip      origin of the frame `tip` of the body `upper`; also its axes, where axes are wanted
//   upper.com      its centre of mass, with the axes of the body
//   upper          the body's own frame
//   tip            the frame `tip` of the body that the point belongs to
//   upper.tip.z    an axis; -upper.tip.z the opposite direction
//
// A name means a place in the initial configuration, as the bodies are given: where the point is wanted in
// another body, it is carried over through the world.
//
// Bodies whose own places are given by names may refer to bodies that come later in the file. What they say
// is read in a second pass, in the order in which it is needed: the pose of a body, each of its frames and
// its shapes. What needs itself is reported.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "format/reader.hpp"
#include "math/euler_parameters.hpp"
#include "trammel/model.hpp"

namespace trammel {

// Where vectors are given: the world, a body's frame, or a frame on either. `body` is an index, or one of
// these two.
struct Basis {
  static constexpr int world = -1, unknown = -2;
  int body = world;
  const NamedFrame* frame = nullptr;
};

class Places {
 public:
  Places(Reader& reader, Model& model);
  ~Places();

  // ---- while the bodies are read, in the scope of an entry

  // True where the entry must wait for other bodies, or has frames.
  bool must_wait(NodeId entry) const;
  void add(int body, NodeId entry);  // or Basis::world
  void read_waiting();               // once all bodies are there

  // ---- names and numbers

  int body(const std::string& name);  // Basis::world for the ground, Basis::unknown
  Basis in(const std::string& body) { return {this->body(body), nullptr}; }
  // "upper.tip"; an error and nothing where there is no such frame.
  struct Found {
    int body;
    NamedFrame frame;
  };
  std::optional<Found> frame(NodeId id, int context = Basis::unknown);
  bool is_name(NodeId id) const;  // rather than a number or an expression

  // Three numbers or a name, in the basis; zeros after an error.
  Vec3 point(NodeId id, const Basis& in);
  Vec3 point_or_zero(NodeId map, std::string_view key, const Basis& in);
  // A name is a unit vector; also [point, point], from the first to the second.
  Vec3 direction(NodeId id, const Basis& in);
  // The axes of a frame, as a rotation to the basis.
  EulerParameters axes(const Found& of, const Basis& in);
  // The frame in the basis.
  NamedFrame carry(const Found& of, const Basis& in);
  // A list of two points, and not a vector of a plane.
  bool is_pair(NodeId list);

  const std::string& name_of(int body) const;

 private:
  enum class State : unsigned char { waiting, reading, known };
  struct Scope;
  struct Waiting;
  struct WaitingFrame;
  struct Pose;
  class EntryScope;

  Pose pose_of(int body);
  Vector3<double> origin_of(int body);
  Vec3 move(const Vec3& point, int from, const Basis& in);
  Vec3 rotate(const Vec3& vector, int from, const Basis& in);
  std::optional<Found> find(const std::string& text, int context);
  std::optional<Found> find_on(int body, std::string_view frame);
  void report_unknown(NodeId id, const std::string& text, int context);
  bool is_no_frame(NodeId id, const Basis& in);
  Waiting* find_waiting(int body);
  void know_pose(int body);
  void know_shapes(int body);
  void know_frame(Waiting& waiting, WaitingFrame& frame);
  void list_frames(Waiting& waiting);
  // Reads what is waiting, unless it needs itself.
  template <class Read>
  void know(State& state, const Scope& scope, NodeId id_of_entry, const std::string& name,
            const Read& read);
  Scope save_scope() const;
  void read_pose(Waiting& waiting);

  Reader& reader_;
  Model& model_;
  NodeId asking_ = no_node;
  std::unordered_map<int, Waiting> waiting_;
  std::vector<int> order_;
  std::vector<std::string> chain_;  // of what is being read
  std::unordered_map<std::string, int> bodies_;
  std::size_t n_known_ = 0;  // of model_.bodies in `bodies_`
};

// θ to the basis of {euler_parameters: [4]}, {axis: [3], angle: x}, {matrix: 3×3}, in a planar model {angle: x},
// of {z: direction, x: direction} and the like, or of the name of a frame.
EulerParameters read_orientation(Reader& reader, NodeId id, const Basis& in);
EulerParameters make_euler_parameters(const Mat3& R);

}  // namespace trammel
