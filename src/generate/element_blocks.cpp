// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "generate/element_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/kernel.hpp"
#include "generate/pose_numbers.hpp"
#include "generate/traced_system.hpp"
#include "math/tape_values.hpp"
#include "math/thread_pool.hpp"

namespace trammel {

// The tape of a load with its derivatives, and where they are among its results.
template <class Space>
struct ElementBlocks<Space>::Code {
  Tape load;  // as recorded: what elements with the same code have in common
  int n_bodies = 0;
  Tape tape;  // with derivatives
  int by_position = 0, by_velocity = 0, by_parameter = 0, edge = 0;
  std::unique_ptr<MachineCode> machine;
  std::vector<double> inputs, results;
};

namespace {

bool is_same(const Tape& a, const Tape& b) {
  const auto same_node = [](const Tape::Node& x, const Tape::Node& y) {
    return x.operation == y.operation && x.a == y.a && x.b == y.b && x.c == y.c &&
           x.array == y.array && x.offset == y.offset && x.value == y.value;
  };
  const auto same_output = [](const Tape::Output& x, const Tape::Output& y) {
    return x.node == y.node && x.array == y.array && x.offset == y.offset;
  };
  return a.functions == b.functions &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_node) &&
         std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                    same_output);
}

// The nodes that some nodes need, and those themselves, in order. `seen`: a mark for each node of the tape,
// all 0 before and after.
std::vector<int> find_needed(const Tape& tape, const std::vector<int>& of,
                             std::vector<char>& seen) {
  seen.resize(tape.nodes.size(), 0);
  std::vector<int> needed;
  const auto add = [&](int n) {
    if (n >= 0 && std::exchange(seen[n], 1) == 0) needed.push_back(n);
  };
  for (const int n : of) add(n);
  for (std::size_t k = 0; k < needed.size(); ++k) {
    const Tape::Node& node = tape.nodes[needed[k]];
    for (const int operand : {node.a, node.b, node.c}) add(operand);
  }
  for (const int n : needed) seen[n] = 0;
  std::sort(needed.begin(), needed.end());
  return needed;
}

}  // namespace

