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
#include "evaluate/reactions.hpp"
#include "evaluate/step_end.hpp"
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

  MachineCode errors(int lanes) {
    std::vector<Traced> z1(z_.size()), e(z_.size()), step_kinetic(topology_.n_components());
    get(1, 0, z1);
    get(differing, code_.layout_.step_kinetic, step_kinetic);
    for (const int which : {0, 1}) {
      get(2 + which, 0, e);
      const Traced error = calc_error_norm<Space>(
          topology_, length_.data(), parameters_.states, Traced(rules_.rtol), Traced(rules_.atol),
          step_kinetic.data(), z_.data(), z1.data(), e.data());
      trace_.output(error, differing, code_.layout_.error + which);
    }
    return MachineCode(trace_, OperationOrder::recorded, lanes);
  }

  // With the factor that is there.
  enum class Iteration { first, next };
  MachineCode iterate(int lanes, Iteration which) {
    const Layout& at = code_.layout_;
    const bool first = which == Iteration::first;
    get(factor, at.values, ws_.values);
    get(factor, at.inverse, ws_.inverse);
    ws_.stages.provide(Stage::factor);
    const int n = topology_.n_bodies;
    std::vector<Traced> reach(topology_.n_components());
    if (first) {
      for (int b = 0; b < n; ++b) Space::normalise(&z_[topology_.layout.y(b)]);
      put(results, at.normalised, z_.data(), Space::n_y * n);
      calc_reach<Space>(topology_, z_.data(), reach.data());
      put(results, at.reach, reach);
    } else {
      get(results, at.reach, reach);
    }
    calc_positions(topology_, z_.data(), ws_);
    calc_rows(topology_, parameters_, ws_);
    put_g(reach);
    const PositionMove<Traced> move =
        move_onto_rows(topology_, parameters_, scales(), trace_.input(differing, at.tolerance),
                       reach.data(), z_.data(), ws_);
    trace_.output(move.size2, results, at.size2);
    trace_.output(move.room, results, at.small);
    put(results, at.moved, z_.data(), Space::n_y * n);
    return MachineCode(trace_, OperationOrder::recorded, lanes);
  }

  MachineCode complete(int lanes) {
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
    calc_velocity_gap(topology_, ws_);
    close_velocity_gap(topology_, parameters_, z_.data(), ws_);
    if (rules_.shifts) {
      put(factor, at.values, ws_.values);
      put(factor, at.inverse, ws_.inverse);
      put(results, at.projected, &z_[topology_.layout.u(0)], Space::n_u * topology_.n_bodies);
    }
    calc_velocity_gap(topology_, ws_);
    trace_.output(find_largest(ws_.mu), results, at.largest_before);
    hold_energy();
    put(results, at.u, &z_[topology_.layout.u(0)], Space::n_u * topology_.n_bodies);
    // how good it has become
    calc_velocities(topology_, z_.data(), ws_);
    calc_gamma(topology_, parameters_, ws_);
    calc_velocity_gap(topology_, ws_);
    put(results, at.rates, ws_.mu);
    trace_.output(find_largest(ws_.mu), results, at.largest_rate);
    std::vector<Traced> kinetic(topology_.n_components());
    kernel<Traced, Space>().calc_kinetic(ws_.arrays, parameters_.arrays(), kinetic.data());
    put(results, at.kinetic, kinetic);
    trace_.output(calc_largest_defect<Space>(topology_, z_.data()), results, at.defect);
    calc_distribution(topology_, parameters_, ws_);
    write_rate(topology_, ws_, z_.data(), rate_.data());
    put(derivative, 0, rate_);
    put(results, at.reference_value, ws_.reference_value);
    put(results, at.lambda, ws_.lambda);
    if (rules_.refines && lanes == 1) put_refined();
    for (std::size_t k = 0; k < ws_.curves.size(); ++k) {
      trace_.output(ws_.curves[k].sigma, results, at.sigma + static_cast<int>(k));
    }
    return MachineCode(trace_, OperationOrder::recorded, lanes);
  }

  // λ after one step of refine_distribution, the numbers that say whether one was enough, and the reactions.
  void put_refined() {
    const Layout& at = code_.layout_;
    const auto [size2, whole2] = calc_refinement(topology_, parameters_, ws_);
    std::vector<Traced> refined;
    for (int r = 0; r < topology_.n_rows; ++r) refined.push_back(ws_.lambda[r] + ws_.mu[r]);
    put(results, at.refined, refined);
    trace_.output(size2, results, at.refined_by);
    trace_.output(whole2, results, at.refined_of);
    for (int k = 0; k < topology_.n_joints; ++k) {
      const Wrench<Traced, Space> wrench =
          calc_reaction(topology_, parameters_, ws_, refined.data(), k);
      Traced numbers[Space::n_u];
      wrench.force.store(numbers);
      wrench.moment.store(numbers + Space::dimension);
      put(results, at.reactions + Space::n_u * k, numbers);
    }
  }

  // EnergyBalance::shift of one component, up to where the joints are to be closed at the new place
  MachineCode shift(int lanes) {
    const Layout& at = code_.layout_;
    const int n = topology_.n_bodies;
    get(factor, at.values, ws_.values);
    get(factor, at.inverse, ws_.inverse);
    ws_.stages.provide(Stage::factor);
    calc_positions(topology_, z_.data(), ws_);
    calc_rows(topology_, parameters_, ws_);
    const Traced kinetic = trace_.input(results, at.kinetic_before);
    const Traced potential = trace_.input(results, at.potential);
    // P a, a = M⁻¹∇U
    std::vector<Twist<Traced, Space>> a(n + 1, Twist<Traced, Space>::zero());
    Traced norm2;
    calc_steepest_ascent(topology_, parameters_, ws_, a.data());
    project_twists(topology_, parameters_, ws_, a.data());
    calc_mass_norms(topology_, parameters_, a.data(), &norm2);
    // along it, no body by more than the tolerance of the local error
    const Traced deficit = trace_.input(differing, at.start_energy) + z_[topology_.layout.work(0)] -
                           potential - kinetic;
    Traced f = calc_shift_factor(deficit, kinetic, trace_.input(differing, at.step), norm2);
    const Traced limit = trace_.input(differing, at.shift_limit);
    shift_along(topology_, scales(), limit, &f, a.data(), z_.data());
    std::vector<Traced> reach(1);
    calc_reach<Space>(topology_, z_.data(), reach.data());
    put(results, at.reach, reach);
    put(results, at.moved, z_.data(), Space::n_y * n);
    trace_.output(norm2, results, at.shift_norm2);
    trace_.output(f, results, at.shift);
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

  Scales<Traced> scales() const {
    return {length_.data(), own_part_.data(), row_scale_.data(), row_reach_.data()};
  }

  // g, and whether it is rounding
  void put_g(const std::vector<Traced>& reach) {
    const Layout& at = code_.layout_;
    put(results, at.g, ws_.g);
    trace_.output(find_largest(ws_.g), results, at.largest_g);
    Traced noise;
    for (int r = 0; r < topology_.n_rows; ++r) {
      const Traced room = calc_rounding_room(system_, scales(), r, reach.data(), ws_);
      noise = r == 0 ? room : lesser(room, noise);
    }
    trace_.output(noise, results, at.noise);
  }

  // Scales the velocities in the poses, per component whose energy is held.
  void hold_energy() {
    const Layout& at = code_.layout_;
    const int n = topology_.n_components();
    std::vector<Traced> kinetic(n), potential(n), norm2(n), limit(n), deficit(n), growth(n),
        power(n);
    std::vector<Traced> steepness(n);
    std::vector<Twist<Traced, Space>> a(topology_.n_bodies), u(topology_.n_bodies);
    calc_energies(topology_, parameters_, ws_, kinetic.data(), potential.data());
    // uᵀ∇U and ‖M⁻¹∇U‖²: whether it may have to be shifted
    calc_steepest_ascent(topology_, parameters_, ws_, a.data());
    calc_mass_norms(topology_, parameters_, a.data(), steepness.data());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const Pose<Traced, Space>& pose = ws_.pose[b];
      u[b] = {pose.v, pose.Omega};
      power[topology_.component_of[b]] +=
          dot(ws_.force_W[b], pose.v) + dot(ws_.torque_B[b], pose.Omega);
    }
    // by what the velocities grow
    calc_mass_norms(topology_, parameters_, u.data(), norm2.data());
    calc_growth_limits(topology_, trace_.input(differing, at.energy_rtol),
                       trace_.input(differing, at.energy_atol), u.data(), limit.data());
    for (int c = 0; c < n; ++c) {
      if (rules_.holds[c] == 0) continue;
      const Traced start = trace_.input(differing, at.start_energy + c);
      const Traced work = z_[topology_.layout.work(c)];
      deficit[c] = (start + work - potential[c] - kinetic[c]) / (Traced(0.5) * norm2[c]);
      growth[c] = calc_growth(deficit[c], limit[c]);
    }
    grow_velocities(topology_, growth.data(), u.data(), z_.data());
    put(results, at.kinetic_before, kinetic);
    put(results, at.potential, potential);
    put(results, at.gradient_power, power);
    put(results, at.steepness, steepness);
    put(results, at.deficit, deficit);
    put(results, at.growth, growth);
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
