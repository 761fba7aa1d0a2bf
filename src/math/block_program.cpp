// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From an order of elimination to the list of operations, or to supernodes.
#include "math/block_program.hpp"

#include <algorithm>
#include <cassert>

namespace trammel {

namespace {

// Multiplications a row from which panels are faster than operations on blocks: a tree of balls has
// 60, of hinges 160; a net of 100 bars, where both take the same time, 550; a net of 1,000 bars 1,900.
constexpr double work_for_supernodes = 700.0;

}  // namespace

class BlockProgrammer {
 public:
  BlockProgrammer(const std::vector<int>& sizes, const BlockGraph& graph, Supernodes supernodes)
      : sizes_(sizes), elimination_(make_elimination(sizes, graph)) {
    program_.size = sizes;
    const auto differs = [&](int size) { return size != sizes.front(); };
    if (!sizes.empty() && std::none_of(sizes.begin(), sizes.end(), differs)) {
      program_.uniform = sizes.front();
    }
    for (int size : sizes) {
      program_.row.push_back(program_.n_rows);
      program_.n_rows += size;
    }
    const bool pays = elimination_.work > work_for_supernodes * program_.n_rows;
    if (supernodes == Supernodes::always || (supernodes != Supernodes::never && pays)) {
      make_supernodes(graph);
    } else {
      make_operations();
    }
  }

  BlockProgram take() { return std::move(program_); }

 private:
  using Kind = BlockProgram::Kind;
  using Operation = BlockProgram::Operation;

  // Where everything lives: vectors in the order given, values in the order of elimination.
  // list_later(step, list): the later steps that share a block with this one.
  template <class ListLater>
  void place_blocks(ListLater&& list_later) {
    const int n = elimination_.n_steps();
    program_.position = elimination_.position;
    program_.diagonal.resize(n);
    int offset = 0;
    for (const int p : elimination_.order) {
      program_.diagonal[p] = offset;
      offset += sizes_[p] * sizes_[p];
    }
    program_.n_diagonal_values = static_cast<std::size_t>(offset);
    program_.begin_.reserve(n + 1);
    program_.begin_.push_back(0);
    for (int step = 0; step < n; ++step) {
      list_later(step, program_.later_);
      const int m = sizes_[elimination_.order[step]];
      for (std::size_t k = program_.offset_.size(); k < program_.later_.size(); ++k) {
        program_.offset_.push_back(offset);
        offset += m * sizes_[elimination_.order[program_.later_[k]]];
      }
      program_.begin_.push_back(static_cast<int>(program_.later_.size()));
    }
    program_.n_block_values = program_.n_values = static_cast<std::size_t>(offset);
  }

  void make_operations() {
    place_blocks([&](int step, std::vector<int>& list) {
      list.insert(list.end(), elimination_.later.begin() + elimination_.begin[step],
                  elimination_.later.begin() + elimination_.begin[step + 1]);
    });
    for (int step = 0; step < elimination_.n_steps(); ++step) add_operations(step);
    for (auto* list : {&program_.factor, &program_.forward}) {
      for (Operation& op : *list) op.kernel = kernel_index(static_cast<int>(op.kind), op.m, op.n);
    }
    program_.backward.assign(program_.forward.rbegin(), program_.forward.rend());
  }

  void add_operations(int step) {
    const int p = elimination_.order[step];
    const auto byte = [&](int block) { return static_cast<unsigned char>(sizes_[block]); };
    const Operation factor{Kind::factor, byte(p), 0, 0, program_.row[p], 0, program_.diagonal[p],
                           0, 0, 0, 0};
    program_.factor.push_back(factor);
    program_.forward.push_back(factor);
    const int begin = program_.begin_[step], end = program_.begin_[step + 1];
    for (int k = begin; k < end; ++k) {
      const int q = elimination_.order[program_.later_[k]];
      const Operation op{Kind::panel, byte(p), byte(q), 0, program_.row[p], program_.row[q],
                         program_.diagonal[p], program_.diagonal[q], program_.offset_[k], 0, 0};
      program_.factor.push_back(op);
      program_.forward.push_back(op);
    }
    for (int a = begin; a < end; ++a) {
      for (int b = a + 1; b < end; ++b) {
        const int q = elimination_.order[program_.later_[a]];
        const int s = elimination_.order[program_.later_[b]];
        program_.factor.push_back({Kind::cross, byte(p), byte(q), byte(s), program_.row[p],
                                   program_.row[q], program_.diagonal[p], program_.diagonal[q],
                                   program_.offset_[a], program_.offset_[b],
                                   program_.find_coupling(q, s).offset});
      }
    }
  }

  void make_supernodes(const BlockGraph& graph) {
    const std::vector<int> last_of = join_columns(sizes_, elimination_);
    std::vector<StoredBlock> stored;
    place_blocks([&](int step, std::vector<int>& list) {
      const int block = elimination_.order[step];
      const auto begin = static_cast<std::ptrdiff_t>(list.size());
      for (int k = graph.begin[block]; k < graph.begin[block + 1]; ++k) {
        const int later = elimination_.position[graph.neighbour[k]];
        if (later > step) list.push_back(later);
      }
      std::sort(list.begin() + begin, list.end());
    });
    for (int step = 0; step < elimination_.n_steps(); ++step) {
      const int block = elimination_.order[step];
      stored.push_back({block, block, program_.diagonal[block]});
      for (int k = program_.begin_[step]; k < program_.begin_[step + 1]; ++k) {
        stored.push_back({block, elimination_.order[program_.later_[k]], program_.offset_[k]});
      }
    }
    program_.supernodes = make_supernode_plan(sizes_, program_.row, elimination_, last_of, stored,
                                              program_.n_block_values);
    program_.n_values = program_.supernodes.n_values;
  }

  const std::vector<int>& sizes_;
  Elimination elimination_;
  BlockProgram program_;
};

BlockProgram::Coupling BlockProgram::find_coupling(int a, int b) const {
  // stored with the block that is eliminated first; rows belong to the later one
  const int step_a = position[a], step_b = position[b];
  const int first = std::min(step_a, step_b), last = std::max(step_a, step_b);
  const auto begin = later_.begin() + begin_[first], end = later_.begin() + begin_[first + 1];
  const auto it = std::lower_bound(begin, end, last);
  assert(it != end && *it == last);
  return {offset_[it - later_.begin()], step_b < step_a};
}

BlockProgram make_block_program(const std::vector<int>& sizes,
                                const std::vector<std::pair<int, int>>& edges,
                                Supernodes supernodes) {
  const BlockGraph graph = make_block_graph(static_cast<int>(sizes.size()), edges);
  return BlockProgrammer(sizes, graph, supernodes).take();
}

}  // namespace trammel