// Records all elements in one trace, which knows every number of the system by its index, and takes each out
// as a tape of its own.
template <class Space>
class ElementBlocks<Space>::Recorder {
 public:
  Recorder(ElementBlocks& into, const SystemIn<Space>& system, bool by_parameters)
      : into_(into),
        topology_(system.topology),
        by_parameters_(by_parameters),
        all_(system, [this](double x) { return make_number(x); }) {
    Workspace<Traced, Space>& ws = all_.ws;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      int k = pose_size * b;
      visit_numbers<Space>(ws.pose[b], [&](Traced& number) { number = trace_.input(poses, k++); });
      ws.pose[b].omega = ws.pose[b].R * ws.pose[b].Omega;
    }
    ws.stages.begin_state();
    ws.stages.provide(Stage::velocities);
    int k = 0;
    ws.time = trace_.input(given, k++);
    for (Traced& reference : ws.reference) reference = trace_.input(given, k++);
    for (Traced& state : ws.state) state = trace_.input(given, k++);
    for (Traced& lambda : ws.lambda) lambda = trace_.input(given, k++);
    for (DriverLaw<Traced>& law : ws.law) law = {};
  }

  void record(ElementParts parts) {
    record_forces();
    into_.n_forces_ = into_.size();
    if (parts == ElementParts::all) record_rows();
  }

 private:
  enum Array { poses, system_numbers, given };

  Traced make_number(double x) {
    const int index = static_cast<int>(values_.size());
    values_.push_back(x);
    const bool folds = x == 0.0 || x == 1.0 || x == -1.0;
    return folds && !by_parameters_ ? Traced(x) : trace_.input(system_numbers, index);
  }

  void record_forces() {
    const ForceSite<Traced, Space> site = prepare_force_site(topology_, all_.parameters, all_.ws);
    for_each_force(all_.parameters.forces, [&](const auto& force) {
      // loads of its own bodies only: the others would make the work quadratic
      for (const int body : {force.first_body(), force.second_body()}) {
        all_.ws.force_W[body] = Linear<Traced, Space>::zero();
        all_.ws.torque_B[body] = Angular<Traced, Space>::zero();
      }
      force.add_force(site);
      // bodies of the element first, others that a formula reads behind them
      add({force.first_body(), force.second_body()}, [&](int b, Traced* load) {
        all_.ws.force_W[b].store(load);
        all_.ws.torque_B[b].store(load + Space::dimension);
      });
    });
  }

  // Jᵀλ of the rows of each joint and each row of coordinates
  void record_rows() {
    Workspace<Traced, Space>& ws = all_.ws;
    calc_rows(topology_, all_.parameters, ws);
    LargeVector<BodyParameters<Traced, Space>> unit = all_.parameters.bodies;
    for (BodyParameters<Traced, Space>& body : unit) {
      body.inverse_mass = Traced(1.0);
      body.inverse_inertia = Angular<Traced, Space>::filled(Traced(1.0));
    }
    ParameterArrays<Traced, Space> of = all_.parameters.arrays();
    of.bodies = unit.data();
    std::vector<int> place(topology_.n_bodies);
    for (int k = 0; k < topology_.n_bodies; ++k) place[topology_.body_order[k]] = k;
    std::vector<Traced> mu(topology_.n_rows);
    const auto add_rows = [&](int first, int end, std::vector<int> bodies) {
      std::copy(&ws.lambda[first], &ws.lambda[0] + end, mu.begin() + first);
      add(std::move(bodies), [&](int b, Traced* load) {
        kernel<Traced, Space>().calc_mass_step(ws.arrays, of, mu.data(), ws.twist.data(),
                                               {place[b], place[b] + 1});
        ws.twist[b].linear.store(load);
        ws.twist[b].angular.store(load + Space::dimension);
      });
      std::fill(mu.begin() + first, mu.begin() + end, Traced());
    };
    for (const JointTopology& joint : topology_.joints) {
      add_rows(joint.row, joint.row + joint.n_rows, {joint.body_i, joint.body_j});
    }
    for (const CoordinateRow& row : topology_.coordinate_rows) {
      std::vector<int> bodies;
      for (int e = row.entry_begin; e < row.entry_end; ++e) {
        bodies.push_back(topology_.entries[e].body);
      }
      add_rows(row.row, row.row + 1, std::move(bodies));
    }
  }

  // calc_load(b, load): what the element does to body b
  template <class CalcLoad>
  void add(std::vector<int> bodies, CalcLoad&& calc_load) {
    std::erase(bodies, topology_.ground());
    for (std::size_t k = 0; k < bodies.size(); ++k) {  // each once
      bodies.erase(std::remove(bodies.begin() + k + 1, bodies.end(), bodies[k]), bodies.end());
    }
    std::vector<Traced> loads(Space::n_u * bodies.size());
    for (std::size_t slot = 0; slot < bodies.size(); ++slot) {
      calc_load(bodies[slot], &loads[Space::n_u * slot]);
    }
    std::vector<int> of;
    for (const Traced& load : loads) of.push_back(load.node);
    Element element;
    element.bodies = std::move(bodies);
    const Tape tape = extract(of, element);
    element.code = find_code(tape, element);
    into_.elements_.push_back(std::move(element));
  }

  // The part of the trace that these nodes need, with the inputs of the element.
  Tape extract(const std::vector<int>& of, Element& element) {
    const Tape& whole = trace_.tape();
    Tape tape;
    tape.nodes.push_back({Tape::Operation::constant});  // 0, as in every trace
    std::map<int, int> renamed{{0, 0}};
    std::vector<int> functions;
    const auto rename = [&](int n) { return n >= 0 ? renamed.at(n) : -1; };
    const auto find_or_add = [](std::vector<int>& list, int value) {
      const auto found = std::find(list.begin(), list.end(), value);
      const int index = static_cast<int>(found - list.begin());
      if (found == list.end()) list.push_back(value);
      return index;
    };
    const std::vector<int> needed = find_needed(whole, of, seen_);
    // bodies first: what else is read follows their poses
    for (const int n : needed) {
      const Tape::Node& node = whole.nodes[n];
      if (node.operation == Tape::Operation::input && node.array == poses) {
        find_or_add(element.bodies, node.offset / pose_size);
      }
    }
    const int n_poses = pose_size * static_cast<int>(element.bodies.size());
    for (const int n : needed) {
      if (n == 0) continue;
      Tape::Node node = whole.nodes[n];
      node.a = rename(node.a);
      node.b = rename(node.b);
      node.c = rename(node.c);
      if (node.operation == Tape::Operation::call) {
        const int index = find_or_add(functions, node.offset);
        if (index == static_cast<int>(tape.functions.size())) {
          tape.functions.push_back(whole.functions[node.offset]);
        }
        node.offset = index;
      } else if (node.operation == Tape::Operation::input) {
        if (node.array == poses) {
          const int slot = find_or_add(element.bodies, node.offset / pose_size);
          node.offset = pose_size * slot + node.offset % pose_size;
          node.array = inputs;
        } else if (node.array == given) {
          node.offset = n_poses + find_or_add(element.given, node.offset);
          node.array = inputs;
        } else {
          const int index = node.offset;
          node.offset = find_or_add(element.numbers, index);
          node.array = numbers;
          if (node.offset == static_cast<int>(element.values.size())) {
            element.values.push_back(values_[index]);
          }
        }
      }
      renamed[n] = static_cast<int>(tape.nodes.size());
      tape.nodes.push_back(node);
    }
    for (std::size_t k = 0; k < Space::n_u * element.bodies.size(); ++k) {
      const int node = k < of.size() ? rename(of[k]) : 0;
      tape.outputs.push_back({node, results, static_cast<int>(k)});
    }
    return tape;
  }

  Code* find_code(const Tape& load, const Element& element) {
    for (const std::unique_ptr<Code>& code : into_.codes_) {
      if (is_same(code->load, load)) return code.get();
    }
    auto code = std::make_unique<Code>();
    code->load = load;
    code->n_bodies = static_cast<int>(element.bodies.size());
    differentiate(*code, element);
    if (MachineCode::is_possible()) {
      code->machine = std::make_unique<MachineCode>(code->tape, OperationOrder::scheduled, 1);
    }
    into_.codes_.push_back(std::move(code));
    return into_.codes_.back().get();
  }

  void differentiate(Code& code, const Element& element) {
    Trace trace(code.load);
    const int n = code.n_bodies, size = Space::n_u * n;
    std::vector<Seed> seeds;
    for (int slot = 0; slot < n; ++slot) {
      Pose<Traced, Space> pose;
      int k = pose_size * slot;
      visit_numbers<Space>(pose, [&](Traced& number) { number = trace.input(inputs, k++); });
      add_seeds(pose, Space::n_u * slot, size + Space::n_u * slot, seeds);
    }
    const int n_numbers = by_parameters_ ? static_cast<int>(element.numbers.size()) : 0;
    for (int k = 0; k < n_numbers; ++k) {
      seeds.push_back({trace.input(numbers, k).node, 2 * size + k, Traced(1.0).node});
    }
    Derivative derivative = differentiate_forward(trace, seeds);
    code.by_position = size;
    code.by_velocity = code.by_position + size * size;
    code.by_parameter = code.by_velocity + size * size;
    code.edge = code.by_parameter + size * n_numbers;
    for (int row = 0; row < size; ++row) {
      for (const Partial& partial : derivative.partials[row]) {
        const int d = partial.by;
        const int at = d < size       ? code.by_position + size * row + d
                       : d < 2 * size ? code.by_velocity + size * row + d - size
                                      : code.by_parameter + n_numbers * row + d - 2 * size;
        derivative.tape.outputs.push_back({partial.node, results, at});
      }
    }
    Trace last(derivative.tape);
    Traced least(1.0);
    for (const int edge : derivative.edges) {
      Traced value;
      value.node = edge;
      least = lesser(abs(value), least);
    }
    last.output(least, results, code.edge);
    code.tape = last.tape();
    code.inputs.assign(pose_size * n + element.given.size(), 0.0);
    code.results.assign(code.edge + 1, 0.0);
  }

  ElementBlocks& into_;
  const Topology& topology_;
  bool by_parameters_;
  Trace trace_;
  std::vector<double> values_;  // of all numbers of the system
  std::vector<char> seen_;      // scratch of find_needed
  TracedSystem<Space> all_;
};

