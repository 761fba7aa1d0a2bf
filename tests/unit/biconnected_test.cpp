// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Biconnected components against their definition: two edges at a vertex v are in the same one where their
// other ends are connected without v.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "math/biconnected.hpp"

using namespace trammel;

namespace {

using Edges = std::vector<std::pair<int, int>>;

bool is_connected_without(int n, const Edges& edges, int removed, int a, int b) {
  std::vector<int> parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int v) {
    while (parent[v] != v) v = parent[v];
    return v;
  };
  for (const auto& [i, j] : edges) {
    if (i != removed && j != removed) parent[root(i)] = root(j);
  }
  return root(a) == root(b);
}

void check_by_definition(int n, const Edges& edges) {
  const std::vector<int> component = find_biconnected(n, edges);
  REQUIRE(component.size() == edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    CHECK(component[e] >= 0);
    for (std::size_t f = 0; f < e; ++f) {
      for (const int v : {edges[e].first, edges[e].second}) {
        if (v != edges[f].first && v != edges[f].second) continue;
        const int a = edges[e].first + edges[e].second - v;
        const int b = edges[f].first + edges[f].second - v;
        const bool same = component[e] == component[f];
        CHECK(same == is_connected_without(n, edges, v, a, b));
      }
    }
  }
}

}  // namespace

TEST_CASE("biconnected components agree with their definition on random graphs") {
  std::mt19937 generator(5);
  for (int k = 0; k < 200; ++k) {
    const int n = 2 + static_cast<int>(generator() % 12);
    Edges edges;
    for (auto e = generator() % 20; e-- > 0;) {
      const int a = static_cast<int>(generator() % n), b = static_cast<int>(generator() % n);
      if (a != b) edges.emplace_back(a, b);
    }
    check_by_definition(n, edges);
  }
}

TEST_CASE("every edge of a tree is a component, a ring is one, parallel edges are one") {
  const auto count = [](std::vector<int> component) {
    std::sort(component.begin(), component.end());
    return std::unique(component.begin(), component.end()) - component.begin();
  };
  Edges path, ring;
  const int n = 1'000'000;  // as deep as a chain of so many bodies
  for (int v = 0; v + 1 < n; ++v) path.emplace_back(v, v + 1);
  CHECK(count(find_biconnected(n, path)) == n - 1);
  ring = path;
  ring.emplace_back(n - 1, 0);
  CHECK(count(find_biconnected(n, ring)) == 1);
  CHECK(count(find_biconnected(2, {{0, 1}, {1, 0}})) == 1);
  CHECK(find_biconnected(3, {}).empty());
}
