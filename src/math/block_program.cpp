// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Minimum-degree elimination of the block graph, and the list of operations that follows from it.
#include "math/block_program.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <tuple>

namespace trammel {

namespace {

// The elimination order and, for each block, the later blocks it is coupled with (fill included).
struct Elimination {
  std::vector<int> order;
  std::vector<std::vector<int>> later;
};

using Neighbours = std::vector<std::vector<int>>;  // sorted

Neighbours make_neighbours(int n, const std::vector<std::pair<int, int>>& edges) {
  Neighbours neighbours(n);
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

Elimination eliminate(const std::vector<int>& sizes, Neighbours neighbours) {
  const int n = static_cast<int>(sizes.size());
  std::vector<int> level(n, 0);
  const auto degree = [&](int p) {
    int rows = 0;
    for (int q : neighbours[p]) rows += sizes[q];
    return rows;
  };
  // candidates by (degree in rows, level, number): the number makes the order unique
  std::set<std::tuple<int, int, int>> queue;
  std::vector<int> current_degree(n);
  for (int p = 0; p < n; ++p) {
    current_degree[p] = degree(p);
    queue.emplace(current_degree[p], 0, p);
  }
  Elimination result;
  result.later.resize(n);
  while (!queue.empty()) {
    const int p = std::get<2>(*queue.begin());
    queue.erase(queue.begin());
    result.order.push_back(p);
    result.later[p] = std::move(neighbours[p]);
    // the remaining neighbours of p become a clique
    for (int q : result.later[p]) {
      queue.erase({current_degree[q], level[q], q});
      std::vector<int> merged;
      merged.reserve(neighbours[q].size() + result.later[p].size());
      std::set_union(neighbours[q].begin(), neighbours[q].end(), result.later[p].begin(),
                     result.later[p].end(), std::back_inserter(merged));
      std::erase_if(merged, [&](int s) { return s == p || s == q; });
      neighbours[q] = std::move(merged);
      level[q] = std::max(level[q], level[p] + 1);
      current_degree[q] = degree(q);
      queue.emplace(current_degree[q], level[q], q);
    }
  }
  return result;
}

}  // namespace

BlockProgram::Coupling BlockProgram::find_coupling(int a, int b) const {
  // stored with the block that is eliminated first; rows belong to the later one
  const bool a_first = position[a] < position[b];
  const int first = a_first ? a : b;
  const int last = a_first ? b : a;
  const auto& list = panels_[first];
  const auto it = std::lower_bound(
      list.begin(), list.end(), last,
      [&](const std::pair<int, int>& panel, int q) { return position[panel.first] < position[q]; });
  assert(it != list.end() && it->first == last);
  return {it->second, !a_first};
}

BlockProgram make_block_program(const std::vector<int>& sizes,
                                const std::vector<std::pair<int, int>>& edges) {
  using Kind = BlockProgram::Kind;
  using Operation = BlockProgram::Operation;
  const int n = static_cast<int>(sizes.size());
  Elimination elimination = eliminate(sizes, make_neighbours(n, edges));

  BlockProgram program;
  program.size = sizes;
  const auto differs = [&](int size) { return size != sizes.front(); };
  if (n > 0 && std::none_of(sizes.begin(), sizes.end(), differs)) program.uniform = sizes.front();
  program.row.resize(n);
  program.diagonal.resize(n);
  program.position.resize(n);
  program.panels_.resize(n);

  // where everything lives: vectors in the order given, values in the order of elimination
  for (int p = 0; p < n; ++p) {
    program.row[p] = program.n_rows;
    program.n_rows += sizes[p];
  }
  int offset = 0;
  for (int step = 0; step < n; ++step) {
    const int p = elimination.order[step];
    program.position[p] = step;
    program.diagonal[p] = offset;
    offset += sizes[p] * sizes[p];
  }
  program.n_diagonal_values = static_cast<std::size_t>(offset);
  for (int p : elimination.order) {
    auto& later = elimination.later[p];
    std::sort(later.begin(), later.end(),
              [&](int a, int b) { return program.position[a] < program.position[b]; });
    for (int q : later) {
      program.panels_[p].emplace_back(q, offset);
      offset += sizes[q] * sizes[p];
    }
  }
  program.n_values = static_cast<std::size_t>(offset);

  const auto byte = [&](int block) { return static_cast<unsigned char>(sizes[block]); };
  for (int p : elimination.order) {
    const auto& panels = program.panels_[p];
    const Operation factor{Kind::factor, byte(p), 0, 0, program.row[p], 0, program.diagonal[p],
                           0, 0, 0, 0};
    program.factor.push_back(factor);
    program.forward.push_back(factor);
    for (const auto& [q, panel] : panels) {
      const Operation op{Kind::panel, byte(p), byte(q), 0, program.row[p], program.row[q],
                         program.diagonal[p], program.diagonal[q], panel, 0, 0};
      program.factor.push_back(op);
      program.forward.push_back(op);
    }
    for (std::size_t a = 0; a < panels.size(); ++a) {
      for (std::size_t b = a + 1; b < panels.size(); ++b) {
        const auto [q, panel_q] = panels[a];
        const auto [s, panel_s] = panels[b];
        program.factor.push_back({Kind::cross, byte(p), byte(q), byte(s), program.row[p],
                                  program.row[q], program.diagonal[p], program.diagonal[q], panel_q,
                                  panel_s, program.find_coupling(q, s).offset});
      }
    }
  }
  for (auto* list : {&program.factor, &program.forward}) {
    for (Operation& op : *list) op.kernel = kernel_index(static_cast<int>(op.kind), op.m, op.n);
  }
  program.backward.assign(program.forward.rbegin(), program.forward.rend());
  return program;
}

}  // namespace trammel
