// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/mesh_builder.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "math/mesh_solid.hpp"

namespace trammel {
namespace {

std::size_t calc_hash(const Vec3& point) {
  std::uint64_t hash = 0;
  for (const double x : point) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

}  // namespace

void MeshBuilder::grow() {
  std::vector<std::uint32_t> slots(slots_.empty() ? 64 : 2 * slots_.size(), 0);
  for (const std::uint32_t slot : slots_) {
    if (slot == 0) continue;
    std::size_t at = calc_hash(mesh_.points[slot - 1]);
    while (slots[at &= slots.size() - 1] != 0) ++at;
    slots[at] = slot;
  }
  slots_ = std::move(slots);
}

std::uint32_t MeshBuilder::add_point(const Vec3& given) {
  const Vec3 point = {given[0] + 0.0, given[1] + 0.0, given[2] + 0.0};  // −0 is 0
  if (2 * mesh_.points.size() >= slots_.size()) grow();
  std::size_t at = calc_hash(point);
  while (slots_[at &= slots_.size() - 1] != 0) {
    if (mesh_.points[slots_[at] - 1] == point) return slots_[at] - 1;
    ++at;
  }
  mesh_.points.push_back(point);
  slots_[at] = static_cast<std::uint32_t>(mesh_.points.size());
  return slots_[at] - 1;
}

void MeshBuilder::add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if (a != b && b != c && c != a) mesh_.triangles.push_back({a, b, c});
}

std::shared_ptr<const TriangleMesh> MeshBuilder::finish(const std::string& file) {
  auto mesh = std::make_shared<TriangleMesh>(std::move(mesh_));
  *this = {};
  mesh->file = file;
  finish_mesh(*mesh);
  return mesh;
}

std::shared_ptr<const TriangleMesh> make_mesh(std::vector<Vec3> points,
                                              std::vector<Triangle> triangles,
                                              const std::string& file) {
  MeshBuilder builder;
  std::vector<std::uint32_t> index;
  index.reserve(points.size());
  for (const Vec3& point : points) {
    for (const double x : point) {
      if (!std::isfinite(x)) throw std::invalid_argument("a point of the mesh is not finite");
    }
    index.push_back(builder.add_point(point));
  }
  for (const auto& [a, b, c] : triangles) {
    if (a >= index.size() || b >= index.size() || c >= index.size()) {
      throw std::invalid_argument("a triangle of the mesh has a corner that is no point");
    }
    builder.add_triangle(index[a], index[b], index[c]);
  }
  return builder.finish(file);
}

}  // namespace trammel
