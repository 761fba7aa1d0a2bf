// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/derivatives.hpp"

#include <algorithm>
#include <string>

#include "math/trace.hpp"

namespace trammel {

namespace {

using Operation = Tape::Operation;

Traced at(int node) {
  Traced result;
  result.node = node;
  return result;
}

void check_input(const Tape& tape, int node) {
  if (node >= 0 && node < static_cast<int>(tape.nodes.size()) &&
      tape.nodes[node].operation == Operation::input) {
    return;
  }
  throw NotDifferentiable("node " + std::to_string(node) +
                          " of the tape is not an input: only by inputs can it be differentiated");
}

// What both sweeps share: the partial derivatives of one operation by its operands.
class Rules {
 public:
  Rules(const Tape& tape, std::vector<int>& edges) : trace_(tape), edges_(edges) {}

  // ∂(node)/∂(operand k), where it is a factor (not for choices between operands).
  Traced factor(int n, int k) {
    const Tape::Node node = trace_.nodes()[n];
    const Traced a = at(node.a), b = at(node.b), result = at(n);
    switch (node.operation) {
      case Operation::negate: return Traced(-1.0);
      case Operation::add: return Traced(1.0);
      case Operation::subtract: return Traced(k == 0 ? 1.0 : -1.0);
      case Operation::multiply: return k == 0 ? b : a;
      case Operation::divide: {
        const Traced inverse = Traced(1.0) / b;
        return k == 0 ? inverse : -(result * inverse);
      }
      case Operation::square_root: mark(node.a); return Traced(0.5) * inverse_or_zero(result);
      case Operation::inverse_or_zero: mark(node.a); return -(result * result);
      case Operation::absolute:
        mark(node.a);
        return choose_if_positive(a, Traced(1.0), Traced(-1.0));
      case Operation::sine: return trace_.write(Operation::cosine, a);
      case Operation::cosine: return -trace_.write(Operation::sine, a);
      case Operation::nearest: return Traced();
      case Operation::call: {
        const TracedFunction function = trace_.functions()[node.offset];
        if (function.derive == nullptr) {
          throw NotDifferentiable("a function on the tape has no derivative");
        }
        const auto operand = [](int of) { return of >= 0 ? at(of) : Traced(); };
        return function.derive(function, a, operand(node.b), operand(node.c), k);
      }
      default:
        throw NotDifferentiable(
            "the tape has an operation on bits: differentiate it before sine and "
            "cosine are written out");
    }
  }

  static bool is_choice(Operation operation) {
    return operation == Operation::least || operation == Operation::greatest ||
           operation == Operation::choose;
  }
  // A choice between the operands `first` (where `test` is positive) and `second`.
  struct Choice {
    Traced test;
    int first, second;
  };
  Choice find_choice(const Tape::Node& node) {
    if (node.operation == Operation::choose) {
      mark(node.a);
      return {at(node.a), node.b, node.c};
    }
    const bool least = node.operation == Operation::least;
    const Traced test = least ? at(node.b) - at(node.a) : at(node.a) - at(node.b);
    mark(test.node);
    return {test, node.a, node.b};
  }

  Trace& trace() { return trace_; }

 private:
  void mark(int node) {
    if (std::find(edges_.begin(), edges_.end(), node) == edges_.end()) edges_.push_back(node);
  }

