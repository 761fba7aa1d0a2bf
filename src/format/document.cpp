// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "trammel/document.hpp"

#include <charconv>
#include <cmath>

#include "format/json_writer.hpp"
#include "format/yaml_tree.hpp"

namespace trammel {

namespace {

class DocumentWriter {
 public:
  DocumentWriter(const YamlTree& tree, const std::string& source) : tree_(tree), source_(source) {}

  void write(NodeId id) {
    switch (tree_[id].kind) {
      case YamlNode::Kind::null: json_.number(std::nan("")); break;
      case YamlNode::Kind::scalar: write_scalar(id); break;
      case YamlNode::Kind::list:
        json_.open_array();
        for_each_child(id, [&](NodeId child) { write(child); });
        json_.close_array();
        break;
      case YamlNode::Kind::map:
        json_.open_object();
        for_each_child(id, [&](NodeId child) {
          json_.key(tree_.key_text(child));
          write(child);
        });
        json_.close_object();
        break;
    }
  }
  std::string take() { return json_.text(); }

 private:
  template <class Use>
  void for_each_child(NodeId id, Use&& use) {
    for (NodeId child = tree_[id].first_child; child != no_node;
         child = tree_[child].next_sibling) {
      use(child);
    }
  }

  // A word without quotes may be a number or a truth value.
  void write_scalar(NodeId id) {
    const std::string_view text = tree_.text(id);
    const char first = source_[tree_[id].offset];
    if (first == '"' || first == '\'' || first == '|' || first == '>') return json_.string(text);
    if (text == "true" || text == "false") return json_.boolean(text == "true");
    std::int64_t whole = 0;
    const char *const begin = text.data(), *const end = begin + text.size();
    if (auto read = std::from_chars(begin, end, whole); read.ptr == end && read.ec == std::errc()) {
      return json_.integer(whole);
    }
    double number = 0.0;
    if (auto read = std::from_chars(begin, end, number);
        read.ptr == end && read.ec == std::errc() && std::isfinite(number)) {
      return json_.number(number);
    }
    json_.string(text);
  }

  const YamlTree& tree_;
  const std::string& source_;
  JsonWriter json_;
};

}  // namespace

std::string to_json_text(const std::string& text, const std::string& name) {
  const YamlTree tree(text, name);
  DocumentWriter writer(tree, text);
  writer.write(YamlTree::root);
  return writer.take();
}

}  // namespace trammel
