// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// `repeat`: the ranges of its indices, and the loop over them with the indices as variables.
#include "format/repeat.hpp"

#include <fmt/format.h>

#include <cmath>

#include "format/names.hpp"

namespace trammel {
namespace {

struct Index {
  std::string name;
  double first = 1;
  double last = 0;
};

// `N` is 1 … N, `[first, last]` both ends included; last = first − 1 is an empty range.
Index read_index(Reader& reader, NodeId id) {
  Index index;
  index.name = reader.tree().key_text(id);
  if (!is_identifier(index.name) || is_reserved_name(index.name)) {
    reader.report_key(id, "cannot be the name of an index", "use a word like k");
  } else if (reader.variables.find(index.name) >= 0) {
    reader.report_key(id, "there is a parameter of this name; choose another for the index");
  }
  if (reader.tree()[id].kind == YamlNode::Kind::list) {
    if (!reader.expect_list(id, 2, "numbers, the first and the last index")) return index;
    const auto ends = reader.children(id);
    index.first = reader.integer(ends[0]);
    index.last = reader.integer(ends[1]);
  } else {
    index.last = reader.integer(id);
  }
  if (index.last < index.first - 1 && !reader.is_reported_around(id)) {
    reader.report(id,
                  fmt::format("runs from {} to {}, which is backwards", index.first, index.last));
  }
  return index;
}

// The ranges, empty after a mistake.
std::vector<Index> read_repeat(Reader& reader, NodeId id) {
  if (!reader.expect_map(id)) return {};
  const auto children = reader.children(id);
  if (children.empty() || children.size() > max_repeat_indices) {
    reader.report(
        id, fmt::format("must name one to {} indices, got {}", max_repeat_indices, children.size()),
        "write repeat: {k: 10}");
    return {};
  }
  std::vector<Index> indices;
  double count = 1;
  for (const NodeId child : children) {
    indices.push_back(read_index(reader, child));
    count *= std::max(0.0, indices.back().last - indices.back().first + 1);
  }
  if (reader.is_reported_around(id) || !reader.claim_parts(id, count)) return {};
  return indices;
}

double calc_count(const std::vector<Index>& indices) {
  double count = 1;
  for (const auto& index : indices) count *= index.last - index.first + 1;
  return count;
}

// Steps to the next combination, the last index fastest; false after the last one.
bool advance(const std::vector<Index>& indices, double* values) {
  for (std::size_t i = indices.size(); i-- > 0;) {
    if (++values[i] <= indices[i].last) return true;
    values[i] = indices[i].first;
  }
  return false;
}

void read_repeated(Reader& reader, NodeId entry, NodeId repeat,
                   const std::function<void(std::size_t)>& prepare,
                   const std::function<void(NodeId, std::string&&)>& read) {
  const std::vector<Index> indices = read_repeat(reader, repeat);
  if (indices.empty()) return;
  const double count = calc_count(indices);
  if (count == 0) return;
  const NodeId key = reader.tree()[entry].key;
  if (count > 1 && reader.tree().text(key).find('<') == std::string_view::npos) {
    reader.report_key(entry, "is repeated, so its name must contain the index",
                      fmt::format("'{}_<{}>'", reader.tree().text(key), indices.back().name));
    return;
  }
  prepare(static_cast<std::size_t>(count));

  const std::size_t base = reader.values.size();
  for (const auto& index : indices) {
    reader.variables.add(index.name);
    reader.values.push_back(index.first);
  }
  const bool was_repeated = reader.is_repeated(), was_first = reader.is_first();
  reader.set_repeated(true);
  std::optional<NamedValues> let;
  if (const NodeId id = reader.find(entry, "let"); id != no_node) {
    let.emplace(reader, id, NamedValues::Of::let);
  }
  do {
    if (let) let->evaluate();
    read(entry, reader.part_name(key));
    if (let) let->remove();
    reader.set_first(false);
    // one error is enough: the next value of the index would bring the same again
  } while (!reader.is_full() && !reader.is_reported(key) && !reader.is_reported_around(entry) &&
           advance(indices, reader.values.data() + base));
  reader.set_first(was_first);
  reader.set_repeated(was_repeated);
  reader.values.resize(base);
  for (std::size_t i = 0; i < indices.size(); ++i) reader.variables.remove_last();
}

}  // namespace

bool Reader::claim_parts(NodeId id, double count) {
  if (parts_ + count <= static_cast<double>(max_parts)) {
    parts_ += count;
    return true;
  }
  report(id, fmt::format("gives {} bodies, joints and forces in total; at most {} are allowed",
                         parts_ + count, max_parts));
  full_ = true;
  return false;
}

bool Reader::claim_shape(NodeId id) {
  if (++shapes_ <= max_shapes) return true;
  report(id, fmt::format("gives more than {} shapes in total", max_shapes));
  full_ = true;
  return false;
}

void expand_section(Reader& reader, NodeId section, const std::function<void(std::size_t)>& prepare,
                    const std::function<void(NodeId, std::string&&)>& read) {
  if (reader.tree()[section].kind == YamlNode::Kind::null) return;
  if (!reader.expect_map(section)) return;
  prepare(reader.tree()[section].child_count);
  for (const NodeId entry : reader.children(section)) {
    const NodeId repeat = reader.find(entry, "repeat");
    if (repeat != no_node) {
      read_repeated(reader, entry, repeat, prepare, read);
    } else if (reader.claim_parts(entry, 1)) {
      with_let(reader, entry, [&] { read(entry, reader.part_name(reader.tree()[entry].key)); });
    }
    if (reader.is_full()) return;
  }
}

}  // namespace trammel