  Trace trace_;
  std::vector<int>& edges_;
};

// ---- forward: tangents as sparse lists of directions

using Tangent = std::vector<Partial>;

// f(x, y) for each direction that one of them has
template <class Function>
Tangent merge(const Tangent& x, const Tangent& y, Function&& f) {
  Tangent result;
  result.reserve(std::max(x.size(), y.size()));
  std::size_t i = 0, j = 0;
  while (i < x.size() || j < y.size()) {
    const bool from_x = j == y.size() || (i < x.size() && x[i].by <= y[j].by);
    const bool from_y = i == x.size() || (j < y.size() && y[j].by <= x[i].by);
    const int by = from_x ? x[i].by : y[j].by;
    const Traced value = f(from_x ? at(x[i].node) : Traced(), from_y ? at(y[j].node) : Traced());
    if (value.node != 0) result.push_back({by, value.node});
    i += from_x;
    j += from_y;
  }
  return result;
}

Tangent scale(const Traced& factor, const Tangent& x) {
  return merge(x, {}, [&](const Traced& dx, const Traced&) { return factor * dx; });
}

Tangent calc_tangent(Rules& rules, const std::vector<Tangent>& tangents, int n) {
  const Tape::Node node = rules.trace().nodes()[n];
  static const Tangent none;
  const Tangent& x = tangents[node.a];
  const Tangent& y = node.b >= 0 ? tangents[node.b] : none;
  if (Rules::is_choice(node.operation)) {
    const bool chooses = node.operation == Operation::choose;
    if ((chooses || x.empty()) && y.empty() && (node.c < 0 || tangents[node.c].empty())) return {};
    const Rules::Choice choice = rules.find_choice(node);
    return merge(tangents[choice.first], tangents[choice.second],
                 [&](const Traced& first, const Traced& second) {
                   return choose_if_positive(choice.test, first, second);
                 });
  }
  if (node.operation == Operation::call) {
    Tangent sum;
    int which = 0;
    for (const int operand : {node.a, node.b, node.c}) {
      if (operand >= 0 && !tangents[operand].empty()) {
        const Tangent part = scale(rules.factor(n, which), tangents[operand]);
        sum = merge(sum, part, [](const Traced& a, const Traced& b) { return a + b; });
      }
      ++which;
    }
    return sum;
  }
  if (x.empty() && y.empty()) return {};
  switch (node.operation) {
    case Operation::negate:
      return merge(x, {}, [](const Traced& dx, const Traced&) { return -dx; });
    case Operation::add:
      return merge(x, y, [](const Traced& dx, const Traced& dy) { return dx + dy; });
    case Operation::subtract:
      return merge(x, y, [](const Traced& dx, const Traced& dy) { return dx - dy; });
    case Operation::multiply:
      if (node.a == node.b) return scale(at(node.a) + at(node.a), x);
      return merge(x, y, [&](const Traced& dx, const Traced& dy) {
        return dx * at(node.b) + at(node.a) * dy;
      });
    case Operation::divide: {  // (dx − (x/y) dy)/y: one product less than with both factors
      if (x.empty()) return scale(rules.factor(n, 1), y);
      const Traced inverse = rules.factor(n, 0);
      return merge(x, y,
                   [&](const Traced& dx, const Traced& dy) { return (dx - at(n) * dy) * inverse; });
    }
    default: return scale(rules.factor(n, 0), x);
  }
}

}  // namespace

int find_variable(const Tape& tape, int array, int offset) {
  const int node = tape.find_input(array, offset);
  if (node < 0) {
    throw NotDifferentiable(
        "number " + std::to_string(offset) + " of array " + std::to_string(array) +
        " is not an input of the tape: it was a constant when the tape was recorded");
  }
  return node;
}

Derivative differentiate_forward(const Tape& tape, const std::vector<Seed>& seeds) {
  Derivative result;
  std::vector<Tangent> tangents(tape.nodes.size());
  for (const Seed& seed : seeds) {
    check_input(tape, seed.input);
    if (seed.tangent != 0) tangents[seed.input].push_back({seed.direction, seed.tangent});
  }
  for (const Seed& seed : seeds) {
    Tangent& of = tangents[seed.input];
    std::sort(of.begin(), of.end(), [](const Partial& a, const Partial& b) { return a.by < b.by; });
  }
  Rules rules(tape, result.edges);
  for (const int n : list_operations(tape)) tangents[n] = calc_tangent(rules, tangents, n);
  for (const Tape::Output& output : tape.outputs) result.partials.push_back(tangents[output.node]);
  result.tape = rules.trace().tape();
  return result;
}

Derivative differentiate_reverse(const Tape& tape, const std::vector<int>& weights,
                                 const std::vector<int>& inputs) {
  Derivative result;
  const std::vector<int> operations = list_operations(tape);
  // what depends on the inputs
  std::vector<char> varies(tape.nodes.size(), 0);
  for (const int input : inputs) {
    check_input(tape, input);
    varies[input] = 1;
  }
  for (const int n : operations) {
    const Tape::Node& node = tape.nodes[n];
    for (const int operand : {node.a, node.b, node.c}) {
      if (operand >= 0 && varies[operand] != 0) varies[n] = 1;
    }
  }
  Rules rules(tape, result.edges);
  std::vector<Traced> adjoints(tape.nodes.size());
  const auto add = [&](int node, const Traced& value) {
    if (varies[node] != 0) adjoints[node] += value;
  };
  for (std::size_t k = 0; k < tape.outputs.size(); ++k) {
    if (weights[k] >= 0) add(tape.outputs[k].node, at(weights[k]));
  }
  for (std::size_t k = operations.size(); k-- > 0;) {
    const int n = operations[k];
    const Traced adjoint = adjoints[n];
    if (varies[n] == 0 || adjoint.node == 0) continue;
    const Tape::Node& node = tape.nodes[n];
    if (Rules::is_choice(node.operation)) {
      const Rules::Choice choice = rules.find_choice(node);
      add(choice.first, choose_if_positive(choice.test, adjoint, Traced()));
      add(choice.second, choose_if_positive(choice.test, Traced(), adjoint));
    } else if (node.operation == Operation::divide) {
      const Traced quotient = adjoint * rules.factor(n, 0);
      add(node.a, quotient);
      if (varies[node.b] != 0) add(node.b, -(at(n) * quotient));
    } else {
      const int operands[] = {node.a, node.b, node.c};
      for (int which = 0; which < 3; ++which) {
        const int operand = operands[which];
        if (operand >= 0 && varies[operand] != 0) add(operand, adjoint * rules.factor(n, which));
      }
    }
  }
  result.partials.emplace_back();
  for (const int input : inputs) {
    if (adjoints[input].node != 0) result.partials[0].push_back({input, adjoints[input].node});
  }
  result.tape = rules.trace().tape();
  return result;
}

}  // namespace trammel
