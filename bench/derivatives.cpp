// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What derivatives cost beside an evaluation by machine code. A line a model:
//
//   rows, op.          constraint rows; operations of the evaluation
//   recorded, sched.   ns of the evaluation with its operations as recorded, and in the better order
//   Jv, wJ             operations of ∂ż/∂z v and of wᵀ∂ż/∂z, with the evaluation, in evaluations
//   Jacobian, ratio    ns of ∂u̇/∂(q, u) with the evaluation, and in evaluations by the faster code
//   op., s.            its operations before the solves; solves of four columns
//
// usage: derivatives [MODEL.yaml …]
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cpu_clock.hpp"
#include "evaluate/joint_rows.hpp"
#include "generate/acceleration_jacobian.hpp"
#include "generate/element_blocks.hpp"
#include "generate/evaluation_tape.hpp"
#include "generate/traced_system.hpp"
#include "math/derivatives.hpp"
#include "math/trace.hpp"
#include "system/system.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;
using namespace trammel::bench;

namespace {

constexpr double drop_tolerance = 1e-13;

// Calls that are timed in turn, so that the clock of the processor is the same for all.
class Timer {
 public:
  void add(std::function<void()> call) { calls_.push_back({std::move(call), 1, {}}); }

  // Batches of some 0.1 ms, as many as fit.
  void run(double seconds) {
    for (Call& call : calls_) {
      while (time_batch(call) < 1e-4) call.many *= 2;
    }
    for (const double end = cpu_now() + seconds; cpu_now() < end;) {
      for (Call& call : calls_) call.seconds.push_back(time_batch(call) / call.many);
    }
    for (Call& call : calls_) std::sort(call.seconds.begin(), call.seconds.end());
  }
  // A tenth of the batches took less: the least of all is an error of the clock now and then.
  double nanoseconds(int k) const { return 1e9 * calls_[k].seconds[calls_[k].seconds.size() / 10]; }

