// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "generate/acceleration_jacobian.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

#include "evaluate/accelerations.hpp"
#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/kernel.hpp"
#include "generate/pose_numbers.hpp"
#include "generate/traced_system.hpp"
#include "math/block_ldlt.hpp"
#include "math/derivatives.hpp"

namespace trammel {

namespace {

constexpr int most_rows = 60;

}  // namespace

template <class Space>
class AccelerationJacobian<Space>::Recorder {
 public:
  using Pose = trammel::Pose<Traced, Space>;

  Recorder(AccelerationJacobian& into, const SystemIn<Space>& system, double drop_tolerance,
           const std::vector<char>& left_out)
      : into_(into),
        system_(system),
        topology_(system.topology),
        n_(topology_.n_bodies),
        drop_tolerance_(drop_tolerance),
        left_out_(left_out) {
    into_.n_u_ = Space::n_u * n_;
    into_.first_rate_ = first_multiplier + topology_.n_rows;
    into_.first_given_ = into_.first_rate_ + topology_.layout.size();
  }

  void record() {
    const Derivative derivative = differentiate_held();
    place_columns(derivative);
    Trace trace;
    TracedSystem<Space> all(system_);
    std::vector<Traced> z(topology_.layout.size()), rate(z.size());
    for (std::size_t k = 0; k < z.size(); ++k) z[k] = trace.input(0, static_cast<int>(k));
    all.take_given(results, into_.first_given_);
    all.leave_out(left_out_);
    evaluate(topology_, all.parameters, all.ws, Traced(drop_tolerance_), z.data(), rate.data());
    put_evaluation(trace, all.ws, rate);
    put_columns(trace, all.ws, derivative);
    record_solve(trace, all.ws);
    into_.before_ = std::make_unique<MachineCode>(trace, OperationOrder::scheduled, 1);
    into_.n_operations_ = static_cast<int>(list_operations(trace).size());
    allocate();
  }

 private:
  enum Array { state, results, shared, held, jacobian };

  // u̇ and ρ as functions of poses (array 0) and multipliers (array 1), and their tangents in all directions.
  Derivative differentiate_held() {
    Trace trace;
    TracedSystem<Space> all(system_);
    Workspace<Traced, Space>& ws = all.ws;
    int next = 0;
    for (int b = 0; b < n_; ++b) {
      Pose& pose = ws.pose[b];
      visit_numbers<Space>(pose, [&](Traced& number) { number = trace.input(0, next++); });
      pose.omega = pose.R * pose.Omega;
    }
    ws.stages.begin_state();
    ws.stages.provide(Stage::velocities);
    for (int r = 0; r < topology_.n_rows; ++r) ws.lambda[r] = trace.input(1, r);
    all.take_given(2, 0);
    next = count_given(system_);
    for (Traced& reference : ws.reference) reference = trace.input(2, next++);
    for (Traced& own : ws.state) own = trace.input(2, next++);
    calc_rows_and_gamma(topology_, all.parameters, ws);
    calc_forces(topology_, all.parameters, ws);
    const ParameterArrays<Traced, Space> of = all.parameters.arrays();
    kernel_.calc_free_accelerations(ws.arrays, of, bodies_);
    kernel_.subtract_constraint_forces(ws.arrays, of, bodies_);
    kernel_.turn_twists(ws.arrays, ws.twist.data(), bodies_);
    kernel_.calc_right_hand_side(ws.arrays, ws.world_twist.data(), ws.mu.data(), JointPiece::all());
    for (int b = 0; b < n_; ++b) {
      Traced u[Space::n_u];
      ws.twist[b].linear.store(u);
      ws.twist[b].angular.store(u + Space::dimension);
      for (const Traced& x : u) trace.output(x, 2, 0);
    }
    for (const Traced& x : ws.mu) trace.output(x, 3, 0);
    // seeds: the trace has their tangents before it is differentiated
    std::vector<Seed> seeds;
    for (int b = 0; b < n_; ++b) {
      const int q = Space::n_u * b;
      add_seeds(ws.pose[b], q, into_.n_u_ + q, seeds);
    }
    return differentiate_forward(trace, seeds);
  }

