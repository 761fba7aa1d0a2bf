// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// MJCF as text: included files, default classes, options of the compiler, and what frames and orientations
// mean under them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "import/mechanism.hpp"
#include "import/xml.hpp"

namespace trammel::import {

struct MjcfCompiler {
  bool degrees = true;
  std::string euler_sequence = "xyz";
  bool autolimits = true;
  enum class FromGeoms { no, always, where_missing } from_geoms = FromGeoms::where_missing;
  int first_group = 0, last_group = 5;
  bool balance_inertia = false;
  double bound_mass = 0.0, bound_inertia = 0.0, total_mass = -1.0;
};

// An element with the attributes that its class gives it.
class MjcfElement;

class MjcfSource {
 public:
  MjcfSource(const std::string& text, const std::string& file, ImportLog& log);

  XmlElement root() const { return root_; }
  // The children, included files in the place of <include>.
  std::vector<XmlElement> children(const XmlElement& element);
  void read_compiler(const XmlElement& element);
  void read_defaults(const XmlElement& element, const std::string& parent);

  MjcfCompiler compiler;
  ImportLog& log;

  // The element of a default class that has the attribute, along the chain of classes; none where there is none.
  XmlElement find_default(const std::string& class_name, const std::string& tag,
                          const char* attribute) const;
  bool has_class(const std::string& name) const { return classes_.count(name) != 0; }
  double to_radians(double angle) const {
    return compiler.degrees ? angle * 3.14159265358979323846 / 180 : angle;
  }

 private:
  struct Class {
    std::string parent;
    std::map<std::string, std::vector<XmlElement>> elements;  // by tag
  };
  void include(const XmlElement& element, std::vector<XmlElement>& into);

  std::string folder_;
  std::set<std::string> included_;
  std::vector<std::unique_ptr<XmlDocument>> documents_;
  std::map<std::string, std::vector<XmlElement>> included_children_;  // by place
  XmlElement root_;
  std::map<std::string, Class> classes_;
};

class MjcfElement {
 public:
  // `child_class`: of the body around it.
  MjcfElement(MjcfSource& source, const XmlElement& element, const std::string& child_class);

  const XmlElement& xml() const { return element_; }
  bool has(const char* attribute) const { return static_cast<bool>(find(attribute)); }
  std::string get(const char* attribute, const std::string& otherwise = {}) const;
  std::optional<std::vector<double>> numbers(const char* attribute) const;
  double number(const char* attribute, double otherwise) const;
  // `count` numbers, or an error.
  std::optional<std::vector<double>> numbers(const char* attribute, std::size_t count) const;
  Vec3 vector(const char* attribute, const Vec3& otherwise) const;
  // pos, and one of quat, axisangle, euler, xyaxes, zaxis.
  Place place() const;
  std::optional<Mat3> orientation() const;
  void report(const std::string& reason, const std::string& hint = {}) const;

 private:
  XmlElement find(const char* attribute) const;

  MjcfSource& source_;
  XmlElement element_;
  std::string class_;
};

}  // namespace trammel::import