 private:
  struct Call {
    std::function<void()> call;
    int many;
    std::vector<double> seconds;
  };
  static double time_batch(const Call& call) {
    const double begin = cpu_now();
    for (int k = 0; k < call.many; ++k) call.call();
    return cpu_now() - begin;
  }
  std::vector<Call> calls_;
};

// Operations of ∂ż/∂z v for any v, and of wᵀ∂ż/∂z for any w, with those of the evaluation.
struct ProductCosts {
  int forward, reverse;
};

ProductCosts count_products(const Tape& evaluation, int n) {
  Trace trace(evaluation);
  std::vector<Seed> seeds;
  std::vector<int> weights(evaluation.outputs.size(), -1), inputs;
  for (int k = 0; k < n; ++k) {
    inputs.push_back(trace.input(EvaluationTape::state, k).node);
    seeds.push_back({inputs.back(), 0, trace.input(4, k).node});
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Tape::Output& output = evaluation.outputs[k];
    if (output.array == EvaluationTape::rate) weights[k] = trace.input(4, output.offset).node;
  }
  const auto count = [](Derivative derivative) {
    for (const std::vector<Partial>& partials : derivative.partials) {
      for (const Partial& partial : partials)
        derivative.tape.outputs.push_back({partial.node, 0, 0});
    }
    return static_cast<int>(list_operations(derivative.tape).size());
  };
  // the margin of the pivots is no function to differentiate, and multipliers are not asked for
  Tape rates = trace.tape();
  std::erase_if(rates.outputs,
                [](const auto& output) { return output.array != EvaluationTape::rate; });
  return {count(differentiate_forward(rates, seeds)),
          count(differentiate_reverse(trace.tape(), weights, inputs))};
}

template <class Space>
void measure(const std::string& name, const SystemIn<Space>& system) {
  const EvaluationTape evaluation = record_evaluation(system, drop_tolerance);
  const MachineCode recorded(evaluation.tape, OperationOrder::recorded, 1);
  const MachineCode scheduled(evaluation.tape, OperationOrder::scheduled, 1);
  const auto jacobian = AccelerationJacobian<Space>::make(system, drop_tolerance);
  std::vector<double> z = system.initial, rate(z.size()), lambda(system.topology.n_rows), margin(1);
  std::vector<double> given(count_given(system));
  calc_given(system, 0.0, given.data());
  double* const arrays[] = {z.data(), rate.data(), lambda.data(), margin.data(), given.data()};
  Timer timer;
  timer.add([&] { recorded.run(arrays); });
  timer.add([&] { scheduled.run(arrays); });
  if (jacobian) timer.add([&] { jacobian->calc(z.data()); });
  timer.run(2.0);
  const int operations = static_cast<int>(list_operations(evaluation.tape).size());
  const ProductCosts products = count_products(evaluation.tape, static_cast<int>(z.size()));
  fmt::print("{:<28}{:>5}{:>7}{:>9.0f}{:>9.0f}{:>7.2f}{:>7.2f}", name, system.topology.n_rows,
             operations, timer.nanoseconds(0), timer.nanoseconds(1),
             static_cast<double>(products.forward) / operations,
             static_cast<double>(products.reverse) / operations);
  if (jacobian) {
    fmt::print("{:>9.0f}{:>7.2f}{:>8}{:>5}", timer.nanoseconds(2),
               timer.nanoseconds(2) / std::min(timer.nanoseconds(0), timer.nanoseconds(1)),
               jacobian->n_operations(), jacobian->n_solves());
  }
  fmt::print("\n");
  std::fflush(stdout);
}

// A bushing between two bodies, with all 36 entries of both matrices: its force by loops, and with its
// blocks by positions and velocities.
void measure_bushing() {
  const System handle = compile(read_model_text(R"(
trammel: 1
bodies:
  a: {mass: 2, inertia: [0.1, 0.2, 0.3], angular_velocity: [0.3, 0.2, 0.1]}
  b: {mass: 3, inertia: [0.2, 0.2, 0.4], position: [0.01, 0.02, 0.03], angular_velocity: [1, 2, 3]}
forces:
  mount:
    kind: bushing
    bodies: [a, b]
    at: [0.1, 0.2, -0.05]
    orientation: {axis: [1, 2, 3], angle: 0.7}
    stiffness:
      - [2000, 20, 30, 40, 60, 50]
      - [20, 2000, 10, -60, 15, 25]
      - [30, 10, 9000, 12, 13, 14]
      - [40, -60, 12, 30, 2, 3]
      - [60, 15, 13, 2, 30, 4]
      - [50, 25, 14, 3, 4, 10]
    damping:
      - [2000, 20, 30, 40, 60, 50]
      - [20, 2000, 10, -60, 15, 25]
      - [30, 10, 9000, 12, 13, 14]
      - [40, -60, 12, 30, 2, 3]
      - [60, 15, 13, 2, 30, 4]
      - [50, 25, 14, 3, 4, 10]
)",
                                                "bushing"));
  const SystemIn<Spatial>& system = as_spatial(handle.data());
  Workspace<double, Spatial> ws(system.topology);
  calc_positions(system.topology, system.initial.data(), ws);
  calc_velocities(system.topology, system.initial.data(), ws);
  const BushingForce<double, Spatial>& bushing = system.parameters.forces.list<BushingForce>()[0];
  const ForceSite<double, Spatial> site{
      ws.pose.data(), ws.force_W.data(), ws.torque_B.data(), ws.slots, nullptr, nullptr, nullptr};
  ElementBlocks<Spatial> blocks(system);
  Timer timer;
  timer.add([&] { bushing.add_force(site); });
  timer.add([&] { blocks.calc(0, ws); });
  timer.run(2.0);
  fmt::print("bushing: force {:.0f} ns, with both blocks {:.0f} ns, {:.1f} forces\n",
             timer.nanoseconds(0), timer.nanoseconds(1),
             timer.nanoseconds(1) / timer.nanoseconds(0));
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("{:<28}{:>5}{:>7}{:>9}{:>9}{:>7}{:>7}{:>9}{:>7}{:>8}{:>5}\n", "model", "rows", "op.",
             "recorded", "sched.", "Jv", "wJ", "Jacobian", "ratio", "op.", "s.");
  struct Case {
    std::string file;
    ParameterOverrides overrides;
  };
  std::vector<Case> cases;
  for (int k = 1; k < argc; ++k) cases.push_back({argv[k], {}});
  const std::string models = TRAMMEL_MODELS_DIR;
  if (cases.empty()) {
    for (const char* file :
         {"paper/pendulum", "paper/crank", "paper/quadrangle", "planar/quadrangle",
          "planar/andrews", "planar/n_four_bar", "gallery/andrews", "gallery/n_four_bar"}) {
      cases.push_back({models + "/" + file + ".yaml", {}});
    }
    for (const double links : {5.0, 7.0, 10.0, 20.0}) {
      cases.push_back({models + "/gallery/chain.yaml", {{"links", links}}});
    }
  }
  for (const Case& one : cases) {
    const System system = compile(read_model(one.file, one.overrides));
    std::string name = one.file.substr(one.file.rfind('/', one.file.rfind('/') - 1) + 1);
    if (!one.overrides.empty())
      name += fmt::format(" {:.0f}", std::get<double>(one.overrides[0].second.form));
    visit_space(system.data(), [&](const auto& of) { measure(name, of); });
  }
  measure_bushing();
}
