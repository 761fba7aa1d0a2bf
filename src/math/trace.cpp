// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/trace.hpp"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <utility>

namespace trammel {

namespace {

thread_local Trace* current_trace = nullptr;

double calculate(Trace::Operation operation, double a, double b) {
  using enum Trace::Operation;
  switch (operation) {
    case negate:
      return -a;
    case absolute:
      return std::abs(a);
    case add:
      return a + b;
    case subtract:
      return a - b;
    case multiply:
      return a * b;
    case divide:
      return a / b;
    case least:
      return a < b ? a : b;
    case greatest:
      return a > b ? a : b;
    case square_root:
      return std::sqrt(a);
    case inverse_or_zero:
      return a > 0.0 ? 1.0 / a : 0.0;
    default:
      return std::nan("");
  }
}

bool is_arithmetic(Trace::Operation operation) {
  using enum Trace::Operation;
  return operation >= negate && operation <= inverse_or_zero;
}

bool is_unary(Trace::Operation operation) {
  using enum Trace::Operation;
  return operation == negate || operation == absolute || operation == square_root ||
         operation == inverse_or_zero;
}

std::size_t calc_hash(const Trace::Node& node) {
  const auto word = [](int high, int low) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32) |
           static_cast<std::uint32_t>(low);
  };
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const std::uint64_t bits :
       {word(static_cast<int>(node.operation), node.a), word(node.b, node.c),
        word(node.array, node.offset) ^ std::bit_cast<std::uint64_t>(node.value)}) {
    h = (h ^ bits) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
  }
  return static_cast<std::size_t>(h);
}

bool is_same(const Trace::Node& a, const Trace::Node& b) {
  return a.operation == b.operation && a.a == b.a && a.b == b.b && a.c == b.c &&
         a.array == b.array && a.offset == b.offset &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

}  // namespace

Traced::Traced(double value) : node(Trace::current().constant(value).node) {}

Trace::Trace() : outer_(current_trace) {
  current_trace = this;
  nodes_.reserve(1 << 13);
  found_.assign(1 << 14, -1);
  constant(0.0);
}

Trace::~Trace() { current_trace = outer_; }

Trace& Trace::current() {
  assert(current_trace != nullptr);
  return *current_trace;
}

// Where the node is in the table, or would be.
std::size_t Trace::find_place(const Node& node) const {
  const std::size_t mask = found_.size() - 1;
  std::size_t at = calc_hash(node) & mask;
  while (found_[at] >= 0 && !is_same(nodes_[found_[at]], node)) at = (at + 1) & mask;
  return at;
}

int Trace::find_or_add(const Node& node) {
  const std::size_t at = find_place(node);
  if (found_[at] >= 0) return found_[at];
  found_[at] = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
  if (2 * nodes_.size() > found_.size()) grow();
  return static_cast<int>(nodes_.size()) - 1;
}

void Trace::grow() {
  found_.assign(2 * found_.size(), -1);
  const std::size_t mask = found_.size() - 1;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    std::size_t at = calc_hash(nodes_[n]) & mask;
    while (found_[at] >= 0) at = (at + 1) & mask;
    found_[at] = static_cast<int>(n);
  }
}

Traced Trace::constant(double value) {
  Node node{Operation::constant};
  node.value = value == 0.0 ? 0.0 : value;
  Traced result;
  result.node = find_or_add(node);
  return result;
}

Traced Trace::input(int array, int offset) {
  Node node{Operation::input};
  node.array = array;
  node.offset = offset;
  Traced result;
  result.node = find_or_add(node);
  return result;
}

bool Trace::is_constant(int node, double value) const {
  return nodes_[node].operation == Operation::constant && nodes_[node].value == value;
}

// A number with a sign that can be moved out of a product: −x, or a constant below 0.
bool Trace::is_negative(int node) const {
  return is_negated(node) || (nodes_[node].operation == Operation::constant && nodes_[node].value < 0.0);
}

