// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Frames in model files: what the names mean, in any order, and what is wrong about them.
#include <doctest/doctest.h>

#include <cmath>

#include "math/euler_parameters.hpp"
#include "model/mass_properties.hpp"
#include "support/mistakes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

using V = Vector3<double>;

Model read(const std::string& text) { return read_model_text("trammel: 1\n" + text, "f"); }
std::string fail(const std::string& text) {
  return test::mistakes_of([&] { read(text); });
}
// A body `b` with frames on line 3, then other lines.
std::string with_frames(const std::string& lines) {
  return "bodies:\n  b: {mass: 1, inertia: [1, 1, 1], frames: {tip: [1, 0, 0], end: {at: [0, 2, "
         "0], axes: {z: [1, 0, 0]}}}}\n" +
         lines;
}
const Body& body(const Model& model, const std::string& name) {
  for (const Body& one : model.bodies) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("no body " + name);
}

void check_near(const Vec3& a, const Vec3& b) {
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(a[k] - b[k]) < 1e-14);
}
// Column k of the rotation.
Vec3 axis(const EulerParameters& q, int k) {
  const V e{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
  const V v = calc_rotation(q.data()) * e;
  return {v.x, v.y, v.z};
}

const double s2 = std::sqrt(0.5);

}  // namespace

TEST_CASE("the centre of mass is where it is given, or that of the shapes") {
  const auto com = [](const std::string& entry) {
    const Model model = read("bodies: {b: {" + entry + "}}");
    return calc_mass_properties(model.bodies[0]);
  };
  check_near(com("mass: 2, inertia: [1, 1, 1]").com, {0, 0, 0});
  check_near(com("mass: 2, inertia: [1, 1, 1], com: [1, 2, 3]").com, {1, 2, 3});
  // looks only
  check_near(com("mass: 2, inertia: [1, 1, 1], shape: {sphere: 1, position: [5, 0, 0]}").com,
             {0, 0, 0});
  const MassProperties rod = com("shape: {box: [2, 0.1, 0.1], position: [1, 0, 0], density: 1000}");
  check_near(rod.com, {1, 0, 0});
  CHECK(rod.inertia[1][1] == doctest::Approx(20.0 * (4 + 0.01) / 12).epsilon(1e-14));
  check_near(com("mass: 3, shape: [{sphere: 1}, {sphere: 1, position: [4, 0, 0]}]").com, {2, 0, 0});
  check_near(com("mass: 3, com: tip, frames: {tip: [0, 1, 0]}, shape: {sphere: 1}").com, {0, 1, 0});
}

TEST_CASE("inertia in other axes and about the origin") {
  const auto inertia = [](const std::string& given) {
    const Model model = read("bodies: {b: {mass: 2, com: [0, 0, 3], inertia: " + given + "}}");
    return *model.bodies[0].inertia;
  };
  const Mat3 rotated = inertia("{about_com: [1, 2, 2.5], axes: {axis: [0, 0, 1], angle: 90 deg}}");
  CHECK(rotated[0][0] == doctest::Approx(2.0));
  CHECK(rotated[1][1] == doctest::Approx(1.0));
  const Mat3 shifted = inertia("{about_origin: [20, 21, 2]}");
  CHECK(shifted[0][0] == doctest::Approx(20.0 - 2 * 9));
  CHECK(shifted[1][1] == doctest::Approx(21.0 - 2 * 9));
  CHECK(shifted[2][2] == doctest::Approx(2.0));
}

