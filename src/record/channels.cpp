// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/channels.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "math/euler_parameters.hpp"
#include "math/vector3.hpp"
#include "record/quantities.hpp"
#include "trammel/channels.hpp"

namespace trammel {

namespace {

using V = Vector3<double>;
using W = Recorded;
constexpr const char* axes[] = {".x", ".y", ".z"};

V load3(const std::vector<double>& column, std::size_t item) {
  return V::load(column.data() + 3 * item);
}
double component(const V& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

// ---- orientation

const double* orientation_of(const Results& results, std::size_t row, std::size_t body) {
  return results.orientation.data() + 4 * (row * results.body_names.size() + body);
}

// Body axes to the world; the ground's are the world's.
Matrix3<double> rotation_of(const Results& results, std::size_t row, int body) {
  if (body == ground_index) return Matrix3<double>::identity();
  return calc_rotation(orientation_of(results, row, static_cast<std::size_t>(body)));
}

// φ with |φ| ≤ π: 2 atan2(|e|, e₀) e/|e|, e₀ ≥ 0
double calc_rotation_vector(const double* q, int k) {
  const double sign = q[0] < 0.0 ? -1.0 : 1.0;
  const double length = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (length == 0.0) return 0.0;
  return 2.0 * std::atan2(length, sign * q[0]) * sign * q[k + 1] / length;
}

// R = R_z(yaw) R_y(pitch) R_x(roll)
double calc_roll_pitch_yaw(const double* q, int k) {
  const Matrix3<double> R = calc_rotation(q);
  if (k == 0) return std::atan2(R.row[2].y, R.row[2].z);
  if (k == 1) return std::asin(std::clamp(-R.row[2].x, -1.0, 1.0));
  return std::atan2(R.row[1].x, R.row[0].x);
}

// ---- points of a body: χ in the body, Ω and Ω̇ in body axes

struct PointMotion {
  const Results& results;
  ScenePoint point;

  std::size_t item(std::size_t row) const {
    return row * results.body_names.size() + static_cast<std::size_t>(point.body);
  }
  V chi() const { return V::load(point.point.data()); }
  bool is_fixed() const { return point.body == ground_index; }

  V calc_position(std::size_t row) const {
    if (is_fixed()) return chi();
    return load3(results.position, item(row)) + rotation_of(results, row, point.body) * chi();
  }
  // v + R (Ω × χ)
  V calc_velocity(std::size_t row) const {
    if (is_fixed()) return V::zero();
    const V Omega = load3(results.angular_velocity, item(row));
    return load3(results.velocity, item(row)) +
           rotation_of(results, row, point.body) * cross(Omega, chi());
  }
  // v̇ + R (Ω̇ × χ + Ω × (Ω × χ))
  V calc_acceleration(std::size_t row) const {
    if (is_fixed()) return V::zero();
    const V Omega = load3(results.angular_velocity, item(row));
    const V Omega1 = load3(results.angular_acceleration, item(row));
    return load3(results.acceleration, item(row)) +
           rotation_of(results, row, point.body) *
               (cross(Omega1, chi()) + cross(Omega, cross(Omega, chi())));
  }
};

// ---- reactions in the axes of the joint

// Rows of the matrix from body j to the joint: z along its axis, x the first body axis that is not along
// z, made normal to it. A joint without an axis has the axes of body j.
Matrix3<double> make_joint_axes(const SceneJoint& joint) {
  const V z = V::load(joint.axis_j.data());
  if (dot(z, z) == 0.0) return Matrix3<double>::identity();
  const V e = std::abs(z.x) < 0.9 ? V{1, 0, 0} : V{0, 1, 0};
  const V normal = e - dot(e, z) * z;
  const V x = (1.0 / std::sqrt(dot(normal, normal))) * normal;
  Matrix3<double> axes_j;
  axes_j.row[0] = x;
  axes_j.row[1] = cross(z, x);
  axes_j.row[2] = z;
  return axes_j;
}

std::vector<bool W::*> needs_of(const Quantity& quantity) {
  if (quantity.wanted == nullptr) return {};
  return {quantity.wanted};
}

}  // namespace

bool Channel::is_recorded(const Recorded& record) const {
  return std::all_of(needs.begin(), needs.end(),
                     [&](bool Recorded::*need) { return record.*need; });
}

std::vector<Channel> list_stored_channels(const Results& results) {
  std::vector<Channel> channels;
  for (const Quantity& quantity : quantities()) {
    const std::size_t width = quantity.n_components(), stride = row_size(results, quantity);
    for (std::size_t i = 0; i < count_items(results, quantity.per); ++i) {
      const std::string stem = make_stem(results, quantity, i);
      for (std::size_t c = 0; c < width; ++c) {
        const std::string name =
            quantity.components.empty() ? stem : stem + '.' + quantity.components[c];
        const auto value = [&column = results.*quantity.column, stride, at = i * width + c](
                               std::size_t row) { return column[row * stride + at]; };
        channels.push_back({name, make_unit(results, quantity, i), needs_of(quantity), value});
      }
    }
  }
  return channels;
}

namespace {

std::vector<Channel> make_point_channels(const Results& results,
                                         const std::vector<ScenePoint>& points) {
  std::vector<Channel> channels;
  using Calc = V (PointMotion::*)(std::size_t) const;
  const auto add = [&](const ScenePoint& point, const char* word, const char* unit, Calc calc,
                       const std::vector<bool W::*>& needs) {
    for (int k = 0; k < 3; ++k) {
      const PointMotion motion{results, point};
      channels.push_back({point.name + word + axes[k], unit, needs,
                          [=](std::size_t row) { return component((motion.*calc)(row), k); }});
    }
  };
  for (const ScenePoint& point : points) {
    add(point, ".position", "m", &PointMotion::calc_position, {&W::positions});
    add(point, ".velocity", "m/s", &PointMotion::calc_velocity, {&W::positions, &W::velocities});
    add(point, ".acceleration", "m/s²", &PointMotion::calc_acceleration,
        {&W::positions, &W::velocities, &W::accelerations});
  }
  return channels;
}

}  // namespace

std::vector<Channel> list_point_channels(const Results& results) {
  return make_point_channels(results, results.scene.points);
}

std::vector<Channel> list_derived_channels(const Results& results) {
  std::vector<ScenePoint> centers;  // of mass, away from the bodies' origins
  for (std::size_t b = 0; b < results.scene.bodies.size(); ++b) {
    const SceneBody& body = results.scene.bodies[b];
    const ScenePoint center{body.name + ".com", static_cast<int>(b), body.com};
    if (body.com != Vec3{}) centers.push_back(center);
  }
  std::vector<Channel> channels = make_point_channels(results, centers);
  static constexpr const char* turns[] = {".roll", ".pitch", ".yaw"};
  for (std::size_t b = 0; b < results.body_names.size(); ++b) {
    const std::string& body = results.body_names[b];
    for (int k = 0; k < 3; ++k) {
      channels.push_back({body + ".rotation_vector" + axes[k],
                          "rad",
                          {&W::positions},
                          [&results, b, k](std::size_t row) {
                            return calc_rotation_vector(orientation_of(results, row, b), k);
                          }});
    }
    for (int k = 0; k < 3; ++k) {
      channels.push_back(
          {body + turns[k], "rad", {&W::positions}, [&results, b, k](std::size_t row) {
             return calc_roll_pitch_yaw(orientation_of(results, row, b), k);
           }});
    }
  }
  const std::size_t n_joints = results.joint_names.size();
  const auto add_reaction = [&](std::size_t j, const char* word, const char* unit,
                                const std::vector<double>& column) {
    const std::string& name = results.joint_names[j];
    channels.push_back({name + ".reaction_" + word + ".magnitude",
                        unit,
                        {&W::reactions},
                        [&column, n_joints, j](std::size_t row) {
                          const V v = load3(column, row * n_joints + j);
                          return std::sqrt(dot(v, v));
                        }});
    if (j >= results.scene.joints.size()) return;
    const SceneJoint& joint = results.scene.joints[j];
    const Matrix3<double> to_joint = make_joint_axes(joint);
    const bool in_body = results.options.reaction_frame == ReactionFrame::body;
    for (int k = 0; k < 3; ++k) {
      channels.push_back({name + ".joint_" + word + axes[k],
                          unit,
                          {&W::reactions, &W::positions},
                          [&results, &column, n_joints, j, k, to_joint, in_body,
                           body = joint.body_j](std::size_t row) {
                            V v = load3(column, row * n_joints + j);
                            if (!in_body) v = transposed_times(rotation_of(results, row, body), v);
                            return dot(to_joint.row[k], v);
                          }});
    }
  };
  for (std::size_t j = 0; j < n_joints; ++j) {
    add_reaction(j, "force", "N", results.reaction_force);
    add_reaction(j, "moment", "N m", results.reaction_moment);
  }
  return channels;
}

// ---- selection

namespace {

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// "pin.force.x" for "pin.reaction_force.x"; empty where there is no short form.
std::string shorten(std::string_view name) {
  const std::size_t at = name.find(".reaction_");
  if (at == std::string_view::npos) return {};
  return std::string(name.substr(0, at + 1)) + std::string(name.substr(at + 10));
}

}  // namespace

bool is_selected(std::string_view channel, const std::vector<std::string>& patterns) {
  const std::string brief = shorten(channel);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    const auto fits = [&](std::string_view name) {
      return matches(pattern, name) || matches(pattern + ".*", name);
    };
    return fits(channel) || (!brief.empty() && fits(brief));
  });
}