template <class Space>
ElementBlocks<Space>::ElementBlocks(const SystemIn<Space>& system, bool by_parameters,
                                    ElementParts parts) {
  if (parts == ElementParts::all && system.topology.n_curves > 0) {
    throw NotDifferentiable("joints on curves have no derivative blocks");
  }
  const UsedThreads alone(1);  // a trace is of one thread
  Recorder(*this, system, by_parameters).record(parts);
}

template <class Space>
ElementBlocks<Space>::~ElementBlocks() = default;

template <class Space>
const Tape& ElementBlocks<Space>::load_tape(int element) const {
  return elements_[element].code->load;
}

template <class Space>
double ElementBlocks<Space>::read(const Workspace<double, Space>& ws, int given) {
  if (given == 0) return ws.time;
  int k = given - 1;
  const int n_references = static_cast<int>(ws.reference.size());
  if (k < n_references) return ws.reference[k];
  k -= n_references;
  const int n_states = static_cast<int>(ws.state.size());
  return k < n_states ? ws.state[k] : ws.lambda[k - n_states];
}

template <class Space>
void ElementBlocks<Space>::gather(const Element& element, const Workspace<double, Space>& ws,
                                  double* into) const {
  for (const int b : element.bodies) into = write_numbers<Space>(ws.pose[b], into);
  for (const int index : element.given) *into++ = read(ws, index);
}

template <class Space>
std::vector<double> ElementBlocks<Space>::gather_inputs(int element,
                                                        const Workspace<double, Space>& ws) const {
  std::vector<double> list(elements_[element].code->inputs.size());
  gather(elements_[element], ws, list.data());
  return list;
}

template <class Space>
typename ElementBlocks<Space>::Blocks ElementBlocks<Space>::calc(
    int index, const Workspace<double, Space>& ws) {
  Element& element = elements_[index];
  Code& code = *element.code;
  gather(element, ws, code.inputs.data());
  double* const result = code.results.data();
  if (code.machine) {
    double* const arrays[] = {code.inputs.data(), element.values.data(), result, nullptr, nullptr};
    code.machine->run(arrays);
  } else {
    const std::vector<double> values = calc_values<double>(code.tape, [&](int array, int offset) {
      return array == inputs ? code.inputs[offset] : element.values[offset];
    });
    for (const Tape::Output& output : code.tape.outputs)
      result[output.offset] = values[output.node];
  }
  return {element.bodies,
          element.numbers,
          Space::n_u * code.n_bodies,
          result,
          result + code.by_position,
          result + code.by_velocity,
          result + code.by_parameter,
          result[code.edge] > 0.0};
}

template class ElementBlocks<Spatial>;
template class ElementBlocks<Planar>;

}  // namespace trammel
