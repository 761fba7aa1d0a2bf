// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The entries of a section, with those that say `repeat` read once for each value of their indices:
//
//   link_<k>: {repeat: {k: 100}, position: [0.1*k, 0, 0], …}        k = 1 … 100
//   pin_<k>:  {repeat: {k: [2, 100]}, bodies: [link_<k-1>, link_<k>], …}
//   node_<i>_<j>: {repeat: {i: 10, j: 20}, …}                       the last index runs fastest
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "format/reader.hpp"

namespace trammel {

inline constexpr std::size_t max_repeat_indices = 4;

// Calls `read(entry, name)` for every part of the section; `prepare(count)` comes before each
// group.
void expand_section(Reader& reader, NodeId section, const std::function<void(std::size_t)>& prepare,
                    const std::function<void(NodeId, std::string&&)>& read);

// The same into a vector: `read(entry, part)` fills a part that has its name; `entries` gets the
// node each part came from.
template <class Part, class Read>
void read_section(Reader& reader, NodeId section, std::vector<Part>& parts,
                  std::vector<NodeId>& entries, Read read) {
  const auto prepare = [&](std::size_t count) {
    const std::size_t wanted = parts.size() + count;
    if (wanted <= parts.capacity()) return;
    parts.reserve(std::max(wanted, 2 * parts.size()));
    entries.reserve(std::max(wanted, 2 * parts.size()));
  };
  expand_section(reader, section, prepare, [&](NodeId entry, std::string&& name) {
    parts.emplace_back();
    entries.push_back(entry);
    parts.back().name = std::move(name);
    if (reader.expect_map(entry)) read(entry, parts.back());
  });
}

}  // namespace trammel
