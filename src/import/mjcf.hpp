// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the MJCF importer.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "import/mjcf_source.hpp"

namespace trammel::import {

// A body while it is read: its mass is known when all its shapes are.
struct MjcfBody {
  ImportedBody body;
  bool has_inertial = false;
  ImportedBody from_geoms;                  // mass, com and inertia of its shapes
  std::vector<std::string> unknown_shapes;  // whose mass cannot be calculated
};

// A joint coordinate with its reference value, for equalities and keyframes.
struct MjcfJoint {
  int joint = -1;  // index in the mechanism; −1: free
  std::string type;
  double reference = 0.0;  // rad or m
  int body = ground_body;
};

// The terms of a fixed tendon, or the sites of a spatial one.
struct MjcfTendon {
  std::vector<std::pair<const MjcfJoint*, double>> terms;
  std::vector<ImportedFrame> sites;
  bool is_simple = true;  // two sites and nothing between
};

struct MjcfModel {
  MjcfSource& source;
  ImportedMechanism& mechanism;
  ImportLog& log;
  std::map<std::string, int> bodies;           // by name; the world is ground_body
  std::map<std::string, ImportedFrame> sites;  // by name
  std::map<std::string, MjcfJoint> joints;     // by name
  std::vector<MjcfJoint> order;                // as in qpos
  std::map<std::string, MjcfTendon> tendons;   // by name
};

void read_mjcf_geom(const MjcfElement& geom, const Place& frame, MjcfBody& body,
                    const MjcfSource& source, ImportLog& log);
void read_mjcf_inertial(const MjcfElement& inertial, MjcfBody& body);
// Mass and inertia under the options of the compiler; `moves`: they matter.
void finish_mjcf_mass(MjcfBody& body, const MjcfSource& source, bool moves, ImportLog& log);

void read_mjcf_equality(MjcfModel& model, const XmlElement& element);
void read_mjcf_tendon(MjcfModel& model, const XmlElement& element);  // before the equalities
void read_tendon_equality(MjcfModel& model, const XmlElement& element);

// The hinge or slide that an attribute names; an error and null where there is none.
const MjcfJoint* find_mjcf_joint(MjcfModel& model, const XmlElement& element,
                                 const char* attribute);
LinearCoupler::Term make_mjcf_term(const MjcfModel& model, const MjcfJoint& joint,
                                   double coefficient);

}  // namespace trammel::import
