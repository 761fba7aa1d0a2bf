// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A mesh file. The first byte chooses the format. What is accepted is a solid with finite numbers, is simplified,
// packed and read back.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "format/mesh_file.hpp"
#include "math/mesh_reduction.hpp"
#include "math/packed_mesh.hpp"
#include "model/solids.hpp"

namespace {

using namespace trammel;

// There are no other files.
class NoBuffers : public MeshBuffers {
 public:
  std::string read(const std::string&) override {
    throw MeshFileError{0, 0, "names a buffer that is not there", ""};
  }
};

void expect(bool truth) {
  if (!truth) std::abort();
}

void use(const std::shared_ptr<const TriangleMesh>& mesh) {
  for (const Vec3& point : mesh->points) {
    for (const double x : point) expect(std::isfinite(x));
  }
  for (const Triangle& t : mesh->triangles) {
    for (const std::uint32_t p : t) expect(p < mesh->points.size());
  }
  Shape shape;
  shape.geometry = Mesh{mesh, {1e-3, 1, -2}};
  const Solid solid = calc_solid(shape);
  expect(std::isfinite(solid.volume) && std::isfinite(solid.reach) && solid.volume >= 0);
  const auto reduced = reduce_mesh(mesh, 4);
  const auto back = unpack_mesh(pack_mesh(*reduced), "a", true);
  expect(back->triangles.size() == reduced->triangles.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  MeshBuilder builder;
  NoBuffers none;
  try {
    if (data[0] % 4 == 0) read_stl(bytes, builder);
    if (data[0] % 4 == 1) read_obj(bytes, builder);
    if (data[0] % 4 >= 2) read_gltf(bytes, none, builder);
    if (builder.n_triangles() > 0) use(builder.finish("a"));
  } catch (const MeshFileError&) {
  }
  return 0;
}
