// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the URDF importer. URDF is a tree of links; loops come in the dialects of urdf_loops.cpp.
#pragma once

#include <map>
#include <string>

#include "import/mechanism.hpp"
#include "import/xml.hpp"

namespace trammel::import {

// Links and joints by name, while the file is read.
struct UrdfRobot {
  ImportedMechanism& mechanism;
  ImportLog& log;
  std::map<std::string, int> links;        // index of the body
  std::map<std::string, int> joint_child;  // by joint: the body whose frame is that of the joint

  // The body of a link that is named by an attribute of the element; an error where there is none.
  std::optional<int> find_link(const XmlElement& element, const char* attribute);
  std::optional<int> find_link(const std::string& name, const XmlElement& at);
};

// The attributes xyz and rpy.
Place read_origin(const XmlElement& origin, ImportLog& log);

// A direction; an error where it is zero.
Vec3 read_axis(const XmlElement& axis, const Vec3& otherwise, ImportLog& log);

void read_inertial(const XmlElement& link, ImportedBody& body, ImportLog& log);
void read_visuals(const XmlElement& link, ImportedBody& body, ImportLog& log);

// <loop_joint>, <loop>, <constraint> and the joints in <gazebo>: called after the tree is placed.
void read_loop(const XmlElement& element, UrdfRobot& robot);
bool is_loop_element(const std::string& name);
void read_gazebo(const XmlElement& element, UrdfRobot& robot);

// The file of the same name with the extension .yaml, where it has a key closed_loop.
void read_loop_file(const std::string& urdf, UrdfRobot& robot);

}  // namespace trammel::import
