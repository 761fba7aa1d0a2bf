// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes as solids: volume, centroid and inertia by the divergence theorem, what counts as closed, and fewer
// triangles for pictures.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>

#include "math/mesh_reduction.hpp"
#include "math/packed_mesh.hpp"
#include "model/solids.hpp"
#include "support/meshes.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;
using test::Triangles;

namespace {

std::shared_ptr<const TriangleMesh> make(const Triangles& mesh) {
  return make_mesh(mesh.points, mesh.triangles, "part.stl");
}

Solid solid_of(const Triangles& mesh, const Vec3& scale = {1, 1, 1}) {
  Shape shape;
  shape.geometry = Mesh{make(mesh), scale};
  return calc_solid(shape);
}

// |a − b| relative to the largest entry
double distance(const Mat3& a, const Mat3& b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      difference = std::max(difference, std::abs(a[i][j] - b[i][j]));
      largest = std::max(largest, std::abs(b[i][j]));
    }
  }
  return difference / largest;
}

}  // namespace

TEST_CASE("a box of triangles is the box, wherever it is") {
  for (const double away : {0.0, 3.0, 1e6}) {
    CAPTURE(away);
    const Vec3 size = {0.2, 0.3, 0.5};
    const Solid mesh = solid_of(test::make_box({away, -away, 2 * away}, size));
    Shape box;
    box.geometry = Box{size};
    const Solid exact = calc_solid(box);
    const double rounding = 1e-15 * (1 + 10 * away);
    CHECK(std::abs(mesh.volume - exact.volume) <= rounding);
    CHECK(std::abs(mesh.center[0] - (away + 0.1)) <= rounding);
    CHECK(std::abs(mesh.center[2] - (2 * away + 0.25)) <= rounding);
    CHECK(distance(mesh.gyration, exact.gyration) <= 100 * rounding);
  }
}

// x' = S x: volume by |det S|, second moments by S … Sᵀ; a mirrored solid is a solid
TEST_CASE("the scale stretches and mirrors") {
  Triangles wedge = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  const Vec3 s = {-2, 0.5, 3};
  const Solid scaled = solid_of(wedge, s);
  for (Vec3& p : wedge.points) p = {s[0] * p[0], s[1] * p[1], s[2] * p[2]};
  test::turn(wedge);
  const auto mirrored = make(wedge);
  CHECK_FALSE(mirrored->turned);
  const Solid given = solid_of(wedge);
  CHECK(given.volume == doctest::Approx(0.5));
  CHECK(scaled.volume == doctest::Approx(given.volume));
  CHECK(distance(scaled.gyration, given.gyration) < 1e-14);
  CHECK(scaled.gyration[0][1] != 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(scaled.center[k] == doctest::Approx(s[k] / 4));
    CHECK(given.center[k] == doctest::Approx(s[k] / 4));
  }
}

// The error of an inscribed sphere falls with the square of the mesh.
TEST_CASE("a fine sphere tends to the sphere") {
  Shape ball;
  ball.geometry = Sphere{0.7};
  const Solid exact = calc_solid(ball);
  double before = 0.0;
  for (const int n : {20, 40, 80}) {
    const Solid mesh = solid_of(test::make_sphere(0.7, n));
    const double error = std::abs(mesh.volume / exact.volume - 1);
    CHECK(distance(mesh.gyration, exact.gyration) < 5.0 / (n * n));
    if (before > 0) CHECK(before / error == doctest::Approx(4).epsilon(0.02));
    before = error;
  }
}

TEST_CASE("a void is a void, what is inside out is turned") {
  Triangles outside = test::make_box({0, 0, 0}, {3, 3, 3});
  Triangles inside = test::make_box({1, 1, 1}, {1, 1, 1});
  Triangles apart = test::make_box({5, 0, 0}, {1, 1, 1});
  const auto volume_of = [](const std::vector<Triangles>& parts, bool turned) {
    Triangles all;
    for (const Triangles& part : parts) test::append(all, part);
    const auto mesh = make(all);
    CHECK_FALSE(mesh->opening);
    CHECK(mesh->turned == turned);
    return mesh->volume;
  };
  CHECK(volume_of({outside}, false) == doctest::Approx(27));
  CHECK(volume_of({outside, apart}, false) == doctest::Approx(28));
  test::turn(inside);
  CHECK(volume_of({outside, inside}, false) == doctest::Approx(26));
  test::turn(apart);
  CHECK(volume_of({outside, inside, apart}, true) == doctest::Approx(27));
  test::turn(outside);
  CHECK(volume_of({outside}, true) == doctest::Approx(27));
  test::turn(inside);
  CHECK(volume_of({outside, inside}, true) == doctest::Approx(26));
}

