// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Sides of joints on bodies, hubs cut into clones, the elimination program, then who writes what.
#include "system/schur_plan.hpp"

#include <algorithm>
#include <numeric>

#include "math/biconnected.hpp"

namespace trammel {

namespace {

// A body with more joints is a hub where the system is too large for generated code: from then on its joints,
// coupled with each other, cost more than the welds.
constexpr std::size_t most_sides = 16;
// Joints on a clone: its welds have up to 18 rows, of which each joint sees all.
constexpr std::size_t sides_per_clone = 3;

class SchurPlanner {
 public:
  SchurPlanner(int entry_shape, Topology& topology)
      : entry_shape_(entry_shape), topology_(topology), sides_(topology.n_bodies + 1) {}

  void make() {
    list_sides();
    list_sizes();
    cut_hubs();
    topology_.program = make_block_program(sizes_, list_edges(), Supernodes::where_they_pay,
                                           static_cast<int>(sizes_.size()) - n_given_blocks());
    sort_by_elimination();
    share_among_parts();
    find_fill();
  }

 private:
  struct Side {
    int block;
    SchurSide at;
  };
  struct Clone {
    int body;
    double parts;
    std::vector<Side> sides;
  };

  int n_given_blocks() const {
    return topology_.n_joints + static_cast<int>(topology_.coordinate_rows.size());
  }

  void add_side(std::vector<Side>& sides, int block, int data, int row, int shape, bool side_j) {
    const auto index = static_cast<unsigned char>(shape);
    sides.push_back({block, {data, row, 0, index, side_j, false, false}});
  }

  void list_sides() {
    for (int k = 0; k < topology_.n_joints; ++k) {
      const JointTopology& joint = topology_.joints[k];
      add_side(sides_[joint.body_i], k, joint.data, joint.row, joint.shape, false);
      add_side(sides_[joint.body_j], k, joint.data, joint.row, joint.shape, true);
    }
    for (std::size_t k = 0; k < topology_.coordinate_rows.size(); ++k) {
      const CoordinateRow& row = topology_.coordinate_rows[k];
      for (int e = row.entry_begin; e < row.entry_end; ++e) {
        const RowEntry& entry = topology_.entries[e];
        add_side(sides_[entry.body], topology_.n_joints + static_cast<int>(k), entry.data, row.row,
                 entry_shape_, true);
      }
    }
  }

  void list_sizes() {
    for (const JointTopology& joint : topology_.joints) sizes_.push_back(joint.n_rows);
    sizes_.insert(sizes_.end(), topology_.coordinate_rows.size(), 1);
  }

  // ---- hubs

  void cut_hubs() {
    is_hub_.assign(topology_.n_bodies, 0);
    if (topology_.n_rows <= most_coded_rows) return;
    std::vector<int> hubs;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      if (sides_[b].size() > most_sides) hubs.push_back(b);
    }
    if (hubs.empty()) return;
    const std::vector<std::vector<int>> loops = find_loops();
    topology_.weld.data = topology_.n_numbers;
    for (const int b : hubs) cut_hub(b, loops[b]);
    if (!clones_.empty()) topology_.n_numbers += topology_.weld.n_numbers;
  }

  // [bodies][sides] the biconnected component of the graph of bodies and blocks that a side belongs to
  std::vector<std::vector<int>> find_loops() const {
    const int first_block = topology_.n_bodies + 1;
    std::vector<std::pair<int, int>> edges;
    for (std::size_t b = 0; b < sides_.size(); ++b) {
      for (const Side& side : sides_[b]) {
        edges.emplace_back(static_cast<int>(b), first_block + side.block);
      }
    }
    const std::vector<int> component = find_biconnected(first_block + n_given_blocks(), edges);
    std::vector<std::vector<int>> loops(sides_.size());
    std::size_t edge = 0;
    for (std::size_t b = 0; b < sides_.size(); ++b) {
      for (std::size_t k = 0; k < sides_[b].size(); ++k) loops[b].push_back(component[edge++]);
    }
    return loops;
  }

