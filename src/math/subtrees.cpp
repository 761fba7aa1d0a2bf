// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The heaviest subtree is replaced by those of its children, its root goes to the top, again and
// again. Of all states on the way the best is taken: the least time with eight threads if the top
// is done by one,
//
//   top + max(heaviest, rest/8)
//
// A binary tree ends as some ten subtrees under a small top.
#include "math/subtrees.hpp"

#include <algorithm>
#include <queue>

namespace trammel {

namespace {

constexpr double threads_in_mind = 8.0;

struct Tree {
  std::vector<int> parent;
  std::vector<int> first_child, next_sibling;  // children in ascending order
  std::vector<double> own, all;                // work of a step, and of its subtree
  std::vector<int> roots;
};

Tree make_tree(const std::vector<int>& sizes, const Elimination& elimination) {
  const int n = elimination.n_steps();
  Tree tree;
  tree.parent.resize(n);
  tree.own.resize(n);
  tree.first_child.assign(n, -1);
  tree.next_sibling.assign(n, -1);
  for (int step = 0; step < n; ++step) {
    double height = sizes[elimination.order[step]];
    for (long k = elimination.begin[step]; k < elimination.begin[step + 1]; ++k) {
      height += sizes[elimination.order[elimination.later[k]]];
    }
    tree.own[step] = sizes[elimination.order[step]] * height * height;
    tree.parent[step] = elimination.parent(step);
  }
  tree.all = tree.own;
  for (int step = 0; step < n; ++step) {
    if (tree.parent[step] >= 0) tree.all[tree.parent[step]] += tree.all[step];
  }
  for (int step = n - 1; step >= 0; --step) {
    const int parent = tree.parent[step];
    if (parent < 0) {
      tree.roots.push_back(step);
    } else {
      tree.next_sibling[step] = tree.first_child[parent];
      tree.first_child[parent] = step;
    }
  }
  std::reverse(tree.roots.begin(), tree.roots.end());
  return tree;
}

// How many roots to take off, and with `limit` ≥ 0 takes off that many: is_top.
int take_off_roots(const Tree& tree, int limit, std::vector<char>* is_top) {
  const auto lighter = [&](int a, int b) {
    return std::pair(tree.all[a], a) < std::pair(tree.all[b], b);
  };
  std::priority_queue<int, std::vector<int>, decltype(lighter)> heaviest(lighter);
  double rest = 0.0, top = 0.0;
  for (int root : tree.roots) {
    heaviest.push(root);
    rest += tree.all[root];
  }
  const double least_wanted = rest / (4.0 * threads_in_mind);
  double best = rest;
  int best_count = 0;
  for (int count = 0; !heaviest.empty() && (limit < 0 || count < limit); ++count) {
    const int root = heaviest.top();
    const double time = top + std::max(tree.all[root], rest / threads_in_mind);
    if (time < best) {
      best = time;
      best_count = count;
    }
    if (tree.all[root] < least_wanted || top > best) break;
    heaviest.pop();
    top += tree.own[root];
    rest -= tree.own[root];
    if (is_top != nullptr) (*is_top)[root] = 1;
    for (int c = tree.first_child[root]; c >= 0; c = tree.next_sibling[c]) heaviest.push(c);
  }
  return best_count;
}

constexpr std::size_t least_subtrees = 4;

void add_steps(const Tree& tree, int root, std::vector<int>& order) {
  std::vector<int> open{root};
  while (!open.empty()) {
    const int step = open.back();
    open.pop_back();
    order.push_back(step);
    for (int c = tree.first_child[step]; c >= 0; c = tree.next_sibling[c]) open.push_back(c);
  }
}

}  // namespace

Partition find_subtrees(const std::vector<int>& sizes, const Elimination& elimination) {
  const int n = elimination.n_steps();
  const Tree tree = make_tree(sizes, elimination);
  std::vector<char> is_top(n, 0);
  take_off_roots(tree, take_off_roots(tree, -1, nullptr), &is_top);
  double all = 0.0;
  for (double own : tree.own) all += own;
  const double most = all / (2.0 * threads_in_mind);

  Partition partition;
  std::vector<int> order;
  order.reserve(n);
  double last_work = 0.0;
  for (int step = 0; step < n; ++step) {
    const int parent = tree.parent[step];
    if (is_top[step] || (parent >= 0 && !is_top[parent])) continue;
    add_steps(tree, step, order);
    // small ones together
    if (!partition.end.empty() && last_work + tree.all[step] <= most) {
      partition.end.back() = static_cast<int>(order.size());
      last_work += tree.all[step];
    } else {
      partition.end.push_back(static_cast<int>(order.size()));
      last_work = tree.all[step];
    }
  }
  if (partition.end.size() < least_subtrees) {
    partition.end.clear();
    order.clear();
    is_top.assign(n, 1);
  }
  int begin = 0;
  for (const int end : partition.end) {
    std::sort(order.begin() + begin, order.begin() + end);
    begin = end;
  }
  for (int step = 0; step < n; ++step) {
    if (is_top[step]) order.push_back(step);
  }
  partition.new_step.resize(n);
  for (int k = 0; k < n; ++k) partition.new_step[order[k]] = k;
  return partition;
}

Elimination renumber(const Elimination& old, const std::vector<int>& new_step) {
  const int n = old.n_steps();
  Elimination result;
  result.work = old.work;
  result.order.resize(n);
  result.position.resize(n);
  std::vector<int> old_step(n);
  for (int step = 0; step < n; ++step) {
    result.order[new_step[step]] = old.order[step];
    result.position[old.order[step]] = new_step[step];
    old_step[new_step[step]] = step;
  }
  result.begin.reserve(n + 1);
  result.begin.push_back(0);
  result.later.reserve(old.later.size());
  for (int step = 0; step < n; ++step) {
    for (long k = old.begin[old_step[step]]; k < old.begin[old_step[step] + 1]; ++k) {
      result.later.push_back(new_step[old.later[k]]);
    }
    std::sort(result.later.begin() + result.begin[step], result.later.end());
    result.begin.push_back(static_cast<long>(result.later.size()));
  }
  return result;
}

}  // namespace trammel
