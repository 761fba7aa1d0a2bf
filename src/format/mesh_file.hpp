// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes in files named by a model: STL as text or binary, OBJ, glTF and GLB. Anybody may have written
// them: what they announce is compared with what they hold before anything is allocated.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "math/mesh_builder.hpp"

namespace trammel {

inline constexpr std::size_t max_mesh_bytes = 256u << 20;  // of all mesh files of a model
inline constexpr double largest_coordinate = 1e30;

// What is wrong, and where; line 0: the file as a whole.
struct MeshFileError {
  int line = 0;
  int column = 0;
  std::string reason;
  std::string hint;
};

struct MeshFile {
  std::shared_ptr<const TriangleMesh> mesh;
  std::size_t bytes = 0;  // that were read
};

// Throws MeshFileError. Files that a glTF file names must be in its own folder.
MeshFile read_mesh_file(const std::string& path, const std::string& name, std::size_t max_bytes);

// Of the text of a file; throw MeshFileError.
void read_stl(std::string_view bytes, MeshBuilder& mesh);
void read_obj(std::string_view text, MeshBuilder& mesh);

// What a glTF file names: the bytes of a file, at most so many. Throws MeshFileError.
class MeshBuffers {
 public:
  virtual ~MeshBuffers() = default;
  virtual std::string read(const std::string& name) = 0;
};
void read_gltf(std::string_view bytes, MeshBuffers& files, MeshBuilder& mesh);

// ---- for the readers

// The number, or an error at the place; what: "vertex".
double check_coordinate(double x, const MeshFileError& place);
void check_triangles(std::size_t count, const MeshFileError& place);

}  // namespace trammel
