// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "format/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "format/table_file.hpp"
#include "trammel/error.hpp"

namespace trammel {
namespace {

namespace fs = std::filesystem;

std::string read_bytes(const std::string& path, std::size_t max_bytes) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw MeshFileError{0, 0, "cannot be opened", ""};
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  const auto fail = [] {
    throw MeshFileError{
        0, 0,
        fmt::format("the meshes of a model may have at most {} bytes in total", max_mesh_bytes),
        "export a coarser mesh"};
  };
  if (!error && size > max_bytes) fail();
  std::string bytes;
  std::string block(1 << 16, '\0');
  while (stream && bytes.size() <= max_bytes) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    bytes.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw MeshFileError{0, 0, "cannot be read", ""};
  if (bytes.size() > max_bytes) fail();
  return bytes;
}

// ".STL" → ".stl"
std::string find_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

// Files next to a glTF file.
class Folder : public MeshBuffers {
 public:
  Folder(std::string folder, std::size_t max_bytes, std::size_t& bytes)
      : folder_(std::move(folder)), max_bytes_(max_bytes), bytes_(bytes) {}

  std::string read(const std::string& name) override {
    std::string path;
    try {
      path = find_table_file(folder_, name, false);
    } catch (const TableFileError&) {
      throw MeshFileError{0, 0, "names a buffer '" + name + "' that is not in its folder", ""};
    }
    std::string bytes = read_bytes(path, max_bytes_ - std::min(bytes_, max_bytes_));
    bytes_ += bytes.size();
    return bytes;
  }

 private:
  std::string folder_;
  std::size_t max_bytes_;
  std::size_t& bytes_;
};

}  // namespace

double check_coordinate(double x, const MeshFileError& place) {
  if (std::abs(x) <= largest_coordinate) return x;
  MeshFileError error = place;
  error.reason += fmt::format("coordinates must be finite and at most {} in magnitude, got {:.6g}",
                              largest_coordinate, x);
  throw error;
}

void check_triangles(std::size_t count, const MeshFileError& place) {
  if (count <= max_mesh_triangles) return;
  MeshFileError error = place;
  error.reason += fmt::format("more than {} triangles", max_mesh_triangles);
  error.hint = "export a coarser mesh";
  throw error;
}

MeshFile read_mesh_file(const std::string& path, const std::string& name, std::size_t max_bytes) {
  const std::string extension = find_extension(path);
  MeshFile file;
  MeshBuilder mesh;
  const bool gltf = extension == ".gltf" || extension == ".glb";
  if (extension != ".stl" && extension != ".obj" && !gltf) {
    throw MeshFileError{0, 0, "not a mesh: the extension must be .stl, .obj, .gltf or .glb", ""};
  }
  const std::string bytes = read_bytes(path, max_bytes);
  file.bytes = bytes.size();
  if (extension == ".stl") read_stl(bytes, mesh);
  if (extension == ".obj") read_obj(bytes, mesh);
  if (gltf) {
    Folder folder(fs::path(path).parent_path().string(), max_bytes, file.bytes);
    read_gltf(bytes, folder, mesh);
  }
  if (mesh.n_triangles() == 0) throw MeshFileError{0, 0, "contains no triangles", ""};
  file.mesh = mesh.finish(name);
  return file;
}

std::shared_ptr<const TriangleMesh> read_mesh(const std::string& path, const std::string& name) {
  try {
    return read_mesh_file(path, name, max_mesh_bytes).mesh;
  } catch (const MeshFileError& error) {
    const std::string line = error.line > 0 ? fmt::format(":{}:{}", error.line, error.column) : "";
    const std::string hint = error.hint.empty() ? "" : " (" + error.hint + ")";
    throw FileError(path + line + ": " + error.reason + hint);
  }
}

}  // namespace trammel
