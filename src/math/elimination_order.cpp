// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Minimum degree, the symbolic elimination, and the choice. Nested dissection:
// nested_dissection.cpp.
#include "math/elimination_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace trammel {

namespace {

// Multiplications a row below which another order has nothing to win: a tree of hinges has 160, a
// net of 40 bars 330.
constexpr double work_without_fill = 300.0;

}  // namespace

BlockGraph make_block_graph(int n_blocks, const std::vector<std::pair<int, int>>& edges) {
  std::vector<int> begin(n_blocks + 1, 0);
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    ++begin[a + 1];
    ++begin[b + 1];
  }
  for (int p = 0; p < n_blocks; ++p) begin[p + 1] += begin[p];
  std::vector<int> neighbour(begin[n_blocks]), end(begin.begin(), begin.end() - 1);
  for (const auto& [a, b] : edges) {
    if (a == b) continue;
    neighbour[end[a]++] = b;
    neighbour[end[b]++] = a;
  }
  // sorted, each once
  BlockGraph graph;
  graph.begin.reserve(n_blocks + 1);
  graph.begin.push_back(0);
  for (int p = 0; p < n_blocks; ++p) {
    const auto first = neighbour.begin() + begin[p], last = neighbour.begin() + begin[p + 1];
    std::sort(first, last);
    graph.neighbour.insert(graph.neighbour.end(), first, std::unique(first, last));
    graph.begin.push_back(static_cast<int>(graph.neighbour.size()));
  }
  return graph;
}

std::vector<int> order_by_minimum_degree(const std::vector<int>& sizes, const BlockGraph& graph,
                                         const Predecessors& after) {
  const int n = graph.n_blocks();
  // who waits for a block, and for how many a block waits
  std::vector<std::vector<int>> followers(after.size());
  std::vector<int> waits(n, 0);
  for (std::size_t p = 0; p < after.size(); ++p) {
    for (int q : after[p]) followers[q].push_back(static_cast<int>(p));
    waits[p] = static_cast<int>(after[p].size());
  }
  std::vector<std::vector<int>> neighbours(n);  // of those not yet eliminated, sorted
  std::vector<int> degree(n), level(n, 0);
  // candidates by (degree in rows, level, number): the number makes the order unique. A candidate
  // whose degree or level has changed since is in the queue again; the old entry is passed over.
  using Candidate = std::tuple<int, int, int>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto add_candidate = [&](int p) {
    degree[p] = 0;
    for (int q : neighbours[p]) degree[p] += sizes[q];
    if (waits[p] == 0) queue.emplace(degree[p], level[p], p);
  };
  for (int p = 0; p < n; ++p) {
    neighbours[p].assign(graph.neighbour.begin() + graph.begin[p],
                         graph.neighbour.begin() + graph.begin[p + 1]);
    add_candidate(p);
  }
  constexpr int eliminated = -1;
  std::vector<int> order, merged;
  order.reserve(n);
  while (!queue.empty()) {
    const auto [degree_p, level_p, p] = queue.top();
    queue.pop();
    if (degree_p != degree[p] || level_p != level[p]) continue;
    order.push_back(p);
    degree[p] = eliminated;
    // the remaining neighbours of p become a clique
    const std::vector<int> clique = std::move(neighbours[p]);
    for (int q : clique) {
      merged.clear();
      std::set_union(neighbours[q].begin(), neighbours[q].end(), clique.begin(), clique.end(),
                     std::back_inserter(merged));
      std::erase_if(merged, [&, p = p](int s) { return s == p || s == q; });
      neighbours[q].assign(merged.begin(), merged.end());
      level[q] = std::max(level[q], level[p] + 1);
      add_candidate(q);
    }
    if (followers.empty()) continue;
    for (int q : followers[p]) {
      if (--waits[q] == 0) queue.emplace(degree[q], level[q], q);
    }
  }
  return order;
}

// The blocks coupled with p when its turn comes: its later neighbours in the graph, and those of
// its children in the elimination tree.
Elimination eliminate(const std::vector<int>& sizes, const BlockGraph& graph,
                      std::vector<int> order) {
  const int n = graph.n_blocks();
  Elimination result;
  result.order = std::move(order);
  result.position.resize(n);
  for (int step = 0; step < n; ++step) result.position[result.order[step]] = step;
  result.begin.reserve(n + 1);
  result.begin.push_back(0);
  std::vector<int> first_child(n, -1), next_child(n, -1), seen(n, -1);
  for (int step = 0; step < n; ++step) {
    const int block = result.order[step];
    const auto add = [&](int later) {
      if (later <= step || seen[later] == step) return;
      seen[later] = step;
      result.later.push_back(later);
    };
    for (int k = graph.begin[block]; k < graph.begin[block + 1]; ++k) {
      add(result.position[graph.neighbour[k]]);
    }
    for (int child = first_child[step]; child >= 0; child = next_child[child]) {
      for (long k = result.begin[child]; k < result.begin[child + 1]; ++k) add(result.later[k]);
    }
    std::sort(result.later.begin() + result.begin[step], result.later.end());
    result.begin.push_back(static_cast<long>(result.later.size()));
    if (const int parent = result.parent(step); parent >= 0) {
      next_child[step] = first_child[parent];
      first_child[parent] = step;
    }
    double height = sizes[block];
    for (long k = result.begin[step]; k < result.begin[step + 1]; ++k) {
      height += sizes[result.order[result.later[k]]];
    }
    result.work += sizes[block] * height * height;
  }
  return result;
}

Elimination make_elimination(const std::vector<int>& sizes, const BlockGraph& graph) {
  Elimination least = eliminate(sizes, graph, order_by_minimum_degree(sizes, graph));
  double rows = 0.0;
  for (int size : sizes) rows += size;
  if (least.work <= work_without_fill * rows) return least;
  Elimination other = eliminate(sizes, graph, order_by_nested_dissection(sizes, graph));
  return other.work < least.work ? other : least;
}

}  // namespace trammel
