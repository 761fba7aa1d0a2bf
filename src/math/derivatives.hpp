// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of a tape, as another tape: the operations of the first and, behind them, those of its
// derivatives, with constants folded and common operations shared as in any trace. Rules:
//
//   + − × ÷                 as usual
//   sine, cosine            s′ = c, c′ = −s
//   √x                      x′/(2√x), with inverse_or_zero: 0 at x = 0 instead of infinity
//   inverse_or_zero         −x′/x², and 0 where it is 0
//   |x|, least, greatest,   of the piece that holds there
//   choose, nearest
//   functions               their own; those without one throw NotDifferentiable
//
// Roots, inverses, kinks and jumps have no derivative at some points. These are reported: see `Derivative::edges`.
//
// Literature: A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, chapters 3, 4 and 7.
#pragma once

#include <stdexcept>
#include <vector>

#include "math/tape.hpp"

namespace trammel {

// Something on the tape has no derivative, or what to differentiate by is not on it.
struct NotDifferentiable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// In a direction, the tangent of an input: the value of another node of the tape (the constant 1, an input,
// or a result). A node has one seed for each direction that moves it.
struct Seed {
  int input;
  int direction;
  int tangent;
};

// A derivative that is not identically 0: in which direction, or by which input (its node), and the node
// that has its value.
struct Partial {
  int by;
  int node;
};

struct Derivative {
  Tape tape;                                   // begins with the given one; outputs are those of it
  std::vector<std::vector<Partial>> partials;  // [outputs], sorted by `by`
  // Where the value of one of these nodes is 0 there is no derivative: a root of 0, a kink, a jump.
  std::vector<int> edges;
};

// Tangents of all outputs. All seeds are inputs of the tape; others throw NotDifferentiable.
Derivative differentiate_forward(const Tape& tape, const std::vector<Seed>& seeds);

// Adjoints: the derivatives of Σ wₖ outputₖ by inputs. weights: [outputs] a node of the tape, or −1 for 0;
// inputs: by which inputs (nodes). `partials` has one entry, of the sum.
Derivative differentiate_reverse(const Tape& tape, const std::vector<int>& weights,
                                 const std::vector<int>& inputs);

// The node of an input that is differentiated by. Throws NotDifferentiable with the reason where it is not
// on the tape: a number that was a constant when the tape was recorded cannot be varied.
int find_variable(const Tape& tape, int array, int offset);

}  // namespace trammel
