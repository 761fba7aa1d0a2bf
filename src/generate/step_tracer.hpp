// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the evaluation and the parts of a step's end on traced numbers (generate/step_code.cpp).
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "elements/members.hpp"
#include "evaluate/accelerations.hpp"
#include "evaluate/coordinate_rows.hpp"
#include "evaluate/forces.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/kernel.hpp"
#include "evaluate/step_judgement.hpp"
#include "generate/step_code.hpp"
#include "system/workspace.hpp"

namespace trammel {

// For one code.
template <class Space>
class StepCode<Space>::Tracer {
  // the arrays that code reads and writes
  enum Array { state, derivative, factor, results, differing };

 public:
  Tracer(const StepCode& code, const StepRules<Space>& rules, const SystemIn<Space>& system)
      : code_(code),
        rules_(rules),
        system_(system),
        topology_(system.topology),
        ws_(system.topology),
        z_(system.topology.layout.size()),
        rate_(z_.size()) {
    copy_numbers(parameters_, system.parameters, [this](double x) { return make_parameter(x); });
    const auto make_all = [this](const std::vector<double>& of, std::vector<Traced>& into) {
      for (const double x : of) into.push_back(make_parameter(x));
    };
    make_all(system.length, length_);
    make_all(system.own_part, own_part_);
    make_all(system.row_scale, row_scale_);
    make_all(system.row_reach, row_reach_);
    get(state, 0, z_);
    const Layout& at = code_.layout_;
    ws_.time = trace_.input(differing, at.time);
    for (std::size_t k = 0; k < ws_.law.size(); ++k) {
      const int law = at.laws + 3 * static_cast<int>(k);
      ws_.law[k] = {trace_.input(differing, law), trace_.input(differing, law + 1),
                    trace_.input(differing, law + 2)};
    }
    for (std::size_t k = 0; k < ws_.curves.size(); ++k) {
      CurveState<Traced, Space>& curve = ws_.curves[k];
      Traced frame[Space::dimension * Space::dimension];
      get(differing, at.curve_frames + static_cast<int>(k * std::size(frame)), frame);
      curve.e = Linear<Traced, Space>::load(frame);
      for (int n = 0; n < Space::dimension - 1; ++n) {
        curve.n[n] = Linear<Traced, Space>::load(frame + Space::dimension * (n + 1));
      }
      curve.followed = &rules.curves[k];
    }
    for (std::size_t r = 0; r < rules.left_out.size(); ++r) {
      if (rules.left_out[r] != 0) ws_.mask[r] = Traced(row_left_out);
    }
  }

  MachineCode evaluate(int lanes) {
    const Layout& at = code_.layout_;
    trammel::evaluate(topology_, parameters_, ws_, Traced(rules_.drop_tolerance), z_.data(),
                      rate_.data());
    put(derivative, 0, rate_);
    put(factor, at.values, ws_.values);
    put(factor, at.inverse, ws_.inverse);
    put_margin();
    return MachineCode(trace_, OperationOrder::best, lanes);
  }

  // MechanicalProblem::calc_error_norm of two errors
  MachineCode errors(int lanes) {
    std::vector<Traced> z1(z_.size()), e(z_.size());
    get(1, 0, z1);
    for (const int which : {0, 1}) {
      get(2 + which, 0, e);
      trace_.output(calc_error_norm(z1.data(), e.data()), differing, code_.layout_.error + which);
    }
    return MachineCode(trace_, OperationOrder::recorded, lanes);
  }

  // With the factor in hand; at an output point first with that of the point as it is given.
  enum class Iteration { first, next, first_of_output };
  MachineCode iterate(int lanes, Iteration which) {
    const Layout& at = code_.layout_;
    const bool first = which != Iteration::next;
    if (which == Iteration::first_of_output) {
      calc_positions(topology_, z_.data(), ws_);
      calc_rows(topology_, parameters_, ws_);
      calc_factor(topology_, parameters_, ws_, Traced(rules_.drop_tolerance));
      put(factor, at.values, ws_.values);
      put(factor, at.inverse, ws_.inverse);
      put_margin();
    } else {
      get(factor, at.values, ws_.values);
      get(factor, at.inverse, ws_.inverse);
    }
    const int n = topology_.n_bodies;
    std::vector<Traced> reach(topology_.n_components());
    if (first) {
      for (int b = 0; b < n; ++b) Space::normalise(&z_[topology_.layout.y(b)]);
      put(results, at.arrived, z_.data(), Space::n_y * n);
      calc_reach(reach);
      put(results, at.reach, reach);
    } else {
      get(results, at.reach, reach);
    }
    calc_positions(topology_, z_.data(), ws_);
    calc_rows(topology_, parameters_, ws_);
    put_g(reach);
    ws_.mu = ws_.g;
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    calc_mass_step(topology_, parameters_, ws_, ws_.mu.data());
    Traced size2, small, sum;
    for (int b = 0; b < n; ++b) {
      const Twist<Traced, Space>& w = ws_.twist[b];
      Traced* y = &z_[topology_.layout.y(b)];
      const BodyMove<Traced> move =
          judge_body<Space>(length_[b], dot(w.linear, w.linear), dot(w.angular, w.angular),
                            trace_.input(differing, at.tolerance) * own_part_[b],
                            reach[topology_.component_of[b]], y);
      const Traced room = move.limit2 - move.size2;
      size2 = b == 0 ? move.size2 : greater(move.size2, size2);
      small = b == 0 ? room : lesser(room, small);
      sum += move.size2;
      Space::retract(y, -w.linear, -w.angular);
    }
    trace_.output(size2 + (sum - sum), results, at.size2);  // not a number where one of them is not
    trace_.output(small, results, at.small);
    put(results, at.moved, z_.data(), Space::n_y * n);
    return MachineCode(trace_, OperationOrder::recorded, lanes);
  }

