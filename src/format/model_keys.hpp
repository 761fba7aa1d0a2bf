// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The keys of each map of a model file. The readers accept these and no others, and the editor schema
// (docs/schema, tests/support/model_schema.hpp) is made from them. Each table is next to the function that reads the map.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "format/other_names.hpp"
#include "format/reader.hpp"
#include "trammel/joint_kind.hpp"

namespace trammel {

struct Model;
struct Coupler;
class NameTable;
struct Force;

// Of a joint, coupler or force by its kind; `kind` and `repeat` are not in the list.
struct CouplerKind {
  std::string_view word, meaning;
  Keys keys;
  void (*read)(Reader& reader, NodeId entry, const Model& model, const NameTable& joints,
               Coupler& coupler);
};
struct ForceKind {
  std::string_view word, meaning;
  Keys keys;
  void (*read)(Reader& reader, NodeId entry, Force& force);
};

extern const Keys model_keys;                                           // read_model.cpp
extern const Keys include_keys;                                         // include.cpp
extern const Keys unit_keys;                                            // read_parameters.cpp
extern const Keys body_keys, initial_keys, inertia_keys;                // read_bodies.cpp
extern const Keys frame_keys, ground_keys;                              // read_places.cpp
extern const Keys shape_keys;                                           // read_shapes.cpp
extern const Keys orientation_keys;                                     // read_orientation.cpp
extern const Keys cylinder_keys, sphere_keys, capsule_keys, cone_keys;  // read_geometry.cpp
extern const Keys ring_keys, extrusion_keys, mesh_keys;
extern const Keys joint_keys, place_keys, curve_keys, compliance_keys;  // read_joints.cpp
extern const Keys start_keys, armature_keys;
extern const std::vector<std::pair<std::string_view, JointCoordinate>> coordinate_words;
extern const std::vector<CouplerKind> coupler_kinds;  // read_couplers.cpp
extern const Keys term_keys;
extern const Keys joint_driver_keys, distance_driver_keys, point_driver_keys;  // read_drivers.cpp
extern const Keys frame_driver_keys;
extern const std::vector<ForceKind> force_kinds;  // read_forces.cpp
extern const Keys point_keys, output_keys;        // read_outputs.cpp
extern const Keys table_keys, map_keys;           // read_tables.cpp
extern const Keys state_keys;                     // read_states.cpp
extern const Keys event_keys;                     // read_events.cpp

// Says what is wrong with a kind that is none of `words`.
inline void report_kind(Reader& reader, NodeId id, KindOf what,
                        const std::vector<std::string_view>& words) {
  if (reader.tree()[id].kind == YamlNode::Kind::scalar) {
    const std::string hint = hint_for_kind(what, reader.tree().text(id), words);
    if (!hint.empty()) return reader.report(id, "unknown kind " + reader.describe(id), hint);
  }
  reader.word(id, words);
}

// The kind of an entry, its keys checked; null after an error.
template <class Kind>
const Kind* find_kind(Reader& reader, NodeId entry, const std::vector<Kind>& kinds, KindOf what) {
  const NodeId id = reader.need(entry, "kind");
  if (id == no_node) return nullptr;
  const bool scalar = reader.tree()[id].kind == YamlNode::Kind::scalar;
  std::vector<std::string_view> words;
  for (const Kind& kind : kinds) {
    if (scalar && reader.tree().text(id) == kind.word) {
      reader.check_keys(entry, kind.keys, true);
      return &kind;
    }
    words.push_back(kind.word);
  }
  report_kind(reader, id, what, words);
  return nullptr;
}

}  // namespace trammel
