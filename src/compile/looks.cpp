// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/looks.hpp"

#include <fmt/format.h>

#include <map>

#include "math/mesh_reduction.hpp"

namespace trammel {

void limit_meshes(PictureData& picture) {
  using Surface = std::shared_ptr<const TriangleMesh>;
  std::map<const TriangleMesh*, Surface> shown;  // each mesh once, however many bodies have it
  std::vector<const TriangleMesh*> order;        // as in the model: notes are the same in each run
  std::size_t all = 0;
  for (const Shape& shape : picture.shapes) {
    const Mesh* mesh = std::get_if<Mesh>(&shape.geometry);
    if (mesh == nullptr || !shown.emplace(mesh->surface.get(), mesh->surface).second) continue;
    order.push_back(mesh->surface.get());
    all += mesh->surface->triangles.size();
  }
  for (const TriangleMesh* mesh : order) {
    Surface& surface = shown[mesh];
    if (mesh->turned) {
      picture.notes.push_back(
          fmt::format("the mesh {} has parts that are inside out; their triangles were turned over",
                      mesh->file));
    }
    surface =
        reduce_mesh(surface, share_triangles(mesh->triangles.size(), all, most_shown_triangles));
    if (surface.get() == mesh) continue;
    picture.notes.push_back(fmt::format(
        "the mesh {} has {} triangles and is shown with {}: together meshes may have {}",
        mesh->file, mesh->triangles.size(), surface->triangles.size(), most_shown_triangles));
  }
  for (Shape& shape : picture.shapes) {
    if (Mesh* mesh = std::get_if<Mesh>(&shape.geometry)) mesh->surface = shown[mesh->surface.get()];
  }
}

}  // namespace trammel
