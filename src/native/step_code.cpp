// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "native/step_code.hpp"

#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "kernel/kernel.hpp"
#include "kernel/step_judgement.hpp"
#include "native/kernel_parameters.hpp"
#include "native/operation_order.hpp"
#include "system/workspace.hpp"
//
#include "kernel/evaluation.hpp"

namespace trammel {

namespace {

// Rows beyond which the code outgrows the caches (measured: docs/performance.md); lanes have four times
// the numbers.
constexpr int most_rows = 160;
constexpr int most_rows_in_lanes = 60;

enum Array { state, derivative, factor, results, differing };

template <class Space>
std::vector<double> list_numbers(const SystemIn<Space>& system) {
  std::vector<double> numbers;
  const KernelParameters<double, Space> copy(system.parameters, [&](double x) {
    numbers.push_back(x);
    return x;
  });
  for (const std::vector<double>* scale :
       {&system.length, &system.own_part, &system.row_scale, &system.row_reach}) {
    numbers.insert(numbers.end(), scale->begin(), scale->end());
  }
  return numbers;
}

}  // namespace

// Runs the kernel on traced numbers, for one code.
template <class Space>
class StepCode<Space>::Tracer {
 public:
  Tracer(const StepCode& code, const StepRules& rules, const SystemIn<Space>& system)
      : code_(code),
        rules_(rules),
        system_(system),
        topology_(system.topology),
        parameters_(system.parameters, [this](double x) { return make_parameter(x); }),
        of_(parameters_.arrays()),
        ws_(system.topology),
        z_(system.topology.layout.size()),
        rate_(z_.size()) {
    const auto make_all = [this](const std::vector<double>& of, std::vector<Traced>& into) {
      for (const double x : of) into.push_back(make_parameter(x));
    };
    make_all(system.length, length_);
    make_all(system.own_part, own_part_);
    make_all(system.row_scale, row_scale_);
    make_all(system.row_reach, row_reach_);
    get(state, 0, z_);
  }

  MachineCode evaluate(int lanes) {
    const Layout& at = code_.layout_;
    trammel::evaluate<Traced, Space>(ws_.arrays, of_, Traced(rules_.drop_tolerance), z_.data(),
                                     rate_.data());
    put(derivative, 0, rate_);
    put(factor, at.values, ws_.values);
    put(factor, at.inverse, ws_.inverse);
    trace_.output(trace_.margin(), results, at.margin);
    return MachineCode(trace_, order_operations(trace_), lanes);
  }

  // MechanicalProblem::calc_error_norm of two errors
  MachineCode errors(int lanes) {
    std::vector<Traced> z1(z_.size()), e(z_.size());
    get(1, 0, z1);
    for (const int which : {0, 1}) {
      get(2 + which, 0, e);
      trace_.output(calc_error_norm(z1.data(), e.data()), differing, code_.layout_.error + which);
    }
    return MachineCode(trace_, list_operations(trace_), lanes);
  }