  // slack: how many tolerances of the local error the energy may correct
  MachineCode settle(int lanes, double slack = 1.0) {
    const Layout& at = code_.layout_;
    std::vector<Traced> reach(topology_.n_components());
    get(results, at.reach, reach);
    calc_positions(topology_, z_.data(), ws_);
    calc_velocities(topology_, z_.data(), ws_);
    calc_rows(topology_, parameters_, ws_);
    put_g(reach);
    calc_factor(topology_, parameters_, ws_, Traced(0.0));
    put(results, at.pivot, ws_.pivot);
    put_margin();
    // velocities into ker J
    calc_velocity_rates();
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    calc_mass_step(topology_, parameters_, ws_, ws_.mu.data());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      Traced* u = &z_[topology_.layout.u(b)];
      Traced* angular = u + Space::dimension;
      (Linear<Traced, Space>::load(u) - ws_.twist[b].linear).store(u);
      (Angular<Traced, Space>::load(angular) - ws_.twist[b].angular).store(angular);
    }
    calc_velocities(topology_, z_.data(), ws_);
    if (rules_.climbs) {
      put(factor, at.values, ws_.values);
      put(factor, at.inverse, ws_.inverse);
      put(results, at.projected, &z_[topology_.layout.u(0)], Space::n_u * topology_.n_bodies);
    }
    calc_velocity_rates();
    trace_.output(find_largest(ws_.mu), results, at.largest_before);
    hold_energy(slack);
    put(results, at.u, &z_[topology_.layout.u(0)], Space::n_u * topology_.n_bodies);
    // how good it has become
    calc_velocities(topology_, z_.data(), ws_);
    calc_rows_and_gamma(topology_, parameters_, ws_);
    calc_velocity_rates();
    put(results, at.rates, ws_.mu);
    trace_.output(find_largest(ws_.mu), results, at.largest_rate);
    std::vector<Traced> kinetic(topology_.n_components());
    kernel<Traced, Space>().calc_kinetic(ws_.arrays, parameters_.arrays(), kinetic.data());
    put(results, at.kinetic, kinetic);
    Traced defect = Space::calc_defect(z_.data());
    for (int b = 1; b < topology_.n_bodies; ++b) {
      defect = greater(Space::calc_defect(&z_[topology_.layout.y(b)]), defect);
    }
    trace_.output(defect, results, at.defect);
    calc_distribution(topology_, parameters_, ws_);
    write_rate(topology_, ws_, z_.data(), rate_.data());
    if (slack == 1.0) put(derivative, 0, rate_);
    put(results, at.reference_value, ws_.reference_value);
    if (slack != 1.0) put_refined();
    for (std::size_t k = 0; k < ws_.curves.size(); ++k) {
      trace_.output(ws_.curves[k].sigma, results, at.sigma + static_cast<int>(k));
    }
    return MachineCode(trace_, OperationOrder::recorded, lanes);
  }