TEST_CASE("frames name points and axes of bodies and of the ground, in any order") {
  const Model model = read(R"(
bodies:
  ground: {frames: {pivot: [1, 0, 0], wall: {at: [0, 5, 0], axes: {axis: [0, 0, 1], angle: 90 deg}}}}
  lever: {placed_in: arm.tip, position: [0, 1, 0], mass: 1, inertia: [1, 1, 1], frames: {here: arm.tip}}
  arm:
    {position: ground.pivot, orientation: ground.wall, mass: 1, inertia: [1, 1, 1],
     frames: {tip: {at: [2, 0, 0], axes: {z: [1, 0, 0]}}, far: {at: lever.com}, mid: [tip_x, 0, 0]}}
points: {p: {at: arm.tip}, q: {body: lever, at: here}, r: {body: lever, at: com}, s: {body: arm, at: lever}}
parameters: {tip_x: 0.5}
)");
  const Body& arm = body(model, "arm");
  check_near(arm.position, {1, 0, 0});
  check_near(axis(arm.orientation, 0), {0, 1, 0});
  // the tip is at (1, 2, 0) in the world, with z along the arm, which is y there
  const Body& lever = body(model, "lever");
  check_near(axis(lever.orientation, 2), {0, 1, 0});
  const Vec3 y = axis(lever.orientation, 1);
  check_near(lever.position, {1 + y[0], 2 + y[1], y[2]});
  REQUIRE(model.ground_frames.size() == 2);
  REQUIRE(arm.frames.size() == 3);
  CHECK(model.points[0].body == "arm");
  check_near(model.points[0].point, {2, 0, 0});
  check_near(model.points[1].point, {0, -1, 0});
  check_near(model.points[2].point, {0, 0, 0});
  check_near(model.points[3].point, arm.frames[1].position);
  check_near(arm.frames[2].position, {0.5, 0, 0});
}

TEST_CASE("a body placed in a frame rests there, or moves relative to it") {
  const Model model = read(R"(
bodies:
  disc: {position: [1, 0, 0], angular_velocity: [0, 0, 2], velocity: [0, 0, 1], mass: 1, inertia: [1, 1, 1], frames: {rim: [0, 3, 0]}}
  still: {placed_in: disc.rim, mass: 1, inertia: [1, 1, 1]}
  slides: {placed_in: disc.rim, position: [1, 0, 0], velocity: [4, 0, 0], angular_velocity: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}
)");
  check_near(body(model, "still").velocity, {-6, 0, 1});
  check_near(body(model, "still").angular_velocity, {0, 0, 2});
  check_near(body(model, "slides").position, {2, 3, 0});
  check_near(body(model, "slides").velocity, {-6 + 4, 2, 1});
  check_near(body(model, "slides").angular_velocity, {1, 0, 2});
}

TEST_CASE("orientations by what axes are along") {
  const auto orientation = [](const std::string& given) {
    return read(
               "bodies: {a: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 4], orientation: {z: "
               "[1, 0, 0]}}, b: {mass: 1, inertia: [1, 1, 1], orientation: " +
               given + "}}")
        .bodies[1]
        .orientation;
  };
  // the smallest rotation
  const EulerParameters one = orientation("{z: [1, 1, 0]}");
  check_near(axis(one, 2), {s2, s2, 0});
  CHECK(one[0] == doctest::Approx(std::cos(M_PI / 4)));
  check_near(axis(orientation("{z: [0, 0, -3]}"), 2), {0, 0, -1});
  check_near(axis(orientation("{z: [0, 0, -3]}"), 0), {1, 0, 0});
  check_near(axis(orientation("{x: [-1, 0, 0]}"), 1), {0, 1, 0});
  check_near(axis(orientation("{y: [0, -1, 0]}"), 2), {0, 0, 1});
  // points, also by name
  check_near(axis(orientation("{x: [[1, 1, 1], [1, 1, 3]]}"), 0), {0, 0, 1});
  check_near(axis(orientation("{z: [b, a]}"), 2), {0, 0, 1});
  check_near(axis(orientation("{z: a.z}"), 2), {1, 0, 0});
  check_near(axis(orientation("{z: -a.z}"), 2), {-1, 0, 0});
  check_near(axis(orientation("a"), 2), {1, 0, 0});
  // z is exact, then x
  const EulerParameters two = orientation("{x: [1, 0, 5], z: [0, 2, 0]}");
  check_near(axis(two, 2), {0, 1, 0});
  check_near(axis(two, 0), {1 / std::sqrt(26), 0, 5 / std::sqrt(26)});
  const EulerParameters tilted = orientation("{x: [1, 1, 0], y: [0, 1, 0]}");
  check_near(axis(tilted, 0), {s2, s2, 0});
  check_near(axis(tilted, 1), {-s2, s2, 0});
  check_near(axis(tilted, 2), {0, 0, 1});
}

