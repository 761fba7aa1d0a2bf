// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/picture_meshes.hpp"

#include "math/mesh_reduction.hpp"

namespace trammel {

// A mesh that many bodies have is drawn as often.
PictureMeshes::PictureMeshes(const Scene& scene) {
  std::size_t all = 0;
  const auto for_each_mesh = [&](const auto& action) {
    for (const SceneBody& body : scene.bodies) {
      for (const Shape& shape : body.shapes) {
        const Mesh* mesh = std::get_if<Mesh>(&shape.geometry);
        if (mesh != nullptr && mesh->surface) action(mesh->surface);
      }
    }
  };
  for_each_mesh([&](const auto& surface) { all += surface->triangles.size(); });
  if (all <= most_drawn_triangles) return;
  for_each_mesh([&](const auto& surface) {
    auto& drawn = drawn_[surface.get()];
    if (drawn) return;
    const std::size_t own = surface->triangles.size();
    drawn = reduce_mesh(surface, share_triangles(own, all, most_drawn_triangles));
  });
}

Shape PictureMeshes::reduced(const Shape& shape) const {
  Shape result = shape;
  Mesh* mesh = std::get_if<Mesh>(&result.geometry);
  if (mesh == nullptr) return result;
  if (const auto at = drawn_.find(mesh->surface.get()); at != drawn_.end()) {
    mesh->surface = at->second;
  }
  return result;
}

}  // namespace trammel
