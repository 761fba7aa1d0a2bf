// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/trace.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace trammel {

namespace {

thread_local Trace* current_trace = nullptr;

constexpr double infinity = std::numeric_limits<double>::infinity();

double calculate(Trace::Operation operation, double a, double b) {
  using enum Tape::Operation;
  switch (operation) {
    case negate: return -a;
    case absolute: return std::abs(a);
    case add: return a + b;
    case subtract: return a - b;
    case multiply: return a * b;
    case divide: return a / b;
    case least: return a < b ? a : b;
    case greatest: return a > b ? a : b;
    case square_root: return std::sqrt(a);
    case inverse_or_zero: return a > 0.0 ? 1.0 / a : 0.0;
    case nearest: return std::nearbyint(a);
    case sine: return calc_sine_cosine(a).sine;
    case cosine: return calc_sine_cosine(a).cosine;
    default: return std::nan("");
  }
}

bool is_arithmetic(Trace::Operation operation) {
  using enum Tape::Operation;
  return operation >= negate && operation <= cosine;
}

bool is_unary(Trace::Operation operation) {
  using enum Tape::Operation;
  return operation == negate || operation == absolute ||
         (operation >= square_root && operation <= cosine);
}

// Operations differ in their operands; only what is given has a value or a place.
bool is_given(const Trace::Node& node) {
  using enum Tape::Operation;
  return node.operation == constant || node.operation == input || node.operation == call;
}

std::size_t calc_hash(const Trace::Node& node) {
  const auto bits = [](int x) { return std::uint64_t{static_cast<std::uint32_t>(x)}; };
  std::uint64_t h = static_cast<std::uint64_t>(node.operation) + (bits(node.a) << 8) +
                    0x9e3779b97f4a7c15u * bits(node.b) + 0xd6e8feb86659fd93u * bits(node.c);
  if (is_given(node)) {
    h += 0x94d049bb133111ebu * (bits(node.offset) + (bits(node.array) << 32));
    h ^= std::bit_cast<std::uint64_t>(node.value);
  }
  h *= 0xbf58476d1ce4e5b9u;
  return static_cast<std::size_t>(h ^ h >> 32);
}

bool is_same(const Trace::Node& a, const Trace::Node& b) {
  if (a.operation != b.operation || a.a != b.a || a.b != b.b || a.c != b.c) return false;
  return !is_given(a) ||
         (a.array == b.array && a.offset == b.offset &&
          std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value));
}

}  // namespace

Traced::Traced(double value) : node(Trace::current().constant(value).node) {}

Trace::Trace() : outer_(current_trace) {
  current_trace = this;
  nodes_.reserve(1 << 12);
  found_.assign(1 << 13, -1);
  constant(0.0);
}

Trace::Trace(const Tape& begun) : tape_(begun), outer_(current_trace) {
  current_trace = this;
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(4 * nodes_.size(), 1 << 14));
  found_.assign(size, -1);
  fill_table();
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
  fill_table();
}

void Trace::fill_table() {
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
  return is_negated(node) ||
         (nodes_[node].operation == Operation::constant && nodes_[node].value < 0.0);
}

// What needs no operation, or a simpler one; node −1: nothing of that sort.
Traced Trace::fold(Operation operation, int a, int b, int c) {
  using enum Tape::Operation;
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
      // the diagonal of a row that is left out, which is positive
      if (is_constant(a, infinity) || is_constant(b, infinity)) return this->constant(infinity);
      if (is_negative(a)) return -write(multiply, negated(a), at(b));
      if (is_negative(b)) return -write(multiply, at(a), negated(b));
      break;
    case divide:
      if (is_constant(b, 1.0)) return at(a);
      if (is_constant(a, 0.0)) return at(0);
      if (is_negative(a)) return -write(divide, negated(a), at(b));
      if (is_negative(b)) return -write(divide, at(a), negated(b));
      break;
    case choose:
      if (b == c) return at(b);
      if (nodes_[a].operation == constant) return at(nodes_[a].value > 0.0 ? b : c);
      if (is_negated(b) && is_negated(c)) {
        return -write(choose, at(a), at(nodes_[b].a), at(nodes_[c].a));
      }
      break;
    default: break;
  }
  return at(-1);
}

Traced Trace::write(Operation operation, const Traced& a, const Traced& b, const Traced& c) {
  // of operands that are neither constants nor negated only differences can be known already
  const auto is_plain = [this](int node) {
    return nodes_[node].operation != Operation::constant && !is_negated(node);
  };
  const bool is_plain_pair = is_plain(a.node) && (is_unary(operation) || is_plain(b.node));
  if (!is_plain_pair || operation == Operation::subtract || operation == Operation::choose) {
    const Traced folded = fold(operation, a.node, b.node, c.node);
    if (folded.node >= 0) return folded;
  }
  Node node{operation, a.node, b.node, c.node};
  if (is_unary(operation)) node.b = -1;
  if (operation != Operation::odd && operation != Operation::choose) node.c = -1;
  // a + b is b + a, and the same node
  const bool commutes = operation == Operation::add || operation == Operation::multiply;
  if (commutes && node.a > node.b) std::swap(node.a, node.b);
  Traced result;
  result.node = find_or_add(node);
  return result;
}

Traced Trace::call(const TracedFunction& function, std::initializer_list<Traced> operands) {
  const auto found = std::find(tape_.functions.begin(), tape_.functions.end(), function);
  Node node{Operation::call};
  node.offset = static_cast<int>(found - tape_.functions.begin());
  if (found == tape_.functions.end()) tape_.functions.push_back(function);
  int* into[] = {&node.a, &node.b, &node.c};
  int k = 0;
  for (const Traced& operand : operands) *into[k++] = operand.node;
  Traced result;
  result.node = find_or_add(node);
  return result;
}

bool Trace::is_beyond_all(const Traced& limit) const {
  const Node& node = nodes_[limit.node];
  return node.operation == Operation::constant && !(node.value < infinity);
}

Traced replay_call(const Tape& tape, const Tape::Node& node, const std::vector<Traced>& values) {
  const TracedFunction& function = tape.functions[node.offset];
  Trace& trace = Trace::current();
  if (node.b < 0) return trace.call(function, {values[node.a]});
  if (node.c < 0) return trace.call(function, {values[node.a], values[node.b]});
  return trace.call(function, {values[node.a], values[node.b], values[node.c]});
}

void Trace::watch_pivot(const Traced& pivot, const Traced& limit) {
  const Traced margin = pivot - limit;
  margin_ = has_margin_ ? lesser(margin, margin_) : margin;
  has_margin_ = true;
}

}  // namespace trammel
