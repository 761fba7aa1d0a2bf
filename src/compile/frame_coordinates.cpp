// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Coordinates of two frames: of joints placed by frames, couplers without joints, and drivers of frames.
#include <algorithm>
#include <cmath>

#include "compile/coordinates.hpp"
#include "model/frame_axes.hpp"

namespace trammel {

template <class Space>
int CoordinateCompiler<Space>::add_pair(FramePair pair) {
  Listed of;
  of.pair = static_cast<int>(pairs_.size());
  pairs_.push_back(std::move(pair));
  listed_.push_back(of);
  return static_cast<int>(listed_.size()) - 1;
}

// A wheel that turns sees the other turn back: its angle is less the direction in which it sees that.
template <class Space>
typename CoordinateCompiler<Space>::FramePair CoordinateCompiler<Space>::make_pair(
    CoordinateKind kind, const FrameCoordinate& of) const {
  const FrameAxes i(of.frames.frame_i), j(of.frames.frame_j);
  FramePair pair{};
  pair.kind = kind;
  pair.body_i = frames_.body_index(of.frames.body_i);
  pair.body_j = frames_.body_index(of.frames.body_j);
  pair.point_i = load(of.frames.frame_i.position);
  pair.point_j = load(of.frames.frame_j.position);
  const bool along_z = of.kind == FrameCoordinate::Kind::along_z;
  pair.vector_i[0] = along_z ? i.z : i.x;
  pair.vector_i[1] = of.kind == FrameCoordinate::Kind::wheel ? -i.y : i.y;
  pair.vector_j[0] = pair.vector_j[1] = j.x;
  return pair;
}

// The attitude by angles a, b, c about the axes p, q, r, ε = ±1 the sense of (p, q, r):
//   R_pr = ε sin b,   a = atan2(−ε R_qr, R_rr),   c = atan2(−ε R_pq, R_pp)
template <class Space>
void CoordinateCompiler<Space>::add_frame_driver(int driver, const std::string& name,
                                                 const FrameDriver& law) {
  static constexpr const char* axes[] = {".x", ".y", ".z"};
  const FrameAxes i(law.frames.frame_i), j(law.frames.frame_j);
  const V of_i[] = {i.x, i.y, i.z}, of_j[] = {j.x, j.y, j.z};
  const FrameCoordinate base{FrameCoordinate::Kind::along_x, law.frames, {}};
  const auto drive = [&](FramePair pair, const char* axis, const char* word,
                         const Function& value) {
    const bool is_travel = pair.kind == CoordinateKind::travel;
    pair.name = name + word + axis;
    pair.of = name + '.';
    pair.axis = axis;
    pair.power = is_travel ? "power" : "torque_power";
    const std::string row = name + (is_travel ? "" : word) + axis;
    add_driven_row(driver, add_pair(std::move(pair)), row, value, false);
  };
  for (int c = 0; c < Space::dimension; ++c) {
    if (!law.position[c]) continue;
    FramePair pair = make_pair(CoordinateKind::travel, base);
    pair.vector_i[0] = of_i[c];
    drive(std::move(pair), axes[c], ".position", *law.position[c]);
  }
  if (!law.orientation) return;
  const std::array<Function, 3>& angles = *law.orientation;
  if (Space::dimension == 2) {
    return drive(make_pair(CoordinateKind::angle, base), "", ".orientation", angles[0]);
  }
  const int p = law.order[0], q = law.order[1], r = law.order[2];
  const double e = (q - p + 3) % 3 == 1 ? 1.0 : -1.0;
  const auto make = [&](CoordinateKind kind, const V& s, const V& s1, const V& t, const V& t1) {
    FramePair pair = make_pair(kind, base);
    pair.vector_i[0] = s;
    pair.vector_i[1] = s1;
    pair.vector_j[0] = t;
    pair.vector_j[1] = t1;
    return pair;
  };
  const FramePair a = make(CoordinateKind::angle, of_i[r], -e * of_i[q], of_j[r], of_j[r]);
  const FramePair b = make(CoordinateKind::tilt, e * of_i[p], of_i[q], of_j[r], of_j[r]);
  const FramePair c = make(CoordinateKind::angle, of_i[p], -e * of_i[p], of_j[p], of_j[q]);
  drive(a, axes[p], ".orientation", angles[0]);
  drive(b, axes[q], ".orientation", angles[1]);
  drive(c, axes[r], ".orientation", angles[2]);
}

// Between two frames: 0 where they are parallel, or level along the axis, whatever the initial
// configuration is. As turned by α about z, x_j is at the angle α from x_i to y_i; universal: y_j is from y_i
// to z_i, and x_i from x_j to z_j.
template <class Space>
void CoordinateCompiler<Space>::compile_framed(const Listed& of, const FramePlacement& frames,
                                               SystemIn<Space>& system) const {
  const Joint& joint = model_.joints[of.joint];
  const FrameAxes i(frames.frame_i), j(frames.frame_j);
  FramePair pair = make_pair(of.is_angle() ? CoordinateKind::angle : CoordinateKind::travel,
                             {FrameCoordinate::Kind::along_x,
                              {joint.body_i, joint.body_j, frames.frame_i, frames.frame_j},
                              {}});
  const auto set = [&](const V& s, const V& s1, const V& t, const V& t1) {
    pair.vector_i[0] = s;
    pair.vector_i[1] = s1;
    pair.vector_j[0] = t;
    pair.vector_j[1] = t1;
  };
  switch (of.coordinate) {
    case JointCoordinate::angle: set(i.x, i.y, j.x, j.x); break;
    case JointCoordinate::angle_i: set(i.y, i.z, j.y, j.y); break;
    case JointCoordinate::angle_j: set(i.x, i.x, j.x, j.z); break;
    case JointCoordinate::travel:
      Space::dimension == 2 ? set(i.x, i.x, j.x, j.x) : set(i.z, i.z, j.z, j.z);
      break;
  }
  compile_pair(pair, system);
}

template <class Space>
void CoordinateCompiler<Space>::compile_pair(const FramePair& pair, SystemIn<Space>& system) const {
  CoordinateParameters<double, Space> data{};
  for (int k = 0; k < 2; ++k) {
    data.vector_i[k] = Space::import_linear(frames_.to_inside(pair.body_i, pair.vector_i[k]));
    data.vector_j[k] = Space::import_linear(frames_.to_inside(pair.body_j, pair.vector_j[k]));
  }
  data.point_i = frames_.import_point(pair.body_i, pair.point_i);
  data.point_j = frames_.import_point(pair.body_j, pair.point_j);
  const V span = frames_.point_from_origin(pair.body_j, data.point_j) -
                 frames_.point_from_origin(pair.body_i, data.point_i);
  const auto product = [&](int k) {
    const V s = frames_.vector_to_world(pair.body_i, data.vector_i[k]);
    const bool of_point =
        pair.kind == CoordinateKind::bearing || pair.kind == CoordinateKind::travel;
    return dot(s, of_point ? span : frames_.vector_to_world(pair.body_j, data.vector_j[k]));
  };
  if (pair.kind == CoordinateKind::travel) {
    data.offset = dot(data.vector_i[0], data.point_i);
    data.start = product(0);
  } else if (pair.kind == CoordinateKind::tilt) {
    data.start = std::asin(std::clamp(product(0), -1.0, 1.0));
  } else {
    data.start = std::atan2(product(1), product(0));
  }
  system.parameters.coordinates.push_back(data);
}

template int CoordinateCompiler<Spatial>::add_pair(FramePair);
template CoordinateCompiler<Spatial>::FramePair CoordinateCompiler<Spatial>::make_pair(
    CoordinateKind, const FrameCoordinate&) const;
template void CoordinateCompiler<Spatial>::add_frame_driver(int, const std::string&,
                                                            const FrameDriver&);
template void CoordinateCompiler<Spatial>::compile_framed(const Listed&, const FramePlacement&,
                                                          SystemIn<Spatial>&) const;
template void CoordinateCompiler<Spatial>::compile_pair(const FramePair&, SystemIn<Spatial>&) const;
template int CoordinateCompiler<Planar>::add_pair(FramePair);
template CoordinateCompiler<Planar>::FramePair CoordinateCompiler<Planar>::make_pair(
    CoordinateKind, const FrameCoordinate&) const;
template void CoordinateCompiler<Planar>::add_frame_driver(int, const std::string&,
                                                           const FrameDriver&);
template void CoordinateCompiler<Planar>::compile_framed(const Listed&, const FramePlacement&,
                                                         SystemIn<Planar>&) const;
template void CoordinateCompiler<Planar>::compile_pair(const FramePair&, SystemIn<Planar>&) const;

}  // namespace trammel
