// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace trammel {
namespace {

constexpr double two_pi = 6.283185307179586;
constexpr double sharp = 0.866;  // cos 30°

// Edges between points that faces share.
void find_edges(Surface& surface) {
  struct Side {
    int low, high, face;
  };
  std::vector<Side> sides;
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    const std::vector<int>& face = surface.faces[f];
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int a = face[k], b = face[(k + 1) % face.size()];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(f)});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
  });
  for (std::size_t i = 0; i < sides.size();) {
    const Side& side = sides[i++];
    int other = -1;
    while (i < sides.size() && sides[i].low == side.low && sides[i].high == side.high) {
      other = sides[i++].face;
    }
    surface.edges.push_back({side.low, side.high, side.face, other});
  }
}

// Circles about z one after the other, with faces between neighbours; z rises along a surface that is
// seen from outside.
class Lathe {
 public:
  explicit Lathe(int facets) : facets_(facets) {}

  // Radius 0: a point.
  void add_circle(double radius, double z) {
    circles_.push_back(static_cast<int>(surface_.points.size()));
    radii_.push_back(radius);
    for (int k = 0; k < (radius > 0.0 ? facets_ : 1); ++k) {
      const double angle = two_pi * k / facets_;
      surface_.points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  }
  void join(std::size_t a, std::size_t b) {
    for (int k = 0; k < facets_; ++k) {
      std::vector<int> face = {at(a, k), at(a, k + 1), at(b, k + 1), at(b, k)};
      face.erase(std::unique(face.begin(), face.end()), face.end());
      if (face.front() == face.back()) face.pop_back();
      if (face.size() > 2) surface_.faces.push_back(std::move(face));
    }
  }
  Surface take() {
    find_edges(surface_);
    return std::move(surface_);
  }

 private:
  int at(std::size_t circle, int k) const {
    return circles_[circle] + (radii_[circle] > 0.0 ? k % facets_ : 0);
  }

  int facets_;
  Surface surface_;
  std::vector<int> circles_;
  std::vector<double> radii_;
};

using Corner = std::array<double, 2>;

// The polygon between two heights: its edges cross there from left to right, and every second
// gap is inside.
void add_slab(const Extrusion& extrusion, double low, double high,
              std::vector<std::array<Corner, 4>>& trapezoids) {
  struct Crossing {
    double at_low, at_high;
  };
  std::vector<Crossing> crossings;
  for (const Extrusion::Loop& loop : extrusion.loops) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      Corner a = loop[k], b = loop[(k + 1) % loop.size()];
      if (a[1] > b[1]) std::swap(a, b);
      if (!(a[1] <= low && high <= b[1]) || a[1] == b[1]) continue;
      const auto at = [&](double y) { return a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]); };
      crossings.push_back({at(low), at(high)});
    }
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return a.at_low + a.at_high < b.at_low + b.at_high;
  });
  for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) {
    const Crossing &l = crossings[k], &r = crossings[k + 1];
    trapezoids.push_back(
        {{{l.at_low, low}, {r.at_low, low}, {r.at_high, high}, {l.at_high, high}}});
  }
}

std::vector<std::array<Corner, 4>> cut_into_trapezoids(const Extrusion& extrusion) {
  std::vector<double> heights;
  for (const Extrusion::Loop& loop : extrusion.loops) {
    for (const Corner& corner : loop) heights.push_back(corner[1]);
  }
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  std::vector<std::array<Corner, 4>> trapezoids;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    add_slab(extrusion, heights[k], heights[k + 1], trapezoids);
  }
  return trapezoids;
}

double calc_area(const Extrusion::Loop& loop) {
  double sum = 0.0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Corner &p = loop[k], &q = loop[(k + 1) % loop.size()];
    sum += p[0] * q[1] - p[1] * q[0];
  }
  return sum;
}

}  // namespace

