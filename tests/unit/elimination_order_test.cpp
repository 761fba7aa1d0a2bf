// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Orders of elimination: what fills in, and which order is taken where.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "math/elimination_order.hpp"

using namespace trammel;

namespace {

using Edges = std::vector<std::pair<int, int>>;

BlockGraph make_chain(int n) {
  Edges edges;
  for (int k = 0; k + 1 < n; ++k) edges.emplace_back(k, k + 1);
  return make_block_graph(n, edges);
}

BlockGraph make_grid(int n) {
  Edges edges;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) edges.emplace_back(i * n + j, (i + 1) * n + j);
      if (j + 1 < n) edges.emplace_back(i * n + j, i * n + j + 1);
    }
  }
  return make_block_graph(n * n, edges);
}

// The definition, without thought for time: neighbours of what is eliminated become neighbours.
std::vector<std::set<int>> eliminate_by_definition(const BlockGraph& graph,
                                                   const std::vector<int>& position) {
  const int n = graph.n_blocks();
  std::vector<std::set<int>> later(n);
  for (int p = 0; p < n; ++p) {
    for (int k = graph.begin[p]; k < graph.begin[p + 1]; ++k) {
      const int a = position[p], b = position[graph.neighbour[k]];
      later[std::min(a, b)].insert(std::max(a, b));
    }
  }
  for (int step = 0; step < n; ++step) {
    for (int a : later[step]) {
      for (int b : later[step]) {
        if (a < b) later[a].insert(b);
      }
    }
  }
  return later;
}

bool is_permutation_of_all(std::vector<int> order, int n) {
  std::sort(order.begin(), order.end());
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

}  // namespace

TEST_CASE("a graph lists each neighbour once, sorted, and no block as its own") {
  const BlockGraph graph = make_block_graph(4, {{2, 1}, {1, 2}, {0, 2}, {3, 3}});
  CHECK(graph.begin == std::vector<int>{0, 1, 2, 4, 4});
  CHECK(graph.neighbour == std::vector<int>{2, 2, 0, 1});
}

TEST_CASE("the fill is that of the definition, for both orders") {
  const BlockGraph graph = make_grid(9);
  const std::vector<int> sizes(81, 3);
  for (const auto& order :
       {order_by_minimum_degree(sizes, graph), order_by_nested_dissection(sizes, graph)}) {
    REQUIRE(is_permutation_of_all(order, 81));
    const Elimination elimination = eliminate(sizes, graph, order);
    const auto expected = eliminate_by_definition(graph, elimination.position);
    double work = 0.0;
    for (int step = 0; step < 81; ++step) {
      const std::vector<int> later(elimination.later.begin() + elimination.begin[step],
                                   elimination.later.begin() + elimination.begin[step + 1]);
      CHECK(later == std::vector<int>(expected[step].begin(), expected[step].end()));
      const double height = 3.0 * (1.0 + static_cast<double>(later.size()));
      work += 3.0 * height * height;
    }
    CHECK(elimination.work == work);
  }
}

TEST_CASE("a chain is eaten from both ends, without fill, in time that grows with its length") {
  const Elimination chain = make_elimination(std::vector<int>(7, 3), make_chain(7));
  CHECK(chain.order == std::vector<int>{0, 6, 1, 5, 2, 4, 3});
  const int n = 300'000;
  const Elimination large = make_elimination(std::vector<int>(n, 3), make_chain(n));
  CHECK(large.later.size() == static_cast<std::size_t>(n - 1));
}

TEST_CASE("a net is cut in halves, a small one is not") {
  const std::vector<int> sizes(40 * 40, 3);
  const BlockGraph net = make_grid(40);
  const Elimination by_degree = eliminate(sizes, net, order_by_minimum_degree(sizes, net));
  const Elimination by_halves = eliminate(sizes, net, order_by_nested_dissection(sizes, net));
  const Elimination chosen = make_elimination(sizes, net);
  CHECK(chosen.work == std::min(by_degree.work, by_halves.work));
  const std::vector<int> few(9, 3);
  CHECK(make_elimination(few, make_grid(3)).order == order_by_minimum_degree(few, make_grid(3)));
}

TEST_CASE("the order is always the same, and random numbers of the caller go on undisturbed") {
  const std::vector<int> sizes(30 * 30, 3);
  const BlockGraph net = make_grid(30);
  std::srand(5);
  const int first = std::rand(), second = std::rand();
  std::srand(5);
  CHECK(std::rand() == first);
  const std::vector<int> order = order_by_nested_dissection(sizes, net);
  CHECK(std::rand() == second);
  CHECK(order_by_nested_dissection(sizes, net) == order);
}
