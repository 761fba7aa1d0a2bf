// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "import/mjcf_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "format/source_text.hpp"

namespace trammel::import {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t max_included = 100;  // files
constexpr const char* main_class = "main";

}  // namespace

MjcfSource::MjcfSource(const std::string& text, const std::string& file, ImportLog& log_)
    : log(log_), folder_(fs::path(file).parent_path().string()) {
  documents_.push_back(std::make_unique<XmlDocument>(text, file));
  root_ = documents_.back()->root();
  std::error_code error;
  included_.insert(fs::weakly_canonical(file, error).string());
  classes_[main_class];
}

// Files of the folder of the main file only; each file once, so that they cannot include each other in a circle.
void MjcfSource::include(const XmlElement& element, std::vector<XmlElement>& into) {
  const std::string name = element.need("file", log);
  if (name.empty()) return;
  const fs::path folder = folder_.empty() ? fs::path(".") : fs::path(folder_);
  std::error_code error;
  const fs::path path = fs::weakly_canonical(folder / name, error);
  const fs::path relative = path.lexically_relative(fs::weakly_canonical(folder, error));
  if (fs::path(name).is_absolute() || relative.empty() || *relative.begin() == "..") {
    log.report(element.place(), element.path(), "'" + name + "' is outside of the model's folder");
    return;
  }
  if (!included_.insert(path.string()).second) {
    log.report(element.place(), element.path(), "'" + name + "' is included twice",
               "a file can be included once, and not by itself");
    return;
  }
  if (included_.size() > max_included) {
    log.report(element.place(), element.path(), "more than 100 files are included");
    return;
  }
  if (!fs::is_regular_file(path, error)) {
    log.report(element.place(), element.path(), "cannot read '" + name + "'", "no such file");
    return;
  }
  const std::string text = read_source_text(path.string());
  check_source_text(text, path.string());
  log.files.push_back(path.string());
  documents_.push_back(std::make_unique<XmlDocument>(text, (folder / name).string()));
  for (const XmlElement& child : children(documents_.back()->root())) into.push_back(child);
}

std::vector<XmlElement> MjcfSource::children(const XmlElement& element) {
  std::vector<XmlElement> result;
  for (const XmlElement& child : element.children()) {
    if (child.name() != "include") {
      result.push_back(child);
      continue;
    }
    const SourcePlace at = child.place();
    const std::string key = fmt::format("{}:{}:{}", at.file, at.line, at.column);
    auto [found, is_new] = included_children_.try_emplace(key);
    if (is_new) {
      std::vector<XmlElement> included;
      include(child, included);
      found = included_children_.insert_or_assign(key, std::move(included)).first;
    }
    result.insert(result.end(), found->second.begin(), found->second.end());
  }
  return result;
}

void MjcfSource::read_compiler(const XmlElement& element) {
  const auto flag = [&](const char* key, bool& value) {
    if (element.has(key)) value = element.get(key) == "true";
  };
  if (element.has("angle")) compiler.degrees = element.get("angle") != "radian";
  flag("autolimits", compiler.autolimits);
  flag("balanceinertia", compiler.balance_inertia);
  if (element.has("eulerseq")) {
    const std::string sequence = element.get("eulerseq");
    if (sequence.size() == 3 && sequence.find_first_not_of("xyzXYZ") == std::string::npos) {
      compiler.euler_sequence = sequence;
    } else {
      log.report(element.place(), element.path(), "eulerseq must be three of x, y, z, X, Y, Z");
    }
  }
  if (element.has("inertiafromgeom")) {
    const std::string word = element.get("inertiafromgeom");
    compiler.from_geoms = word == "true"    ? MjcfCompiler::FromGeoms::always
                          : word == "false" ? MjcfCompiler::FromGeoms::no
                                            : MjcfCompiler::FromGeoms::where_missing;
  }
  if (const auto range = element.numbers("inertiagrouprange", log); range && range->size() == 2) {
    compiler.first_group = static_cast<int>(std::clamp((*range)[0], -1e6, 1e6));
    compiler.last_group = static_cast<int>(std::clamp((*range)[1], -1e6, 1e6));
  }
  compiler.bound_mass = element.number("boundmass", log).value_or(compiler.bound_mass);
  compiler.bound_inertia = element.number("boundinertia", log).value_or(compiler.bound_inertia);
  compiler.total_mass = element.number("settotalmass", log).value_or(compiler.total_mass);
  if (element.get("coordinate") == "global") {
    log.report(element.place(), element.path(), "global coordinates are not supported",
               "save the model with a MuJoCo version below 2.3.3 in local coordinates");
  }
}

void MjcfSource::read_defaults(const XmlElement& element, const std::string& parent) {
  std::string name = element.get("class");
  if (name.empty()) name = parent.empty() ? main_class : "";
  if (name.empty()) {
    log.report(element.place(), element.path(), "a nested default needs the attribute class");
    return;
  }
  Class& own = classes_[name];
  if (!parent.empty()) own.parent = parent;
  std::vector<XmlElement> nested;
  for (const XmlElement& child : children(element)) {
    if (child.name() == "default") {
      nested.push_back(child);
    } else {
      own.elements[child.name()].push_back(child);
    }
  }
  if (parent.empty() && name != main_class) classes_[main_class] = own;
  for (const XmlElement& child : nested) {
    if (has_class(child.get("class"))) {
      log.report(child.place(), child.path(),
                 "duplicate default class '" + child.get("class") + "'");
    } else {
      read_defaults(child, name);
    }
  }
}

