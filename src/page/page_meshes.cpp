// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "page/page_meshes.hpp"

#include "format/json_fields.hpp"

namespace trammel {

int PageMeshes::add(const std::shared_ptr<const TriangleMesh>& surface) {
  const auto [at, is_new] = known_.emplace(surface, static_cast<int>(meshes_.size()));
  if (!is_new) return at->second;
  Entry entry{surface ? surface->file : "", surface ? pack_mesh(*surface) : PackedMesh{}};
  // runs that were read from files have meshes of their own
  for (std::size_t k = 0; k < meshes_.size(); ++k) {
    const PackedMesh& other = meshes_[k].packed;
    if (meshes_[k].file == entry.file && other.low == entry.packed.low &&
        other.points == entry.packed.points && other.triangles == entry.packed.triangles) {
      return at->second = static_cast<int>(k);
    }
  }
  const std::string name = std::to_string(meshes_.size());
  block_.add_u16("points_" + name, entry.packed.points);
  if (entry.packed.points.size() / 3 <= 65536) {
    const auto& triangles = entry.packed.triangles;
    block_.add_u16("triangles_" + name,
                   std::vector<std::uint16_t>(triangles.begin(), triangles.end()));
  } else {
    block_.add_u32("triangles_" + name, entry.packed.triangles);
  }
  meshes_.push_back(std::move(entry));
  return at->second;
}

void PageMeshes::add_head(JsonWriter& json) const {
  json.key("meshes");
  json.open_array();
  for (std::size_t k = 0; k < meshes_.size(); ++k) {
    json.open_object();
    add_string(json, "file", meshes_[k].file);
    add_numbers(json, "low", meshes_[k].packed.low);
    add_numbers(json, "step", meshes_[k].packed.step);
    for (std::size_t part = 0; part < 2; ++part) {
      const DataBlock::Entry& array = block_.entries()[2 * k + part];
      json.key(part == 0 ? "points" : "triangles");
      json.open_object();
      add_string(json, "type", array.type);
      add_integer(json, "offset", static_cast<std::int64_t>(array.offset));
      add_integer(json, "length", static_cast<std::int64_t>(array.length));
      json.close_object();
    }
    json.close_object();
  }
  json.close_array();
}

}  // namespace trammel
