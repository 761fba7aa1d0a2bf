// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From an elimination by blocks to panels, their rows, and which panel updates which.
#include "math/supernodes.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "math/subtrees.hpp"

namespace trammel {

namespace {

// A set of columns under way to a supernode, named by its last step.
struct Group {
  int width;                  // rows of its blocks
  int below;                  // rows below
  double zeros = 0.0;         // stored for no need
  std::vector<int> children;  // groups, by last step
};

// How much of a panel may be zeros so that joining pays: the narrower, the more a panel costs by
// itself. Measured on nets of 1e3, 1e4 and 1e5 bars.
bool pays(double zeros, int width, int below) {
  const double all = 0.5 * width * (width + 1.0) + static_cast<double>(width) * below;
  if (zeros == 0.0) return true;
  if (width <= 12) return zeros <= 0.2 * all;
  if (width <= 24) return zeros <= 0.1 * all;
  if (width <= 48) return zeros <= 0.05 * all;
  return zeros <= 0.02 * all;
}

// Children are joined with their parent, the ones with most rows below first, as long as it pays.
// Returns the last step of the group of each step.
std::vector<int> join(const std::vector<int>& sizes, const Elimination& elimination,
                      std::vector<Group>& groups) {
  const int n = elimination.n_steps();
  const auto size = [&](int step) { return sizes[elimination.order[step]]; };
  std::vector<int> last_of(n);
  std::iota(last_of.begin(), last_of.end(), 0);
  for (int step = 0; step < n; ++step) {
    Group& group = groups[step];
    group.width = size(step);
    group.below = 0;
    for (long k = elimination.begin[step]; k < elimination.begin[step + 1]; ++k) {
      group.below += size(elimination.later[k]);
    }
    std::stable_sort(group.children.begin(), group.children.end(),
                     [&](int a, int b) { return groups[a].below > groups[b].below; });
    std::vector<int> kept;
    for (const int c : group.children) {
      Group& child = groups[c];
      const double zeros =
          group.zeros + child.zeros +
          static_cast<double>(child.width) * (group.width + group.below - child.below);
      if (!pays(zeros, group.width + child.width, group.below)) {
        kept.push_back(c);
        continue;
      }
      group.zeros = zeros;
      group.width += child.width;
      last_of[c] = step;
      kept.insert(kept.end(), child.children.begin(), child.children.end());
      child.children.clear();
    }
    std::sort(kept.begin(), kept.end());
    group.children = std::move(kept);
    if (const int parent = elimination.parent(step); parent >= 0) {
      groups[parent].children.push_back(step);
    }
  }
  for (int step = n - 1; step >= 0; --step) last_of[step] = last_of[last_of[step]];
  return last_of;
}

// Descendants first, the columns of a group together: new_step[step].
std::vector<int> number_by_groups(const std::vector<int>& last_of,
                                  const std::vector<Group>& groups) {
  const int n = static_cast<int>(last_of.size());
  std::vector<int> begin(n + 1, 0), member(n), new_step(n);
  for (int step = 0; step < n; ++step) ++begin[last_of[step] + 1];
  for (int step = 0; step < n; ++step) begin[step + 1] += begin[step];
  std::vector<int> end(begin.begin(), begin.end() - 1);
  for (int step = 0; step < n; ++step) member[end[last_of[step]]++] = step;

  std::vector<char> is_child(n, 0);
  for (const Group& group : groups) {
    for (int c : group.children) is_child[c] = 1;
  }
  int next = 0;
  std::vector<std::pair<int, std::size_t>> path;  // group, its next child
  for (int root = 0; root < n; ++root) {
    if (last_of[root] != root || is_child[root]) continue;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [group, child] = path.back();
      if (child < groups[group].children.size()) {
        path.emplace_back(groups[group].children[child++], 0);
        continue;
      }
      for (int k = begin[group]; k < begin[group + 1]; ++k) new_step[member[k]] = next++;
      path.pop_back();
    }
  }
  assert(next == n);
  return new_step;
}

class Planner {
 public:
  Planner(const std::vector<int>& sizes, const std::vector<int>& row,
          const Elimination& elimination)
      : sizes_(sizes), elimination_(elimination), first_row_(elimination.n_steps() + 1, 0) {
    for (int step = 0; step < elimination_.n_steps(); ++step) {
      const int block = elimination_.order[step];
      first_row_[step + 1] = first_row_[step] + sizes_[block];
      for (int r = 0; r < sizes_[block]; ++r) plan_.row_of.push_back(row[block] + r);
    }
    node_of_.resize(plan_.row_of.size());
  }