  MachineCode iterate(int lanes, bool first) {
    const Layout& at = code_.layout_;
    get(factor, at.values, ws_.values);
    get(factor, at.inverse, ws_.inverse);
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
    trammel::calc_positions(ws_.arrays, z_.data(), bodies_);
    trammel::calc_rows<false>(ws_.arrays, of_, JointPiece::all());
    put_g(reach);
    ws_.mu = ws_.g;
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    trammel::calc_mass_step(ws_.arrays, of_, ws_.mu.data(), ws_.twist.data(), bodies_);
    Traced size2, small, sum;
    for (int b = 0; b < n; ++b) {
      const Twist<Traced, Space>& w = ws_.twist[b];
      Traced* y = &z_[topology_.layout.y(b)];
      const BodyMove<Traced> move = judge_body<Space>(
          length_[b], dot(w.linear, w.linear), dot(w.angular, w.angular),
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
    return MachineCode(trace_, list_operations(trace_), lanes);
  }

  MachineCode settle(int lanes) {
    const Layout& at = code_.layout_;
    std::vector<Traced> reach(topology_.n_components());
    get(results, at.reach, reach);
    trammel::calc_poses(ws_.arrays, z_.data(), bodies_);
    trammel::calc_rows<false>(ws_.arrays, of_, JointPiece::all());
    put_g(reach);
    trammel::calc_whole_schur(ws_.arrays, of_);
    factorise(topology_.program, ws_.factor(), Traced(0.0));
    put(results, at.pivot, ws_.pivot);
    trace_.output(trace_.margin(), results, at.margin);
    // velocities into ker J
    calc_velocity_rates();
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    trammel::calc_mass_step(ws_.arrays, of_, ws_.mu.data(), ws_.twist.data(), bodies_);
    for (int b = 0; b < topology_.n_bodies; ++b) {
      Traced* u = &z_[topology_.layout.u(b)];
      Traced* angular = u + Space::dimension;
      (Linear<Traced, Space>::load(u) - ws_.twist[b].linear).store(u);
      (Angular<Traced, Space>::load(angular) - ws_.twist[b].angular).store(angular);
    }
    trammel::calc_velocities(ws_.arrays, z_.data(), bodies_);
    if (rules_.climbs) {
      put(factor, at.values, ws_.values);
      put(factor, at.inverse, ws_.inverse);
      put(results, at.projected, &z_[topology_.layout.u(0)], Space::n_u * topology_.n_bodies);
    }
    calc_velocity_rates();
    trace_.output(find_largest(ws_.mu), results, at.largest_before);
    hold_energy();
    put(results, at.u, &z_[topology_.layout.u(0)], Space::n_u * topology_.n_bodies);
    // how good it has become
    trammel::calc_velocities(ws_.arrays, z_.data(), bodies_);
    trammel::calc_rows<true>(ws_.arrays, of_, JointPiece::all());
    calc_velocity_rates();
    put(results, at.rates, ws_.mu);
    trace_.output(find_largest(ws_.mu), results, at.largest_rate);
    std::vector<Traced> kinetic(topology_.n_components());
    trammel::calc_kinetic(ws_.arrays, of_, kinetic.data());
    put(results, at.kinetic, kinetic);
    Traced defect = Space::calc_defect(z_.data());
    for (int b = 1; b < topology_.n_bodies; ++b) {
      defect = greater(Space::calc_defect(&z_[topology_.layout.y(b)]), defect);
    }
    trace_.output(defect, results, at.defect);
    calc_rate();
    put(derivative, 0, rate_);
    return MachineCode(trace_, list_operations(trace_), lanes);
  }

  // EnergyBalance::climb of one component, up to where the joints are to be closed at the new place
  MachineCode climb(int lanes) {
    const Layout& at = code_.layout_;
    const int n = topology_.n_bodies;
    get(factor, at.values, ws_.values);
    get(factor, at.inverse, ws_.inverse);
    trammel::calc_positions(ws_.arrays, z_.data(), bodies_);
    trammel::calc_rows<false>(ws_.arrays, of_, JointPiece::all());
    const Traced kinetic = trace_.input(results, at.kinetic_before);
    const Traced potential = trace_.input(results, at.potential);
    Traced norm2;
    // P a, a = M⁻¹∇U
    std::vector<Twist<Traced, Space>> a(n + 1, Twist<Traced, Space>::zero());
    for (int b = 0; b < n; ++b) {
      a[b].linear = of_.bodies[b].inverse_mass * -(of_.bodies[b].mass * of_.gravity);
    }
    trammel::turn_twists(ws_.arrays, a.data(), bodies_);
    trammel::calc_rates<false>(ws_.arrays, ws_.world_twist.data(), ws_.mu.data(), JointPiece::all());
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    trammel::calc_mass_step(ws_.arrays, of_, ws_.mu.data(), ws_.twist.data(), bodies_);
    for (int b = 0; b < n; ++b) {
      a[b].linear -= ws_.twist[b].linear;
      a[b].angular -= ws_.twist[b].angular;
      norm2 += mass_norm2(of_.bodies[b], a[b]);
    }
    // μ h² along it, no body by more than the tolerance of the local error
    const Traced h = trace_.input(differing, at.step);
    const Traced lack = trace_.input(differing, at.start_energy) + z_[topology_.layout.work(0)] -
                        potential - kinetic;
    Traced f = lack / (Traced(2) * kinetic + h * h * norm2) * h * h;
    const Traced limit(calc_climb_limit(rules_.rtol, rules_.atol));
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
    return MachineCode(trace_, list_operations(trace_), lanes);
  }

 private:
  // A constant, or a number that is not the same in all runs.
  Traced make_parameter(double x) {
    const int index = next_number_++;
    if (next_differing_ < code_.parameters_.size() &&
        code_.parameters_[next_differing_] == index) {
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
    Traced largest = abs(rows.front());
    for (std::size_t r = 1; r < rows.size(); ++r) largest = greater(abs(rows[r]), largest);
    return largest;
  }

  // ż from rows, γ, factor and velocities
  void calc_rate() {
    trammel::clear_forces(ws_.arrays, {0, topology_.n_bodies + 1});
    trammel::add_forces(ws_.arrays, of_);
    trammel::calc_free_accelerations(ws_.arrays, of_, bodies_);
    trammel::calc_rates<true>(ws_.arrays, ws_.world_twist.data(), ws_.lambda.data(), JointPiece::all());
    solve(topology_.program, ws_.factor(), ws_.lambda.data());
    trammel::write_position_rate(ws_.arrays, z_.data(), rate_.data(), bodies_);
    trammel::write_power(ws_.arrays, rate_.data());
    trammel::write_constrained_accelerations(ws_.arrays, of_, rate_.data(), bodies_);
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
    trammel::take_velocities(ws_.arrays, bodies_);
    trammel::calc_rates<false>(ws_.arrays, ws_.world_twist.data(), ws_.mu.data(), JointPiece::all());
  }

  // g, and whether it is rounding
  void put_g(const std::vector<Traced>& reach) {
    const Layout& at = code_.layout_;
    put(results, at.g, ws_.g);
    trace_.output(find_largest(ws_.g), results, at.largest_g);
    Traced noise;
    for (int r = 0; r < topology_.n_rows; ++r) {
      const Traced room = calc_noise_limit(row_scale_[r], row_reach_[r],
                                           reach[system_.row_component[r]]) - abs(ws_.g[r]);
      noise = r == 0 ? room : lesser(room, noise);
    }
    trace_.output(noise, results, at.noise);
  }

  // EnergyBalance::scale of the velocities in the poses, where components are held and can be.
  void hold_energy() {
    const Layout& at = code_.layout_;
    const int n = topology_.n_components();
    std::vector<Traced> kinetic(n), potential(n), norm2(n), limit(n), lack(n), growth(n), power(n);
    trammel::calc_kinetic(ws_.arrays, of_, kinetic.data());
    trammel::calc_potential(ws_.arrays, of_, potential.data());
    for (Traced& of : limit) of = Traced(std::numeric_limits<double>::infinity());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const int c = topology_.component_of[b];
      const Pose<Traced, Space>& pose = ws_.pose[b];
      power[c] += of_.bodies[b].mass * dot(of_.gravity, pose.v);
      norm2[c] += mass_norm2(of_.bodies[b], Twist<Traced, Space>{pose.v, pose.Omega});
      limit[c] = lesser(calc_growth_limit(Traced(rules_.rtol), Traced(rules_.atol), pose.v,
                                          pose.Omega), limit[c]);
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
    put(results, at.weight_power, power);
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
  const StepRules& rules_;
  const SystemIn<Space>& system_;
  const Topology& topology_;
  const IndexRange bodies_{0, topology_.n_bodies};  // all
  int next_number_ = 0;
  std::size_t next_differing_ = 0;
  KernelParameters<Traced, Space> parameters_;
  ParameterArrays<Traced, Space> of_;
  Workspace<Traced, Space> ws_;
  std::vector<Traced> z_, rate_;
  std::vector<Traced> length_, own_part_, row_scale_, row_reach_;
};

template <class Space>
std::unique_ptr<StepCode<Space>> StepCode<Space>::make(
    const std::vector<const SystemIn<Space>*>& members, int lanes, const StepRules& rules) {
  const SystemIn<Space>& system = *members.front();
  const Topology& topology = system.topology;
  if (!MachineCode::is_possible() || topology.n_rows == 0 || topology.program.is_large ||
      topology.n_rows > (lanes == 1 ? most_rows : most_rows_in_lanes)) {
    return nullptr;
  }
  std::unique_ptr<StepCode> code(new StepCode);
  // which numbers differ
  const std::vector<double> first = list_numbers(system);
  std::vector<char> differs(first.size(), 0);
  for (std::size_t m = 1; m < members.size(); ++m) {
    const std::vector<double> other = list_numbers(*members[m]);
    if (other.size() != first.size()) return nullptr;
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (std::memcmp(&first[k], &other[k], sizeof(double)) != 0) differs[k] = 1;
    }
  }
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (differs[k] != 0) code->parameters_.push_back(static_cast<int>(k));
  }
  // where everything stands
  Layout& at = code->layout_;
  int offset = 0;
  const auto take = [&](int& place, int size) {
    place = offset;
    offset += size;
  };
  const int rows = topology.n_rows, bodies = topology.n_bodies;
  const int components = topology.n_components();
  take(at.values, static_cast<int>(topology.program.n_values));
  take(at.inverse, rows);
  at.factor_size = std::exchange(offset, static_cast<int>(code->parameters_.size()));
  take(at.start_energy, components);
  take(at.step_kinetic, components);
  take(at.tolerance, 1);
  take(at.step, 1);
  take(at.error, 2);
  at.parameters_size = std::exchange(offset, 0);
  for (int* one : {&at.margin, &at.largest_g, &at.noise, &at.size2, &at.small, &at.largest_before,
                   &at.largest_rate, &at.defect, &at.climb_norm2, &at.climb}) {
    take(*one, 1);
  }
  for (int* of_rows : {&at.g, &at.pivot, &at.rates}) take(*of_rows, rows);
  for (int* of_components : {&at.reach, &at.kinetic_before, &at.weight_power, &at.lack, &at.growth, &at.kinetic,
                             &at.potential}) {
    take(*of_components, components);
  }
  take(at.moved, Space::n_y * bodies);
  take(at.arrived, Space::n_y * bodies);
  take(at.u, Space::n_u * bodies);
  take(at.projected, Space::n_u * bodies);
  at.results_size = offset;
  const auto keep = [](MachineCode&& made) {
    return std::make_unique<MachineCode>(std::move(made));
  };
  try {
    code->evaluate_ = keep(Tracer(*code, rules, system).evaluate(lanes));
    code->errors_ = keep(Tracer(*code, rules, system).errors(lanes));
    if (rules.with_ends) {
      code->arrive_ = keep(Tracer(*code, rules, system).iterate(lanes, true));
      code->iterate_ = keep(Tracer(*code, rules, system).iterate(lanes, false));
      code->settle_ = keep(Tracer(*code, rules, system).settle(lanes));
      if (rules.climbs) code->climb_ = keep(Tracer(*code, rules, system).climb(lanes));
    }
  } catch (const std::runtime_error&) {
    return nullptr;  // memory that may be executed is not to be had
  }
  return code;
}

template <class Space>
std::vector<double> StepCode<Space>::list_parameters(const SystemIn<Space>& member) const {
  const std::vector<double> all = list_numbers(member);
  std::vector<double> list;
  for (const int k : parameters_) list.push_back(all[k]);
  return list;
}

template class StepCode<Spatial>;
template class StepCode<Planar>;

}  // namespace trammel
