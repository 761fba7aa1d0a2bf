// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A number that writes down what is done with it. The kernel, run once on such numbers, leaves the list
// of operations that an evaluation of this one mechanism takes (machine_code.hpp turns it into code).
//
// What is known beforehand is done beforehand, and only where the result is the same to the bit: sums
// and products of constants; x·1, x + 0, x − 0; x·0 = 0. (The sign of a zero may differ: it
// never makes a number that is not zero.) An operation done before is not done again, nor with other
// signs: −x·y = −(x·y), (−x) − y = −(x + y), y − x = −(x − y). Signs move outwards, where they meet a
// sum; so the two ends of a bar with its centre of mass in the middle, with arms p and −p, are one
// calculation. Nothing is reordered.
#pragma once

#include <vector>

#include "math/sine_cosine.hpp"

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
  enum class Operation : unsigned char {
    constant,
    input,
    negate,
    absolute,
    add,
    subtract,
    multiply,
    divide,
    least,            // a < b ? a : b
    greatest,         // a > b ? a : b
    square_root,
    inverse_or_zero,  // a > 0 ? 1/a : 0
    // of calc_sine_cosine; a: the angle in quarter turns, shifted so that its low bits count them
    odd,        // a odd ? c : b
    turn,       // b with the sign changed where a has bit 1
    turn_next,  // the same of a + 1
  };

  struct Node {
    Operation operation;
    int a = -1, b = -1, c = -1;
    double value = 0.0;  // constant
    int array = -1;      // input: which array and where
    int offset = -1;
  };

  // A result and where it goes.
  struct Output {
    int node;
    int array;
    int offset;
  };

  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // The one that numbers of this thread are written to.
  static Trace& current();

  Traced constant(double value);
  Traced input(int array, int offset);
  Traced write(Operation operation, const Traced& a, const Traced& b = {}, const Traced& c = {});
  void output(const Traced& value, int array, int offset) {
    outputs_.push_back({value.node, array, offset});
  }
  // The pivots of a factor are kept where this is positive: the least of pivot − limit.
  void watch_pivot(const Traced& pivot, const Traced& limit);
  Traced margin() const { return margin_; }

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Output>& outputs() const { return outputs_; }

 private:
  std::size_t find_place(const Node& node) const;
  int find(const Node& node) const { return found_[find_place(node)]; }  // −1: not there
  int find_or_add(const Node& node);
  void grow();
  bool is_constant(int node, double value) const;
  bool is_negated(int node) const { return nodes_[node].operation == Operation::negate; }
  bool is_negative(int node) const;
  Traced fold(Operation operation, int a, int b);

  std::vector<Node> nodes_;
  std::vector<int> found_;  // hash table of nodes, open addressing; −1: empty
  std::vector<Output> outputs_;
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
inline Traced abs(const Traced& a) {
  return Trace::current().write(Trace::Operation::absolute, a);
}

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
// A pivot that is not safely positive ends the use of the code, before anyone reads the results.
inline void keep_or_drop(const Traced& pivot, const Traced& limit, Traced& kept, Traced& inverse) {
  Trace::current().watch_pivot(pivot, limit);
  kept = pivot;
  inverse = Traced(1.0) / pivot;
}

SineCosine<Traced> calc_sine_cosine(const Traced& x);

}  // namespace trammel