  // Directions in which ρ changes before the others.
  void place_columns(const Derivative& derivative) {
    std::vector<char> moves_rows(2 * into_.n_u_, 0);
    for (std::size_t k = into_.n_u_; k < derivative.partials.size(); ++k) {
      for (const Partial& partial : derivative.partials[k]) moves_rows[partial.by] = 1;
    }
    const auto round_up = [](int columns) { return (columns + lanes - 1) / lanes * lanes; };
    into_.column_.assign(moves_rows.size(), 0);
    int next = 0;
    for (const bool solved : {true, false}) {
      for (std::size_t d = 0; d < moves_rows.size(); ++d) {
        if ((moves_rows[d] != 0) == solved) into_.column_[d] = next++;
      }
      next = round_up(next);
      if (solved) into_.solved_stride_ = next;
    }
    into_.stride_ = next;
  }

  void put_evaluation(Trace& trace, const Workspace<Traced, Space>& ws,
                      const std::vector<Traced>& rate) {
    for (std::size_t k = 0; k < rate.size(); ++k) {
      trace.output(rate[k], results, into_.first_rate_ + static_cast<int>(k));
    }
    trace.output(trace.has_margin() ? trace.margin() : Traced(1.0), results, margin);
    for (int r = 0; r < topology_.n_rows; ++r) {
      trace.output(ws.lambda[r], results, first_multiplier + r);
    }
  }

  // ∂u̇ and ∂ρ, with the poses and multipliers of the evaluation, which shares most of their operations.
  void put_columns(Trace& trace, Workspace<Traced, Space>& ws, const Derivative& derivative) {
    std::vector<Traced> pose_numbers;
    for (int b = 0; b < n_; ++b) {
      visit_numbers<Space>(ws.pose[b], [&](Traced& number) { pose_numbers.push_back(number); });
    }
    const std::vector<Traced> values = replay(derivative.tape, [&](int array, int offset) {
      if (array == 0) return pose_numbers[offset];
      if (array == 1) return ws.lambda[offset];
      const int n_given = count_given(system_);
      const int n_references = static_cast<int>(ws.reference.size());
      if (offset < n_given) return trace.input(results, into_.first_given_ + offset);
      const int k = offset - n_given;
      return k < n_references ? ws.reference[k] : ws.state[k - n_references];
    });
    for (int k = 0; k < static_cast<int>(derivative.partials.size()); ++k) {
      for (const Partial& partial : derivative.partials[k]) {
        const int column = into_.column_[partial.by];
        if (column < into_.solved_stride_) {
          trace.output(values[partial.node], held, k * into_.solved_stride_ + column);
        } else {
          trace.output(values[partial.node], jacobian, k * into_.stride_ + column);
        }
      }
    }
    Traced least(1.0);
    for (const int edge : derivative.edges) least = lesser(abs(values[edge]), least);
    trace.output(least, results, least_edge);
  }

