// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where the values of a tape are while its code is written, and when each is used next.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "math/tape.hpp"

namespace trammel {

class ValueUses {
 protected:
  using Operation = Tape::Operation;
  static constexpr int never = std::numeric_limits<int>::max();

  ValueUses(const Tape& tape, const std::vector<int>& operations)
      : nodes_(tape.nodes), order_(operations), places_(tape.nodes.size()) {
    find_uses(tape);
  }

  // list ← the nodes that a node is made of; returns how many there are
  static int operands(const Tape::Node& node, int* list) {
    int n = 0;
    for (const int operand : {node.a, node.b, node.c}) {
      if (operand >= 0) list[n++] = operand;
    }
    return n;
  }

  struct Place {
    int reg = -1;       // or −1
    int slot = -1;      // on the stack, or −1
    int constant = -1;  // among the constants, or −1
    int next = never;   // position in the order where it is used next
    int first_output = -1, n_outputs = 0;
  };

  bool is_computed(int node) const {
    return nodes_[node].operation != Operation::constant &&
           nodes_[node].operation != Operation::input;
  }

  // Where each value is used first, and where the operands of each operation are used next after it.
  void find_uses(const Tape& tape) {
    later_.resize(order_.size());
    for (int p = static_cast<int>(order_.size()); p-- > 0;) {
      const Tape::Node& node = nodes_[order_[p]];
      const auto use = [&](int operand, int& later) {
        if (operand < 0) return;
        int& next = places_[operand].next;
        later = next;
        next = p;
      };
      Later& later = later_[p];
      use(node.a, later.a);
      if (node.b != node.a) use(node.b, later.b);
      if (node.c != node.a && node.c != node.b) use(node.c, later.c);
    }
    outputs_ = tape.outputs;
    std::stable_sort(outputs_.begin(), outputs_.end(),
                     [](const auto& a, const auto& b) { return a.node < b.node; });
    for (int k = 0; k < static_cast<int>(outputs_.size()); ++k) {
      Place& place = places_[outputs_[k].node];
      if (place.n_outputs++ == 0) place.first_output = k;
    }
  }

  // The operation at this position is being written: it no longer counts as a use of its operands.
  void pass_uses(const Tape::Node& node, int position) {
    const Later& later = later_[position];
    if (node.a >= 0) places_[node.a].next = later.a;
    if (node.b >= 0 && node.b != node.a) places_[node.b].next = later.b;
    if (node.c >= 0 && node.c != node.a && node.c != node.b) places_[node.c].next = later.c;
  }

  int next_use(int node) const { return places_[node].next; }

  const std::vector<Tape::Node>& nodes_;
  const std::vector<int>& order_;  // of the nodes that are computed
  std::vector<Place> places_;
  std::vector<Tape::Output> outputs_;

 private:
  struct Later {
    int a = never, b = never, c = never;
  };
  std::vector<Later> later_;  // by position in the order
};

}  // namespace trammel