TEST_CASE("frames in repeated entries, and repeated frames") {
  const Model model = read(R"(
bodies:
  leg_<k>: {repeat: {k: 3}, position: disc.p_<k>, orientation: {z: [disc.p_<k>, ground.q_<k>]}, mass: 1, inertia: [1, 1, 1]}
  disc: {position: [0, 0, 1], mass: 1, inertia: [1, 1, 1], frames: {p_<j>: {repeat: {j: 3}, at: [j, 0, 0]}}}
  ground: {frames: {q_<i>: {repeat: {i: 3}, at: [i, i, 1]}}}
joints:
  ball_<k>: {repeat: {k: 3}, kind: spherical, frames: [ground.q_<k>, leg_<k>]}
)");
  REQUIRE(model.bodies.size() == 4);
  for (int k = 1; k <= 3; ++k) {
    check_near(model.bodies[static_cast<std::size_t>(k - 1)].position, {double(k), 0, 1});
    check_near(axis(model.bodies[static_cast<std::size_t>(k - 1)].orientation, 2), {0, 1, 0});
  }
  CHECK(model.joints[2].body_j == "leg_3");
  check_near(std::get<FramePlacement>(model.joints[2].placement).frame_i.position, {3, 3, 1});
}

TEST_CASE("shapes, joints, forces and drivers by frames") {
  const Model model = read(R"(
bodies:
  a: {mass: 1, inertia: [1, 1, 1], frames: {f: {at: [0, 0, 2], axes: {z: [1, 0, 0]}}},
      shape: [{sphere: 1, placed_in: f, position: [0, 0, 3]}, {sphere: 1, position: f}, {box: [1, 1, 1], orientation: f}]}
  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 2], frames: {g: [0, 1, 0]}}
joints:
  at: {kind: revolute, bodies: [a, b], at: a.f, axis: a.f.z}
  link: {kind: distance, bodies: [ground, b], at: [a.f, b.g]}
  local: {kind: universal, bodies: [a, b], points: [f, a.f], a_i: a.f.z, a_j: y}
  generic: {kind: generic, bodies: [a, b], constraints: [O: {points: [f, g], a_i: a.f.z}]}
drivers:
  d: {bodies: [a, b], points: [f, g], distance: 2}
  p: {body: b, point: g, position: [t, free, free]}
forces:
  s: {kind: spring_damper, bodies: [ground, b], points: [a.f, g]}
  q: {kind: force, body: a, value: [1, 0, 0], point: f}
  w: {kind: aerodynamic_drag, body: b, drag_coefficient: 1, area: 1, point: a.f}
  u: {kind: bushing, bodies: [a, b], at: a.f, stiffness: [1, 1, 1, 1, 1, 1]}
)");
  check_near(model.bodies[0].shapes[0].position, {3, 0, 2});
  check_near(model.bodies[0].shapes[1].position, {0, 0, 2});
  check_near(axis(model.bodies[0].shapes[2].orientation, 2), {1, 0, 0});
  const auto& at = std::get<WorldPlacement>(model.joints[0].placement);
  check_near(at.point, {0, 0, 2});
  check_near(*at.axis, {1, 0, 0});
  check_near(*std::get<WorldPlacement>(model.joints[1].placement).point_j, {0, 1, 2});
  const auto& local = std::get<LocalPlacement>(model.joints[2].placement);
  check_near(local.point_j, {0, 0, 0});
  const auto& driver = std::get<DistanceDriver>(model.drivers[0].law);
  check_near(driver.point_j, {0, 1, 0});
  check_near(std::get<PointDriver>(model.drivers[1].law).point, {0, 1, 0});
  check_near(std::get<SpringDamper>(model.forces[0].law).point_i, {0, 0, 2});
  check_near(std::get<PointForce>(model.forces[1].law).point, {0, 0, 2});
  check_near(std::get<AerodynamicDrag>(model.forces[2].law).point, {0, 0, 0});
  check_near(*std::get<Bushing>(model.forces[3].law).at, {0, 0, 2});
}

