// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// From an order of elimination to the list of operations, or to supernodes.
#include "math/block_program.hpp"

#include <algorithm>
#include <cassert>

#include "math/subtrees.hpp"

namespace trammel {

namespace {

// Multiplications a row from which panels are faster than operations on blocks: a tree of balls has
// 60, of hinges 160; a net of 100 bars, where both take the same time, 550; a net of 1,000 bars
// 1,900.
constexpr double work_for_supernodes = 700.0;

// Blocks from which a second thread is worth its while.
constexpr int blocks_for_threads = 400;

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
    program_.row.reserve(sizes.size());
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
    program_.later_.shrink_to_fit();
    program_.offset_.shrink_to_fit();
    program_.n_block_values = program_.n_values = static_cast<std::size_t>(offset);
  }

  void make_operations() {
    std::vector<int> ends;
    if (elimination_.n_steps() >= blocks_for_threads) {
      Partition partition = find_subtrees(sizes_, elimination_);
      elimination_ = renumber(elimination_, partition.new_step);
      ends = std::move(partition.end);
    }
    place_blocks([&](int step, std::vector<int>& list) {
      list.insert(list.end(), elimination_.later.begin() + elimination_.begin[step],
                  elimination_.later.begin() + elimination_.begin[step + 1]);
    });
    const auto n = static_cast<std::size_t>(elimination_.n_steps());
    std::size_t n_crosses = 0;
    for (int step = 0; step < elimination_.n_steps(); ++step) {
      const std::size_t later = static_cast<std::size_t>(elimination_.n_later(step));
      n_crosses += later > 0 ? later * (later - 1) / 2 : 0;
    }
    program_.forward.reserve(n + program_.later_.size());
    program_.crosses.reserve(n_crosses);
    int step = 0;
    for (const int end : ends) {
      program_.subtrees.push_back(add_range(step, end, end));
      step = end;
    }
    program_.is_large = !ends.empty();
    program_.subtree_end = std::move(ends);
    program_.top = add_range(step, elimination_.n_steps(), elimination_.n_steps());
  }

  BlockProgram::Range add_range(int begin, int end, int border) {
    BlockProgram::Range range{static_cast<int>(program_.forward.size()), 0,
                              static_cast<int>(program_.crosses.size())};
    for (int step = begin; step < end; ++step) add_operations(step, border);
    range.end = static_cast<int>(program_.forward.size());
    return range;
  }

  // border: the first step that does not belong to the same subtree
  void add_operations(int step, int border) {
    const int p = elimination_.order[step];
    const auto byte = [&](int value) { return static_cast<unsigned char>(value); };
    const auto add = [&](Kind kind, int table, int n, int row_q, int diagonal_q, int panel_q) {
      const int m = sizes_[p];
      program_.forward.push_back({kind, byte(m), byte(n), byte(kernel_index(table, m, n)),
                                  program_.row[p], row_q, program_.diagonal[p], diagonal_q, panel_q,
                                  static_cast<int>(program_.crosses.size())});
    };
    const int begin = program_.begin_[step], end = program_.begin_[step + 1];
    add(Kind::factor, 0, 0, 0, 0, 0);
    for (int k = begin; k < end; ++k) {
      const int q = elimination_.order[program_.later_[k]];
      const bool outside = program_.later_[k] >= border;
      add(Kind::panel, outside ? 2 : 1, sizes_[q], program_.row[q], program_.diagonal[q],
          program_.offset_[k]);
      if (!outside) continue;
      const int operation = static_cast<int>(program_.forward.size()) - 1;
      program_.border_operations.push_back(operation);
      program_.border.push_back({operation,
                                 {program_.offset_[k], program_.offset_[k], program_.diagonal[q],
                                  byte(sizes_[q]), byte(sizes_[q])}});
    }
    const int last = static_cast<int>(program_.forward.size()) - 1;
    if (end == begin + 1 && program_.later_[begin] < border) {  // both in one call
      const int kernel = kernel_index(3, sizes_[p], program_.forward[last].n);
      program_.forward[last - 1].kernel = program_.forward[last].kernel = byte(kernel);
    }
    for (int a = begin; a < end; ++a) {
      for (int b = a + 1; b < end; ++b) {
        const int q = elimination_.order[program_.later_[a]];
        const int s = elimination_.order[program_.later_[b]];
        const BlockProgram::Cross cross{program_.offset_[a], program_.offset_[b],
                                        program_.find_coupling(q, s).offset, byte(sizes_[q]),
                                        byte(sizes_[s])};
        if (program_.later_[a] >= border) {
          program_.border.push_back({last, cross});
        } else {
          program_.crosses.push_back(cross);
        }
      }
    }
    program_.forward.back().cross_end = static_cast<int>(program_.crosses.size());
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
    program_.is_large = true;
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
                                Supernodes supernodes, int n_inner) {
  const BlockGraph graph = make_block_graph(static_cast<int>(sizes.size()), edges);
  BlockProgram program = BlockProgrammer(sizes, graph, supernodes).take();
  program.n_given = n_inner > 0 ? program.row[sizes.size() - n_inner] : program.n_rows;
  program.is_large |= n_inner > 0;
  return program;
}

}  // namespace trammel
