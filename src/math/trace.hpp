// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A number that writes down what is done with it. The kernel, run once on such numbers, leaves the tape
// of operations that an evaluation of this one mechanism takes (machine_code.hpp turns it into code).
//
// Constants are folded, and only where the result is the same to the bit: sums
// and products of constants; x·1, x + 0, x − 0; x·0 = 0. (The sign of a zero may differ: it
// never makes a number that is not zero.) An operation done before is not done again, nor with other
// signs: −x·y = −(x·y), (−x) − y = −(x + y), y − x = −(x − y). Signs move outwards, where they meet a
// sum; so the two ends of a bar with its centre of mass in the middle, with arms p and −p, are one
// calculation. Nothing is reordered.
#pragma once

#include <initializer_list>
#include <vector>

#include "math/sine_cosine.hpp"
#include "math/tape.hpp"

namespace trammel {

class Trace;

struct Traced {
  int node = 0;  // 0: the constant 0

  Traced() = default;
  explicit Traced(double value);
  Traced& operator+=(const Traced& b);
  Traced& operator-=(const Traced& b);
  Traced& operator*=(const Traced& b);
};

class Trace {
 public:
  using Operation = Tape::Operation;
  using Node = Tape::Node;
  using Output = Tape::Output;

  Trace();
  explicit Trace(const Tape& begun);  // goes on where that one ends; its nodes keep their numbers
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // The one that numbers of this thread are written to.
  static Trace& current();

  Traced constant(double value);
  Traced input(int array, int offset);
  Traced write(Operation operation, const Traced& a, const Traced& b = {}, const Traced& c = {});
  Traced call(const TracedFunction& function, std::initializer_list<Traced> operands);
  void output(const Traced& value, int array, int offset) {
    tape_.outputs.push_back({value.node, array, offset});
  }
  // The pivots of a factor are kept where this is positive: the least of pivot − limit.
  void watch_pivot(const Traced& pivot, const Traced& limit);
  // A constant that no number is above: +∞, or not a number.
  bool is_beyond_all(const Traced& limit) const;
  Traced margin() const { return margin_; }
  bool has_margin() const { return has_margin_; }

  const Tape& tape() const { return tape_; }
  // NOLINTNEXTLINE(google-explicit-constructor): a trace is a tape that is being recorded
  operator const Tape&() const { return tape_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Output>& outputs() const { return tape_.outputs; }
  const std::vector<TracedFunction>& functions() const { return tape_.functions; }

 private:
  std::size_t find_place(const Node& node) const;
  int find(const Node& node) const { return found_[find_place(node)]; }  // −1: not there
  int find_or_add(const Node& node);
  void grow();
  void fill_table();
  bool is_constant(int node, double value) const;
  bool is_negated(int node) const { return nodes_[node].operation == Operation::negate; }
  bool is_negative(int node) const;
  Traced fold(Operation operation, int a, int b, int c);

  Tape tape_;
  std::vector<Node>& nodes_ = tape_.nodes;
  std::vector<int> found_;  // hash table of nodes, open addressing; −1: empty
  Traced margin_;
  bool has_margin_ = false;
  Trace* outer_;
};

inline Traced operator+(const Traced& a, const Traced& b) {
  return Trace::current().write(Trace::Operation::add, a, b);
}
inline Traced operator-(const Traced& a, const Traced& b) {
  return Trace::current().write(Trace::Operation::subtract, a, b);
}
inline Traced operator-(const Traced& a) {
  return Trace::current().write(Trace::Operation::negate, a);
}
inline Traced operator*(const Traced& a, const Traced& b) {
  return Trace::current().write(Trace::Operation::multiply, a, b);
}
inline Traced operator/(const Traced& a, const Traced& b) {
  return Trace::current().write(Trace::Operation::divide, a, b);
}
inline Traced& Traced::operator+=(const Traced& b) { return *this = *this + b; }
inline Traced& Traced::operator-=(const Traced& b) { return *this = *this - b; }
inline Traced& Traced::operator*=(const Traced& b) { return *this = *this * b; }
inline Traced sqrt(const Traced& a) {
  return Trace::current().write(Trace::Operation::square_root, a);
}
inline Traced abs(const Traced& a) { return Trace::current().write(Trace::Operation::absolute, a); }

// ---- what the kernel asks for by name, because numbers branch there (math/choices.hpp)

inline Traced lesser(const Traced& a, const Traced& b) {
  return Trace::current().write(Trace::Operation::least, a, b);
}
inline Traced greater(const Traced& a, const Traced& b) {
  return Trace::current().write(Trace::Operation::greatest, a, b);
}
inline Traced inverse_or_zero(const Traced& a) {
  return Trace::current().write(Trace::Operation::inverse_or_zero, a);
}
inline Traced nearest(const Traced& a) {
  return Trace::current().write(Trace::Operation::nearest, a);
}
// A pivot that is not safely positive ends the use of the code, before anyone reads the results.
inline void keep_or_drop(const Traced& pivot, const Traced& limit, Traced& kept, Traced& inverse) {
  if (Trace::current().is_beyond_all(limit)) {  // a row that is left out
    kept = inverse = Traced();
    return;
  }
  Trace::current().watch_pivot(pivot, limit);
  kept = pivot;
  inverse = Traced(1.0) / pivot;
}

inline SineCosine<Traced> calc_sine_cosine(const Traced& x) {
  Trace& trace = Trace::current();
  return {trace.write(Trace::Operation::sine, x), trace.write(Trace::Operation::cosine, x)};
}

// a > 0 ? b : c
inline Traced choose_if_positive(const Traced& a, const Traced& b, const Traced& c) {
  return Trace::current().write(Trace::Operation::choose, a, b, c);
}

Traced replay_call(const Tape& tape, const Tape::Node& call, const std::vector<Traced>& values);

// Executes a tape on traced numbers, which copies it into the current trace: input(array, offset) gives
// the numbers that take the place of its inputs. Returns the value of each node.
template <class Input>
std::vector<Traced> replay(const Tape& tape, Input&& input) {
  std::vector<Traced> values(tape.nodes.size());
  const Traced none;
  const auto value = [&](int node) { return node >= 0 ? values[node] : none; };
  for (std::size_t n = 0; n < tape.nodes.size(); ++n) {
    const Tape::Node& node = tape.nodes[n];
    if (node.operation == Tape::Operation::constant)
      values[n] = Traced(node.value);
    else if (node.operation == Tape::Operation::input)
      values[n] = input(node.array, node.offset);
    else if (node.operation == Tape::Operation::call)
      values[n] = replay_call(tape, node, values);
    else
      values[n] =
          Trace::current().write(node.operation, value(node.a), value(node.b), value(node.c));
  }
  return values;
}

}  // namespace trammel