// ---- for users (trammel/channels.hpp)

namespace {

// Derived ones are stored only on request: `output` has those.
std::vector<Channel> list_all(const Results& results) {
  std::vector<Channel> channels = list_stored_channels(results);
  for (auto* list : {&list_point_channels, &list_derived_channels}) {
    for (Channel& channel : list(results)) {
      const bool stored = std::find(results.output_names.begin(), results.output_names.end(),
                                    channel.name) != results.output_names.end();
      if (!stored) channels.push_back(std::move(channel));
    }
  }
  std::erase_if(channels, [&](const Channel& channel) {
    return !channel.is_recorded(results.options.record);
  });
  return channels;
}

}  // namespace

std::vector<ChannelName> list_channels(const Results& results) {
  std::vector<ChannelName> names;
  for (const Channel& channel : list_all(results)) names.push_back({channel.name, channel.unit});
  return names;
}

Channel find_channel(const Results& results, const std::string& name) {
  const std::vector<Channel> channels = list_all(results);
  auto channel = std::find_if(channels.begin(), channels.end(),
                              [&](const Channel& c) { return c.name == name; });
  if (channel == channels.end()) {
    channel = std::find_if(channels.begin(), channels.end(),
                           [&](const Channel& c) { return shorten(c.name) == name; });
  }
  if (channel == channels.end()) {
    std::vector<std::string> names;
    for (const Channel& c : channels) names.push_back(c.name);
    const std::string hint = suggest_channel(name, names);
    throw std::invalid_argument("no channel is called '" + name + "'" +
                                (hint.empty() ? "" : " (" + hint + ")"));
  }
  return *channel;
}

std::optional<StoredColumns> find_stored(const Results& results, const std::string& name) {
  for (const Quantity& quantity : quantities()) {
    if (!is_recorded(quantity, results.options.record)) continue;
    const std::size_t stride = row_size(results, quantity), n = quantity.n_components();
    const std::vector<double>& values = results.*quantity.column;
    for (std::size_t item = 0; item < count_items(results, quantity.per); ++item) {
      const std::string stem = make_stem(results, quantity, item);
      if (name.compare(0, stem.size(), stem) != 0) continue;
      const double* const first = values.data() + item * n;
      const std::size_t rows = values.size() / stride;
      if (name.size() == stem.size()) return StoredColumns{first, rows, n, stride};
      for (std::size_t k = 0; n > 1 && k < n; ++k) {
        if (name == stem + '.' + quantity.components[k]) {
          return StoredColumns{first + k, rows, 1, stride};
        }
      }
    }
  }
  return std::nullopt;
}

std::vector<double> column(const Results& results, const std::string& name) {
  const Channel channel = find_channel(results, name);
  std::vector<double> values(results.time.size());
  for (std::size_t row = 0; row < values.size(); ++row) values[row] = channel.value(row);
  return values;
}

}  // namespace trammel