  // Sides of one loop onto one clone; short ones share it.
  void cut_hub(int body, const std::vector<int>& loop) {
    const std::vector<Side>& sides = sides_[body];
    std::vector<std::size_t> order(sides.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return loop[a] < loop[b]; });
    std::vector<Clone> clones;
    for (std::size_t begin = 0; begin < order.size();) {
      std::size_t end = begin + 1;
      while (end < order.size() && loop[order[end]] == loop[order[begin]]) ++end;
      if (clones.empty() || clones.back().sides.size() + (end - begin) > sides_per_clone) {
        clones.push_back({body, 0.0, {}});
      }
      for (; begin < end; ++begin) clones.back().sides.push_back(sides[order[begin]]);
    }
    if (clones.size() <= most_sides / sides_per_clone) return;  // nearly all of it is loops
    is_hub_[body] = 1;
    for (Clone& clone : clones) clone.parts = static_cast<double>(clones.size());
    for (std::size_t k = 1; k < clones.size(); ++k) weld(clones[(k - 1) / 2], clones[k]);
    clones_.insert(clones_.end(), clones.begin(), clones.end());
  }

  void weld(Clone& i, Clone& j) {
    const WeldShape& weld = topology_.weld;
    const int block = static_cast<int>(sizes_.size());
    const int row = topology_.n_rows + (block - n_given_blocks()) * weld.n_rows;
    add_side(i.sides, block, weld.data, row, weld.shape, false);
    add_side(j.sides, block, weld.data, row, weld.shape, true);
    sizes_.push_back(weld.n_rows);
  }

  // ---- the program

  // S has a block for each pair of joints or coordinate rows that share a body or a clone.
  std::vector<std::pair<int, int>> list_edges() const {
    std::vector<std::pair<int, int>> edges;
    const auto add = [&](const std::vector<Side>& sides) {
      for (std::size_t a = 0; a < sides.size(); ++a) {
        for (std::size_t b = a + 1; b < sides.size(); ++b) {
          edges.emplace_back(sides[a].block, sides[b].block);
        }
      }
    };
    for (int b = 0; b < topology_.n_bodies; ++b) {
      if (is_hub_[b] == 0) add(sides_[b]);
    }
    for (const Clone& clone : clones_) add(clone.sides);
    return edges;
  }

  void sort_by_elimination() {
    const BlockProgram& program = topology_.program;
    const auto sort = [&](std::vector<Side>& sides) {
      std::sort(sides.begin(), sides.end(), [&](const Side& a, const Side& b) {
        return program.position[a.block] < program.position[b.block];
      });
    };
    for (std::vector<Side>& sides : sides_) sort(sides);
    for (Clone& clone : clones_) sort(clone.sides);
  }

  // A body whose last joint is in a subtree has all of them there: they are coupled with each other.
  std::size_t find_part(const std::vector<Side>& sides) const {
    const BlockProgram& program = topology_.program;
    const int last = sides.empty() ? program.n_blocks() : program.position[sides.back().block];
    const auto subtree =
        std::upper_bound(program.subtree_end.begin(), program.subtree_end.end(), last);
    const bool is_top = subtree == program.subtree_end.end();
    return is_top ? 0 : static_cast<std::size_t>(subtree - program.subtree_end.begin()) + 1;
  }