// What needs no operation, or a simpler one; node −1: nothing of that sort.
Traced Trace::fold(Operation operation, int a, int b) {
  using enum Operation;
  const auto at = [](int node) {
    Traced result;
    result.node = node;
    return result;
  };
  const auto negated = [&](int node) { return write(negate, at(node)); };
  if (is_arithmetic(operation) && nodes_[a].operation == constant &&
      (is_unary(operation) || nodes_[b].operation == constant)) {
    return this->constant(calculate(operation, nodes_[a].value, nodes_[b].value));
  }
  switch (operation) {
    case negate:
      if (is_negated(a)) return at(nodes_[a].a);
      break;
    case absolute:
      if (is_negated(a)) return write(absolute, at(nodes_[a].a));
      break;
    case add:
      if (is_constant(a, 0.0)) return at(b);
      if (is_constant(b, 0.0)) return at(a);
      if (is_negated(b)) return write(subtract, at(a), at(nodes_[b].a));
      if (is_negated(a)) return write(subtract, at(b), at(nodes_[a].a));
      break;
    case subtract:
      if (is_constant(b, 0.0)) return at(a);
      if (is_constant(a, 0.0)) return negated(b);
      if (is_negated(b)) return write(add, at(a), at(nodes_[b].a));
      if (is_negated(a)) return -write(add, at(nodes_[a].a), at(b));
      if (const int turned = find({subtract, b, a}); turned >= 0) return negated(turned);
      break;
    case multiply:
      if (is_constant(a, 0.0) || is_constant(b, 0.0)) return at(0);
      if (is_constant(a, 1.0)) return at(b);
      if (is_constant(b, 1.0)) return at(a);
      if (is_negative(a)) return -write(multiply, negated(a), at(b));
      if (is_negative(b)) return -write(multiply, at(a), negated(b));
      break;
    case divide:
      if (is_constant(b, 1.0)) return at(a);
      if (is_constant(a, 0.0)) return at(0);
      if (is_negative(a)) return -write(divide, negated(a), at(b));
      if (is_negative(b)) return -write(divide, at(a), negated(b));
      break;
    default:
      break;
  }
  return at(-1);
}

Traced Trace::write(Operation operation, const Traced& a, const Traced& b, const Traced& c) {
  if (const Traced folded = fold(operation, a.node, b.node); folded.node >= 0) return folded;
  Node node{operation, a.node, b.node, c.node};
  if (is_unary(operation)) node.b = -1;
  if (operation != Operation::odd) node.c = -1;
  // a + b is b + a, and the same node
  const bool commutes = operation == Operation::add || operation == Operation::multiply;
  if (commutes && node.a > node.b) std::swap(node.a, node.b);
  Traced result;
  result.node = find_or_add(node);
  return result;
}

void Trace::watch_pivot(const Traced& pivot, const Traced& limit) {
  const Traced margin = pivot - limit;
  margin_ = has_margin_ ? lesser(margin, margin_) : margin;
  has_margin_ = true;
}

// As calc_sine_cosine of a double, operation by operation.
SineCosine<Traced> calc_sine_cosine(const Traced& x) {
  using Operation = Trace::Operation;
  Trace& trace = Trace::current();
  const Traced shift(sine_cosine::shift);
  const Traced shifted = x * Traced(sine_cosine::two_over_pi) + shift;
  const Traced n = shifted - shift;
  const Traced r = ((x - n * Traced(sine_cosine::part_1)) - n * Traced(sine_cosine::part_2)) -
                   n * Traced(sine_cosine::part_3);
  const Traced z = r * r;
  const auto polynomial = [&](const double* c) {
    Traced p = Traced(c[0]) * z;
    for (int k = 1; k < sine_cosine::n_terms - 1; ++k) p = (p + Traced(c[k])) * z;
    return p + Traced(c[sine_cosine::n_terms - 1]);
  };
  const Traced s = r + z * r * polynomial(sine_cosine::sine);
  const Traced c = Traced(1.0) - (Traced(0.5) * z - z * (z * polynomial(sine_cosine::cosine)));
  return {trace.write(Operation::turn, shifted, trace.write(Operation::odd, shifted, s, c)),
          trace.write(Operation::turn_next, shifted, trace.write(Operation::odd, shifted, c, s))};
}

}  // namespace trammel
