// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/joint_symbols.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "report/solids.hpp"

namespace trammel {
namespace {

constexpr const char* ink = R"( stroke="#333" stroke-width="1.2")";
constexpr Colour pale = {0.93, 0.93, 0.93};

bool has(const Vec3& axis) { return axis[0] != 0.0 || axis[1] != 0.0 || axis[2] != 0.0; }

bool slides(const SceneJoint& joint) {
  return joint.kind == "translational" || joint.kind == "cylindrical" ||
         joint.kind == "point_on_line";
}

// Where the joint is, its axis or axes in the world, and the body it is fixed to.
struct JointPlace {
  Vector point_i, point_j;
  Vector axis_i, axis_j;  // zero: none
};

JointPlace find_place(const Moment& now, const SceneJoint& joint) {
  const Placement i = find_placement(now, joint.body_i);
  const Placement j = find_placement(now, joint.body_j);
  return {i.at(to_vector(joint.point_i)), j.at(to_vector(joint.point_j)),
          i.rotation * to_vector(joint.axis_i), j.rotation * to_vector(joint.axis_j)};
}

// A frame at `origin` whose z is `axis`.
Placement frame_along(const Vector& origin, const Vector& axis) {
  const Vector z = direction_of(axis), x = any_normal_to(z), y = cross(z, x);
  return {origin, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

// A line with hatching below: the ground.
void draw_ground(SvgWriter& svg, Pixel at, double r) {
  const double y = at.y + 1.9 * r, w = 1.7 * r;
  svg.polygon({{at.x, at.y}, {at.x - 1.1 * r, y}, {at.x + 1.1 * r, y}},
              std::string(R"( fill="#fff")") + ink);
  svg.line({at.x - w, y}, {at.x + w, y}, ink);
  for (int k = 0; k < 5; ++k) {
    const double x = at.x - w + (k + 0.6) * 2.0 * w / 5.0;
    svg.line({x, y}, {x - 0.55 * r, y + 0.6 * r}, R"( stroke="#333" stroke-width="0.8")");
  }
}

void draw_symbol(SvgWriter& svg, const Camera& camera, const SceneJoint& joint,
                 const JointPlace& place, double size) {
  SolidPainter painter(camera, 10.0 * size);
  const auto rod = [&](const Vector& axis, double radius, double half_length) {
    painter.add_cylinder(frame_along(place.point_j, axis), radius * size, half_length * size, pale);
  };
  const Vector axis = has(joint.axis_j) ? place.axis_j : place.axis_i;
  const bool has_axis = has(joint.axis_j) || has(joint.axis_i);
  if (joint.kind == "distance") {
    svg.line(camera.project(place.point_i), camera.project(place.point_j),
             R"( stroke="#333" stroke-width="2.5")");
    painter.add_sphere(place.point_i, 0.6 * size, pale);
    painter.add_sphere(place.point_j, 0.6 * size, pale);
  } else if (joint.kind == "universal") {
    rod(place.axis_i, 0.3, 1.15);
    rod(place.axis_j, 0.3, 1.15);
    painter.add_sphere(place.point_j, 0.45 * size, pale);
  } else if (joint.kind == "revolute" && has_axis) {
    rod(axis, 0.7, 1.1);
  } else if (joint.kind == "revolute") {  // in the plane
    rod({0, 0, 1}, 0.8, 0.1);
  } else if (slides(joint) && has_axis) {
    if (joint.kind == "translational") {
      painter.add_box(frame_along(place.point_j, axis), size * Vector{0.45, 0.45, 1.2}, pale);
    } else {
      rod(axis, joint.kind == "cylindrical" ? 0.5 : 0.4, 1.5);
    }
  } else if (joint.kind == "fixed") {
    painter.add_box({place.point_j, Matrix3<double>::identity()}, Vector::filled(0.6 * size), pale);
  } else {
    painter.add_sphere(place.point_j, 0.85 * size, pale);
  }
  painter.paint(svg);
}

}  // namespace

void draw_rails(SvgWriter& svg, const Camera& camera, const Results& results, const Moment& now) {
  const std::size_t step = std::max<std::size_t>(1, results.time.size() / 500);
  for (const SceneJoint& joint : results.scene.joints) {
    if (!slides(joint) || (joint.body_i != ground_index && joint.body_j != ground_index)) continue;
    const bool ground_is_i = joint.body_i == ground_index;
    const JointPlace place = find_place(now, joint);
    const Vector axis = has(joint.axis_i) && ground_is_i ? place.axis_i : place.axis_j;
    if (length_of(axis) == 0.0) continue;
    const Vector origin = ground_is_i ? place.point_i : place.point_j;
    // the moving body's centre tells the travel: the joint's point may lie far from the body
    const int moving = ground_is_i ? joint.body_j : joint.body_i;
    const Vector start = find_placement(now, moving).origin;
    double low = 0.0, high = 0.0;
    for (std::size_t k = 0; k < results.time.size(); k += step) {
      const double s = dot(find_placement(results, k, moving).origin - start, axis);
      low = std::min(low, s);
      high = std::max(high, s);
    }
    const double margin = 0.06 * camera.size();
    const Vector base = start - (dot(start - origin, axis) * axis + origin);
    const bool near_line = length_of(base) < 0.02 * camera.size();
    const Vector on_line = near_line ? start - base : start;
    svg.line(camera.project(on_line + (low - margin) * axis),
             camera.project(on_line + (high + margin) * axis),
             R"( stroke="#9a9a9a" stroke-width="4")");
    svg.line(camera.project(on_line + (low - margin) * axis),
             camera.project(on_line + (high + margin) * axis),
             R"( stroke="#fff" stroke-width="2")");
  }
}

void draw_joints(SvgWriter& svg, const Camera& camera, const Scene& scene, const Moment& now,
                 double size) {
  std::vector<std::size_t> order(scene.joints.size());
  std::vector<JointPlace> places;
  for (std::size_t k = 0; k < order.size(); ++k) {
    order[k] = k;
    places.push_back(find_place(now, scene.joints[k]));
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return camera.depth(places[a].point_j) < camera.depth(places[b].point_j);
  });
  const double r = size * camera.scale();
  for (const std::size_t k : order) {
    const SceneJoint& joint = scene.joints[k];
    const JointPlace& place = places[k];
    const bool grounded = joint.body_i == ground_index || joint.body_j == ground_index;
    if (slides(joint) && grounded) continue;  // the rail tells it
    if (grounded) {
      draw_ground(svg, camera.project(joint.body_i == ground_index ? place.point_i : place.point_j),
                  r);
    }
    draw_symbol(svg, camera, joint, place, size);
  }
}

// A zigzag between two straight ends.
void draw_springs(SvgWriter& svg, const Camera& camera, const Scene& scene, const Moment& now,
                  double size) {
  for (const SceneForce& spring : scene.forces) {
    if (spring.shape != ActionShape::line || spring.kind == "gravitation") continue;
    const Pixel a =
        camera.project(find_placement(now, spring.body_i).at(to_vector(spring.point_i)));
    const Pixel b =
        camera.project(find_placement(now, spring.body_j).at(to_vector(spring.point_j)));
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
    if (length == 0.0) continue;
    const double w = 0.7 * size * camera.scale();
    constexpr int teeth = 12;
    std::vector<Pixel> points = {a};
    const auto add = [&](double along, double side) {
      points.push_back(
          {a.x + along * dx - side * w * dy / length, a.y + along * dy + side * w * dx / length});
    };
    add(0.15, 0.0);
    for (int k = 0; k < teeth; ++k) add(0.15 + 0.7 * (k + 0.5) / teeth, k % 2 == 0 ? 1.0 : -1.0);
    add(0.85, 0.0);
    points.push_back(b);
    svg.polyline(points, R"( fill="none" stroke="#444" stroke-width="1.4")");
  }
}

}  // namespace trammel
