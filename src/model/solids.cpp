// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Closed forms. Of bodies with an axis z, with the second moments X² = ∫x² dV/V (= ∫y²) and Z²:
// gyration = diag(X² + Z², X² + Z², 2X²). Of a polygon, by Green's theorem over its edges p q with
// D = p × q:
//
//   A = Σ D/2,   ∫x = Σ D (p + q)/6,   ∫x xᵀ = Σ D (2 p pᵀ + p qᵀ + q pᵀ + 2 q qᵀ)/24
#include "model/solids.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trammel {
namespace {

constexpr double pi = std::numbers::pi;

Mat3 diagonal(double x, double y, double z) { return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

Solid calc_of(const Box& box) {
  const auto [a, b, c] = box.size;
  return {a * b * c,
          diagonal((b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12),
          std::hypot(a, b, c) / 2,
          {}};
}

Solid calc_of(const Cylinder& cylinder) {
  const double r2 = cylinder.radius * cylinder.radius, l = cylinder.length;
  const double across = r2 / 4 + l * l / 12;
  return {pi * r2 * l, diagonal(across, across, r2 / 2), std::hypot(cylinder.radius, l / 2), {}};
}

Solid calc_of(const Sphere& sphere) {
  const double r = sphere.radius, about = 0.4 * r * r;
  return {4.0 / 3.0 * pi * r * r * r, diagonal(about, about, about), r, {}};
}

// Cylinder and two half spheres, whose centroids are 3r/8 outside of its ends.
Solid calc_of(const Capsule& capsule) {
  const double r = capsule.radius, l = capsule.length;
  const double shaft = l, ends = 4.0 / 3.0 * r, sum = shaft + ends;  // volumes over πr²
  const double x2 = (shaft * r * r / 4 + ends * r * r / 5) / sum;
  const double z2 = (shaft * l * l / 12 + ends * (r * r / 5 + l * l / 4 + 0.375 * r * l)) / sum;
  return {pi * r * r * sum, diagonal(x2 + z2, x2 + z2, 2 * x2), r + l / 2, {}};
}

// With the radius a + (b − a) u, 0 ≤ u ≤ 1: ∫ r² du = s/3, ∫ r⁴ du = (a⁵ − b⁵)/5(a − b).
Solid calc_of(const Cone& cone) {
  const double a = cone.radius, b = cone.top, l = cone.length;
  const double s = a * a + a * b + b * b;
  const double r4 =
      (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / 5;
  const double u1 = (a * a + 2 * a * b + 3 * b * b) / (4 * s);   // mean of u
  const double u2 = (a * a + 3 * a * b + 6 * b * b) / (10 * s);  // mean of u²
  const double x2 = r4 / 4 / (s / 3), z2 = l * l * (u2 - u1 * u1);
  return {pi * l * s / 3,
          diagonal(x2 + z2, x2 + z2, 2 * x2),
          std::hypot(std::max(a, b), l),
          {0, 0, l * (u1 - 0.5)}};
}

Solid calc_of(const Ring& ring) {
  const double R2 = ring.radius * ring.radius, r2 = ring.inner * ring.inner, l = ring.length;
  const double across = (R2 + r2) / 4 + l * l / 12;
  return {pi * (R2 - r2) * l,
          diagonal(across, across, (R2 + r2) / 2),
          std::hypot(ring.radius, l / 2),
          {}};
}

struct Area {
  double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
};

// Relative to a corner near by; a hole is subtracted, whatever its sense.
void add_loop(const Extrusion::Loop& loop, const std::array<double, 2>& origin, bool hole,
              Area& sum) {
  const double sign = (calc_double_area(loop) < 0) == hole ? 1.0 : -1.0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const auto& from = loop[k];
    const auto& to = loop[(k + 1) % loop.size()];
    const double px = from[0] - origin[0], py = from[1] - origin[1];
    const double qx = to[0] - origin[0], qy = to[1] - origin[1];
    const double D = sign * (px * qy - py * qx);
    sum.area += D / 2;
    sum.x += D * (px + qx) / 6;
    sum.y += D * (py + qy) / 6;
    sum.xx += D * (px * px + px * qx + qx * qx) / 12;
    sum.yy += D * (py * py + py * qy + qy * qy) / 12;
    sum.xy += D * (2 * px * py + px * qy + qx * py + 2 * qx * qy) / 24;
  }
}

Solid calc_of(const Extrusion& extrusion) {
  if (extrusion.loops.empty() || extrusion.loops[0].empty()) return {};
  const auto origin = extrusion.loops[0][0];
  Area sum;
  for (std::size_t k = 0; k < extrusion.loops.size(); ++k) {
    add_loop(extrusion.loops[k], origin, k > 0, sum);
  }
  const double A = sum.area, x = sum.x / A, y = sum.y / A, l = extrusion.length;
  const double xx = sum.xx / A - x * x, xy = sum.xy / A - x * y, yy = sum.yy / A - y * y;
  Solid solid;
  solid.volume = A * l;
  solid.center = {origin[0] + x, origin[1] + y, 0};
  solid.gyration = {{{yy + l * l / 12, -xy, 0}, {-xy, xx + l * l / 12, 0}, {0, 0, xx + yy}}};
  for (const auto& corner : extrusion.loops[0]) {
    solid.reach = std::max(
        solid.reach, std::hypot(corner[0] - solid.center[0], corner[1] - solid.center[1], l / 2));
  }
  return solid;
}

// The integrals of the file, stretched along its axes.
Solid calc_of(const Mesh& mesh) {
  if (!mesh.surface) return {};
  const TriangleMesh& surface = *mesh.surface;
  const Vec3& s = mesh.scale;
  Solid solid;
  solid.reach = std::hypot((surface.high[0] - surface.low[0]) * s[0],
                           (surface.high[1] - surface.low[1]) * s[1],
                           (surface.high[2] - surface.low[2]) * s[2]);
  if (surface.opening) return solid;
  solid.volume = surface.volume * std::abs(s[0] * s[1] * s[2]);
  double second[3][3];
  for (std::size_t i = 0; i < 3; ++i) {
    solid.center[i] = s[i] * surface.center[i];
    for (std::size_t j = 0; j < 3; ++j) second[i][j] = s[i] * s[j] * surface.gyration[i][j];
  }
  const double trace = second[0][0] + second[1][1] + second[2][2];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      solid.gyration[i][j] = (i == j ? trace : 0.0) - second[i][j];
    }
  }
  return solid;
}

}  // namespace

double calc_double_area(const Extrusion::Loop& loop) {
  double sum = 0.0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const auto& p = loop[k];
    const auto& q = loop[(k + 1) % loop.size()];
    const auto& o = loop[0];
    sum += (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
  }
  return sum;
}

Solid calc_solid(const Shape& shape) {
  return std::visit([](const auto& geometry) { return calc_of(geometry); }, shape.geometry);
}

}  // namespace trammel