TEST_CASE("names with words of expressions in them, and indices that are calculated") {
  const Model model = read(R"(
bodies:
  crosshead: {mass: 1, inertia: [1, 1, 1], frames: {unit: [1, 0, 0], f_<k>: {repeat: {k: 4}, at: [k, 0, 0]}}}
points:
  a: {at: crosshead.unit}
  p_<k>: {repeat: {k: 2}, at: crosshead.f_<2*k>}
)");
  check_near(model.points[0].point, {1, 0, 0});
  check_near(model.points[2].point, {4, 0, 0});
}

TEST_CASE("planar models have frames, too") {
  const Model model = read(R"(
dimension: 2
bodies:
  a: {mass: 1, inertia: 1, position: [1, 2], frames: {tip: {at: [1, 0], axes: {angle: 90 deg}}}}
  b: {mass: 1, inertia: 1, placed_in: a.tip, position: [l, w], com: [0.5, 0]}
  c: {mass: 1, inertia: 1, orientation: {x: [[l, w], [l, 5]]}}
  d: {mass: 1, inertia: 1, orientation: {y: [-1, 0]}}
  e: {mass: 1, inertia: 1, orientation: {x: [a, a.tip]}}
parameters: {l: 3, w: 0}
joints: {pin: {kind: revolute, frames: [a.tip, b]}}
)");
  check_near(model.bodies[1].position, {2, 5, 0});
  for (const std::size_t k : {1u, 2u, 3u})
    check_near(axis(model.bodies[k].orientation, 0), {0, 1, 0});
  check_near(axis(model.bodies[4].orientation, 0), {1, 0, 0});
}

TEST_CASE("names that do not exist") {
  CHECK(fail(with_frames("points: {p: {body: b, at: tib}}")) ==
        "f:4:27: points.p.at: 'b' has no frame 'tib' (did you mean 'tip'?)");
  CHECK(fail(with_frames("points: {p: {at: b.top}}")) ==
        "f:4:18: points.p.at: 'b' has no frame 'top' (did you mean 'tip'?)");
  CHECK(fail(with_frames("points: {p: {at: d.tip}}")) ==
        "f:4:18: points.p.at: there is no body 'd'");
  CHECK(fail(with_frames("points: {p: {at: ground.tip}}")) ==
        "f:4:18: points.p.at: 'ground' has no frame 'tip' (give it one under 'frames')");
  CHECK(fail(with_frames("points: {p: {body: ground, at: tip}}")) ==
        "f:4:32: points.p.at: must be a list of 3 numbers, got 'tip'");
  CHECK(fail(with_frames("joints: {j: {kind: revolute, bodies: [ground, b], at: b.tip, axis: "
                         "b.tip}}")) ==
        "f:4:68: joints.j.axis: must be a vector, two points or an axis by name, got 'b.tip' (an "
        "axis is BODY.FRAME.z)");
  CHECK(fail(with_frames("joints: {j: {kind: revolute, bodies: [ground, b], at: b.tip, axis: "
                         "b.tap.z}}")) ==
        "f:4:68: joints.j.axis: 'b' has no frame 'tap' (did you mean 'tip'?)");
  CHECK(fail("bodies:\n  b: {mass: 1, inertia: [1, 1, 1], placed_in: c.tip}\n") ==
        "f:3:47: bodies.b.placed_in: there is no body 'c'");
}

