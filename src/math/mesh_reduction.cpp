// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/mesh_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "math/vector3.hpp"

namespace trammel {
namespace {

using V = Vector3<double>;

V load(const Vec3& x) { return {x[0], x[1], x[2]}; }

// Cells of equal edges, `n` along the longest side of the box.
struct Grid {
  Vec3 low;
  double per_length;
  int n;

  Grid(const TriangleMesh& mesh, int cells) : low(mesh.low), n(cells) {
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, mesh.high[k] - mesh.low[k]);
    per_length = longest > 1e-290 ? n / longest : 0.0;
  }
  std::uint64_t cell_of(const Vec3& point) const {
    std::uint64_t cell = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = (point[k] - low[k]) * per_length;
      // points that no triangle uses may lie far outside
      cell = cell << 20 | static_cast<std::uint64_t>(std::max(0.0, std::min(at, n - 1.0)));
    }
    return cell;
  }
};

// The number of the cluster of each point, and how many there are.
std::vector<std::uint32_t> find_clusters(const TriangleMesh& mesh, const Grid& grid,
                                         std::size_t& count) {
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::vector<std::uint32_t> cluster(mesh.points.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p) {
    const auto number = static_cast<std::uint32_t>(known.size());
    cluster[p] = known.emplace(grid.cell_of(mesh.points[p]), number).first->second;
  }
  count = known.size();
  return cluster;
}

// Triangles between three clusters, each once.
std::vector<Triangle> find_triangles(const TriangleMesh& mesh,
                                     const std::vector<std::uint32_t>& cluster) {
  std::vector<Triangle> triangles;
  for (const Triangle& t : mesh.triangles) {
    Triangle u = {cluster[t[0]], cluster[t[1]], cluster[t[2]]};
    if (u[0] == u[1] || u[1] == u[2] || u[2] == u[0]) continue;
    std::rotate(u.begin(), std::min_element(u.begin(), u.end()), u.end());
    triangles.push_back(u);
  }
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  return triangles;
}

// Sum of the squared distances from the planes of the triangles, weighted by their areas:
// xᵀ A x − 2 bᵀ x + …, x from the mean of the points.
struct Quadric {
  V mean{};
  double points = 0.0;
  V A[3] = {};  // rows
  V b{};
};

// The least of the quadric near the mean: (A + ε tr A) x = b by Cramer's rule.
V find_least(const Quadric& q, double reach) {
  const double trace = q.A[0].x + q.A[1].y + q.A[2].z;
  if (!(trace > 0.0)) return q.mean;
  V a = q.A[0], b = q.A[1], c = q.A[2];
  a.x += 1e-3 * trace;
  b.y += 1e-3 * trace;
  c.z += 1e-3 * trace;
  const V bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double det = dot(a, bc);
  // A is symmetric: rows are columns
  const V x = (1.0 / det) * (q.b.x * bc + q.b.y * ca + q.b.z * ab);
  const double length = std::sqrt(dot(x, x));
  if (!(length < 1e30)) return q.mean;
  return q.mean + (length > reach ? reach / length : 1.0) * x;
}

std::vector<Vec3> place_points(const TriangleMesh& mesh, const std::vector<std::uint32_t>& cluster,
                               std::size_t count, double reach) {
  std::vector<Quadric> quadrics(count);
  for (std::size_t p = 0; p < mesh.points.size(); ++p) {
    Quadric& q = quadrics[cluster[p]];
    q.mean += load(mesh.points[p]);
    q.points += 1.0;
  }
  for (Quadric& q : quadrics) q.mean = (1.0 / q.points) * q.mean;
  for (const Triangle& t : mesh.triangles) {
    const V corner = load(mesh.points[t[0]]);
    const V area = cross(load(mesh.points[t[1]]) - corner, load(mesh.points[t[2]]) - corner);
    const double size = std::sqrt(dot(area, area));
    if (!(size > 0.0)) continue;
    const V n = (1.0 / size) * area;
    for (const std::uint32_t p : t) {
      Quadric& q = quadrics[cluster[p]];
      q.A[0] += (size * n.x) * n;
      q.A[1] += (size * n.y) * n;
      q.A[2] += (size * n.z) * n;
      q.b += (size * dot(n, corner - q.mean)) * n;
    }
  }
  std::vector<Vec3> points(count);
  for (std::size_t c = 0; c < count; ++c) find_least(quadrics[c], reach).store(points[c].data());
  return points;
}

}  // namespace

std::shared_ptr<const TriangleMesh> reduce_mesh(const std::shared_ptr<const TriangleMesh>& mesh,
                                                std::size_t most) {
  if (!mesh || mesh->triangles.size() <= most) return mesh;
  // the finest grid that leaves few enough
  int low = 1, high = 2048;
  std::size_t count = 0;
  std::vector<std::uint32_t> best;
  std::vector<Triangle> triangles;
  while (low < high) {
    const int n = (low + high + 1) / 2;
    std::vector<std::uint32_t> cluster = find_clusters(*mesh, Grid(*mesh, n), count);
    std::vector<Triangle> left = find_triangles(*mesh, cluster);
    if (left.size() > most) {
      high = n - 1;
      continue;
    }
    low = n;
    best = std::move(cluster);
    triangles = std::move(left);
  }
  auto reduced = std::make_shared<TriangleMesh>();
  reduced->file = mesh->file;
  reduced->color = mesh->color;
  reduced->opening = mesh->opening;
  reduced->low = mesh->low;
  reduced->high = mesh->high;
  if (triangles.empty()) return reduced;
  count = 1 + *std::max_element(best.begin(), best.end());
  const double cell = 1.0 / Grid(*mesh, low).per_length;  // in one cell there is no triangle
  reduced->points = place_points(*mesh, best, count, cell);
  reduced->triangles = std::move(triangles);
  return reduced;
}

std::size_t share_triangles(std::size_t own, std::size_t all, std::size_t budget) {
  if (all <= budget) return own;
  const double share = static_cast<double>(own) / static_cast<double>(all);
  return std::max<std::size_t>(100, static_cast<std::size_t>(share * static_cast<double>(budget)));
}

}  // namespace trammel
