// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The families of linkages.hpp: where their joints are.
#include <algorithm>
#include <cmath>

#include "support/linkages.hpp"

namespace trammel::test {

// ---- carriers

namespace {

constexpr double pi = 3.14159265358979323846;

Twist any_twist(Random& random, const Vector& at, double rate) {
  const Vector omega = rate * to_vector(random.vector()), v = rate * to_vector(random.vector());
  Twist twist;
  twist << omega, v - omega.cross(at);
  return twist;
}

struct Standing {
  std::string name;
  int dof;  // of the carrier
};

Standing add_carrier(LinkageBuilder& builder, Carrier carrier, const std::vector<Vector>& points) {
  Random& random = builder.random();
  const Vector at = points[0] + to_vector(random.vector(0.5)), axis = any_direction(random);
  std::vector<Vector> all = points;
  all.push_back(at);
  LoopJoint joint{JointKind::revolute, JointKind::revolute, at, axis};
  const double rate = random.uniform(0.5, 2.0);
  // quarter of a turn, or half a metre, and back; starts at rest
  const std::string law = "*(1 - cos(" + std::to_string(random.uniform(2.0, 6.0)) + "*t))";
  switch (carrier) {
    case Carrier::ground: return {ground, 0};
    case Carrier::free_body:
      return {builder.add_body("carrier", all, any_twist(random, at, 1.0)), 6};
    case Carrier::hinge:
      builder.add_body("carrier", all, rate * make_screw(joint));
      builder.add_joint("stand", JointKind::revolute, ground, "carrier", at, axis);
      return {"carrier", 1};
    case Carrier::driven_hinge:
      builder.add_body("carrier", all);
      builder.add_joint("stand", JointKind::revolute, ground, "carrier", at, axis);
      builder.add_driver("turn", "stand", JointCoordinate::angle, "pi/4" + law);
      return {"carrier", 0};
    case Carrier::slider:
      joint.kind = JointKind::translational;
      builder.add_body("carrier", all, rate * make_screw(joint));
      builder.add_joint("stand", JointKind::translational, ground, "carrier", at, axis);
      return {"carrier", 1};
    case Carrier::driven_slider:
      builder.add_body("carrier", all);
      builder.add_joint("stand", JointKind::translational, ground, "carrier", at, axis);
      builder.add_driver("push", "stand", JointCoordinate::travel, "0.25" + law);
      return {"carrier", 0};
  }
  return {ground, 0};
}

// The least |±l_1 ± l_2 ± l_3 ± l_4|, for angles modulo 2π: 0 where the linkage can fold flat, which
// is its singular position.
double calc_fold_margin(const double (&l)[4], bool angles) {
  double least = 1e300;
  for (int signs = 0; signs < 8; ++signs) {
    double sum = l[0];
    for (int k = 0; k < 3; ++k) sum += (signs >> k & 1) != 0 ? l[k + 1] : -l[k + 1];
    if (angles) sum = std::remainder(sum, 2 * pi);
    least = std::min(least, std::abs(sum));
  }
  return least;
}

double angle_between(const Vector& a, const Vector& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace

// ---- four-bars

Linkage make_planar_four_bar(unsigned seed, Carrier carrier, Joints joints) {
  LinkageBuilder builder(seed, joints);
  Random& random = builder.random();
  const Eigen::Matrix3d frame = any_frame(random);
  const Vector origin = to_vector(random.vector());
  Vector p[4];
  double lengths[4];
  do {
    for (Vector& point : p) point = {random.uniform(-1, 1), random.uniform(-1, 1), 0};
    for (int k = 0; k < 4; ++k) lengths[k] = (p[(k + 1) % 4] - p[k]).norm();
  } while (calc_fold_margin(lengths, false) < 0.1 || *std::min_element(lengths, lengths + 4) < 0.3);
  using enum JointKind;
  const JointKind twins[4] = {revolute, spherical, cylindrical, revolute};
  std::vector<LoopJoint> loop;
  for (int k = 0; k < 4; ++k) {
    loop.push_back({revolute, twins[k], origin + frame * p[k], frame.col(2)});
  }
  const Standing on = add_carrier(builder, carrier, {loop[0].at, loop[3].at});
  builder.add_loop("bar", on.name, loop, random.uniform(1.0, 4.0));
  return builder.take(1 + on.dof);
}

Linkage make_spherical_four_bar(unsigned seed, Carrier carrier, Joints joints) {
  LinkageBuilder builder(seed, joints);
  Random& random = builder.random();
  const Vector centre = to_vector(random.vector());
  Vector n[4];
  double arcs[4];
  do {
    for (Vector& axis : n) axis = any_direction(random);
    for (int k = 0; k < 4; ++k) arcs[k] = angle_between(n[k], n[(k + 1) % 4]);
  } while (calc_fold_margin(arcs, true) < 0.15 || *std::min_element(arcs, arcs + 4) < 0.3 ||
           *std::max_element(arcs, arcs + 4) > pi - 0.3);
  using enum JointKind;
  const JointKind twins[4] = {revolute, revolute, parallel_axes, revolute};
  std::vector<LoopJoint> loop;
  for (int k = 0; k < 4; ++k) {
    loop.push_back({revolute, twins[k], centre + random.uniform(0.5, 1.0) * n[k], n[k]});
  }
  const Standing on = add_carrier(builder, carrier, {loop[0].at, loop[3].at});
  builder.add_loop("bar", on.name, loop, random.uniform(1.0, 4.0));
  return builder.take(1 + on.dof);
}

// ---- linkages that move by their proportions
//
// A skew quadrilateral with equal opposite sides has a half-turn that exchanges opposite corners.
// Its corners with axes normal to both sides are a Bennett linkage: with F the (equal) areas of the
// faces, the volume of the tetrahedron of the corners is V = 2/3 F_1 F_2 sin α/a for a side of length
// a between faces at the angle α, and 2/3 F_1 F_2 sin β/b for the other: a/sin α = b/sin β.

namespace {

LoopJoint make_corner(const Vector& before, const Vector& at, const Vector& after) {
  return {JointKind::revolute, JointKind::revolute, at,
          (at - before).cross(after - at).normalized()};
}

// The corner F of the quadrilateral D C E F with equal opposite sides, F in the plane through D that
// is normal to n_D: |D + c u(φ) − E| = |D − C|, u = cos φ u_0 + sin φ u_1. Two solutions.
Vector find_fourth_corner(const Vector& C, const Vector& D, const Vector& E, const Vector& n_D,
                          bool second) {
  const double c = (E - C).norm(), a = (D - C).norm();
  const Vector u0 = (C - D).normalized(), u1 = n_D.cross(u0);
  const Vector d = D - E;
  // |d|² + c² + 2c (cos φ ⟨d, u0⟩ + sin φ ⟨d, u1⟩) = a²
  const double right = (a * a - c * c - d.squaredNorm()) / (2 * c);
  const double x = d.dot(u0), y = d.dot(u1), size = std::hypot(x, y);
  if (std::abs(right) > 0.98 * size) return Vector::Constant(NAN);
  const double turn = std::acos(right / size);
  double phi = std::atan2(y, x) + (second ? -turn : turn);
  // Newton's method to the last digit
  for (int k = 0; k < 3; ++k) {
    const double g = std::cos(phi) * x + std::sin(phi) * y - right;
    phi -= g / (std::cos(phi) * y - std::sin(phi) * x);
  }
  return D + c * (std::cos(phi) * u0 + std::sin(phi) * u1);
}

bool is_well_shaped(const std::vector<LoopJoint>& loop, double shortest = 0.2) {
  const std::size_t n = loop.size();
  for (std::size_t k = 0; k < n; ++k) {
    const LoopJoint &a = loop[k], &b = loop[(k + 1) % n];
    const double twist = std::abs(std::sin(angle_between(a.axis, b.axis)));
    const double length = (a.at - b.at).norm();
    if (!(twist > 0.15 && length > shortest && length < 3.0)) return false;
  }
  return true;
}

// Opposite corners A, C and B, D by the half-turn about z.
std::vector<LoopJoint> make_bennett_loop(Random& random) {
  while (true) {
    const double p = random.uniform(0.2, 1.0), q = random.uniform(0.2, 1.0);
    const double h = random.uniform(0.1, 0.6), phi = random.uniform(0.3, pi - 0.3);
    const Vector A(p, 0, h), C(-p, 0, h);
    const Vector B(q * std::cos(phi), q * std::sin(phi), -h), D(-B[0], -B[1], -h);
    const Eigen::Matrix3d frame = any_frame(random);
    const Vector origin = to_vector(random.vector());
    std::vector<LoopJoint> loop = {make_corner(D, A, B), make_corner(A, B, C), make_corner(B, C, D),
                                   make_corner(C, D, A)};
    const double a = (A - B).norm(), b = (B - C).norm();
    if (!is_well_shaped(loop) || std::abs(a - b) < 0.1 * (a + b)) continue;
    for (LoopJoint& joint : loop) {
      joint.at = origin + frame * joint.at;
      joint.axis = (frame * joint.axis).normalized();
    }
    return loop;
  }
}

}  // namespace

Linkage make_bennett(unsigned seed, Carrier carrier) {
  LinkageBuilder builder(seed, Joints::redundant);
  const std::vector<LoopJoint> loop = make_bennett_loop(builder.random());
  const Standing on = add_carrier(builder, carrier, {loop[0].at, loop[3].at});
  builder.add_loop("bar", on.name, loop, builder.random().uniform(1.0, 4.0));
  return builder.take(1 + on.dof);
}

BennettNumbers calc_bennett_numbers(const Linkage& linkage) {
  Vector at[4], axis[4];
  for (std::size_t k = 0; k < 4; ++k) {
    const Joint& joint =
        *std::find_if(linkage.model.joints.begin(), linkage.model.joints.end(),
                      [&](const Joint& j) { return j.name == linkage.loops[0][k]; });
    at[k] = to_vector(std::get<WorldPlacement>(joint.placement).point);
    axis[k] = to_vector(*std::get<WorldPlacement>(joint.placement).axis);
  }
  BennettNumbers numbers{(at[1] - at[0]).norm(),
                         (at[2] - at[1]).norm(),
                         angle_between(axis[0], axis[1]),
                         angle_between(axis[1], axis[2]),
                         {}};
  for (int k = 0; k < 4; ++k) {
    numbers.inner[k] = angle_between(at[(k + 1) % 4] - at[k], at[(k + 3) % 4] - at[k]);
  }
  return numbers;
}

// Two Bennett linkages A B C D and D C E F that share the link C D; the links D A and D F are made
// one, and C D is taken out: the loop A B C E F.
Linkage make_goldberg(unsigned seed) {
  LinkageBuilder builder(seed, Joints::redundant);
  Random& random = builder.random();
  while (true) {
    const std::vector<LoopJoint> first = make_bennett_loop(random);
    const Vector C = first[2].at, D = first[3].at;
    const Vector n_C = first[2].axis, n_D = first[3].axis;
    const double c = random.uniform(0.3, 1.2), theta = random.uniform(0.4, 2 * pi - 0.4);
    const Vector u0 = (D - C).normalized(), u1 = n_C.cross(u0);
    const Vector E = C + c * (std::cos(theta) * u0 + std::sin(theta) * u1);
    const Vector F = find_fourth_corner(C, D, E, n_D, random.uniform(0, 1) < 0.5);
    if (!F.allFinite()) continue;
    const std::vector<LoopJoint> second = {make_corner(F, D, C), make_corner(D, C, E),
                                           make_corner(C, E, F), make_corner(E, F, D)};
    const double a = (C - D).norm();
    if (!is_well_shaped(second) || std::abs(a - c) < 0.1 * (a + c)) continue;
    const std::vector<LoopJoint> loop = {first[0], first[1], first[2], second[2], second[3]};
    if (!is_well_shaped(loop)) continue;
    builder.add_loop("bar", ground, loop, random.uniform(1.0, 4.0));
    return builder.take(1);
  }
}

// A Bennett linkage A B C D whose link C D has a twist of 90 degrees, and its mirror image about the
// plane through C D that is normal to the axis at C: they have the links C B in common as well. The
// link C D is taken out, C B and its image are one link with two axes at B: the loop A B B' A' D.
Linkage make_myard(unsigned seed) {
  LinkageBuilder builder(seed, Joints::redundant);
  Random& random = builder.random();
  while (true) {
    const double d = random.uniform(0.6, 1.5), b = random.uniform(0.3, 0.9) * d;
    const double theta = random.uniform(0.4, 2 * pi - 0.4);
    const Vector C = Vector::Zero(), D(d, 0, 0), n_D = Vector::UnitY();
    const Vector B(b * std::cos(theta), b * std::sin(theta), 0);
    const Vector A = find_fourth_corner(C, D, B, n_D, random.uniform(0, 1) < 0.5);
    if (!A.allFinite()) continue;
    std::vector<LoopJoint> loop = {make_corner(D, A, B), make_corner(A, B, C)};
    for (int k = 1; k >= 0; --k) {  // mirror images
      LoopJoint image = loop[k];
      image.at[2] = -image.at[2];
      image.axis = Vector(-image.axis[0], -image.axis[1], image.axis[2]);
      loop.push_back(image);
    }
    loop.push_back({JointKind::revolute, JointKind::revolute, D, n_D});
    const double twist = angle_between(loop[1].axis, loop[2].axis);
    if ((A - D).norm() < 0.2 || std::abs(A[2]) < 0.1 || std::abs(std::sin(twist)) < 0.2) continue;
    const Eigen::Matrix3d frame = any_frame(random);
    for (LoopJoint& joint : loop) {
      joint.at = frame * joint.at;
      joint.axis = (frame * joint.axis).normalized();
    }
    builder.add_loop("bar", ground, loop, random.uniform(1.0, 4.0));
    return builder.take(1);
  }
}

// Two legs of two links each between base and platform; three parallel hinges per leg. The platform
// moves along a straight line, normal to the axes of both legs.
Linkage make_sarrus(unsigned seed) {
  LinkageBuilder builder(seed, Joints::redundant);
  Random& random = builder.random();
  const Eigen::Matrix3d frame = any_frame(random);
  const double height = random.uniform(0.5, 0.9);
  const double between = random.uniform(0.6, 2.5);  // angle of the legs
  std::vector<LoopJoint> up, down;
  for (int leg = 0; leg < 2; ++leg) {
    const double angle = leg * between;
    const Vector out(std::cos(angle), std::sin(angle), 0), axis(-out[1], out[0], 0);
    const double foot = random.uniform(0.3, 0.6), top = random.uniform(0.3, 0.6);
    const double knee = std::max(foot, top) + random.uniform(0.3, 0.7);
    const double level = height * random.uniform(0.3, 0.7);
    std::vector<LoopJoint>& of_leg = leg == 0 ? up : down;
    for (const Vector& at : {Vector(foot * out), Vector(knee * out + level * Vector::UnitZ()),
                             Vector(top * out + height * Vector::UnitZ())}) {
      of_leg.push_back({JointKind::revolute, JointKind::revolute, frame * at, frame * axis});
    }
  }
  std::vector<LoopJoint> loop = up;
  loop.insert(loop.end(), down.rbegin(), down.rend());
  builder.add_loop("bar", ground, loop, random.uniform(1.0, 3.0));
  return builder.take(1);
}

// ---- slider-crank, turntable, excavator

Linkage make_slider_crank(unsigned seed, bool driven, Joints joints) {
  LinkageBuilder builder(seed, joints);
  Random& random = builder.random();
  const Eigen::Matrix3d frame = any_frame(random);
  const Vector origin = to_vector(random.vector());
  const double crank = random.uniform(0.2, 0.4), rod = random.uniform(0.7, 1.2);
  const double offset = random.uniform(-0.2, 0.2), turn = random.uniform(0.5, 2.5);
  const Vector pin(crank * std::cos(turn), crank * std::sin(turn), 0);
  const double drop = pin[1] - offset;
  const Vector wrist(pin[0] + std::sqrt(rod * rod - drop * drop), offset, 0);
  using enum JointKind;
  const auto place = [&](const Vector& p) { return Vector(origin + frame * p); };
  builder.add_loop("slider", ground,
                   {{revolute, revolute, place(Vector::Zero()), frame.col(2)},
                    {revolute, cylindrical, place(pin), frame.col(2)},
                    {revolute, spherical, place(wrist), frame.col(2)},
                    {translational, translational, place(wrist + Vector(0.3, 0, 0)), frame.col(0)}},
                   driven ? 0.0 : random.uniform(1.0, 4.0));
  // a turn and back, from rest
  if (driven) builder.add_driver("motor", "slider_1", JointCoordinate::angle, "pi*(1 - cos(2*t))");
  return builder.take(driven ? 0 : 1);
}

Linkage make_turntable(unsigned seed, int n, Joints joints) {
  LinkageBuilder builder(seed, joints);
  Random& random = builder.random();
  std::vector<std::vector<LoopJoint>> loops;
  std::vector<Vector> feet = {Vector::Zero()};
  using enum JointKind;
  const JointKind twins[4] = {revolute, spherical, cylindrical, revolute};
  for (int k = 0; k < n; ++k) {
    const double turn = random.uniform(0, 2 * pi);
    const Vector out(std::cos(turn), 0, std::sin(turn));
    const Vector axis = out.cross(Vector::UnitY());
    const Vector p[4] = {0.5 * out, 0.5 * out + Vector(0, 0.5, 0), 1.5 * out + Vector(0, 1, 0),
                         1.5 * out};
    std::vector<LoopJoint> loop;
    for (int c = 0; c < 4; ++c) loop.push_back({revolute, twins[c], p[c], axis});
    feet.push_back(p[3]);
    loops.push_back(loop);
  }
  builder.add_body("table", feet);
  builder.add_joint("stand", revolute, ground, "table", Vector::Zero(), Vector::UnitY());
  builder.add_driver("turn", "stand", JointCoordinate::angle, "pi/4*(1 - cos(2*pi*t))");
  for (int k = 0; k < n; ++k) {
    builder.add_loop("bar_" + std::to_string(k + 1), "table", loops[k], random.uniform(0.5, 2.0));
  }
  return builder.take(n);
}

namespace {

using enum JointKind;

// Hinge at `foot` on the carrier, crank to `knee`, rod to `eye` on the arm, the arm's own hinge.
std::vector<LoopJoint> make_crank_loop(const Vector& foot, const Vector& knee, const Vector& eye,
                                       const Vector& hinge) {
  const Vector z = Vector::UnitZ();
  return {{revolute, revolute, foot, z},
          {revolute, spherical, knee, z},
          {revolute, cylindrical, eye, z},
          {revolute, revolute, hinge, z}};
}

// Barrel on a hinge at `foot`, rod along the line to `eye`, and the arm's own hinge.
std::vector<LoopJoint> make_cylinder_loop(const Vector& foot, const Vector& eye,
                                          const Vector& hinge) {
  const Vector z = Vector::UnitZ();
  return {{revolute, revolute, foot, z},
          {translational, translational, foot + 0.5 * (eye - foot), (eye - foot).normalized()},
          {revolute, point_on_line, eye, z},
          {revolute, revolute, hinge, z}};
}

}  // namespace

Linkage make_excavator(bool cylinders, Joints joints) {
  LinkageBuilder builder(7, joints);
  const Vector x = Vector::UnitX(), y = Vector::UnitY();
  const Vector boom_hinge = 0.5 * x + y, stick_hinge = 4 * x + 3.5 * y;
  const Vector bucket_hinge = 5.5 * x + 1.2 * y, rocker_hinge = 5.3 * x + 1.6 * y;
  const Vector tip = 5.2 * x + 0.3 * y;
  builder.add_body("base", {Vector::Zero(), boom_hinge, x + 0.6 * y});
  builder.add_joint("slew", revolute, ground, "base", Vector::Zero(), y);
  builder.add_driver("turn", "slew", JointCoordinate::angle, "pi/4*(1 - cos(2*pi*t/4))");
  const JointCoordinate moved = cylinders ? JointCoordinate::travel : JointCoordinate::angle;
  const std::string driven = cylinders ? "_2" : "_1";
  const auto add_arm = [&](const std::string& name, const std::string& carrier, const Vector& foot,
                           const Vector& knee, const Vector& eye, const Vector& hinge,
                           const std::string& law) {
    const auto loop =
        cylinders ? make_cylinder_loop(foot, eye, hinge) : make_crank_loop(foot, knee, eye, hinge);
    builder.add_loop(name, carrier, loop, 0.0, {name + "_lower", name + "_upper", name});
    builder.add_driver(name + "_motor", name + driven, moved, law);
  };
  add_arm("boom", "base", x + 0.6 * y, 1.3 * x + 0.9 * y, 1.8 * x + 2.4 * y, boom_hinge,
          "0.15*(1 - cos(3*t))");
  add_arm("stick", "boom", 2 * x + 2.8 * y, 2.1 * x + 3.3 * y, 3.9 * x + 4.1 * y, stick_hinge,
          "-0.12*(1 - cos(2*t))");
  add_arm("rocker", "stick", 4.5 * x + 3.4 * y, 4.9 * x + 3.3 * y, 5.8 * x + 1.9 * y, rocker_hinge,
          "0.1*(1 - cos(4*t))");
  // the bucket hangs on the rocker by a link: a four-bar of hinges whatever drives the rocker
  const Vector eye = 5.95 * x + 1.1 * y;
  builder.add_loop("bucket", "stick",
                   make_crank_loop(rocker_hinge, 5.8 * x + 1.9 * y, eye, bucket_hinge), 0.0,
                   {"rocker", "bucket_link", "bucket"}, "rocker_4");
  builder.add_body("payload", {tip, tip - 0.8 * y});
  builder.add_joint("hook", universal, "bucket", "payload", tip, Vector::UnitX());
  Linkage linkage = builder.take(2);
  linkage.model.gravity = {0, -9.81, 0};
  return linkage;
}

}  // namespace trammel::test
