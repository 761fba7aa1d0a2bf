// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `couplers` section.
#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"
#include "model/coordinates.hpp"
#include "model/name_table.hpp"

namespace trammel {
namespace {

void read_joint_pair(Reader& reader, NodeId entry, std::string& first, std::string& second) {
  const NodeId joints = reader.need(entry, "joints", "or 'frames' on the two bodies");
  if (joints == no_node || !reader.expect_list(joints, 2, "names of joints")) return;
  const NodeId id = reader.tree()[joints].first_child;
  first = reader.name(id);
  second = reader.name(reader.tree()[id].next_sibling);
}

// frames: [wheel_1.axle, wheel_2.axle] in place of joints
std::optional<CoupledFrames> read_coupled_frames(Reader& reader, NodeId entry) {
  const NodeId frames = reader.find(entry, "frames");
  if (frames == no_node) return {};
  if (const NodeId joints = reader.find(entry, "joints"); joints != no_node) {
    reader.report_key(joints, "cannot be combined with 'frames'");
  }
  return read_frame_pair(reader, frames);
}

template <class Law>
void read_ends(Reader& reader, NodeId entry, Law& law, std::string& first, std::string& second) {
  law.frames = read_coupled_frames(reader, entry);
  if (!law.frames) read_joint_pair(reader, entry, first, second);
}

// teeth: [z_1, z_2], or ratio: z_2/z_1
Gear read_gear(Reader& reader, NodeId entry) {
  Gear gear;
  read_ends(reader, entry, gear, gear.joint_1, gear.joint_2);
  const NodeId teeth = reader.find(entry, "teeth"), ratio = reader.find(entry, "ratio");
  if (teeth != no_node && ratio != no_node) {
    reader.report_key(ratio, "give either teeth or ratio, not both");
  } else if (teeth != no_node) {
    const auto [first, second] = reader.numbers<2>(teeth, "numbers of teeth");
    gear.teeth_1 = first;
    gear.teeth_2 = second;
  } else if (ratio != no_node) {
    gear.teeth_2 = reader.number(ratio);
    if (!(gear.teeth_2 > 0.0) && !reader.is_reported(ratio)) {
      reader.report(ratio, "must be greater than 0, got " + reader.describe(ratio),
                    "the sense of rotation follows from mesh");
    }
  } else if (!reader.is_reported_around(entry)) {
    reader.report_key(entry, "'teeth' is missing",
                      "or give ratio: teeth of the second wheel divided by those of the first");
  }
  if (const NodeId id = reader.find(entry, "mesh"); id != no_node) {
    gear.internal = reader.choice<bool>(id, {{"external", false}, {"internal", true}});
  }
  return gear;
}

RackAndPinion read_rack(Reader& reader, NodeId entry) {
  RackAndPinion rack;
  read_ends(reader, entry, rack, rack.hinge, rack.slide);
  const NodeId radius = reader.need(entry, "radius");
  if (radius != no_node) rack.radius = reader.number(radius);
  return rack;
}

Belt read_belt(Reader& reader, NodeId entry) {
  Belt belt;
  read_ends(reader, entry, belt, belt.joint_1, belt.joint_2);
  if (const NodeId radii = reader.need(entry, "radii"); radii != no_node) {
    const auto [first, second] = reader.numbers<2>(radii, "radii");
    belt.radius_1 = first;
    belt.radius_2 = second;
  }
  if (const NodeId id = reader.find(entry, "crossed"); id != no_node) {
    belt.crossed = reader.flag(id);
  }
  return belt;
}

Thread read_thread(Reader& reader, NodeId entry) {
  Thread thread;
  if (const NodeId frames = reader.need(entry, "frames"); frames != no_node) {
    thread.frames = read_frame_pair(reader, frames);
  }
  if (const NodeId pitch = reader.need(entry, "pitch"); pitch != no_node) {
    thread.pitch = reader.number(pitch);
  }
  return thread;
}

// Without `coordinate`: the only one that the joint has.
JointCoordinate read_coordinate(Reader& reader, NodeId entry, const std::string& name,
                                const Model& model, const NameTable& joints) {
  if (const NodeId id = reader.find(entry, "coordinate"); id != no_node) {
    return reader.choice<JointCoordinate>(id, {{"angle", JointCoordinate::angle},
                                               {"travel", JointCoordinate::travel},
                                               {"angle_i", JointCoordinate::angle_i},
                                               {"angle_j", JointCoordinate::angle_j}});
  }
  const std::ptrdiff_t joint = joints.find(name);
  if (joint < 0) return JointCoordinate::angle;
  const auto has = list_coordinates(model.joints[joint].kind, model.dimension == 2);
  if (has.size() > 1 && !reader.is_reported_around(entry)) {
    reader.report_key(
        entry, "'coordinate' is missing",
        "the joint '" + name + "' has " + to_word(has[0]) + " and " + to_word(has[1]));
  }
  return has.empty() ? JointCoordinate::angle : has[0];
}

LinearCoupler read_coupler(Reader& reader, NodeId entry, const Model& model,
                           const NameTable& joints) {
  LinearCoupler coupler;
  const NodeId terms = reader.need(entry, "terms");
  if (terms == no_node) return coupler;
  if (reader.tree()[terms].kind != YamlNode::Kind::list) {
    reader.report(terms, "must be a list of terms, got " + reader.describe(terms));
    return coupler;
  }
  for (const NodeId id : reader.children(terms)) {
    LinearCoupler::Term term;
    if (reader.expect_map(id)) {
      reader.check_keys(id, term_keys);
      if (const NodeId joint = reader.need(id, "joint"); joint != no_node) {
        term.joint = reader.name(joint);
        term.coordinate = read_coordinate(reader, id, term.joint, model, joints);
      }
      term.coefficient = reader.number_or(id, "coefficient", 1.0);
      if (const NodeId of = reader.find(id, "function"); of != no_node) {
        term.function = read_function(reader, of);
      }
    }
    coupler.terms.push_back(std::move(term));
  }
  if (const NodeId id = reader.find(entry, "value"); id != no_node)
    coupler.value = reader.number(id);
  return coupler;
}

}  // namespace

const std::vector<CouplerKind> coupler_kinds = {
    {"gear",
     "two meshing gear wheels",
     {{"joints", "two_names", "hinges of the two wheels"},
      {"frames", "two_names", "on the axes of the two wheels, instead of joints"},
      {"teeth", "two_numbers", "of the two wheels"},
      {"ratio", "number", "teeth of the second wheel divided by those of the first"},
      {"mesh", "external|internal", "internal: one wheel is a ring"}},
     [](Reader& reader, NodeId entry, const Model&, const NameTable&, Coupler& coupler) {
       coupler.law = read_gear(reader, entry);
     }},
    {"rack_and_pinion",
     "a wheel that rolls along a rack",
     {{"joints", "two_names", "hinge of the wheel and slide of the rack"},
      {"frames", "two_names", "of wheel and rack, instead of joints"},
      {"radius", "number", "of the wheel, m", true}},
     [](Reader& reader, NodeId entry, const Model&, const NameTable&, Coupler& coupler) {
       coupler.law = read_rack(reader, entry);
     }},
    {"belt",
     "two pulleys connected by a belt",
     {{"joints", "two_names", "hinges of the two pulleys"},
      {"frames", "two_names", "on the axes of the two pulleys, instead of joints"},
      {"radii", "two_numbers", "of the two pulleys, m", true},
      {"crossed", "flag", "the pulleys turn in opposite directions"}},
     [](Reader& reader, NodeId entry, const Model&, const NameTable&, Coupler& coupler) {
       coupler.law = read_belt(reader, entry);
     }},
    {"coupler",
     "a relation between coordinates of joints",
     {{"terms", "terms", "coordinates with their coefficients", true},
      {"value", "number", "of the sum; default: its value at t = 0"}},
     [](Reader& reader, NodeId entry, const Model& model, const NameTable& joints,
        Coupler& coupler) { coupler.law = read_coupler(reader, entry, model, joints); }},
    {"thread",
     "a thread between two frames, without bearings",
     {{"frames", "two_names", "of nut and spindle, z along the axis", true},
      {"pitch", "number", "of the thread, m per revolution", true}},
     [](Reader& reader, NodeId entry, const Model&, const NameTable&, Coupler& coupler) {
       coupler.law = read_thread(reader, entry);
     }}};

const Keys term_keys = {
    {"joint", "text", "name of a joint", true},
    {"coordinate", "angle|travel|angle_i|angle_j", "of that joint"},
    {"coefficient", "number", "default: 1"},
    {"function", "function", "of the coordinate, by its name; default: itself"}};

void read_couplers(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  const NameTable joints(model.joints);
  read_section(reader, section, model.couplers, entries, [&](NodeId entry, Coupler& coupler) {
    const CouplerKind* kind = find_kind(reader, entry, coupler_kinds, KindOf::coupler);
    if (kind != nullptr) kind->read(reader, entry, model, joints, coupler);
  });
}

}  // namespace trammel