  SupernodePlan make(const std::vector<int>& last_of, const std::vector<StoredBlock>& stored,
                     std::size_t first_value) {
    for (int begin = 0; begin < elimination_.n_steps(); begin = last_of[begin] + 1) {
      add_group(begin, last_of[begin]);
    }
    place_panels(first_value);
    add_updates();
    add_sources(stored);
    add_subtrees();
    return std::move(plan_);
  }

 private:
  int size(int step) const { return sizes_[elimination_.order[step]]; }

  // The columns of steps first … last, in pieces not wider than a panel may be.
  void add_group(int first, int last) {
    const int rows = static_cast<int>(plan_.row_index.size());
    for (int r = first_row_[first]; r < first_row_[last + 1]; ++r) plan_.row_index.push_back(r);
    for (long k = elimination_.begin[last]; k < elimination_.begin[last + 1]; ++k) {
      const int step = elimination_.later[k];
      for (int r = first_row_[step]; r < first_row_[step + 1]; ++r) plan_.row_index.push_back(r);
    }
    const int end = static_cast<int>(plan_.row_index.size());
    const int all = first_row_[last + 1] - first_row_[first];
    const int pieces = (all + max_supernode_width - 1) / max_supernode_width;
    const int wanted = (all + pieces - 1) / pieces;
    for (int step = first; step <= last;) {
      const int from = first_row_[step], past = from - first_row_[first];
      int width = 0;
      for (; step <= last && width < wanted && width + size(step) <= max_supernode_width; ++step) {
        width += size(step);
      }
      const int index = static_cast<int>(plan_.nodes.size());
      for (int r = from; r < from + width; ++r) node_of_[r] = index;
      plan_.nodes.push_back({from, width, end - rows - past, rows + past, 0, 0, 0, 0, 0});
    }
  }

  void place_panels(std::size_t offset) {
    for (Supernode& node : plan_.nodes) {
      node.panel = offset;
      offset += static_cast<std::size_t>(node.width) * static_cast<std::size_t>(node.height);
    }
    offset += 16;  // kernels read whole tiles, beyond the last row of the last panel
    const std::size_t n = plan_.row_of.size();
    plan_.pivots = offset;
    plan_.vector = plan_.pivots + n;
    plan_.places = plan_.vector + n;
    plan_.n_values = plan_.places + (n + 1) / 2;
  }

  // f(changed, begin, end) for the rows of a panel that belong to one later supernode
  template <class Function>
  void for_each_update(int from, Function&& f) const {
    const Supernode& node = plan_.nodes[from];
    const int* row = plan_.row_index.data() + node.rows;
    for (int begin = node.width; begin < node.height;) {
      const int changed = node_of_[row[begin]];
      int end = begin + 1;
      while (end < node.height && node_of_[row[end]] == changed) ++end;
      f(changed, begin, end);
      begin = end;
    }
  }

  void add_updates() {
    const int n = static_cast<int>(plan_.nodes.size());
    std::vector<int> count(n + 1, 0);
    for (int from = 0; from < n; ++from) {
      for_each_update(from, [&](int changed, int, int) { ++count[changed + 1]; });
    }
    for (int k = 0; k < n; ++k) {
      count[k + 1] += count[k];
      plan_.nodes[k].update_begin = plan_.nodes[k].update_end = count[k];
    }
    plan_.updates.resize(count[n]);
    for (int from = 0; from < n; ++from) {
      for_each_update(from, [&](int changed, int begin, int end) {
        plan_.updates[plan_.nodes[changed].update_end++] = {from, begin, end};
      });
    }
  }

