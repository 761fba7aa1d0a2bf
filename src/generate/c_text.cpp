// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "generate/c_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "generate/machine_code.hpp"

namespace trammel {

namespace {

using Operation = Tape::Operation;

// Sine and cosine count quarter turns in the low bits of a shifted angle.
constexpr const char* bit_functions = R"(#include <stdint.h>
#include <string.h>
static inline uint64_t bits_of(double x) { uint64_t n; memcpy(&n, &x, sizeof n); return n; }
static inline double turned(double x, uint64_t n) {
  n = bits_of(x) ^ ((n & 2u) << 62);
  memcpy(&x, &n, sizeof x);
  return x;
}
)";

bool is_on_bits(Operation operation) {
  return operation == Operation::odd || operation == Operation::turn ||
         operation == Operation::turn_next;
}

// A number as an operand: hexadecimal, so that no digit is lost.
std::string print_constant(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0.0 ? "INFINITY" : "(-INFINITY)";
  const std::string digits = fmt::format("{:a}", value);
  return value < 0.0 ? "(" + digits + ")" : digits;
}

std::string print_value(const Tape& tape, int n) {
  if (n < 0) return {};
  const Tape::Node& node = tape.nodes[n];
  if (node.operation == Operation::constant) return print_constant(node.value);
  if (node.operation == Operation::input) return fmt::format("a{}[{}]", node.array, node.offset);
  return fmt::format("v{}", n);
}

std::string print_operation(const Tape& tape, const Tape::Node& node) {
  const std::string a = print_value(tape, node.a), b = print_value(tape, node.b),
                    c = print_value(tape, node.c);
  switch (node.operation) {
    case Operation::negate: return "-" + a;
    case Operation::absolute: return "fabs(" + a + ")";
    case Operation::add: return a + " + " + b;
    case Operation::subtract: return a + " - " + b;
    case Operation::multiply: return a + " * " + b;
    case Operation::divide: return a + " / " + b;
    case Operation::least: return a + " < " + b + " ? " + a + " : " + b;
    case Operation::greatest: return a + " > " + b + " ? " + a + " : " + b;
    case Operation::square_root: return "sqrt(" + a + ")";
    case Operation::inverse_or_zero: return a + " > 0.0 ? 1.0 / " + a + " : 0.0";
    case Operation::nearest: return "nearbyint(" + a + ")";
    case Operation::call: {
      const auto argument = [](const std::string& of) { return of.empty() ? "0.0" : of; };
      return fmt::format("calc[{0}](data[{0}], {1}, {2}, {3})", node.offset, a, argument(b),
                         argument(c));
    }
    case Operation::choose: return a + " > 0.0 ? " + b + " : " + c;
    case Operation::odd: return "(bits_of(" + a + ") & 1u) ? " + c + " : " + b;
    case Operation::turn: return "turned(" + b + ", bits_of(" + a + "))";
    case Operation::turn_next: return "turned(" + b + ", bits_of(" + a + ") + 1u)";
    case Operation::sine:
    case Operation::cosine:  // written out before
    case Operation::constant:
    case Operation::input: break;
  }
  return {};
}

}  // namespace

std::string print_c(const Tape& recorded, const std::string& name, OperationOrder order) {
  const Tape tape = expand_sine_cosine(recorded);
  std::string text = "#include <math.h>\n";
  if (std::any_of(tape.nodes.begin(), tape.nodes.end(),
                  [](const Tape::Node& node) { return is_on_bits(node.operation); })) {
    text += bit_functions;
  }
  text += fmt::format("void {}(", name);
  for (int k = 0; k < MachineCode::n_arrays; ++k) {
    text += fmt::format("{}double* restrict a{}", k == 0 ? "" : ", ", k);
  }
  text +=
      ",\n    double (*const* calc)(const void*, double, double, double), const void* const* data) "
      "{\n";
  text += "  (void)calc;\n  (void)data;\n";
  for (int k = 0; k < MachineCode::n_arrays; ++k) text += fmt::format("  (void)a{};\n", k);
  const auto into = std::back_inserter(text);
  for (const int n : list_operations(tape, order)) {
    fmt::format_to(into, "  const double v{} = {};\n", n, print_operation(tape, tape.nodes[n]));
  }
  for (const Tape::Output& output : tape.outputs) {
    fmt::format_to(into, "  a{}[{}] = {};\n", output.array, output.offset,
                   print_value(tape, output.node));
  }
  return text + "}\n";
}

}  // namespace trammel
