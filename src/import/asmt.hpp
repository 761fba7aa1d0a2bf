// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the importer of .asmt files.
#pragma once

#include <map>
#include <set>
#include <string>

#include "import/asmt_tree.hpp"
#include "import/mechanism.hpp"

namespace trammel::import {

// A frame that joints name by its path.
struct AsmtMarker {
  int body = ground_body;
  Place place;  // in the body
};

// A closed curve, by the path of one of its markers.
struct AsmtCurve {
  int body = ground_body;
  Place place;  // in the body
  std::vector<Vec3> points;
};

struct AsmtAssembly {
  AsmtTree& tree;
  ImportedMechanism& mechanism;
  ImportLog& log;
  std::string path;                           // "/Assembly1"
  std::map<std::string, AsmtMarker> markers;  // by path
  std::map<std::string, int> joints;          // by path
  std::map<std::string, AsmtCurve> curves;    // by path of a marker on it
  std::set<std::string> names;  // of joints, motions and forces, which are all different
  double start = 0.0;           // s

  // The markers I and J of an entry; an error where there is none.
  bool find_markers(int entry, AsmtMarker& i, AsmtMarker& j);
  // The name of an entry, made valid and different from others.
  std::string make_name(int entry, const char* otherwise);
  const AsmtCurve* find_curve(int entry, const char* keyword);
  CoupledFrames make_frames(const AsmtMarker& i, const AsmtMarker& j) const;
};

std::vector<Vec3> read_asmt_points(AsmtTree& tree, int spline);
void read_asmt_contact(AsmtAssembly& assembly, int entry);
void read_asmt_joint(AsmtAssembly& assembly, int entry);
void read_asmt_motion(AsmtAssembly& assembly, int entry);
void read_asmt_limit(AsmtAssembly& assembly, int entry);
void read_asmt_force(AsmtAssembly& assembly, int entry);

// `start`: the time at t = 0.
std::string convert_expression(const std::string& text, double start);

}  // namespace trammel::import
