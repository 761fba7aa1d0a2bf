// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Gathers triangles: equal points become one, triangles with two equal corners are left out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/mesh.hpp"

namespace trammel {

inline constexpr std::size_t max_mesh_triangles = 2'000'000;  // of a file

class MeshBuilder {
 public:
  // The index of the point; its numbers must be finite.
  std::uint32_t add_point(const Vec3& point);
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);

  std::size_t n_triangles() const { return mesh_.triangles.size(); }
  void set_color(const Rgb& color) { mesh_.color = color; }

  // Everything so far; the builder is empty afterwards.
  std::shared_ptr<const TriangleMesh> finish(const std::string& file);

 private:
  void grow();

  TriangleMesh mesh_;
  std::vector<std::uint32_t> slots_;  // hash table of 1 + index of a point; a power of two
};

}  // namespace trammel
