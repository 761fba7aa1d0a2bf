// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/packed_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace trammel {

namespace {

constexpr double most = 65535.0;

}  // namespace

PackedMesh pack_mesh(const TriangleMesh& mesh) {
  PackedMesh packed;
  if (mesh.points.empty()) return packed;
  Vec3 high = mesh.points[0];
  packed.low = high;
  for (const Vec3& point : mesh.points) {
    for (std::size_t k = 0; k < 3; ++k) {
      packed.low[k] = std::min(packed.low[k], point[k]);
      high[k] = std::max(high[k], point[k]);
    }
  }
  for (std::size_t k = 0; k < 3; ++k) packed.step[k] = (high[k] - packed.low[k]) / most;
  packed.points.reserve(3 * mesh.points.size());
  for (const Vec3& point : mesh.points) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = packed.step[k] > 0.0 ? (point[k] - packed.low[k]) / packed.step[k] : 0.0;
      packed.points.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(at, 0.0, most))));
    }
  }
  packed.triangles.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    packed.triangles.insert(packed.triangles.end(), t.begin(), t.end());
  }
  return packed;
}

std::shared_ptr<const TriangleMesh> unpack_mesh(const PackedMesh& packed, const std::string& file,
                                                bool closed) {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->file = file;
  if (!closed) mesh->opening.emplace();
  mesh->low = packed.low;
  for (std::size_t k = 0; k < 3; ++k) {
    mesh->high[k] = packed.low[k] + most * packed.step[k];
    if (!std::isfinite(packed.low[k]) || !std::isfinite(mesh->high[k])) {
      throw std::invalid_argument("a mesh is not finite");
    }
  }
  for (std::size_t i = 0; i + 2 < packed.points.size(); i += 3) {
    Vec3& point = mesh->points.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      point[k] = packed.low[k] + packed.step[k] * packed.points[i + k];
    }
  }
  for (std::size_t i = 0; i + 2 < packed.triangles.size(); i += 3) {
    const Triangle t = {packed.triangles[i], packed.triangles[i + 1], packed.triangles[i + 2]};
    for (const std::uint32_t p : t) {
      if (p >= mesh->points.size()) {
        throw std::invalid_argument("a triangle of a mesh has a corner that is no point");
      }
    }
    mesh->triangles.push_back(t);
  }
  return mesh;
}

}  // namespace trammel