  void share_among_parts() {
    const std::size_t n_parts = topology_.program.subtree_end.size() + 1;
    std::vector<std::vector<int>> bodies(n_parts), clones(n_parts);
    for (int b = 0; b < topology_.n_bodies; ++b) {
      if (is_hub_[b] == 0) bodies[find_part(sides_[b])].push_back(b);
    }
    for (std::size_t k = 0; k < clones_.size(); ++k) {
      clones[find_part(clones_[k].sides)].push_back(static_cast<int>(k));
    }
    begun_.assign(sizes_.size(), 0);
    last_.assign(sizes_.size(), {-1, -1});
    for (std::size_t part = 0; part < n_parts; ++part) {
      const int begin = static_cast<int>(topology_.body_order.size());
      const int coupling = static_cast<int>(topology_.couplings.size());
      for (const int b : bodies[part]) {
        start_body(b);
        add_couplings(sides_[b], false);
      }
      const int end = static_cast<int>(topology_.body_order.size());
      const int first_clone = static_cast<int>(topology_.clones.size());
      for (const int k : clones[part]) add_clone(clones_[k]);
      topology_.schur_parts.push_back(
          {{begin, end}, coupling, {first_clone, static_cast<int>(topology_.clones.size())}});
    }
    // the forces on a hub are added up over all of its joints
    for (int b = 0; b < topology_.n_bodies; ++b) {
      if (is_hub_[b] == 0) continue;
      start_body(b);
      for (const Side& side : sides_[b]) topology_.schur_sides.push_back(side.at);
    }
    topology_.schur_side_begin.push_back(static_cast<int>(topology_.schur_sides.size()));
    for (const auto& [of_body, of_clone] : last_) {
      if (of_body >= 0) topology_.schur_sides[of_body].last = true;
      if (of_clone >= 0) topology_.clone_sides[of_clone].last = true;
    }
  }

  void start_body(int body) {
    topology_.body_order.push_back(body);
    topology_.schur_side_begin.push_back(static_cast<int>(topology_.schur_sides.size()));
  }

  void add_clone(const Clone& clone) {
    const int begin = static_cast<int>(topology_.clone_sides.size());
    const int end = begin + static_cast<int>(clone.sides.size());
    topology_.clones.push_back(
        {clone.body, clone.parts, {begin, end}, static_cast<int>(topology_.couplings.size())});
    add_couplings(clone.sides, true);
  }

  void add_couplings(const std::vector<Side>& sides, bool of_clone) {
    const BlockProgram& program = topology_.program;
    for (std::size_t p = 0; p < sides.size(); ++p) {
      const int block = sides[p].block;
      SchurSide at = sides[p].at;
      at.diagonal = program.diagonal[block];
      at.first = begun_[block] == 0;
      begun_[block] = 1;
      // the mask has no entry for welds: their diagonal is taken from the block
      const bool is_weld = block >= n_given_blocks();
      if (of_clone) {
        last_[block] = {-1, is_weld ? -1 : static_cast<int>(topology_.clone_sides.size())};
        topology_.clone_sides.push_back(at);
      } else {
        last_[block] = {static_cast<int>(topology_.schur_sides.size()), -1};
        topology_.schur_sides.push_back(at);
      }
      for (std::size_t q = p + 1; q < sides.size(); ++q) {
        const int offset = program.find_coupling(block, sides[q].block).offset;
        topology_.couplings.push_back(offset);
        written_.push_back({offset, offset + program.size[block] * program.size[sides[q].block]});
      }
    }
  }

  // The same block through a second body, and the blocks of no body.
  void find_fill() {
    const BlockProgram& program = topology_.program;
    std::vector<int> order(written_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return written_[a].begin < written_[b].begin; });
    int end = static_cast<int>(program.n_diagonal_values);
    for (const int k : order) {
      if (written_[k].begin < end) {
        topology_.couplings[k] = ~written_[k].begin;
        continue;
      }
      if (written_[k].begin > end) topology_.fill.push_back({end, written_[k].begin});
      end = written_[k].end;
    }
    const int n_values = static_cast<int>(program.n_block_values);
    if (end < n_values) topology_.fill.push_back({end, n_values});
  }

  int entry_shape_;
  Topology& topology_;
  std::vector<std::vector<Side>> sides_;  // [bodies + 1]
  std::vector<int> sizes_;                // [blocks]
  std::vector<char> is_hub_;              // [bodies]
  std::vector<Clone> clones_;             // of all hubs
  std::vector<char> begun_;               // [blocks] a side has written the diagonal block
  std::vector<std::pair<int, int>>
      last_;                         // [blocks] the side that writes it last: of a body, of a clone
  std::vector<IndexRange> written_;  // [couplings]
};

}  // namespace

void make_schur(int entry_shape, Topology& topology) { SchurPlanner(entry_shape, topology).make(); }

}  // namespace trammel
