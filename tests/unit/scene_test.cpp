// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The scene in the frames of the user: seen from either body a joint is at one place and along one
// axis in the world; the box of a body without shape has its inertia.
#include <doctest/doctest.h>

#include <cmath>
#include <trammel/trammel.hpp>

#include "math/euler_parameters.hpp"
#include "model/mass_properties.hpp"

using namespace trammel;

namespace {

using V = Vector3<double>;

V to_world(const Results& results, int body, const Vec3& vector, bool is_point) {
  if (body == ground_index) return V::load(vector.data());
  const BodyState& state = results.final[body];
  const V turned = calc_rotation(state.orientation.data()) * V::load(vector.data());
  return is_point ? V::load(state.position.data()) + turned : turned;
}

double distance(const V& a, const V& b) { return std::sqrt(dot(a - b, a - b)); }

Results run_briefly(const std::string& file) {
  Model model = read_model(std::string(TRAMMEL_MODELS_DIR "/") + file);
  model.simulation.t_end *= 0.02;
  return simulate(compile(model), model.simulation);
}

// The components of a joint's two points along an axis may differ where it slides.
void check_joint(const Results& results, const SceneJoint& joint, double tolerance) {
  CAPTURE(joint.name);
  const V x_i = to_world(results, joint.body_i, joint.point_i, true);
  const V x_j = to_world(results, joint.body_j, joint.point_j, true);
  const V n_i = to_world(results, joint.body_i, joint.axis_i, false);
  const V n_j = to_world(results, joint.body_j, joint.axis_j, false);
  if (joint.kind == "universal") {
    CHECK(std::abs(dot(n_i, n_j)) < 1e-9);
  } else if (joint.kind != "point_on_line") {
    CHECK(std::sqrt(dot(cross(n_i, n_j), cross(n_i, n_j))) < 1e-9);  // up to the sign
  }
  V gap = x_j - x_i;
  if (joint.kind == "cylindrical" || joint.kind == "translational" ||
      joint.kind == "point_on_line") {
    gap = gap - dot(gap, n_i) * n_i;
  }
  if (joint.kind != "distance") CHECK(std::sqrt(dot(gap, gap)) < tolerance);
}

}  // namespace

TEST_CASE("a joint of the scene is at one place, seen from either body") {
  for (const char* file : {"paper/pendulum.yaml", "paper/quadrangle.yaml", "paper/crank.yaml",
                           "gallery/spatial_slider_crank.yaml", "gallery/andrews.yaml",
                           "planar/andrews.yaml", "planar/quadrangle.yaml"}) {
    CAPTURE(file);
    const Results results = run_briefly(file);
    REQUIRE(results.scene.bodies.size() == results.body_names.size());
    REQUIRE(results.scene.joints.size() == results.joint_names.size());
    CHECK(results.scene.length > 0.0);
    for (const SceneJoint& joint : results.scene.joints) {
      check_joint(results, joint, 1e-9 * results.scene.length);
    }
  }
}

TEST_CASE("the scene keeps shapes, names, springs, gravity and dimension") {
  const Results crank = run_briefly("paper/crank.yaml");
  CHECK(crank.scene.dimension == 3);
  CHECK(crank.scene.gravity == Vec3{0, -9.81, 0});
  CHECK(crank.scene.bodies[0].name == "crank");
  CHECK(crank.scene.bodies[0].mass == 19.5);
  CHECK_FALSE(crank.scene.bodies[0].inertia_shape);
  CHECK(std::get<Box>(crank.scene.bodies[0].shapes.at(0).geometry).size == Vec3{0.5, 0.05, 0.1});
  CHECK(crank.scene.joints[1].kind == "translational");
  CHECK(crank.scene.joints[1].body_i == ground_index);
  CHECK(crank.scene.joints[1].body_j == 2);

  const Results andrews = run_briefly("planar/andrews.yaml");
  CHECK(andrews.scene.dimension == 2);
  CHECK(andrews.scene.forces.size() == 2);  // drive and spring
}

TEST_CASE("a body without shape has the box of its inertia, also far from the origin") {
  Model model;
  Body body;
  body.name = "brick";
  body.mass = 3.0;
  // a box of 1 × 2 × 3 m, turned about (1, 1, 1)
  const double m = 3.0;
  Body turned = body;
  turned.shapes = {{Box{{1, 2, 3}}, {}, {}, {0.5, 0.5, 0.5, 0.5}}};
  body.inertia = calc_mass_properties(turned).inertia;
  body.position = {1e4, 0, 0};
  model.bodies = {body};
  model.joints = {
      {"pin", JointKind::spherical, "ground", "brick", WorldPlacement{{1e4 + 1, 2, 3}, {}, {}}}};
  model.simulation.t_end = 0.01;
  const Scene scene = simulate(compile(model), model.simulation).scene;
  REQUIRE(scene.bodies[0].inertia_shape);
  const ShapeProperties drawn = calc_shape_properties(scene.bodies[0].shapes);
  CHECK(drawn.mass == doctest::Approx(6.0));  // its volume: density 1 stands for none
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(drawn.inertia[i][j] * m / drawn.mass == doctest::Approx((*body.inertia)[i][j]));
    }
  }
  CHECK(distance(V::load(scene.joints[0].point_i.data()), {1e4 + 1, 2, 3}) < 1e-9);
  CHECK(distance(V::load(scene.joints[0].point_j.data()), {1, 2, 3}) < 1e-9);
}
