// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The meshes of a page: each once, however many bodies and runs show it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "format/json_writer.hpp"
#include "math/packed_mesh.hpp"
#include "page/data_block.hpp"

namespace trammel {

class PageMeshes {
 public:
  // Its number, from 0.
  int add(const std::shared_ptr<const TriangleMesh>& surface);

  bool is_empty() const { return meshes_.empty(); }
  void add_head(JsonWriter& json) const;  // the list `meshes`
  const DataBlock& block() const { return block_; }

 private:
  struct Entry {
    std::string file;
    PackedMesh packed;
  };
  std::map<std::shared_ptr<const TriangleMesh>, int> known_;
  std::vector<Entry> meshes_;
  DataBlock block_;
};

}  // namespace trammel
