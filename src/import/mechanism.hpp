// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What all importers read into: bodies with frames of their own, joints between two frames. Its conversion to
// a Model is in one place (build_model.cpp).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "import/geometry.hpp"
#include "import/log.hpp"
#include "trammel/model.hpp"

namespace trammel::import {

inline constexpr int ground_body = -1;

struct ImportedBody {
  std::string name;
  Place place;                          // body frame to world, at the start
  double mass = 0.0;                    // kg
  Vec3 com{};                           // m, body frame
  Mat3 inertia{};                       // kg m², about the centre of mass, body axes
  Vec3 velocity{}, angular_velocity{};  // m/s, of the frame's origin, and rad/s; world axes
  std::vector<Shape> shapes;            // in the body's frame
  SourcePlace source;
  bool is_gone = false;  // merged into another
};

// Frames have the axis of the joint along z; angles count from x to x.
struct ImportedJoint {
  std::string name;
  JointKind kind = JointKind::revolute;
  int body_i = ground_body, body_j = ground_body;
  Place frame_i, frame_j;            // in their bodies
  double angle = 0.0, travel = 0.0;  // value of the coordinate where the frames coincide
  std::optional<double> length, pitch;
  std::optional<double> axes_angle;  // rad, of an angle joint
  std::vector<Vec3> curve = {};      // m, in frame i: closed, of a point on a curve
  SourcePlace source;
  double armature = 0.0;              // kg m² or kg, along the coordinate
  std::optional<double> least, most;  // limits of the coordinate
  bool is_in_tree = true;             // places its second body
  bool is_gone = false;
};

// A frame with a name: links that were merged into others, tips, markers.
struct ImportedFrame {
  std::string name;
  int body = ground_body;
  Place place;
};

struct ImportedMechanism {
  std::string name, format;
  Vec3 gravity{};
  std::vector<ImportedBody> bodies;
  std::vector<ImportedJoint> joints;
  std::vector<ImportedFrame> frames;
  // By names of the joints and bodies here; points are in the bodies' frames.
  std::vector<Coupler> couplers;
  std::vector<Driver> drivers;
  std::vector<Force> forces;
  SimulationOptions simulation;

  Place place_of(int body) const {
    return body == ground_body ? Place{} : bodies[static_cast<std::size_t>(body)].place;
  }
};

// Adds mass, shapes of `from`, whose frame is at `place` in the frame of `to`.
void add_mass(ImportedBody& to, double mass, const Vec3& com, const Mat3& inertia);

// Bodies on fixed joints of the tree become part of the body that they are fixed to, and frames of it.
void merge_fixed(ImportedMechanism& mechanism, ImportLog& log);

// Links without mass between two or three hinges with axes through one point: a universal or spherical joint.
// Bodies without mass whose motion nothing determines are errors.
void merge_massless(ImportedMechanism& mechanism, ImportLog& log);

// Moves the bodies along their tree until the loops close. False where they are left as drawn: closed, or
// not to be closed.
bool close_loops(ImportedMechanism& mechanism);

// Names that are valid and different.
void make_names_unique(ImportedMechanism& mechanism, ImportLog& log);

// The Model, not yet checked. `sources` gets the place of "bodies.NAME" and "joints.NAME".
Model build_model(const ImportedMechanism& mechanism, std::map<std::string, SourcePlace>& sources);

// What a file of any of the formats holds, its names made valid. Throws ModelError, FileError.
ImportedMechanism import_mechanism(const std::string& path, const ImportOptions& options,
                                   ImportLog& log);

// ---- the formats

ImportedMechanism read_urdf(const std::string& text, const std::string& file,
                            const ImportOptions& options, ImportLog& log);
ImportedMechanism read_mjcf(const std::string& text, const std::string& file,
                            const ImportOptions& options, ImportLog& log);
ImportedMechanism read_asmt(const std::string& text, const std::string& file, ImportLog& log);

}  // namespace trammel::import
