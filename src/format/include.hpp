// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `include`: other model files as parts of this one, each with values for its parameters and a prefix for
// its names:
//
//   leg_<k>: {repeat: {k: 6}, file: leg.yaml, parameters: {base: …}, connect: {platform: deck}}
//
// A file that is included several times is parsed once. All of them are read section by section, each
// in its own scope.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "format/names.hpp"
#include "format/reader.hpp"

namespace trammel {

inline constexpr std::size_t max_include_depth = 16;
inline constexpr std::size_t max_instances = 20'000;           // of included files
inline constexpr std::size_t max_included_nodes = 20'000'000;  // of all files, as often as included

class Includes {
 public:
  // `files`: texts by name in the model itself, or no_node; then files are looked for in its folder.
  Includes(YamlTree& tree, Reader& reader, NodeId files, int dimension);

  // The instances of the file that is in scope, and of those they include.
  void add(NodeId section);

  // Calls `read(root)` for each file in its scope, the model first.
  template <class Read>
  void for_each(Read read) {
    read(YamlTree::root);
    for (std::size_t k = 0; k < instances_.size() && !reader_.is_full(); ++k) {
      enter(instances_[k]);
      read(instances_[k].root);
      leave(instances_[k]);
    }
  }
  std::vector<NodeId> roots() const;  // of the model and of each file, once
  void report_unused();

  // The texts of all files that were included, as the section `files`; empty where there are none, or
  // where the model has them.
  std::vector<std::pair<std::string, std::string>> list_texts() const;

 private:
  struct Scope {
    VariableNames variables;
    std::vector<double> values;
    Unit length_unit;
    Reader::Names names;
  };
  struct Instance {
    NodeId entry, root;
    std::size_t parent;  // index + 1; 0: the model
    std::string file;    // relative to the folder of the model
    Scope scope;
  };

  void enter(Instance& instance) { swap(instance); }
  void leave(Instance& instance) { swap(instance); }
  void swap(Instance& instance);
  void add_instance(NodeId entry, std::string&& prefix);
  bool check_chain(NodeId id, const std::string& file);
  NodeId find_or_load(NodeId id, const std::string& file);
  NodeId load(NodeId id, const std::string& file, const std::string& path, const std::string& text);
  bool check_file(NodeId root);
  bool fill_scope(NodeId entry, NodeId root, Scope& scope);
  std::vector<std::pair<std::string, NamedValues::Given>> read_parameters(NodeId entry);
  void read_connect(NodeId entry, Reader::Names& names);
  void list_words(NodeId root, Reader::Names& names) const;

  YamlTree& tree_;
  Reader& reader_;
  NodeId files_;
  int dimension_;
  std::size_t current_ = 0;  // index + 1 of the instance in scope
  std::size_t nodes_ = 0;
  std::vector<Instance> instances_;
  std::unordered_map<std::string, NodeId> loaded_;
  std::vector<std::pair<std::string, std::string>> texts_;  // of files from the disk
};

}  // namespace trammel
