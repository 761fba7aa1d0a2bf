// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/mesh_solid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "math/vector3.hpp"

namespace trammel {
namespace {

using V = Vector3<double>;

V load(const Vec3& x) { return {x[0], x[1], x[2]}; }

// ---- closed or not

struct HalfEdge {
  std::uint64_t edge;  // both points, the lower first
  bool forward;        // from the lower to the higher
};

std::optional<MeshOpening> find_opening(const TriangleMesh& mesh) {
  std::vector<HalfEdge> halves;
  halves.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint64_t a = t[k], b = t[(k + 1) % 3];
      halves.push_back({std::min(a, b) << 32 | std::max(a, b), a < b});
    }
  }
  std::sort(halves.begin(), halves.end(),
            [](const HalfEdge& a, const HalfEdge& b) { return a.edge < b.edge; });
  std::optional<MeshOpening> opening;
  for (std::size_t i = 0; i < halves.size();) {
    int forward = 0, backward = 0;
    const std::uint64_t edge = halves[i].edge;
    for (; i < halves.size() && halves[i].edge == edge; ++i) {
      ++(halves[i].forward ? forward : backward);
    }
    if (forward == backward) continue;
    if (!opening) {
      opening = MeshOpening{mesh.points[edge >> 32], mesh.points[edge & 0xFFFFFFFF], forward,
                            backward, 0};
    }
    ++opening->count;
  }
  return opening;
}

// ---- parts that do not touch each other

struct Parts {
  std::vector<std::uint32_t> of;  // [triangles]
  std::uint32_t count = 0;
};

Parts find_parts(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> up(mesh.points.size());
  std::iota(up.begin(), up.end(), 0u);
  const auto find = [&](std::uint32_t p) {
    while (up[p] != p) p = up[p] = up[up[p]];
    return p;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    up[find(a)] = find(b);
    up[find(b)] = find(c);
  }
  constexpr std::uint32_t none = 0xFFFFFFFF;
  std::vector<std::uint32_t> number(mesh.points.size(), none);
  Parts parts;
  parts.of.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    std::uint32_t& part = number[find(t[0])];
    if (part == none) part = parts.count++;
    parts.of.push_back(part);
  }
  return parts;
}

// Of the surface seen from x, as a part of the whole sphere: 1 inside, 0 outside, summed over the
// triangles outside of `but` (Van Oosterom and Strackee 1983).
double calc_winding(const TriangleMesh& mesh, const Parts& parts, std::uint32_t but, const V& x) {
  double sum = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (parts.of[i] == but) continue;
    const Triangle& t = mesh.triangles[i];
    const V a = load(mesh.points[t[0]]) - x, b = load(mesh.points[t[1]]) - x,
            c = load(mesh.points[t[2]]) - x;
    const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
    sum += std::atan2(dot(a, cross(b, c)),
                      la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / 6.283185307179586;
}

void turn(TriangleMesh& mesh, const Parts& parts, const std::vector<bool>& which) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (which[parts.of[i]]) std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
  }
  mesh.turned = true;
}

// A part is the outside of something or, with the other sign, a void within. The largest part is an
// outside; a smaller one with negative volume is a void only where the rest encloses it.
void turn_parts(TriangleMesh& mesh, const V& middle) {
  const Parts parts = find_parts(mesh);
  std::vector<double> volume(parts.count, 0.0);
  std::vector<std::uint32_t> first(parts.count, 0);  // a point of it
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const V a = load(mesh.points[t[0]]) - middle, b = load(mesh.points[t[1]]) - middle,
            c = load(mesh.points[t[2]]) - middle;
    volume[parts.of[i]] += dot(a, cross(b, c));
    first[parts.of[i]] = t[0];
  }
  const auto largest = std::max_element(
      volume.begin(), volume.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (*largest < 0.0) {
    turn(mesh, parts, std::vector<bool>(parts.count, true));
    for (double& v : volume) v = -v;
  }
  constexpr std::size_t most_voids = 100;  // of more the sign is believed: each costs a pass
  std::vector<bool> wrong(parts.count, false);
  std::size_t voids = 0;
  for (std::uint32_t p = 0; p < parts.count; ++p) {
    if (!(volume[p] < 0.0) || ++voids > most_voids) continue;
    wrong[p] = calc_winding(mesh, parts, p, load(mesh.points[first[p]])) < 0.5;
  }
  if (std::find(wrong.begin(), wrong.end(), true) != wrong.end()) turn(mesh, parts, wrong);
}

// ---- integrals, about the middle of the box: the origin may be far away

void integrate(TriangleMesh& mesh, const V& middle) {
  double volume = 0.0, all = 0.0, first[3] = {}, second[3][3] = {};
  for (const Triangle& t : mesh.triangles) {
    const V a = load(mesh.points[t[0]]) - middle, b = load(mesh.points[t[1]]) - middle,
            c = load(mesh.points[t[2]]) - middle;
    const V s = a + b + c;
    const double D = dot(a, cross(b, c));
    volume += D / 6.0;
    all += std::abs(D) / 6.0;
    double p[4][3];
    a.store(p[0]);
    b.store(p[1]);
    c.store(p[2]);
    s.store(p[3]);
    for (int i = 0; i < 3; ++i) {
      first[i] += D / 24.0 * p[3][i];
      for (int j = 0; j < 3; ++j) {
        for (const auto& x : p) second[i][j] += D / 120.0 * x[i] * x[j];
      }
    }
  }
  constexpr double rounding = 1e-13;  // of a sheet with two sides
  if (!(volume > rounding * all) || volume < 1e-150) return;
  mesh.volume = volume;
  double shift[3];
  middle.store(shift);
  for (std::size_t i = 0; i < 3; ++i) {
    mesh.center[i] = shift[i] + first[i] / volume;
    for (std::size_t j = 0; j < 3; ++j) {
      mesh.gyration[i][j] = second[i][j] / volume - first[i] / volume * (first[j] / volume);
    }
  }
}

}  // namespace

void finish_mesh(TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return;
  mesh.low = mesh.high = mesh.points[mesh.triangles[0][0]];
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t p : t) {
      for (std::size_t k = 0; k < 3; ++k) {
        mesh.low[k] = std::min(mesh.low[k], mesh.points[p][k]);
        mesh.high[k] = std::max(mesh.high[k], mesh.points[p][k]);
      }
    }
  }
  mesh.opening = find_opening(mesh);
  if (mesh.opening) return;
  const V middle = 0.5 * (load(mesh.low) + load(mesh.high));
  turn_parts(mesh, middle);
  integrate(mesh, middle);
}

}  // namespace trammel
