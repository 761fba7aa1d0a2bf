// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The text of a YAML (or JSON) file as a compact tree that remembers the place of every node.
// Built from the parser's events: 44 bytes per node, much less than the parser's own tree.
//
// Refused, with a reason: more than one document, anchors and aliases, tags, text that is not
// UTF-8, and anything over the limits below. Within them, the parser needs at most about 2 GB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/error.hpp"

namespace trammel {

inline constexpr std::size_t max_file_size = 8u << 20;  // bytes
inline constexpr std::size_t max_nodes = 2'000'000;     // keys, values, lists and maps
inline constexpr int max_nesting = 64;                  // lists and maps within each other

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xFFFFFFFF;

struct YamlNode {
  enum class Kind : std::uint8_t { null, scalar, list, map };
  Kind kind = Kind::null;
  std::uint32_t line = 0;        // from 1
  std::uint32_t column = 0;      // from 1
  std::uint32_t offset = 0;      // of its first byte in the source
  std::uint32_t text_begin = 0;  // scalar: its text in YamlTree's buffer
  std::uint32_t text_size = 0;
  NodeId parent = no_node;
  NodeId key = no_node;          // value in a map: its key, a scalar
  NodeId first_child = no_node;  // list: elements; map: values
  NodeId next_sibling = no_node;
  std::uint32_t child_count = 0;
};

struct YamlPlace {
  NodeId id;
  bool whole;  // the path was found to its end
};

class YamlTree {
 public:
  // `file`: the name of the file in messages. Throws ModelError.
  YamlTree(std::string_view source, const std::string& file);

  static constexpr NodeId root = 0;

  // One more file, in the same numbering of nodes; its root. The limits hold for all files together.
  NodeId add_file(std::string_view source, const std::string& file);
  struct File {
    NodeId root;
    std::string name, source;
  };
  const std::vector<File>& files() const { return files_; }
  std::size_t file_of(NodeId id) const;  // index into files()

  const YamlNode& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }
  std::string_view text(NodeId id) const;               // of a scalar
  std::string_view key_text(NodeId id) const;           // of a value in a map
  NodeId find(NodeId map, std::string_view key) const;  // the value, or no_node

  // "bodies.crank.position[2]"
  std::string path(NodeId id) const;

  // Follows "shape[1].density" from a node as far as the file has it; a list of one counts as its element.
  YamlPlace descend(NodeId id, std::string_view path) const;

  // Duplicate keys of a map: the second value. All other errors throw.
  const std::vector<NodeId>& duplicates() const { return duplicates_; }

 private:
  friend class YamlTreeBuilder;
  std::vector<File> files_;
  std::vector<YamlNode> nodes_;
  std::string texts_;  // of all scalars
  std::vector<NodeId> duplicates_;
};

}  // namespace trammel