Surface make_surface(const Capsule& capsule, int facets) {
  Lathe lathe(facets);
  const int bands = std::max(2, facets / 4);
  const double r = capsule.radius, h = capsule.length / 2;
  for (int k = 0; k <= bands; ++k) {
    const double angle = 0.25 * two_pi * k / bands;
    lathe.add_circle(k == 0 ? 0.0 : r * std::sin(angle), -h - r * std::cos(angle));
  }
  for (int k = bands; k >= 0; --k) {
    const double angle = 0.25 * two_pi * k / bands;
    lathe.add_circle(k == 0 ? 0.0 : r * std::sin(angle), h + r * std::cos(angle));
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(2 * bands + 1); ++k) lathe.join(k, k + 1);
  return lathe.take();
}

Surface make_surface(const Cone& cone, int facets) {
  Lathe lathe(facets);
  const double h = cone.length / 2;
  lathe.add_circle(0.0, -h);
  lathe.add_circle(cone.radius, -h);
  lathe.add_circle(cone.top, h);
  lathe.add_circle(0.0, h);
  for (std::size_t k = 0; k < 3; ++k) lathe.join(k, k + 1);
  return lathe.take();
}

Surface make_surface(const Ring& ring, int facets) {
  Lathe lathe(facets);
  const double h = ring.length / 2;
  lathe.add_circle(ring.radius, -h);
  lathe.add_circle(ring.radius, h);
  lathe.add_circle(ring.inner, h);
  lathe.add_circle(ring.inner, -h);
  for (std::size_t k = 0; k < 4; ++k) lathe.join(k, (k + 1) % 4);
  return lathe.take();
}

Surface make_surface(const Extrusion& extrusion) {
  Surface surface;
  surface.crease = sharp;
  const double h = extrusion.length / 2;
  int n_sides = 0;
  for (const Extrusion::Loop& loop : extrusion.loops) n_sides += static_cast<int>(loop.size());
  for (std::size_t l = 0; l < extrusion.loops.size(); ++l) {
    Extrusion::Loop loop = extrusion.loops[l];
    if ((calc_area(loop) < 0) != (l > 0)) std::reverse(loop.begin(), loop.end());
    const int first = static_cast<int>(surface.points.size()), n = static_cast<int>(loop.size());
    for (const Corner& corner : loop) {
      surface.points.push_back({corner[0], corner[1], -h});
      surface.points.push_back({corner[0], corner[1], h});
    }
    for (int k = 0; k < n; ++k) {
      const int a = first + 2 * k, b = first + 2 * ((k + 1) % n);
      const int side = static_cast<int>(surface.faces.size());
      const int before = k > 0 ? side - 1 : side + n - 1;
      surface.faces.push_back({a, b, b + 1, a + 1});
      surface.edges.push_back({a, a + 1, side, before});
      surface.edges.push_back({a, b, side, n_sides});  // the first pieces of the ends follow
      surface.edges.push_back({a + 1, b + 1, side, n_sides + 1});
    }
  }
  for (const auto& trapezoid : cut_into_trapezoids(extrusion)) {
    for (const double z : {-h, h}) {
      std::vector<int> face;
      for (const Corner& corner : trapezoid) {
        face.push_back(static_cast<int>(surface.points.size()));
        surface.points.push_back({corner[0], corner[1], z});
      }
      if (z < 0) std::reverse(face.begin(), face.end());
      surface.faces.push_back(std::move(face));
    }
  }
  return surface;
}

Surface make_surface(const Mesh& mesh) {
  Surface surface;
  surface.crease = sharp;
  if (!mesh.surface) return surface;
  surface.closed = !mesh.surface->opening;
  const Vec3& s = mesh.scale;
  const bool mirrored = s[0] * s[1] * s[2] < 0.0;
  for (const Vec3& p : mesh.surface->points) {
    surface.points.push_back({s[0] * p[0], s[1] * p[1], s[2] * p[2]});
  }
  for (const auto& [a, b, c] : mesh.surface->triangles) {
    const int i = static_cast<int>(a), j = static_cast<int>(b), k = static_cast<int>(c);
    surface.faces.push_back(mirrored ? std::vector<int>{i, k, j} : std::vector<int>{i, j, k});
  }
  find_edges(surface);
  return surface;
}

}  // namespace trammel