  // λ after one step of refine_distribution, and the numbers that say whether one was enough.
  void put_refined() {
    const Layout& at = code_.layout_;
    const Kernel<Traced, Space>& with = kernel<Traced, Space>();
    const IndexRange bodies{0, topology_.n_bodies};
    with.turn_twists(ws_.arrays, ws_.twist.data(), bodies);
    with.calc_right_hand_side(ws_.arrays, ws_.world_twist.data(), ws_.mu.data(), JointPiece::all());
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    std::vector<Twist<Traced, Space>> move(topology_.n_bodies + 1, Twist<Traced, Space>::zero());
    with.calc_mass_step(ws_.arrays, parameters_.arrays(), ws_.mu.data(), move.data(), bodies);
    Traced size, whole;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      size += mass_norm2(parameters_.bodies[b], move[b]);
      whole += mass_norm2(parameters_.bodies[b], ws_.twist[b]);
    }
    for (int r = 0; r < topology_.n_rows; ++r) {
      trace_.output(ws_.lambda[r], results, at.lambda + r);
      trace_.output(ws_.lambda[r] + ws_.mu[r], results, at.refined + r);
    }
    trace_.output(size, results, at.refined_by);
    trace_.output(whole, results, at.refined_of);
  }

  // EnergyBalance::climb of one component, up to where the joints are to be closed at the new place
  MachineCode climb(int lanes, double slack = 1.0) {
    const Layout& at = code_.layout_;
    const int n = topology_.n_bodies;
    get(factor, at.values, ws_.values);
    get(factor, at.inverse, ws_.inverse);
    calc_positions(topology_, z_.data(), ws_);
    calc_rows(topology_, parameters_, ws_);
    const Traced kinetic = trace_.input(results, at.kinetic_before);
    const Traced potential = trace_.input(results, at.potential);
    Traced norm2;
    // P a, a = M⁻¹∇U
    std::vector<Twist<Traced, Space>> a(n + 1, Twist<Traced, Space>::zero());
    calc_potential_gradient(topology_, parameters_, ws_);
    for (int b = 0; b < n; ++b) a[b] = calc_steepest(b);
    calc_j_times(topology_, ws_, a.data(), ws_.mu.data());
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    calc_mass_step(topology_, parameters_, ws_, ws_.mu.data());
    for (int b = 0; b < n; ++b) {
      a[b].linear -= ws_.twist[b].linear;
      a[b].angular -= ws_.twist[b].angular;
      norm2 += mass_norm2(parameters_.bodies[b], a[b]);
    }
    // μ h² along it, no body by more than the tolerance of the local error
    const Traced h = trace_.input(differing, at.step);
    const Traced lack = trace_.input(differing, at.start_energy) + z_[topology_.layout.work(0)] -
                        potential - kinetic;
    Traced f = lack / (Traced(2) * kinetic + h * h * norm2) * h * h;
    const Traced limit(calc_climb_limit(slack * rules_.rtol, slack * rules_.atol));
    for (int b = 0; b < n; ++b) {
      f = f * limit_climb(f, limit, calc_climb_size(a[b].linear, a[b].angular, length_[b]));
    }
    for (int b = 0; b < n; ++b) {
      Space::retract(&z_[topology_.layout.y(b)], f * a[b].linear, f * a[b].angular);
    }
    std::vector<Traced> reach(1);
    calc_reach(reach);
    put(results, at.reach, reach);
    put(results, at.moved, z_.data(), Space::n_y * n);
    trace_.output(norm2, results, at.climb_norm2);
    trace_.output(f, results, at.climb);
    return MachineCode(trace_, OperationOrder::recorded, lanes);
  }

 private:
  // A constant, or a number that is not the same in all runs.
  Traced make_parameter(double x) {
    const int index = next_number_++;
    if (next_differing_ < code_.parameters_.size() && code_.parameters_[next_differing_] == index) {
      return trace_.input(differing, static_cast<int>(next_differing_++));
    }
    return Traced(x);
  }

  void put(int array, int offset, const Traced* values, int n) {
    for (int k = 0; k < n; ++k) trace_.output(values[k], array, offset + k);
  }
  void put(int array, int offset, std::span<const Traced> values) {
    put(array, offset, values.data(), static_cast<int>(values.size()));
  }
  void get(int array, int offset, std::span<Traced> values) {
    for (Traced& value : values) value = trace_.input(array, offset++);
  }

  static Traced find_largest(std::span<const Traced> rows) {
    if (rows.empty()) return Traced();
    Traced largest = abs(rows.front());
    for (std::size_t r = 1; r < rows.size(); ++r) largest = greater(abs(rows[r]), largest);
    return largest;
  }

  // Of the pivots; without rows there is nothing to go wrong.
  void put_margin() {
    const bool has_pivots = trace_.has_margin();
    trace_.output(has_pivots ? trace_.margin() : Traced(1.0), results, code_.layout_.margin);
  }

  // M⁻¹∇U of a body, from the gradient in force_W and torque_B
  Twist<Traced, Space> calc_steepest(int b) const {
    const BodyParameters<Traced, Space>& body = parameters_.bodies[b];
    return {body.inverse_mass * ws_.force_W[b], scaled(body.inverse_inertia, ws_.torque_B[b])};
  }

  // The largest coordinate of a centre of mass, by component.
  void calc_reach(std::vector<Traced>& reach) const {
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const Traced* r = &z_[topology_.layout.y(b)];
      Traced& largest = reach[topology_.component_of[b]];
      for (int k = 0; k < Space::dimension; ++k) largest = greater(abs(r[k]), largest);
    }
  }

  void calc_velocity_rates() {
    trammel::calc_velocity_rates(topology_, ws_, ws_.mu.data());
    add_driven_rates(topology_, ws_, ws_.mu.data());
  }

  // g, and whether it is rounding
  void put_g(const std::vector<Traced>& reach) {
    const Layout& at = code_.layout_;
    put(results, at.g, ws_.g);
    trace_.output(find_largest(ws_.g), results, at.largest_g);
    Traced noise;
    for (int r = 0; r < topology_.n_rows; ++r) {
      const Traced room =
          calc_noise_limit(row_scale_[r], row_reach_[r], reach[system_.row_component[r]]) -
          abs(ws_.g[r]);
      noise = r == 0 ? room : lesser(room, noise);
    }
    trace_.output(noise, results, at.noise);
  }

  // EnergyBalance::scale of the velocities in the poses, where components are held and can be.
  void hold_energy(double slack) {
    const Layout& at = code_.layout_;
    const int n = topology_.n_components();
    std::vector<Traced> kinetic(n), potential(n), norm2(n), limit(n), lack(n), growth(n), power(n);
    std::vector<Traced> steepness(n);
    calc_energies(topology_, parameters_, ws_, kinetic.data(), potential.data());
    calc_potential_gradient(topology_, parameters_, ws_);
    for (Traced& of : limit) of = Traced(std::numeric_limits<double>::infinity());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const int c = topology_.component_of[b];
      const Pose<Traced, Space>& pose = ws_.pose[b];
      power[c] += dot(ws_.force_W[b], pose.v) + dot(ws_.torque_B[b], pose.Omega);
      steepness[c] += mass_norm2(parameters_.bodies[b], calc_steepest(b));
      norm2[c] += mass_norm2(parameters_.bodies[b], Twist<Traced, Space>{pose.v, pose.Omega});
      limit[c] = lesser(calc_growth_limit(Traced(slack * rules_.rtol), Traced(slack * rules_.atol),
                                          pose.v, pose.Omega),
                        limit[c]);
    }
    for (int c = 0; c < n; ++c) {
      if (rules_.holds[c] == 0) continue;
      const Traced start = trace_.input(differing, at.start_energy + c);
      const Traced work = z_[topology_.layout.work(c)];
      lack[c] = (start + work - potential[c] - kinetic[c]) / (Traced(0.5) * norm2[c]);
      growth[c] = calc_growth(lack[c], limit[c]);
    }
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const Traced f = growth[topology_.component_of[b]];
      Traced* u = &z_[topology_.layout.u(b)];
      for (int k = 0; k < Space::n_u; ++k) u[k] = u[k] + f * u[k];
    }
    put(results, at.kinetic_before, kinetic);
    put(results, at.potential, potential);
    put(results, at.gradient_power, power);
    put(results, at.steepness, steepness);
    put(results, at.lack, lack);
    put(results, at.growth, growth);
  }

  Traced calc_error_norm(const Traced* z1, const Traced* e) {
    const Layout& at = code_.layout_;
    const StateLayout& layout = topology_.layout;
    const Traced rtol(rules_.rtol), atol(rules_.atol);
    const auto larger = [&]<class Vector>(int offset) {
      return calc_larger_length(Vector::load(z1 + offset), Vector::load(&z_[offset]));
    };
    Traced largest, sum;
    for (int b = 0; b < layout.n_bodies; ++b) {
      const int y = layout.y(b), u = layout.u(b);
      const Traced of_body = calc_body_error2<Space>(
          rtol, atol, length_[b], larger.template operator()<Linear<Traced, Space>>(u),
          larger.template operator()<Angular<Traced, Space>>(u + Space::dimension), z1 + y, e + y,
          e + u);
      largest = greater(take_mean(of_body), largest);
      sum += of_body;
    }
    for (int c = 0; c < layout.n_components; ++c) {
      const int w = layout.work(c);
      const Traced kinetic = trace_.input(differing, at.step_kinetic + c);
      largest = greater(calc_work_error2(rtol, atol, z_[w], z1[w], kinetic, e[w]), largest);
    }
    return sqrt(largest + (sum - sum));  // not a number where the error of a body is not finite
  }

  Trace trace_;
  const StepCode& code_;
  const StepRules<Space>& rules_;
  const SystemIn<Space>& system_;
  const Topology& topology_;
  int next_number_ = 0;
  std::size_t next_differing_ = 0;
  Parameters<Traced, Space> parameters_;
  Workspace<Traced, Space> ws_;
  std::vector<Traced> z_, rate_;
  std::vector<Traced> length_, own_part_, row_scale_, row_reach_;
};

}  // namespace trammel