  void add_sources(const std::vector<StoredBlock>& stored) {
    const auto node_of = [&](const StoredBlock& at) {
      return node_of_[first_row_[elimination_.position[at.block]]];
    };
    const int n = static_cast<int>(plan_.nodes.size());
    std::vector<int> count(n + 1, 0);
    for (const StoredBlock& at : stored) ++count[node_of(at) + 1];
    for (int k = 0; k < n; ++k) {
      count[k + 1] += count[k];
      plan_.nodes[k].source_begin = plan_.nodes[k].source_end = count[k];
    }
    plan_.sources.resize(stored.size());
    for (const StoredBlock& at : stored) {
      Supernode& node = plan_.nodes[node_of(at)];
      const int* rows = plan_.row_index.data() + node.rows;
      const int row = first_row_[elimination_.position[at.later]];
      const int* const place = std::lower_bound(rows, rows + node.height, row);
      assert(place != rows + node.height && *place == row);
      plan_.sources[node.source_end++] = {at.offset, static_cast<int>(place - rows),
                                          first_row_[elimination_.position[at.block]] - node.first,
                                          static_cast<short>(sizes_[at.later]),
                                          static_cast<short>(sizes_[at.block])};
    }
  }

  // The largest subtrees with at most a sixteenth of the work each; neighbours that stay below that
  // together are one.
  void add_subtrees() {
    const int n = static_cast<int>(plan_.nodes.size());
    std::vector<double> work(n, 0.0);
    std::vector<int> first(n);  // of the subtree
    std::iota(first.begin(), first.end(), 0);
    std::vector<int> parent(n, -1);
    double all = 0.0;
    for (int k = 0; k < n; ++k) {
      const Supernode& node = plan_.nodes[k];
      const double own = static_cast<double>(node.width) * node.height * node.height;
      work[k] += own;
      all += own;
      if (node.height == node.width) continue;
      parent[k] = node_of_[plan_.row_index[node.rows + node.width]];
      work[parent[k]] += work[k];
      first[parent[k]] = std::min(first[parent[k]], first[k]);
    }
    const double most = all / 16.0;
    double last_work = 0.0;
    for (int k = 0; k < n; ++k) {
      if (work[k] > most) {
        plan_.top.push_back(k);
      } else if (parent[k] < 0 || work[parent[k]] > most) {
        auto& list = plan_.subtrees;
        if (!list.empty() && list.back().end == first[k] && last_work + work[k] <= most) {
          list.back().end = k + 1;
          last_work += work[k];
        } else {
          list.push_back({first[k], k + 1});
          last_work = work[k];
        }
      }
    }
  }

  const std::vector<int>& sizes_;
  const Elimination& elimination_;
  std::vector<int> first_row_;  // [steps + 1] in the order of elimination
  std::vector<int> node_of_;    // [rows]
  SupernodePlan plan_;
};

}  // namespace

std::vector<int> join_columns(const std::vector<int>& sizes, Elimination& elimination) {
  std::vector<Group> groups(elimination.n_steps());
  const std::vector<int> last_of = join(sizes, elimination, groups);
  const std::vector<int> new_step = number_by_groups(last_of, groups);
  elimination = renumber(elimination, new_step);
  std::vector<int> result(last_of.size());
  for (std::size_t step = 0; step < last_of.size(); ++step) {
    result[new_step[step]] = new_step[last_of[step]];
  }
  return result;
}

SupernodePlan make_supernode_plan(const std::vector<int>& sizes, const std::vector<int>& row,
                                  const Elimination& elimination, const std::vector<int>& last_of,
                                  const std::vector<StoredBlock>& stored, std::size_t first_value) {
  return Planner(sizes, row, elimination).make(last_of, stored, first_value);
}

}  // namespace trammel
