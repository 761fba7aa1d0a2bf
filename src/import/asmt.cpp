// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// .asmt files of FreeCAD's assembly solver: parts with markers, and where they start. The files are in SI, or in
// millimetres with masses of 1 where FreeCAD wrote them; which is not said, so numbers are taken as they are.
#include "import/asmt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "math/nearest_word.hpp"

namespace trammel::import {
namespace {

class AsmtReader {
 public:
  AsmtReader(AsmtTree& tree, ImportLog& log)
      : tree_(tree), log_(log), assembly_{tree, mechanism_, log, "", {}, {}, {}, {}, 0.0} {}

  ImportedMechanism read() {
    const int top = tree_.find(AsmtTree::root, "Assembly");
    if (top < 0) {
      tree_.report(AsmtTree::root, "has no Assembly",
                   "an .asmt file has this keyword in its second line");
      log_.throw_mistakes();
    }
    mechanism_.name = tree_.text(top, "Name");
    assembly_.path = "/" + mechanism_.name;
    ground_ = tree_.place(top);
    mechanism_.gravity = tree_.vector(top, "ConstantGravity");
    read_markers(top, assembly_.path, ground_body, ground_);
    read_curves(top, assembly_.path, ground_body, ground_);
    if (const int parts = tree_.find(top, "Parts"); parts >= 0) {
      for (const int part : tree_.children(parts)) {
        if (tree_[part].text == "Part") read_part(part);
      }
    }
    log_.throw_mistakes();
    read_times(top);
    read_constraints(top);
    log_.throw_mistakes();
    return std::move(mechanism_);
  }

 private:
  void read_part(int part) {
    ImportedBody body;
    const std::string name = tree_.text(part, "Name");
    body.name = name;
    body.source = tree_.source(part);
    body.place = ground_ * tree_.place(part);
    body.velocity = tree_.vector(part, "Velocity3D");
    body.angular_velocity = tree_.vector(part, "Omega3D");
    const std::string path = assembly_.path + "/" + name;
    start_from_series(path, body);
    const int index = static_cast<int>(mechanism_.bodies.size());
    if (const int mass = tree_.find(part, "PrincipalMassMarker"); mass >= 0) {
      const Place at = tree_.place(mass);
      body.com = at.at;
      body.mass = tree_.number(mass, "Mass", 0.0);
      const Vec3 moments = tree_.vector(mass, "MomentOfInertias");
      const bool is_whole = at.turn == identity;
      const Mat3 principal{{{moments[0], 0, 0}, {0, moments[1], 0}, {0, 0, moments[2]}}};
      body.inertia = is_whole ? principal : turned(principal, at.turn);
      const std::string own = tree_.text(mass, "Name");
      assembly_.markers.emplace(path + "/" + (own.empty() ? "MassMarker" : own),
                                AsmtMarker{index, at});
      if (body.mass == 0.0) {
        log_.change("body without mass", name, "its joints determine how it moves");
      }
    }
    read_markers(part, path, index, Place{});
    read_curves(part, path, index, Place{});
    mechanism_.bodies.push_back(std::move(body));
  }

  // The state at the first time of the series: assembled, and where its run began.
  void start_from_series(const std::string& path, ImportedBody& body) {
    const auto found = tree_.series().parts.find(path);
    if (found == tree_.series().parts.end()) return;
    const auto& row = found->second;
    const auto get = [&](const char* label) {
      const auto cell = row.find(label);
      return cell == row.end() ? 0.0 : cell->second;
    };
    body.place.at = {get("X"), get("Y"), get("Z")};
    body.place.turn = make_rotation({1, 0, 0}, get("Bryantx")) *
                      make_rotation({0, 1, 0}, get("Bryanty")) *
                      make_rotation({0, 0, 1}, get("Bryantz"));
    body.velocity = {get("VX"), get("VY"), get("VZ")};
    body.angular_velocity = {get("OmegaX"), get("OmegaY"), get("OmegaZ")};
  }

  void read_markers(int owner, const std::string& path, int body, const Place& frame) {
    const int points = tree_.find(owner, "RefPoints");
    if (points < 0) return;
    for (const int point : tree_.children(points)) {
      const int markers = tree_.find(point, "Markers");
      if (markers < 0) continue;
      const Place at = frame * tree_.place(point);
      for (const int marker : tree_.children(markers)) {
        assembly_.markers.emplace(path + "/" + tree_.text(marker, "Name"),
                                  AsmtMarker{body, at * tree_.place(marker)});
      }
    }
  }