TEST_CASE("places that need themselves") {
  CHECK(
      fail("bodies:\n"
           "  a: {mass: 1, inertia: [1, 1, 1], placed_in: b}\n"
           "  b: {mass: 1, inertia: [1, 1, 1], placed_in: c}\n"
           "  c: {mass: 1, inertia: [1, 1, 1], placed_in: a}\n") ==
      "f:5:47: bodies.c.placed_in: is needed for its own place: a → b → c → a (give one of them by "
      "numbers)");
  CHECK(fail("bodies:\n  a: {mass: 1, inertia: [1, 1, 1], frames: {f: a.g, g: f}}\n") ==
        "f:3:56: bodies.a.frames.g: is needed for its own place: a.f → a.g → a.f (give one of them "
        "by "
        "numbers)");
  CHECK(fail("bodies:\n  a: {mass: 1, inertia: [1, 1, 1], frames: {f: [1, 0, 0]}, placed_in: "
             "a.f}\n") ==
        "f:3:71: bodies.a.placed_in: is a frame of the body itself (name a frame of another body)");
  // bodies that need each other's frames, but not their places
  CHECK(read("bodies:\n"
             "  a: {mass: 1, inertia: [1, 1, 1], placed_in: b.f, frames: {f: [1, 0, 0], g: b.f}}\n"
             "  b: {mass: 1, inertia: [1, 1, 1], frames: {f: [1, 0, 0], g: a.f}}\n")
            .bodies.size() == 2);
}

TEST_CASE("frames that are wrong") {
  const auto frame = [](const std::string& entry) {
    return fail("bodies:\n  b: {mass: 1, inertia: [1, 1, 1], frames: " + entry + "}\n");
  };
  CHECK(frame("[1]") ==
        "f:3:44: bodies.b.frames: must be a map of keys and values, got a list of 1");
  CHECK(frame("{f: 3}") == "f:3:48: bodies.b.frames.f: must be a list of 3 numbers, got '3'");
  CHECK(frame("{f: [1, 2]}") ==
        "f:3:48: bodies.b.frames.f: must be a list of 3 numbers, got a list of 2");
  CHECK(frame("{f: {ad: [1, 2, 3]}}") ==
        "f:3:49: bodies.b.frames.f.ad: unknown key (did you mean 'at'?)");
  CHECK(frame("{f: {axes: 3}}") ==
        "f:3:55: bodies.b.frames.f.axes: must be a map of keys and values, got '3'");
  CHECK(frame("{com: [1, 2, 3]}") ==
        "f:3:50: bodies.b.frames.com: 'com' is the centre of mass; choose another name");
  CHECK(frame("{x: [1, 2, 3]}") ==
        "f:3:48: bodies.b.frames.x: 'x' is an axis of the body; choose another name");
  CHECK(frame("{a.b: [1, 2, 3]}") ==
        "f:3:36: bodies.b.frames.a.b: the name of a frame must not be "
        "empty or contain a dot");
  CHECK(fail("bodies:\n  ground: {mass: 1}\n  b: {mass: 1, inertia: [1, 1, 1]}\n")
            .find("'ground' is the name of the fixed body") != std::string::npos);
  CHECK(fail("dimension: 2\nbodies:\n  b: {mass: 1, inertia: 1, frames: {f: [0, 0, 1]}}\n") ==
        "f:4:40: bodies.b.frames.f: must be in the plane z = 0 in a planar model");
  CHECK(fail("dimension: 2\nbodies:\n  b: {mass: 1, inertia: 1, com: [0, 0, 1]}\n") ==
        "f:4:40: bodies.b.com[2]: must be 0 in a planar model, got 1");
}

