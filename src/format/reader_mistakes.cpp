// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The errors found in one file: each with its place, at most one per node, in the order of the file.
#include <algorithm>
#include <tuple>

#include "format/reader.hpp"
#include "model/check_parts.hpp"

namespace trammel {
namespace {

constexpr unsigned char here = 1;
constexpr unsigned char below = 2;

}  // namespace

void Reader::record(NodeId id, Mistake mistake) {
  if (id != no_node) {
    if (is_reported(id)) return;
    state_[id] |= here;
    for (NodeId up = tree_[id].parent; up != no_node && (state_[up] & below) == 0;
         up = tree_[up].parent) {
      state_[up] |= below;
    }
  }
  int line = mistake.line, column = mistake.column;
  if (mistake.file.empty()) {
    mistake.file = tree_.files()[id == no_node ? 0 : tree_.file_of(id)].name;
  } else {
    line = static_cast<int>(tree_[id].line);
    column = static_cast<int>(tree_[id].column);
  }
  const std::size_t file = id == no_node ? 0 : tree_.file_of(id);
  mistakes_.push_back({std::move(mistake), line, column, mistakes_.size(), file});
  if (mistakes_.size() >= most_mistakes) throw TooManyMistakes();
}

void Reader::report(NodeId id, const std::string& reason, const std::string& hint) {
  report_at(id, 0, reason, hint);
}

void Reader::report_key(NodeId id, const std::string& reason, const std::string& hint) {
  if (is_reported(id)) return;
  report_found(id, true, tree_.path(id), reason, hint);
}

void Reader::report_at(NodeId id, std::size_t offset, const std::string& reason,
                       const std::string& hint) {
  if (is_reported(id)) return;
  const YamlNode& node = tree_[id];
  record(id,
         {"", static_cast<int>(node.line), static_cast<int>(node.column + calc_shift(id, offset)),
          tree_.path(id), reason, hint});
}

// From an offset within a scalar's text to columns of the file; 0 where that is not known.
std::size_t Reader::calc_shift(NodeId id, std::size_t offset) const {
  const YamlNode& node = tree_[id];
  // the offset within the text is one within the file unless the text was folded or escaped
  const std::string_view source = tree_.files()[tree_.file_of(id)].source;
  const bool quoted =
      node.offset < source.size() && (source[node.offset] == '"' || source[node.offset] == '\'');
  const std::size_t start = node.offset + (quoted ? 1 : 0);
  const bool literal = node.kind == YamlNode::Kind::scalar && start < source.size() &&
                       source.substr(start, node.text_size) == tree_.text(id);
  return literal && offset > 0 ? offset + (quoted ? 1 : 0) : 0;
}

void Reader::report_found(NodeId id, bool at_key, const std::string& path,
                          const std::string& reason, const std::string& hint, std::size_t offset) {
  const NodeId place = at_key && tree_[id].key != no_node ? tree_[id].key : id;
  // a text with <k> in it was another one where the error was found
  const bool replaced = tree_[id].kind == YamlNode::Kind::scalar &&
                        tree_.text(id).find('<') != std::string_view::npos;
  const std::size_t shift = place == id && !replaced ? calc_shift(id, offset) : 0;
  record(id, {"", static_cast<int>(tree_[place].line),
              static_cast<int>(tree_[place].column + shift), path, reason, hint});
}

void Reader::report_in_file(NodeId id, const std::string& file, int line, int column,
                            const std::string& reason, const std::string& hint) {
  record(id, {file, line, column, tree_.path(id), reason, hint});
}

void Reader::report_override(const std::string& setting, const std::string& reason,
                             const std::string& hint) {
  mistakes_.push_back({{"--set " + setting, 0, 0, "", reason, hint}, 0, 0, mistakes_.size(), 0});
  if (mistakes_.size() >= most_mistakes) throw TooManyMistakes();
}

void Reader::report_outside(const std::string& path, const std::string& reason,
                            const std::string& hint) {
  record(no_node, {"", 0, 0, path, reason, hint});
}

bool Reader::is_reported_around(NodeId id) const {
  if (state_[id] != 0) return true;
  for (; id != no_node; id = tree_[id].parent) {
    if (is_reported(id)) return true;
    if (tree_[id].key != no_node && is_reported(tree_[id].key)) return true;
  }
  return false;
}

std::vector<Mistake> Reader::take_mistakes() {
  const auto place = [](const Recorded& r) {
    return std::tuple(r.file, r.line, r.column, r.order);
  };
  std::sort(mistakes_.begin(), mistakes_.end(),
            [&](const Recorded& a, const Recorded& b) { return place(a) < place(b); });
  std::vector<Mistake> result;
  for (auto& recorded : mistakes_) result.push_back(std::move(recorded.mistake));
  if (result.size() >= most_mistakes) {
    result.push_back(
        {file(), 0, 0, "", "too many errors; the rest of the file was not checked", ""});
  }
  mistakes_.clear();
  return result;
}

}  // namespace trammel
