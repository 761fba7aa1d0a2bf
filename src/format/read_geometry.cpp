// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The form of a shape: {box: …}, {cylinder: …}, …, {mesh: bracket.stl}.
#include "format/read_geometry.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "format/mesh_file.hpp"
#include "format/model_keys.hpp"
#include "format/table_file.hpp"

namespace trammel {

const Keys cylinder_keys = {{"radius", "number", "m", true}, {"length", "number", "m", true}};
const Keys sphere_keys = {{"radius", "number", "m", true}};
const Keys capsule_keys = {
    {"radius", "number", "m", true},
    {"length", "number", "between the centres of the half spheres, m", true}};
const Keys cone_keys = {{"radius", "number", "at the end with negative z, m", true},
                        {"top", "number", "radius at the other end, m; default: 0", false},
                        {"length", "number", "m", true}};
const Keys ring_keys = {{"radius", "number", "outer, m", true},
                        {"inner", "number", "radius of the hole, m", true},
                        {"length", "number", "m", true}};
const Keys extrusion_keys = {{"outline", "outline", "corners [x, y], in either sense, m", true},
                             {"holes", "outlines", "outlines of holes, m"},
                             {"length", "number", "along z, m", true}};
const Keys mesh_keys = {
    {"file", "text", "an STL, OBJ, glTF or GLB file in the model's folder", true},
    {"scale", "scale", "m per unit of the file: a number, or one for each axis; default: 1"}};

namespace {

using Kind = YamlNode::Kind;

// The value of a key that must be there; 0 after an error.
double need_number(Reader& reader, NodeId map, std::string_view key) {
  const NodeId id = reader.need(map, key);
  return id == no_node ? 0.0 : reader.number(id);
}

Geometry read_box(Reader& reader, NodeId id) { return Box{reader.numbers<3>(id, "numbers")}; }

Geometry read_cylinder(Reader& reader, NodeId id) {
  if (!reader.expect_map(id)) return Cylinder{};
  reader.check_keys(id, cylinder_keys);
  return Cylinder{need_number(reader, id, "radius"), need_number(reader, id, "length")};
}

Geometry read_sphere(Reader& reader, NodeId id) {
  if (reader.tree()[id].kind != Kind::map) return Sphere{reader.number(id)};
  reader.check_keys(id, sphere_keys);
  return Sphere{need_number(reader, id, "radius")};
}

Geometry read_capsule(Reader& reader, NodeId id) {
  if (!reader.expect_map(id)) return Capsule{};
  reader.check_keys(id, capsule_keys);
  return Capsule{need_number(reader, id, "radius"), need_number(reader, id, "length")};
}

Geometry read_cone(Reader& reader, NodeId id) {
  if (!reader.expect_map(id)) return Cone{};
  reader.check_keys(id, cone_keys);
  return Cone{need_number(reader, id, "radius"), reader.number_or(id, "top", 0.0),
              need_number(reader, id, "length")};
}

Geometry read_ring(Reader& reader, NodeId id) {
  if (!reader.expect_map(id)) return Ring{};
  reader.check_keys(id, ring_keys);
  return Ring{need_number(reader, id, "radius"), need_number(reader, id, "inner"),
              need_number(reader, id, "length")};
}

// ---- outlines

Extrusion::Loop read_loop(Reader& reader, NodeId id) {
  Extrusion::Loop loop;
  if (reader.tree()[id].kind != Kind::list) {
    reader.report(id, "must be a list of corners [x, y], got " + reader.describe(id));
    return loop;
  }
  for (const NodeId corner : reader.children(id)) {
    loop.push_back(reader.numbers<2>(corner, "numbers, x and y"));
    if (reader.is_reported_around(corner)) break;
  }
  return loop;
}

Geometry read_extrusion(Reader& reader, NodeId id) {
  Extrusion extrusion;
  if (!reader.expect_map(id)) return extrusion;
  reader.check_keys(id, extrusion_keys);
  extrusion.length = need_number(reader, id, "length");
  const NodeId outline = reader.need(id, "outline"), holes = reader.find(id, "holes");
  if (outline != no_node) extrusion.loops.push_back(read_loop(reader, outline));
  if (holes == no_node) return extrusion;
  if (reader.tree()[holes].kind != Kind::list) {
    reader.report(holes, "must be a list of outlines, got " + reader.describe(holes));
    return extrusion;
  }
  for (const NodeId hole : reader.children(holes)) {
    extrusion.loops.push_back(read_loop(reader, hole));
  }
  return extrusion;
}

// ---- meshes

// Each file is read once. Null after an error.
std::shared_ptr<const TriangleMesh> find_or_read_mesh(Reader& reader, NodeId id) {
  const std::string name = reader.text(id);
  if (reader.is_reported_around(id)) return nullptr;
  std::string path;
  try {
    path = find_table_file(std::filesystem::path(reader.file()).parent_path().string(),
                           reader.path_of(id, name), reader.allows_outside());
    if (const auto known = reader.meshes.find(path); known != reader.meshes.end()) {
      return known->second;
    }
    const MeshFile file = read_mesh_file(path, name, max_mesh_bytes - reader.mesh_bytes);
    reader.mesh_bytes += file.bytes;
    return reader.meshes[path] = file.mesh;
  } catch (const TableFileError& error) {
    reader.report(id, error.reason, error.hint);
  } catch (const MeshFileError& error) {
    reader.report_in_file(id, path, error.line, error.column, error.reason, error.hint);
  }
  return nullptr;
}

// `mesh: bracket.stl` or `mesh: {file: bracket.stl, scale: 0.001}`
Geometry read_mesh_shape(Reader& reader, NodeId id) {
  Mesh mesh;
  if (reader.tree()[id].kind == Kind::scalar) {
    mesh.surface = find_or_read_mesh(reader, id);
    return mesh;
  }
  if (reader.tree()[id].kind != Kind::map) {
    reader.report(id, "must be a file or {file: …, scale: …}, got " + reader.describe(id));
    return mesh;
  }
  reader.check_keys(id, mesh_keys);
  if (const NodeId file = reader.need(id, "file"); file != no_node) {
    mesh.surface = find_or_read_mesh(reader, file);
  }
  if (const NodeId scale = reader.find(id, "scale"); scale != no_node) {
    if (reader.tree()[scale].kind == Kind::list) {
      mesh.scale = reader.numbers<3>(scale, "numbers");
    } else {
      mesh.scale.fill(reader.number(scale));
    }
  }
  return mesh;
}

struct Form {
  std::string_view word;
  Geometry (*read)(Reader& reader, NodeId id);
};
constexpr Form forms[] = {{"box", read_box},
                          {"cylinder", read_cylinder},
                          {"sphere", read_sphere},
                          {"capsule", read_capsule},
                          {"cone", read_cone},
                          {"ring", read_ring},
                          {"extrusion", read_extrusion},
                          {"mesh", read_mesh_shape}};

}  // namespace

Geometry read_geometry(Reader& reader, NodeId shape) {
  const Form* chosen = nullptr;
  int given = 0;
  std::string words;
  for (const Form& form : forms) {
    const bool last = &form == std::end(forms) - 1;
    words += std::string(words.empty() ? "" : last ? " and " : ", ") + std::string(form.word);
    if (reader.find(shape, form.word) == no_node) continue;
    chosen = &form;
    ++given;
  }
  if (given == 1) return chosen->read(reader, reader.find(shape, chosen->word));
  if (!reader.is_reported_around(shape)) {
    reader.report(shape, fmt::format("must have one of {}, got {}", words, given));
  }
  return Box{};
}

}  // namespace trammel
