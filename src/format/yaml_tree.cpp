// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Events of the YAML parser into YamlTree.
#include "format/yaml_tree.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "format/source_text.hpp"

namespace trammel {
namespace {

[[noreturn]] void fail(const std::string& file, const YAML::Mark& mark, const std::string& path,
                       const std::string& reason, const std::string& hint = {}) {
  throw ModelError({Mistake{file, mark.line + 1, mark.column + 1, path, reason, hint}});
}

// A line that begins with blanks and tabs, at an error that the parser found in it or in the next.
void report_tab(std::string_view source, const std::string& file, int error_line) {
  int line = 0;
  for (std::size_t start = 0; start < source.size() && line <= error_line; ++line) {
    const std::size_t end = std::min(source.find('\n', start), source.size());
    const std::string_view blanks =
        source.substr(start, std::min(source.find_first_not_of(" \t", start), end) - start);
    const std::size_t tab = blanks.find('\t');
    if (tab != std::string_view::npos && line >= error_line - 1) {
      throw ModelError({Mistake{file, line + 1, static_cast<int>(tab) + 1, "",
                                "a tab in the indentation", "YAML is indented with spaces only"}});
    }
    start = end + 1;
  }
}

}  // namespace

// Keeps the stack of open lists and maps; in a map, scalars alternate between key and value.
class YamlTreeBuilder : public YAML::EventHandler {
 public:
  YamlTreeBuilder(YamlTree& tree, std::string file) : tree_(tree), file_(std::move(file)) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) fail(file_, mark, "", "a second document starts here", one_document);
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(YamlNode::Kind::null, mark, "", anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { fail_anchor(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    const NodeId id = add(YamlNode::Kind::scalar, mark, tag, anchor);
    tree_.nodes_[id].text_begin = static_cast<std::uint32_t>(tree_.texts_.size());
    tree_.nodes_[id].text_size = static_cast<std::uint32_t>(value.size());
    tree_.texts_ += value;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::list, mark, tag, anchor);
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override {
    find_duplicates(open_.back().id);
    open_.pop_back();
  }

 private:
  struct Open {
    NodeId id;
    NodeId last_child = no_node;
    NodeId key = no_node;  // map: the key whose value comes next
  };
  static constexpr const char* one_document = "a model file holds one document";

  [[noreturn]] void fail_anchor(const YAML::Mark& mark) const {
    fail(file_, mark, here(), "anchors and aliases are not supported", "use parameters or repeat");
  }

  std::string here() const {
    return open_.empty()
               ? std::string()
               : tree_.path(open_.back().key != no_node ? open_.back().key : open_.back().id);
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    if (open_.size() >= static_cast<std::size_t>(max_nesting)) {
      fail(file_, mark, "",
           "lists and maps are nested more than " + std::to_string(max_nesting) + " deep");
    }
    const NodeId id = add(kind, mark, tag, anchor);
    open_.push_back({id});
  }

  NodeId add(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
             YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) fail_anchor(mark);
    if (!tag.empty() && tag != "?" && tag != "!") {
      fail(file_, mark, here(), "tags are not supported, got '" + tag + "'");
    }
    if (tree_.nodes_.size() >= max_nodes) {
      fail(file_, mark, "", "more than " + std::to_string(max_nodes) + " values in one file",
           "describe regular parts with repeat");
    }
    const auto id = static_cast<NodeId>(tree_.nodes_.size());
    YamlNode node;
    node.kind = kind;
    node.line = static_cast<std::uint32_t>(mark.line + 1);
    node.column = static_cast<std::uint32_t>(mark.column + 1);
    node.offset = static_cast<std::uint32_t>(mark.pos);
    tree_.nodes_.push_back(node);
    if (!open_.empty()) link(id, mark);
    return id;
  }

  // Hangs a new node under the innermost open list or map.
  void link(NodeId id, const YAML::Mark& mark) {
    Open& top = open_.back();
    YamlNode& parent = tree_.nodes_[top.id];
    YamlNode& node = tree_.nodes_[id];
    node.parent = top.id;
    if (parent.kind == YamlNode::Kind::map) {
      if (top.key == no_node) {
        top.key = id;
        return;
      }
      // reported only now: an unclosed bracket looks like a key until the parser finds it out
      if (tree_.nodes_[top.key].kind != YamlNode::Kind::scalar) {
        fail(file_, mark, tree_.path(top.id), "the key of this value must be a word");
      }
      node.key = top.key;
      top.key = no_node;
    }
    if (top.last_child == no_node) {
      parent.first_child = id;
    } else {
      tree_.nodes_[top.last_child].next_sibling = id;
    }
    top.last_child = id;
    ++parent.child_count;
  }

  void find_duplicates(NodeId map) {
    if (tree_.nodes_[map].child_count < 2) return;
    std::unordered_set<std::string_view> seen;
    for (NodeId id = tree_.nodes_[map].first_child; id != no_node;
         id = tree_.nodes_[id].next_sibling) {
      if (!seen.insert(tree_.key_text(id)).second) tree_.duplicates_.push_back(id);
    }
  }

  YamlTree& tree_;
  std::string file_;
  std::vector<Open> open_;
  int documents_ = 0;
};

YamlTree::YamlTree(std::string_view source, const std::string& file) { add_file(source, file); }

NodeId YamlTree::add_file(std::string_view source, const std::string& file) {
  check_source_text(source, file);
  const auto first = static_cast<NodeId>(nodes_.size());
  files_.push_back({first, file, std::string(source)});
  YamlTreeBuilder builder(*this, file);
  try {
    std::istringstream stream{std::string(source)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    report_tab(source, file, error.mark.line);
    fail(file, error.mark, "", "not YAML: " + error.msg);
  }
  const std::size_t size = nodes_.size() - first;
  if (size == 0 || (size == 1 && nodes_[first].kind == YamlNode::Kind::null)) {
    throw ModelError({Mistake{file, 0, 0, "", "the file is empty",
                              "it should start with "
                              "'trammel: 1'"}});
  }
  return first;
}

std::size_t YamlTree::file_of(NodeId id) const {
  const auto later =
      std::upper_bound(files_.begin(), files_.end(), id,
                       [](NodeId node, const File& file) { return node < file.root; });
  return static_cast<std::size_t>(later - files_.begin()) - 1;
}

std::string_view YamlTree::text(NodeId id) const {
  return std::string_view(texts_).substr(nodes_[id].text_begin, nodes_[id].text_size);
}

std::string_view YamlTree::key_text(NodeId id) const {
  return nodes_[id].key == no_node ? std::string_view() : text(nodes_[id].key);
}

NodeId YamlTree::find(NodeId map, std::string_view key) const {
  if (nodes_[map].kind != YamlNode::Kind::map) return no_node;
  for (NodeId id = nodes_[map].first_child; id != no_node; id = nodes_[id].next_sibling) {
    if (key_text(id) == key) return id;
  }
  return no_node;
}

std::string YamlTree::path(NodeId id) const {
  std::vector<std::string> parts;  // from the node up to the root
  for (; id != no_node && nodes_[id].parent != no_node; id = nodes_[id].parent) {
    const YamlNode& parent = nodes_[nodes_[id].parent];
    if (parent.kind == YamlNode::Kind::map) {
      // a key is identified by itself, a value by its key
      parts.push_back("." + std::string(nodes_[id].key == no_node ? text(id) : key_text(id)));
    } else {
      int index = 0;
      for (NodeId k = parent.first_child; k != id && k != no_node; k = nodes_[k].next_sibling) {
        ++index;
      }
      parts.push_back("[" + std::to_string(index) + "]");
    }
  }
  std::string path;
  std::reverse(parts.begin(), parts.end());
  for (const auto& part : parts) path += part;
  return path.empty() || path[0] == '[' ? path : path.substr(1);
}

YamlPlace YamlTree::descend(NodeId id, std::string_view path) const {
  while (!path.empty()) {
    NodeId next = no_node;
    if (path[0] == '[') {
      const std::size_t close = path.find(']');
      const int index = std::stoi(std::string(path.substr(1, close - 1)));
      path.remove_prefix(close + 1);
      if (nodes_[id].kind != YamlNode::Kind::list) return {id, false};
      next = nodes_[id].first_child;
      for (int i = 0; i < index && next != no_node; ++i) next = nodes_[next].next_sibling;
    } else {
      if (path[0] == '.') path.remove_prefix(1);
      const YamlNode& node = nodes_[id];
      if (node.kind == YamlNode::Kind::list && node.child_count == 1) id = node.first_child;
      const std::string_view key = path.substr(0, path.find_first_of(".["));
      path.remove_prefix(key.size());
      next = find(id, key);
    }
    if (next == no_node) return {id, false};
    id = next;
  }
  return {id, true};
}

}  // namespace trammel
