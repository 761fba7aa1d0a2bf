// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// In which order machine code does the operations of a trace.
//
// The trace itself goes through the mechanism joint by joint and waits: a result is often needed by the
// next operation, three cycles before it is there, and a processor looks only some sixty operations
// ahead for other work. An order by latency alone keeps it busy, but has so many values in hand that
// they do not fit into the sixteen registers. So the next operation is the one with the most of
//
//   registers it frees (−1, 0 or 1)
//   − 0.1   for each cycle until its operands are there
//   + 0.003 for each cycle of latency from here to the end of the trace
//   − 0.002 for each place in the trace
//
// On quadrangle and crank an evaluation takes 14 to 16 % less time with it, for a tenth more instructions
// (docs/studies/performance.md; the weights matter little within a factor of two). Finding the order takes as long
// as some 3,000 evaluations gain: it is for what runs at every stage of a step. The results keep their
// bits: what an operation is made of does not change.
#pragma once

#include <vector>

#include "math/tape.hpp"

namespace trammel {

// The nodes of list_operations, operands before results, in the order above.
std::vector<int> order_operations(const Tape& tape);

// As they were recorded, in the order above, or in the one that is faster for an evaluation of this size.
// (Derivatives are recorded behind what they are made of: for them the order above pays at any size.)
enum class OperationOrder { recorded, scheduled, best };
std::vector<int> list_operations(const Tape& tape, OperationOrder order);

}  // namespace trammel
