// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A tape: a list of operations on numbers, operands before results, from inputs to outputs. It knows
// nothing of mechanics. Numbers of type Traced record one (trace.hpp); it can be executed on any kind of
// number (tape_values.hpp), differentiated into another tape (derivatives.hpp), and turned into machine
// code or C (generate/machine_code.hpp, generate/c_text.hpp).
#pragma once

#include <vector>

namespace trammel {

struct Traced;

// A function that the code calls instead of writing it down: a table, the C library's, a search. The same
// arguments give the same number for as long as the code is in use.
struct TracedFunction {
  double (*calc)(const void* data, double a, double b, double c);
  const void* data = nullptr;
  // ∂f by operand `which` (0, 1, 2); null: it has no derivative
  Traced (*derive)(const TracedFunction& self, const Traced& a, const Traced& b, const Traced& c,
                   int which) = nullptr;

  friend bool operator==(const TracedFunction&, const TracedFunction&) = default;
};

struct Tape {
  enum class Operation : unsigned char {
    constant,
    input,
    negate,
    absolute,
    add,
    subtract,
    multiply,
    divide,
    least,     // a < b ? a : b
    greatest,  // a > b ? a : b
    square_root,
    inverse_or_zero,  // a > 0 ? 1/a : 0
    nearest,          // the nearest whole number, of two the even one
    sine,             // of calc_sine_cosine
    cosine,
    choose,  // a > 0 ? b : c
    // what sine and cosine are made of in code (expand_sine_cosine); a: the angle in quarter turns, shifted
    // so that its low bits count them
    odd,        // a odd ? c : b
    turn,       // b with the sign changed where a has bit 1
    turn_next,  // the same of a + 1
    call,       // f(a, b, c), missing operands 0
  };

  struct Node {
    Operation operation;
    int a = -1, b = -1, c = -1;  // operands: nodes before this one, or −1
    double value = 0.0;          // constant
    int array = -1;              // input: which array and where
    int offset = -1;             // call: which function
  };

  // A result and where it goes.
  struct Output {
    int node;
    int array;
    int offset;
  };

  std::vector<Node> nodes;
  std::vector<Output> outputs;
  std::vector<TracedFunction> functions;

  // Whether there is a sine or a cosine.
  bool has_angles() const;
  // The input at this place, or −1: the number was a constant, or not read.
  int find_input(int array, int offset) const;
};

// Nodes that outputs need and that are neither constants nor inputs, in the order of the tape.
std::vector<int> list_operations(const Tape& tape);

// The same tape with sine and cosine written out in operations that a processor has; the bits are those of
// calc_sine_cosine.
Tape expand_sine_cosine(const Tape& tape);

}  // namespace trammel
