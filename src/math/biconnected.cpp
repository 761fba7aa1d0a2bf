// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The search keeps its own stack: a chain of a million bodies is as deep.
#include "math/biconnected.hpp"

#include <algorithm>

namespace trammel {

namespace {

struct Arc {
  int to, edge;
};

class BiconnectedSearch {
 public:
  BiconnectedSearch(int n_vertices, const std::vector<std::pair<int, int>>& edges)
      : begin_(n_vertices + 1, 0),
        arcs_(2 * edges.size()),
        number_(n_vertices, 0),
        low_(n_vertices, 0),
        used_(edges.size(), 0),
        component_(edges.size(), -1) {
    for (const auto& [a, b] : edges) {
      ++begin_[a + 1];
      ++begin_[b + 1];
    }
    for (int v = 0; v < n_vertices; ++v) begin_[v + 1] += begin_[v];
    std::vector<int> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto [a, b] = edges[e];
      arcs_[next[a]++] = {b, static_cast<int>(e)};
      arcs_[next[b]++] = {a, static_cast<int>(e)};
    }
    for (int v = 0; v < n_vertices; ++v) {
      if (number_[v] == 0) search_from(v);
    }
  }

  std::vector<int> take() { return std::move(component_); }

 private:
  struct Visit {
    int vertex;
    int edge;  // by which it was reached, or −1
    int next;  // the arc to look at
  };

  void enter(int vertex, int edge) {
    low_[vertex] = number_[vertex] = ++n_visited_;
    visits_.push_back({vertex, edge, begin_[vertex]});
  }

  void search_from(int root) {
    enter(root, -1);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      if (visit.next == begin_[visit.vertex + 1]) {
        leave();
        continue;
      }
      const Arc arc = arcs_[visit.next++];
      if (used_[arc.edge] != 0) continue;
      used_[arc.edge] = 1;
      open_.push_back(arc.edge);
      if (number_[arc.to] == 0) {
        enter(arc.to, arc.edge);
      } else {
        low_[visit.vertex] = std::min(low_[visit.vertex], number_[arc.to]);
      }
    }
  }

  // low: the earliest vertex that is reached from below without the way come. Where that is not above
  // the vertex before, all that was found since belongs together.
  void leave() {
    const Visit done = visits_.back();
    visits_.pop_back();
    if (visits_.empty()) return;
    const int before = visits_.back().vertex;
    low_[before] = std::min(low_[before], low_[done.vertex]);
    if (low_[done.vertex] < number_[before]) return;
    int edge = -1;
    do {
      edge = open_.back();
      open_.pop_back();
      component_[edge] = n_components_;
    } while (edge != done.edge);
    ++n_components_;
  }

  std::vector<int> begin_;  // [vertices + 1] of their arcs
  std::vector<Arc> arcs_;
  std::vector<int> number_, low_;  // [vertices]
  std::vector<char> used_;         // [edges]
  std::vector<int> component_;     // [edges]
  std::vector<Visit> visits_;
  std::vector<int> open_;  // edges found whose component is not complete
  int n_visited_ = 0, n_components_ = 0;
};

}  // namespace

std::vector<int> find_biconnected(int n_vertices, const std::vector<std::pair<int, int>>& edges) {
  return BiconnectedSearch(n_vertices, edges).take();
}

}  // namespace trammel
