// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures: where things are drawn, what lies in front, and text that is data.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "report/camera.hpp"
#include "report/energy_plot.hpp"
#include "report/svg.hpp"
#include "support/meshes.hpp"
#include "trammel/interpolate.hpp"
#include "trammel/picture.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

// A box of 8 × 1 × 1 m and a small one in front of it, at y = −3 m; gravity along −z.
Results make_scene() {
  Results results;
  results.model_name = "boxes";
  results.body_names = {"back", "front"};
  results.time = {0.0, 1.0, 2.0};
  for (int row = 0; row < 3; ++row) {
    results.position.insert(results.position.end(), {0, 0, 0, 0, -3, 0});
    results.orientation.insert(results.orientation.end(), {1, 0, 0, 0, 1, 0, 0, 0});
    results.kinetic.push_back(row);
    results.potential.push_back(-row);
    results.external_work.push_back(0.0);
  }
  results.scene.gravity = {0, 0, -9.81};
  results.scene.bodies.resize(2);
  results.scene.bodies[0].shapes.resize(1);
  results.scene.bodies[0].shapes[0].geometry = Box{{8, 1, 1}};
  results.scene.bodies[1].shapes.resize(1);
  results.scene.bodies[1].shapes[0].geometry = Box{{0.5, 0.5, 0.5}};
  return results;
}

std::vector<Moment> find_start(const Results& results) {
  return {{0.0, Interpolator(results).at(0.0)}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

}  // namespace

TEST_CASE("the camera is orthonormal, upright, and everything is in the frame") {
  const Results results = make_scene();
  const Area frame = {10, 20, 600, 400};
  for (const double elevation : {0.0, 0.3, 1.2}) {
    PictureOptions options;
    options.elevation = elevation;
    const Camera camera(results, find_start(results), options, frame);
    CHECK(std::abs(dot(camera.right(), camera.up())) < 1e-14);
    CHECK(std::abs(length_of(camera.up()) - 1.0) < 1e-14);
    CHECK(std::abs(dot(camera.right(), Vector{0, 0, 1})) < 1e-14);  // gravity points down
    CHECK(dot(camera.up(), Vector{0, 0, 1}) > 0.0);
    for (const Vector& corner :
         {Vector{-4, -0.5, -0.5}, Vector{4, 0.5, 0.5}, Vector{-0.25, -3.25, -0.25}}) {
      const Pixel p = camera.project(corner);
      CHECK(p.x >= 10.0);
      CHECK(p.x <= 610.0);
      CHECK(p.y >= 20.0);
      CHECK(p.y <= 420.0);
    }
  }
}

// Seen along y from the front: one face of each box, the orange one first, the blue one over it.
TEST_CASE("what is nearer is drawn later, what is turned away not at all") {
  PictureOptions options;
  options.azimuth = 0.0;
  options.elevation = 0.0;
  const Results results = make_scene();
  const Camera camera(results, find_start(results), options, {0, 0, 800, 480});
  REQUIRE(camera.depth({0, -3, 0}) > camera.depth({0, 0, 0}));
  std::string svg = draw_svg(results, options);
  svg = svg.substr(0, svg.find("</g>"));
  std::set<std::string> fills;
  std::string first, last;
  for (std::size_t at = 0; (at = svg.find("<polygon", at)) != std::string::npos; ++at) {
    const std::size_t fill = svg.find("fill=\"", at) + 6;
    last = svg.substr(fill, 7);
    if (first.empty()) first = last;
    fills.insert(last);
  }
  CHECK(fills.size() == 2);
  CHECK(first.substr(0, 2) == "#e");
  CHECK(last.substr(0, 2) == "#5");
}

TEST_CASE("names are data") {
  Results results = make_scene();
  results.model_name = "</title><script>alert(1)</script>";
  results.body_names[0] = "<b>\"&\x01\xff";
  PictureOptions options;
  options.labels = true;
  const std::string svg = draw_svg(results, options);
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("&lt;b&gt;&quot;&amp;\uFFFD\uFFFD</text>") != std::string::npos);
}

TEST_CASE("times between output times need velocities; a time outside is refused") {
  Results results = make_scene();
  PictureOptions options;
  options.t = 1.2;
  CHECK_THROWS_WITH_AS(draw_svg(results, options),
                       doctest::Contains("there are t = 1 s and t = 2 s"), std::invalid_argument);
  results.velocity.assign(18, 0.0);
  results.angular_velocity.assign(18, 0.0);
  CHECK(draw_svg(results, options).find(">t = 1.2 s<") != std::string::npos);
  options.t = 2.5;
  CHECK_THROWS_WITH_AS(draw_svg(results, options), "t = 2.5 s is outside the run, 0 s to 2 s",
                       std::invalid_argument);
}

TEST_CASE("what was not recorded cannot be drawn") {
  Results results = make_scene();
  results.options.record.energies = false;
  PictureOptions options;
  CHECK_NOTHROW(draw_svg(results, options));
  options.energies = true;
  CHECK_THROWS_AS(draw_svg(results, options), std::invalid_argument);
  results.options.record.positions = false;
  CHECK_THROWS_AS(draw_svg(results), std::invalid_argument);
  CHECK_THROWS_AS(draw_svg(Results{}), std::invalid_argument);
}

TEST_CASE("the plot of energies has its curves; work only where there is some") {
  Results results = make_scene();
  PictureOptions options;
  options.energies = true;
  CHECK(count(draw_svg(results, options), "<polyline") == 3);
  results.external_work[2] = 1.0;
  const std::string svg = draw_svg(results, options);
  CHECK(count(svg, "<polyline") == 4);
  CHECK(svg.find("energy [J]") != std::string::npos);
}

