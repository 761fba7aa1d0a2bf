// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Executes a tape on plain numbers of any precision, one operation after the other. Slow and simple: with
// doubles it is the reference of machine code, with more digits the reference of derivatives.
#pragma once

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "math/sine_cosine.hpp"
#include "math/tape.hpp"

namespace trammel {

// Value of each node; input(array, offset) gives the inputs.
template <class Number, class Input>
std::vector<Number> calc_values(const Tape& tape, Input&& input) {
  using Operation = Tape::Operation;
  constexpr bool is_double = std::is_same_v<Number, double>;
  using std::cos, std::sin, std::sqrt;
  std::vector<Number> values(tape.nodes.size());
  for (std::size_t n = 0; n < tape.nodes.size(); ++n) {
    const Tape::Node& node = tape.nodes[n];
    const Number zero(0);
    const Number a = node.a >= 0 ? values[node.a] : zero;
    const Number b = node.b >= 0 ? values[node.b] : zero;
    const Number c = node.c >= 0 ? values[node.c] : zero;
    // the quarter turns in the low bits of a shifted angle
    [[maybe_unused]] const auto quadrant = [&] {
      return std::bit_cast<std::uint64_t>(static_cast<double>(a));
    };
    Number& result = values[n];
    switch (node.operation) {
      case Operation::constant: result = Number(node.value); break;
      case Operation::input: result = input(node.array, node.offset); break;
      case Operation::negate: result = -a; break;
      case Operation::absolute: result = a < zero ? -a : a; break;
      case Operation::add: result = a + b; break;
      case Operation::subtract: result = a - b; break;
      case Operation::multiply: result = a * b; break;
      case Operation::divide: result = a / b; break;
      case Operation::least: result = a < b ? a : b; break;
      case Operation::greatest: result = a > b ? a : b; break;
      case Operation::square_root: result = sqrt(a); break;
      case Operation::inverse_or_zero: result = a > zero ? Number(1) / a : zero; break;
      case Operation::sine:
        if constexpr (is_double)
          result = calc_sine_cosine(a).sine;
        else
          result = sin(a);
        break;
      case Operation::cosine:
        if constexpr (is_double)
          result = calc_sine_cosine(a).cosine;
        else
          result = cos(a);
        break;
      case Operation::nearest: result = Number(std::nearbyint(static_cast<double>(a))); break;
      case Operation::call: {  // functions have the digits of a double
        const TracedFunction& f = tape.functions[node.offset];
        result = Number(
            f.calc(f.data, static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
        break;
      }
      case Operation::choose: result = a > zero ? b : c; break;
      case Operation::odd:
      case Operation::turn:
      case Operation::turn_next:
        assert(is_double && "bits of a double");
        if (node.operation == Operation::odd)
          result = (quadrant() & 1u) != 0 ? c : b;
        else
          result = ((quadrant() + (node.operation == Operation::turn_next)) & 2u) != 0 ? -b : b;
        break;
    }
  }
  return values;
}

}  // namespace trammel
