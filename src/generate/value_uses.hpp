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
    int reg = -1;           // or −1
    int slot = -1;          // on the stack, or −1
    int constant = -1;      // among the constants, or −1
    int next = 0, end = 0;  // its uses that are still to come, in uses_
    int first_output = -1, n_outputs = 0;
  };

  bool is_computed(int node) const {
    return nodes_[node].operation != Operation::constant &&
           nodes_[node].operation != Operation::input;
  }

  // Where each value is used.
  void find_uses(const Tape& tape) {
    int list[3], n_uses = 0;
    for (const int n : order_) {
      for (int k = operands(nodes_[n], list); k-- > 0; ++n_uses) ++places_[list[k]].end;
    }
    int begin = 0;
    for (Place& place : places_) {
      const int count = place.end;
      place.next = place.end = begin;
      begin += count;
    }
    uses_.resize(n_uses);
    for (int p = 0; p < static_cast<int>(order_.size()); ++p) {
      for (int k = operands(nodes_[order_[p]], list); k-- > 0;) uses_[places_[list[k]].end++] = p;
    }
    outputs_ = tape.outputs;
    std::stable_sort(outputs_.begin(), outputs_.end(),
                     [](const auto& a, const auto& b) { return a.node < b.node; });
    for (int k = 0; k < static_cast<int>(outputs_.size()); ++k) {
      Place& place = places_[outputs_[k].node];
      if (place.n_outputs++ == 0) place.first_output = k;
    }
  }

  int next_use(int node) {
    Place& place = places_[node];
    while (place.next != place.end && uses_[place.next] <= position_) ++place.next;
    return place.next == place.end ? never : uses_[place.next];
  }

  const std::vector<Tape::Node>& nodes_;
  const std::vector<int>& order_;  // of the nodes that are computed
  std::vector<Place> places_;
  std::vector<Tape::Output> outputs_;
  std::vector<int> uses_;  // positions in the order, by node
  int position_ = 0;
};

}  // namespace trammel