TEST_CASE("ticks are round and inside") {
  CHECK(make_ticks(0.0, 10.0, 10) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  CHECK(make_ticks(-1.1, 1.1, 4) == std::vector<double>{-1, 0, 1});
  CHECK_FALSE(std::signbit(make_ticks(-1.1, 1.1, 4)[1]));
  CHECK(make_ticks(3.0, 3.0, 4) == std::vector<double>{3.0});
}

TEST_CASE("colours get lighter and darker") {
  CHECK(to_hex({0.0, 0.5, 1.0}) == "#0080ff");
  CHECK(to_hex({1.0, 1.0, 1.0}, 0.5) == "#808080");
  CHECK(to_hex({0.0, 0.0, 0.0}, 1.5) == "#808080");
}

namespace {

// The sum of the areas of all polygons that a shape gives, m²; what lies behind is not drawn.
double calc_drawn_area(const Geometry& geometry, double elevation) {
  Results results = make_scene();
  results.scene.bodies.resize(1);
  results.body_names = {"one"};
  results.position.assign(9, 0.0);
  results.orientation = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  results.scene.bodies[0].shapes[0].geometry = geometry;
  PictureOptions options;
  options.azimuth = 0.0;
  options.elevation = elevation;
  std::string svg = draw_svg(results, options);
  svg = svg.substr(0, svg.find("</g>"));
  const Camera camera(results, find_start(results), options, {0, 36, 800, 480 - 36 - 48});
  double sum = 0.0;
  const std::string begin = "<polygon points=\"";
  for (std::size_t at = 0; (at = svg.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    std::string text = svg.substr(at, svg.find('"', at) - at);
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream stream(text);
    const std::vector<double> p(std::istream_iterator<double>(stream), {});
    double area = 0.0;
    for (std::size_t k = 0, n = p.size() / 2; k < n; ++k) {
      const std::size_t l = (k + 1) % n;
      area += p[2 * k] * p[2 * l + 1] - p[2 * l] * p[2 * k + 1];
    }
    sum += std::abs(area) / 2;
  }
  return sum / (camera.scale() * camera.scale());
}

}  // namespace

// From the front, along y, and from above. What is convex has the area of its projection; of others all that
// faces us is drawn, also what nearer faces hide.
TEST_CASE("each form is drawn with the faces that are seen") {
  const double above = 1.5707963267948966, pi = 3.141592653589793;
  const auto is_near = [](double x) { return doctest::Approx(x).epsilon(0.01); };
  CHECK(calc_drawn_area(Capsule{0.5, 2}, 0) == is_near(2 + pi / 4));
  CHECK(calc_drawn_area(Capsule{0.5, 2}, above) == is_near(pi / 4));
  CHECK(calc_drawn_area(Cone{1, 0.25, 2}, 0) == is_near(2.5));
  CHECK(calc_drawn_area(Cone{1, 0, 2}, above) == is_near(pi));
  CHECK(calc_drawn_area(Ring{1, 0.5, 2}, above) == is_near(0.75 * pi));
  CHECK(calc_drawn_area(Ring{1, 0.5, 2}, 0) == is_near(4 + 2));
  const Extrusion plate{
      0.2,
      {{{-1, -1}, {2, -1}, {2, 1}, {0, 0.5}, {-1, 1}}, {{0, -0.5}, {1, -0.5}, {1, 0}, {0, 0}}}};
  CHECK(calc_drawn_area(plate, above) == is_near(5.25 - 0.5));
  // the side at y = -1 and the far side of the hole
  CHECK(calc_drawn_area(plate, 0) == is_near(0.2 * (3 + 1)));
  test::Triangles box = test::make_box({0, 0, 0}, {2, 1, 3});
  const auto closed = make_mesh(box.points, box.triangles);
  CHECK(calc_drawn_area(Mesh{closed, {1, 1, 1}}, 0) == is_near(6));
  CHECK(calc_drawn_area(Mesh{closed, {-2, 1, 1}}, 0) == is_near(12));
  CHECK(calc_drawn_area(Mesh{closed, {1, 1, 1}}, above) == is_near(2));
  // of an open one both sides are seen
  box.triangles.erase(box.triangles.begin() + 4, box.triangles.begin() + 6);
  const auto open = make_mesh(box.points, box.triangles);
  REQUIRE(open->opening);
  CHECK(calc_drawn_area(Mesh{open, {1, 1, 1}}, 0) == is_near(6));
}

TEST_CASE("a shape has its own colour and opacity, and at 0 it is not drawn") {
  Results results = make_scene();
  Shape& shape = results.scene.bodies[1].shapes[0];
  shape.geometry = Ring{0.5, 0.25, 1};
  shape.color = Rgb{0, 1, 0};
  shape.opacity = 0.25F;
  const std::string svg = draw_svg(results);
  CHECK(svg.find("fill-opacity=\"0.25\"") != std::string::npos);
  CHECK(svg.find("fill=\"#00") != std::string::npos);  // no red in it
  const std::size_t before = count(svg, "<polygon");
  shape.opacity = 0.0F;
  CHECK(count(draw_svg(results), "<polygon") < before);
  CHECK(draw_svg(results).find("fill-opacity") == std::string::npos);
}

TEST_CASE("a picture of a mesh has not more triangles than it can bear") {
  Results results = make_scene();
  const test::Triangles ball = test::make_sphere(1.0, 150);
  const auto surface = make_mesh(ball.points, ball.triangles);
  REQUIRE(surface->triangles.size() > 80'000);
  for (SceneBody& body : results.scene.bodies) body.shapes[0].geometry = Mesh{surface, {1, 1, 1}};
  const std::size_t drawn = count(draw_svg(results), "<polygon");
  CHECK(drawn < 20'000);
  CHECK(drawn > 5'000);
}
