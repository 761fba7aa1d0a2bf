// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/tape.hpp"

#include <algorithm>
#include <utility>

#include "math/sine_cosine.hpp"

namespace trammel {

using Operation = Tape::Operation;

namespace {

bool is_angular(const Tape::Node& node) {
  return node.operation == Operation::sine || node.operation == Operation::cosine;
}

// Copies a tape and writes sine and cosine out, as calc_sine_cosine of a double does.
class Expansion {
 public:
  explicit Expansion(const Tape& tape) : from_(tape) { to_.nodes.reserve(2 * tape.nodes.size()); }

  Tape expand() {
    std::vector<int> renamed(from_.nodes.size());
    const auto rename = [&](int n) { return n >= 0 ? renamed[n] : -1; };
    for (std::size_t n = 0; n < from_.nodes.size(); ++n) {
      Tape::Node node = from_.nodes[n];
      if (is_angular(node)) {
        const SineCosine<int> of = find_or_add(rename(node.a));
        renamed[n] = node.operation == Operation::sine ? of.sine : of.cosine;
        continue;
      }
      node.a = rename(node.a);
      node.b = rename(node.b);
      node.c = rename(node.c);
      renamed[n] = add(node);
    }
    to_.outputs = from_.outputs;
    for (Tape::Output& output : to_.outputs) output.node = rename(output.node);
    to_.functions = from_.functions;
    return std::move(to_);
  }

 private:
  int add(const Tape::Node& node) {
    to_.nodes.push_back(node);
    return static_cast<int>(to_.nodes.size()) - 1;
  }
  int constant(double value) {
    for (const int n : constants_) {
      if (to_.nodes[n].value == value) return n;
    }
    Tape::Node node{Operation::constant};
    node.value = value;
    constants_.push_back(add(node));
    return constants_.back();
  }
  int multiply(int a, int b) { return add({Operation::multiply, a, b}); }
  int sum(int a, int b) { return add({Operation::add, a, b}); }
  int difference(int a, int b) { return add({Operation::subtract, a, b}); }

  SineCosine<int> find_or_add(int angle) {
    for (const Done& done : done_) {
      if (done.angle == angle) return done.of;
    }
    done_.push_back({angle, write(angle)});
    return done_.back().of;
  }

  SineCosine<int> write(int x) {
    using namespace sine_cosine;
    // n quarter turns, and what is left of the angle
    const int shifted = sum(multiply(x, constant(two_over_pi)), constant(shift));
    const int n = difference(shifted, constant(shift));
    int r = x;
    for (const double part : {part_1, part_2, part_3})
      r = difference(r, multiply(n, constant(part)));
    // both polynomials
    const int z = multiply(r, r);
    const auto polynomial = [&](const double* c) {
      int p = multiply(constant(c[0]), z);
      for (int k = 1; k < n_terms - 1; ++k) p = multiply(sum(p, constant(c[k])), z);
      return sum(p, constant(c[n_terms - 1]));
    };
    const int s = sum(r, multiply(multiply(z, r), polynomial(sine)));
    const int half = multiply(constant(0.5), z);
    const int c =
        difference(constant(1.0), difference(half, multiply(z, multiply(z, polynomial(cosine)))));
    // which is which
    return {add({Operation::turn, shifted, add({Operation::odd, shifted, s, c})}),
            add({Operation::turn_next, shifted, add({Operation::odd, shifted, c, s})})};
  }

  const Tape& from_;
  Tape to_;
  std::vector<int> constants_;  // of the polynomials
  struct Done {
    int angle;
    SineCosine<int> of;
  };
  std::vector<Done> done_;
};

}  // namespace

bool Tape::has_angles() const { return std::any_of(nodes.begin(), nodes.end(), is_angular); }

int Tape::find_input(int array, int offset) const {
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    if (node.operation == Operation::input && node.array == array && node.offset == offset) {
      return static_cast<int>(n);
    }
  }
  return -1;
}

std::vector<int> list_operations(const Tape& tape) {
  std::vector<char> needed(tape.nodes.size(), 0);
  for (const Tape::Output& output : tape.outputs) needed[output.node] = 1;
  for (std::size_t n = tape.nodes.size(); n-- > 0;) {
    if (needed[n] == 0) continue;
    const Tape::Node& node = tape.nodes[n];
    for (const int operand : {node.a, node.b, node.c}) {
      if (operand >= 0) needed[operand] = 1;
    }
  }
  std::vector<int> list;
  for (std::size_t n = 0; n < tape.nodes.size(); ++n) {
    const Operation operation = tape.nodes[n].operation;
    const bool is_given = operation == Operation::constant || operation == Operation::input;
    if (needed[n] != 0 && !is_given) list.push_back(static_cast<int>(n));
  }
  return list;
}

Tape expand_sine_cosine(const Tape& tape) { return Expansion(tape).expand(); }

}  // namespace trammel
