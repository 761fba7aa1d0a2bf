// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures: where things are drawn, what lies in front, and text that is data.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "report/camera.hpp"
#include "report/energy_plot.hpp"
#include "report/svg.hpp"
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