TEST_CASE("orientations by axes that are wrong") {
  const auto orientation = [](const std::string& entry) {
    return fail("bodies:\n  b: {mass: 1, inertia: [1, 1, 1], orientation: " + entry + "}\n");
  };
  CHECK(orientation("{z: [0, 0, 0]}") == "f:3:53: bodies.b.orientation.z: must not be zero");
  CHECK(orientation("{z: [[1, 2, 3], [1, 2, 3]]}") ==
        "f:3:53: bodies.b.orientation.z: the two points coincide");
  CHECK(orientation("{z: [0, 0, 1], x: [0, 0, 2]}") ==
        "f:3:67: bodies.b.orientation.x: is parallel to 'z', so it does not say how the frame is "
        "rotated about that");
  CHECK(orientation("{z: [0, 0, 1], x: [1, 0, 0], y: [0, 1, 0]}") ==
        "f:3:78: bodies.b.orientation.y: two axes are enough (leave out one of the three)");
  CHECK(orientation("{z: 3}") ==
        "f:3:53: bodies.b.orientation.z: must be a list of 3 numbers, got '3'");
  CHECK(orientation("{z: [0, 0, 1], angle: 3}") ==
        "f:3:49: bodies.b.orientation: must be euler_parameters, or axis and angle, or matrix, or "
        "what z and x are along");
  CHECK(orientation("c.f") == "f:3:49: bodies.b.orientation: there is no body 'c'");
  CHECK(fail("dimension: 2\nbodies:\n  b: {mass: 1, inertia: 1, orientation: {z: [0, 0, 1]}}\n") ==
        "f:4:41: bodies.b.orientation: is a rotation about z in a planar model (give what x is "
        "along, "
        "or y)");
}

TEST_CASE("centre of mass, inertia and shapes that are wrong") {
  const auto entry = [](const std::string& rest) {
    return fail("bodies:\n  b: {mass: 1, " + rest + "}\n");
  };
  CHECK(entry("inertia: [1, 1, 1], com: 3") ==
        "f:3:41: bodies.b.com: must be a list of 3 numbers, got '3'");
  CHECK(entry("inertia: [1, 1, 1], com: [1, 2]") ==
        "f:3:41: bodies.b.com: must be a list of 3 numbers, got a list of 2");
  CHECK(entry("inertia: {axes: {z: [1, 0, 0]}}") ==
        "f:3:16: bodies.b.inertia: needs either 'about_com' or 'about_origin'");
  CHECK(entry("inertia: {about_com: [1, 1, 1], about_origin: [1, 1, 1]}") ==
        "f:3:16: bodies.b.inertia: needs either 'about_com' or 'about_origin'");
  CHECK(
      entry("inertia: {about_center: [1, 1, 1]}") ==
      "f:3:26: bodies.b.inertia.about_center: unknown key (known: about_com, about_origin, axes)");
  CHECK(entry("inertia: {about_com: 1}") ==
        "f:3:37: bodies.b.inertia.about_com: must be 3 numbers or a matrix of 3 rows, got '1'");
  CHECK(entry("com: [0, 0, 9], inertia: {about_origin: [1, 1, 1]}") ==
        "f:3:41: bodies.b.inertia: must not have negative moments, has principal moments -80, -80, "
        "1");
  CHECK(entry("shape: {sphere: 1, placed_in: f}") ==
        "f:3:46: bodies.b.shape.placed_in: 'b' has no frame 'f' (give it one under 'frames')");
}

TEST_CASE("joints between frames that are wrong") {
  const auto joint = [](const std::string& entry) {
    return fail(with_frames("joints:\n  j: {" + entry + "}\n"));
  };
  CHECK(joint("kind: revolute, frames: [b.tip, ground]") == "accepted");
  CHECK(joint("kind: revolute, frames: b.tip") ==
        "f:5:31: joints.j.frames: must be a list of 2 names of frames, one on each body, got "
        "'b.tip'");
  CHECK(joint("kind: revolute, frames: [b.tip, ground.tip]") ==
        "f:5:39: joints.j.frames[1]: 'ground' has no frame 'tip' (give it one under 'frames')");
  CHECK(
      joint("kind: revolute, bodies: [ground, b], frames: [b.tip, ground]") ==
      "f:5:23: joints.j.bodies: cannot be combined with 'frames' (frames say which bodies a joint "
      "connects, and where; leave the others out)");
  CHECK(joint("kind: revolute, frames: [b.tip, ground], axis: [0, 0, 1]") ==
        "f:5:48: joints.j.axis: cannot be combined with 'frames' (frames say which bodies a joint "
        "connects, and where; leave the others out)");
  CHECK(joint("kind: revolute, frames: [b.tip, ground], start_angle: 1") ==
        "f:5:61: joints.j.start_angle: the zero of a joint between frames is that of the frames "
        "(leave "
        "it out, or rotate or shift one of the frames)");
  CHECK(joint("kind: generic, frames: [b.tip, ground], constraints: [C: {at: [0, 0, 0]}]") ==
        "f:5:30: joints.j.frames: a generic joint is placed by its constraints");
  CHECK(joint("kind: revolute, points: [[0, 0, 0], [0, 0, 0]]")
            .find("'bodies' is missing (or the 'frames' that the joint connects)") !=
        std::string::npos);
}

