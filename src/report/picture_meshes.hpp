// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes for a picture of lines and polygons, which bears fewer triangles than a page. Made once for all
// frames of a moving picture.
#pragma once

#include <map>
#include <memory>

#include "trammel/scene.hpp"

namespace trammel {

inline constexpr std::size_t most_drawn_triangles = 20'000;  // of all meshes together

class PictureMeshes {
 public:
  explicit PictureMeshes(const Scene& scene);
  // With the mesh that is to be drawn, if the shape is one.
  Shape reduced(const Shape& shape) const;
  bool is_empty() const { return drawn_.empty(); }  // nothing is drawn otherwise than it is

 private:
  std::map<const TriangleMesh*, std::shared_ptr<const TriangleMesh>> drawn_;
};

}  // namespace trammel