TEST_CASE("an edge that is not passed equally often in both directions opens the surface") {
  Triangles box = test::make_box({0, 0, 0}, {1, 1, 1});
  SUBCASE("a triangle is missing") {
    box.triangles.pop_back();
    const auto mesh = make(box);
    REQUIRE(mesh->opening);
    CHECK(mesh->opening->count == 3);
    CHECK(mesh->opening->forward + mesh->opening->backward == 1);
    CHECK(mesh->volume == 0.0);
  }
  SUBCASE("a triangle is turned") {
    std::swap(box.triangles[4][0], box.triangles[4][1]);
    const auto mesh = make(box);
    REQUIRE(mesh->opening);
    CHECK(mesh->opening->count == 3);
    CHECK(mesh->opening->forward + mesh->opening->backward == 2);
  }
  SUBCASE("a triangle is there twice") {
    box.triangles.push_back(box.triangles[4]);
    const auto mesh = make(box);
    REQUIRE(mesh->opening);
    CHECK(mesh->opening->forward + mesh->opening->backward == 3);
  }
  SUBCASE("two boxes along one edge are closed") {
    test::append(box, test::make_box({1, 1, 0}, {1, 1, 1}));
    const auto mesh = make(box);
    CHECK_FALSE(mesh->opening);
    CHECK(mesh->points.size() == 14);
    CHECK(mesh->volume == doctest::Approx(2));
  }
  SUBCASE("triangles with two equal corners are left out, those without area are needed") {
    box.triangles.push_back({0, 0, 1});
    CHECK(make(box)->triangles.size() == 12);
    // a point on an edge of one triangle only, with a sliver between: closed
    box = test::make_box({0, 0, 0}, {1, 1, 1});
    box.points.push_back({0.5, 0, 0});
    box.triangles[5] = {0, 5, 4};
    box.triangles[4] = {0, 8, 5};
    box.triangles.push_back({8, 1, 5});
    CHECK(make(box)->opening);
    box.triangles.push_back({0, 1, 8});
    CHECK_FALSE(make(box)->opening);
    CHECK(make(box)->volume == doctest::Approx(1));
  }
}

TEST_CASE("points that are no points are refused") {
  CHECK_THROWS_AS(make_mesh({{0, 0, 0}}, {{0, 0, 1}}), std::invalid_argument);
  CHECK_THROWS_AS(make_mesh({{0, NAN, 0}}, {}), std::invalid_argument);
}

TEST_CASE(
    "fewer triangles: within the budget, near the surface, and the same where there are few") {
  const auto ball = make(test::make_sphere(1.0, 100));
  REQUIRE(ball->triangles.size() > 30'000);
  CHECK(reduce_mesh(ball, 40'000) == ball);
  for (const std::size_t most : {5000u, 500u, 100u}) {
    CAPTURE(most);
    const auto reduced = reduce_mesh(ball, most);
    CHECK(reduced->triangles.size() <= most);
    CHECK(reduced->triangles.size() >= most / 3);
    double nearest = 1, farthest = 1;
    for (const Vec3& p : reduced->points) {
      nearest = std::min(nearest, std::hypot(p[0], p[1], p[2]));
      farthest = std::max(farthest, std::hypot(p[0], p[1], p[2]));
    }
    CHECK(nearest > 1 - 8.0 / static_cast<double>(most));
    CHECK(farthest < 1 + 8.0 / static_cast<double>(most));
  }
}

TEST_CASE("the edges of a box survive in a coarse mesh") {
  Triangles fine;  // each face of a cube as 40 × 40 squares
  const int n = 40;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {0, 1}) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const auto corner = [&](int di, int dj) {
            Vec3 p{};
            p[static_cast<std::size_t>(axis)] = side;
            p[static_cast<std::size_t>((axis + 1) % 3)] = static_cast<double>(i + di) / n;
            p[static_cast<std::size_t>((axis + 2) % 3)] = static_cast<double>(j + dj) / n;
            fine.points.push_back(p);
            return static_cast<std::uint32_t>(fine.points.size() - 1);
          };
          const std::uint32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1),
                              d = corner(0, 1);
          fine.triangles.push_back(side == 1 ? Triangle{a, b, c} : Triangle{a, c, b});
          fine.triangles.push_back(side == 1 ? Triangle{a, c, d} : Triangle{a, d, c});
        }
      }
    }
  }
  const auto mesh = make(fine);
  CHECK(mesh->volume == doctest::Approx(1));
  const auto reduced = reduce_mesh(mesh, 600);
  const auto again = make_mesh(reduced->points, reduced->triangles);
  CHECK_FALSE(again->opening);
  CHECK(again->volume == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("packed and unpacked: within a 65,536th of the size, indices checked") {
  const auto ball = make(test::make_sphere(2.0, 30));
  PackedMesh packed = pack_mesh(*ball);
  const auto back = unpack_mesh(packed, "a", true);
  REQUIRE(back->points.size() == ball->points.size());
  CHECK(back->triangles == ball->triangles);
  for (std::size_t i = 0; i < ball->points.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(std::abs(back->points[i][k] - ball->points[i][k]) <= 0.51 * 4.0 / 65535);
    }
  }
  packed.triangles[7] = static_cast<std::uint32_t>(ball->points.size());
  CHECK_THROWS_AS(unpack_mesh(packed, "a", true), std::invalid_argument);
}