TEST_CASE("a joint between two frames of one body is left out, with a warning") {
  const std::string two = with_frames(
      "joints:\n  j: {kind: revolute, frames: [b.tip, b.end]}\n  k: {kind: spherical, frames: "
      "[ground, "
      "b]}\n");
  const System system = compile(read(two));
  const CheckReport report = check(system);
  CHECK(report.ok());
  CHECK(report.joints == 1);
  CHECK(report.dof == 3);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0] ==
        "the joint 'j' connects two frames of one body: it constrains nothing and is left out");
  CHECK(fail(two + "drivers: {d: {joint: j, angle: t}}\n")
            .find("the joint 'j' connects two frames of one body and leaves nothing to move") !=
        std::string::npos);
  CHECK(fail(two + "forces: {f: {kind: rotational_damper, joint: j, damping: 1}}\n")
            .find("the joint 'j' connects two frames of one body and leaves nothing to move") !=
        std::string::npos);
}

TEST_CASE("frames with units, local names and vectors") {
  const Model model = read(R"(
units: {length: mm}
bodies:
  arm:
    let: {d: [100, 0, 0]}
    mass: 1
    inertia: {about_origin: [2 kg m^2, 2 kg m^2, 1]}
    com: d/10
    frames: {tip: [500, 0, 0], mid: {let: {f: 2*d}, at: f}, end: {at: d, axes: {z: d}}, half: 50 cm*unit(d)}
  link_<k>:
    repeat: {k: 2}
    let: {up: [0, 0, 10*k]}
    placed_in: arm.tip
    position: up
    orientation: {x: [arm.tip, [500, 0, 0]], z: up}
    mass: 1
    inertia: [1, 1, 1]
    shape: {sphere: 20, position: up}
)");
  const Body& arm = body(model, "arm");
  check_near(*arm.com, {0.01, 0, 0});
  check_near(arm.frames[0].position, {0.5, 0, 0});
  check_near(arm.frames[1].position, {0.2, 0, 0});
  check_near(axis(arm.frames[2].orientation, 2), {1, 0, 0});
  check_near(arm.frames[3].position, {0.5, 0, 0});
  check_near(model.bodies[2].position, {0.5, 0, 0.02});
  check_near(model.bodies[2].shapes[0].position, {0, 0, 0.02});
  CHECK(fail("bodies: {b: {mass: 1, inertia: [1, 1, 1], frames: {f: [1 kg, 0, 0]}}}\n") ==
        "f:2:56: bodies.b.frames.f[0]: must be in m, got '1 kg' in kg");
  CHECK(fail("bodies: {b: {mass: 1, inertia: [1, 1, 1], com: [1 kg, 0, 0]}}\n") ==
        "f:2:49: bodies.b.com[0]: must be in m, got '1 kg' in kg");
  CHECK(fail("bodies: {b: {mass: 1, inertia: {about_com: [1 kg, 1, 1]}}}\n") ==
        "f:2:45: bodies.b.inertia.about_com[0]: must be in kg m^2, got '1 kg' in kg");
}