  // du̇ = ∂u̇ − M⁻¹JᵀS⁻¹∂ρ of four columns; what it reads of the evaluation goes to `shared`.
  void record_solve(Trace& evaluation, Workspace<Traced, Space>& from) {
    Trace trace;
    TracedSystem<Space> all(system_);
    Workspace<Traced, Space>& ws = all.ws;
    std::vector<int> source;  // nodes of the evaluation
    const auto take = [&](const Traced& number) {
      const Tape::Node& node = evaluation.nodes()[number.node];
      if (node.operation == Tape::Operation::constant) return Traced(node.value);
      const auto found = std::find(source.begin(), source.end(), number.node);
      const int offset = static_cast<int>(found - source.begin());
      if (found == source.end()) source.push_back(number.node);
      return trace.input(shared, offset);
    };
    const auto take_all = [&](const auto& of, auto& into) {
      for (std::size_t k = 0; k < into.size(); ++k) into[k] = take(of[k]);
    };
    take_all(from.values, ws.values);
    take_all(from.inverse, ws.inverse);
    take_all(from.row_data, ws.row_data);
    for (int b = 0; b < n_; ++b) {
      ws.pose[b].R = from.pose[b].R;
      visit_rotation(ws.pose[b].R, [&](Traced& number) { number = take(number); });
    }
    const int row_step = into_.solved_stride_ / lanes;
    for (int r = 0; r < topology_.n_rows; ++r) {
      ws.mu[r] = trace.input(held, (into_.n_u_ + r) * row_step);
    }
    solve(topology_.program, ws.factor(), ws.mu.data());
    kernel_.calc_mass_step(ws.arrays, all.parameters.arrays(), ws.mu.data(), ws.twist.data(),
                           bodies_);
    for (int b = 0; b < n_; ++b) {
      Traced w[Space::n_u];
      ws.twist[b].linear.store(w);
      ws.twist[b].angular.store(w + Space::dimension);
      for (int k = 0; k < Space::n_u; ++k) {
        const int row = Space::n_u * b + k;
        trace.output(trace.input(held, row * row_step) - w[k], jacobian,
                     row * into_.stride_ / lanes);
      }
    }
    // only what is read, without gaps
    Tape tape = trace.tape();
    std::vector<char> used(tape.nodes.size(), 0);
    for (const int n : list_operations(tape)) {
      for (const int operand : {tape.nodes[n].a, tape.nodes[n].b, tape.nodes[n].c}) {
        if (operand >= 0) used[operand] = 1;
      }
    }
    int n_shared = 0;
    for (std::size_t n = 0; n < tape.nodes.size(); ++n) {
      Tape::Node& node = tape.nodes[n];
      if (used[n] == 0 || node.operation != Tape::Operation::input || node.array != shared)
        continue;
      Traced value;
      value.node = source[node.offset];
      node.offset = n_shared++;
      evaluation.output(value, shared, node.offset);
    }
    into_.n_shared_ = n_shared;
    into_.solve_ = std::make_unique<MachineCode>(tape, OperationOrder::scheduled, lanes);
  }

  void allocate() {
    into_.results_.assign(into_.first_given_ + count_given(system_), 0.0);
    into_.shared_.assign(into_.n_shared_, 0.0);
    into_.spread_.assign(into_.n_shared_ + 1, {});
    into_.held_.assign((into_.n_u_ + topology_.n_rows) * into_.solved_stride_ / lanes + 1, {});
    into_.jacobian_.assign(into_.n_u_ * into_.stride_ / lanes + 1, {});
  }

  AccelerationJacobian& into_;
  const SystemIn<Space>& system_;
  const Topology& topology_;
  const Kernel<Traced, Space>& kernel_ = kernel<Traced, Space>();
  int n_;  // bodies
  const IndexRange bodies_{0, n_};
  double drop_tolerance_;
  const std::vector<char>& left_out_;
};

template <class Space>
std::unique_ptr<AccelerationJacobian<Space>> AccelerationJacobian<Space>::make(
    const SystemIn<Space>& system, double drop_tolerance, const std::vector<char>& left_out) {
  const Topology& topology = system.topology;
  if (!MachineCode::is_possible() || topology.n_rows == 0 || topology.n_rows > most_rows ||
      topology.program.is_large || topology.n_curves > 0) {
    return nullptr;
  }
  std::unique_ptr<AccelerationJacobian> jacobian(new AccelerationJacobian(system));
  Recorder(*jacobian, system, drop_tolerance, left_out).record();
  return jacobian;
}

template <class Space>
JacobianOutcome AccelerationJacobian<Space>::calc(const double* z, double time) {
  calc_given(system_, time, &results_[first_given_]);
  double* const arrays[] = {const_cast<double*>(z), results_.data(), shared_.data(),
                            held_.front().of, jacobian_.front().of};
  before_->run(arrays);
  if (!(results_[margin] > 0.0)) return JacobianOutcome::dependent_rows;
  if (!(results_[least_edge] > 0.0)) return JacobianOutcome::not_smooth;
  for (int k = 0; k < n_shared_; ++k) std::fill_n(spread_[k].of, lanes, shared_[k]);
  for (int group = 0; group < n_solves(); ++group) {
    double* const columns[] = {nullptr, nullptr, spread_.front().of, held_[group].of,
                               jacobian_[group].of};
    solve_->run(columns);
  }
  return JacobianOutcome::done;
}

template class AccelerationJacobian<Spatial>;
template class AccelerationJacobian<Planar>;

}  // namespace trammel