XmlElement MjcfSource::find_default(const std::string& class_name, const std::string& tag,
                                    const char* attribute) const {
  std::string name = class_name;
  for (int depth = 0; depth < 300; ++depth) {
    const auto found = classes_.find(name);
    if (found == classes_.end()) return {};
    if (const auto list = found->second.elements.find(tag); list != found->second.elements.end()) {
      for (auto element = list->second.rbegin(); element != list->second.rend(); ++element) {
        if (element->has(attribute)) return *element;
      }
    }
    if (found->second.parent.empty()) return {};
    name = found->second.parent;
  }
  return {};
}

MjcfElement::MjcfElement(MjcfSource& source, const XmlElement& element,
                         const std::string& child_class)
    : source_(source), element_(element), class_(element.get("class", child_class)) {
  if (class_.empty()) class_ = main_class;
  if (!source.has_class(class_)) {
    report("there is no default class '" + class_ + "'");
    class_ = main_class;
  }
}

XmlElement MjcfElement::find(const char* attribute) const {
  if (element_.has(attribute)) return element_;
  return source_.find_default(class_, element_.name(), attribute);
}

std::string MjcfElement::get(const char* attribute, const std::string& otherwise) const {
  const XmlElement holder = find(attribute);
  return holder ? holder.get(attribute) : otherwise;
}

std::optional<std::vector<double>> MjcfElement::numbers(const char* attribute) const {
  const XmlElement holder = find(attribute);
  if (!holder) return std::nullopt;
  return holder.numbers(attribute, source_.log);
}

std::optional<std::vector<double>> MjcfElement::numbers(const char* attribute,
                                                        std::size_t count) const {
  auto values = numbers(attribute);
  if (!values || values->size() == count) return values;
  report(fmt::format("{} must be {} numbers, got {}", attribute, count, values->size()));
  return std::nullopt;
}

double MjcfElement::number(const char* attribute, double otherwise) const {
  const auto values = numbers(attribute, 1);
  return values ? (*values)[0] : otherwise;
}

Vec3 MjcfElement::vector(const char* attribute, const Vec3& otherwise) const {
  const auto v = numbers(attribute, 3);
  return v ? Vec3{(*v)[0], (*v)[1], (*v)[2]} : otherwise;
}

void MjcfElement::report(const std::string& reason, const std::string& hint) const {
  source_.log.report(element_.place(), element_.path(), reason, hint);
}

std::optional<Mat3> MjcfElement::orientation() const {
  const auto direction = [&](const std::vector<double>& v, std::size_t at) {
    const Vec3 given{v[at], v[at + 1], v[at + 2]};
    const double size = length(given);
    if (size > 1e-12) return (1 / size) * given;
    report("an axis must not be zero");
    return Vec3{0, 0, 1};
  };
  if (const auto q = numbers("quat", 4)) {
    const double size = std::hypot(std::hypot((*q)[0], (*q)[1]), std::hypot((*q)[2], (*q)[3]));
    if (size > 1e-12) return from_quaternion({(*q)[0], (*q)[1], (*q)[2], (*q)[3]});
    report("quat must not be zero");
  }
  if (const auto a = numbers("axisangle", 4)) {
    return make_rotation(direction(*a, 0), source_.to_radians((*a)[3]));
  }
  if (const auto e = numbers("euler", 3)) {
    Mat3 result = identity;
    for (std::size_t k = 0; k < 3; ++k) {
      const char c = source_.compiler.euler_sequence[k];
      const bool moving = c >= 'x';  // about the axes that have been turned
      const int axis = (moving ? c - 'x' : c - 'X');
      const Mat3 turn =
          make_rotation({axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0},
                        source_.to_radians((*e)[k]));
      result = moving ? result * turn : turn * result;
    }
    return result;
  }
  if (const auto v = numbers("xyaxes", 6)) {
    const Vec3 x = direction(*v, 0);
    const Vec3 given{(*v)[3], (*v)[4], (*v)[5]};
    const Vec3 y = given - dot(x, given) * x;
    if (length(y) > 1e-12) {
      const Vec3 unit = normalised(y);
      return from_columns(x, unit, cross(x, unit));
    }
    report("xyaxes must be two different directions");
  }
  if (const auto v = numbers("zaxis", 3)) {
    const Vec3 z = direction(*v, 0);
    const Vec3 across = cross({0, 0, 1}, z);
    const double sine = length(across);
    if (sine < 1e-15) {
      return z[2] > 0 ? identity : make_rotation({1, 0, 0}, 3.14159265358979323846);
    }
    return make_rotation((1 / sine) * across, std::atan2(sine, z[2]));
  }
  return std::nullopt;
}

Place MjcfElement::place() const {
  return {orientation().value_or(identity), vector("pos", Vec3{})};
}

}  // namespace trammel::import