  void read_curves(int owner, const std::string& path, int body, const Place& frame) {
    const int curves = tree_.find(owner, "RefCurves");
    if (curves < 0) return;
    for (const int curve : tree_.children(curves)) {
      const int markers = tree_.find(curve, "CurveMarkers");
      const int spline = tree_.find(curve, "GeneralSpline");
      if (markers < 0 || spline < 0) continue;
      AsmtCurve found{body, frame * tree_.place(curve), read_asmt_points(tree_, spline)};
      if (found.points.empty()) continue;
      for (const int marker : tree_.children(markers)) {
        assembly_.curves.emplace(path + "/" + tree_.text(marker, "Name"), found);
      }
    }
  }

  void read_times(int top) {
    const int parameters = tree_.find(top, "SimulationParameters");
    double begin = 0.0, end = 0.0, interval = 0.0;
    if (parameters >= 0) {
      begin = tree_.number(parameters, "tstart", 0.0);
      end = tree_.number(parameters, "tend", 0.0);
      interval = tree_.number(parameters, "hout", 0.0);
    }
    const auto& times = tree_.series().times;
    if (times.size() > 1) {
      begin = times.front();
      end = times.back();
      interval = (end - begin) / static_cast<double>(times.size() - 1);
    }
    assembly_.start = begin;
    SimulationOptions& options = mechanism_.simulation;
    options.t_end = end > begin ? end - begin : 1.0;
    if (interval > 0.0 && interval <= options.t_end && options.t_end / interval < 1e6) {
      options.output_interval = interval;
    }
    if (!(end > begin)) log_.change("end time", "1 s", "the file has none: it is a drawing");
  }

  void read_constraints(int top) {
    const auto for_each = [&](int section, const char* keyword, auto take) {
      const int list = tree_.find(section, keyword);
      if (list < 0) return;
      for (const int entry : tree_.children(list)) take(assembly_, entry);
    };
    const int sets = tree_.find(top, "ConstraintSets");
    for_each(sets, "Joints", read_asmt_joint);
    for_each(sets, "Motions", read_asmt_motion);
    for_each(sets, "Limits", read_asmt_limit);
    for_each(top, "ForceTorques", read_asmt_force);
    for_each(sets, "GeneralConstraintSets", [&](AsmtAssembly&, int entry) {
      log_.leave_out("general constraint", tree_.text(entry, "Name"));
    });
  }

  AsmtTree& tree_;
  ImportLog& log_;
  ImportedMechanism mechanism_;
  AsmtAssembly assembly_;
  Place ground_;
};

}  // namespace

bool AsmtAssembly::find_markers(int entry, AsmtMarker& i, AsmtMarker& j) {
  const auto find = [&](const char* keyword, AsmtMarker& marker) {
    const std::string name = tree.text(entry, keyword);
    const auto found = markers.find(name);
    if (found != markers.end()) {
      marker = found->second;
      return true;
    }
    NearestWord nearest(name);
    for (const auto& [known, at] : markers) nearest.offer(known);
    const int key = tree.find(entry, keyword);
    tree.report(key < 0 ? entry : key,
                key < 0 ? std::string("has no ") + keyword : "there is no marker '" + name + "'",
                nearest.hint());
    return false;
  };
  const bool has_i = find("MarkerI", i), has_j = find("MarkerJ", j);
  return has_i && has_j;
}

const AsmtCurve* AsmtAssembly::find_curve(int entry, const char* keyword) {
  const std::string name = tree.text(entry, keyword);
  const auto found = curves.find(name);
  if (found != curves.end()) return &found->second;
  const int key = tree.find(entry, keyword);
  tree.report(key < 0 ? entry : key, key < 0 ? std::string("has no ") + keyword
                                             : "there is no curve with a marker '" + name + "'");
  return nullptr;
}

CoupledFrames AsmtAssembly::make_frames(const AsmtMarker& i, const AsmtMarker& j) const {
  const auto name_of = [&](int body) {
    return body == ground_body ? std::string(ground)
                               : mechanism.bodies[static_cast<std::size_t>(body)].name;
  };
  const auto frame_of = [](const AsmtMarker& marker) {
    return NamedFrame{"", marker.place.at, to_quaternion(marker.place.turn)};
  };
  return {name_of(i.body), name_of(j.body), frame_of(i), frame_of(j)};
}

std::string AsmtAssembly::make_name(int entry, const char* otherwise) {
  std::string name = tree.text(entry, "Name");
  const std::string old = name;
  for (char& c : name) {
    const bool good =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || (c & 0x80) != 0;
    if (!good) c = '_';
  }
  if (name.empty()) name = otherwise;
  std::string unique = name;
  for (int k = 2; !names.insert(unique).second; ++k) unique = fmt::format("{}_{}", name, k);
  if (unique != old) {
    log.change("renamed", fmt::format("'{}' to {}", old, unique), "names must be different words");
  }
  return unique;
}

ImportedMechanism read_asmt(const std::string& text, const std::string& file, ImportLog& log) {
  AsmtTree tree(text, file, log);
  return AsmtReader(tree, log).read();
}

}  // namespace trammel::import
