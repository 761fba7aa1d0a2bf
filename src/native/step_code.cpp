// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "native/step_code.hpp"

#include <cstring>
#include <stdexcept>

#include "kernel/kernel.hpp"
#include "system/workspace.hpp"
//
#include "kernel/evaluation.hpp"

namespace trammel {

namespace {

// Rows beyond which the code outgrows the caches (measured: docs/performance.md).
constexpr int most_rows = 60;

enum Array { state, derivative, factor, results, differing };

// A copy of what the kernel reads, with any kind of number.
template <class Real, class Space>
struct KernelParameters {
  Linear<Real, Space> gravity;
  std::vector<BodyParameters<Real, Space>> bodies;
  std::vector<JointParameters<Real, Space>> joints, basics;
  std::vector<ConstantLoad<Real, Space>> loads;
  std::vector<SpringDamperParameters<Real, Space>> springs;
  std::vector<RotationalDamperParameters<Real, Space>> dampers;

  // make(x): the number of this kind for a number of the system, in the order of the system.
  template <class Make>
  KernelParameters(const Parameters<double, Space>& of, const Make& make) {
    const auto linear = [&](const Linear<double, Space>& v) { return make_vector(v, make); };
    const auto angular = [&](const Angular<double, Space>& v) { return make_vector(v, make); };
    gravity = linear(of.gravity);
    for (const auto& b : of.bodies) {
      BodyParameters<Real, Space> body;
      body.mass = make(b.mass);
      body.inverse_mass = make(b.inverse_mass);
      body.inertia = angular(b.inertia);
      body.inverse_inertia = angular(b.inverse_inertia);
      bodies.push_back(body);
    }
    const auto make_joint = [&](const JointParameters<double, Space>& j) {
      JointParameters<Real, Space> joint;
      joint.point_i = linear(j.point_i);
      joint.point_j = linear(j.point_j);
      for (int k = 0; k < 2; ++k) {
        joint.vector_i[k] = linear(j.vector_i[k]);
        joint.vector_j[k] = linear(j.vector_j[k]);
        joint.offset[k] = make(j.offset[k]);
      }
      joint.length = make(j.length);
      joint.curve = j.curve;
      return joint;
    };
    for (const auto& j : of.joints) joints.push_back(make_joint(j));
    for (const auto& j : of.basics) basics.push_back(make_joint(j));
    for (const auto& l : of.loads) {
      ConstantLoad<Real, Space> load;
      load.body = l.body;
      load.point = linear(l.point);
      load.force_W = linear(l.force_W);
      load.torque_W = angular(l.torque_W);
      load.force_B = linear(l.force_B);
      load.torque_B = angular(l.torque_B);
      loads.push_back(load);
    }
    for (const auto& s : of.springs) {
      SpringDamperParameters<Real, Space> spring;
      spring.body_i = s.body_i;
      spring.body_j = s.body_j;
      spring.point_i = linear(s.point_i);
      spring.point_j = linear(s.point_j);
      spring.stiffness = make(s.stiffness);
      spring.damping = make(s.damping);
      spring.free_length = make(s.free_length);
      springs.push_back(spring);
    }
    for (const auto& d : of.dampers) {
      RotationalDamperParameters<Real, Space> damper;
      damper.body_i = d.body_i;
      damper.body_j = d.body_j;
      damper.axis_j = angular(d.axis_j);
      damper.damping = make(d.damping);
      dampers.push_back(damper);
    }
  }

  ParameterArrays<Real, Space> arrays() const {
    return {gravity,
            bodies.data(),
            joints.data(),
            basics.data(),
            loads.data(),
            static_cast<int>(loads.size()),
            springs.data(),
            static_cast<int>(springs.size()),
            dampers.data(),
            static_cast<int>(dampers.size())};
  }

 private:
  template <class Make>
  static Vector3<Real> make_vector(const Vector3<double>& v, const Make& make) {
    const Real x = make(v.x), y = make(v.y), z = make(v.z);
    return {x, y, z};
  }
  template <class Make>
  static Vector2<Real> make_vector(const Vector2<double>& v, const Make& make) {
    const Real x = make(v.x), y = make(v.y);
    return {x, y};
  }
  template <class Make>
  static Vector1<Real> make_vector(const Vector1<double>& v, const Make& make) {
    return {make(v.z)};
  }
};

template <class Space>
std::vector<double> list_numbers(const SystemIn<Space>& system) {
  std::vector<double> numbers;
  const KernelParameters<double, Space> copy(system.parameters, [&](double x) {
    numbers.push_back(x);
    return x;
  });
  return numbers;
}

}  // namespace

// Runs the kernel on traced numbers, for one code.
template <class Space>
class StepCode<Space>::Tracer {
 public:
  Tracer(const StepCode& code, const SystemIn<Space>& system)
      : code_(code),
        topology_(system.topology),
        parameters_(system.parameters, [this](double x) { return make_parameter(x); }),
        of_(parameters_.arrays()),
        ws_(system.topology),
        z_(system.topology.layout.size()),
        rate_(z_.size()) {
    for (std::size_t k = 0; k < z_.size(); ++k) z_[k] = trace_.input(state, static_cast<int>(k));
  }

  MachineCode evaluate(int lanes, double drop_tolerance) {
    const auto outcome = trammel::evaluate<Traced, Space>(ws_.arrays, of_, Traced(drop_tolerance),
                                                          z_.data(), rate_.data());
    put_rate(outcome.not_finite);
    put_factor(false);
    return MachineCode(trace_, lanes);
  }

  MachineCode iterate(int lanes, bool first) {
    const Layout& at = code_.layout_;
    get_factor();
    const int n = topology_.n_bodies;
    for (int b = 0; first && b < n; ++b) {
      Space::normalise(&z_[topology_.layout.y(b)]);
      for (int k = 0; k < Space::n_y; ++k) {
        const int y = topology_.layout.y(b) + k;
        trace_.output(z_[y], results, at.y + n * Space::n_y + y);
      }
    }
    trammel::calc_positions(ws_.arrays, z_.data());
    trammel::calc_rows<false>(ws_.arrays, of_);
    put(ws_.g, at.g);
    ws_.mu = ws_.g;
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    trammel::calc_mass_step(ws_.arrays, of_, ws_.mu.data(), ws_.twist.data());
    for (int b = 0; b < n; ++b) {
      const Twist<Traced, Space>& w = ws_.twist[b];
      trace_.output(dot(w.linear, w.linear), results, at.linear2 + b);
      trace_.output(dot(w.angular, w.angular), results, at.angular2 + b);
      const int y = topology_.layout.y(b);
      Space::retract(&z_[y], -w.linear, -w.angular);
      for (int k = 0; k < Space::n_y; ++k) trace_.output(z_[y + k], results, at.y + y + k);
    }
    return MachineCode(trace_, lanes);
  }

  MachineCode settle(int lanes) {
    const Layout& at = code_.layout_;
    trammel::calc_poses(ws_.arrays, z_.data());
    trammel::calc_rows<false>(ws_.arrays, of_);
    trammel::calc_schur<true>(ws_.arrays, of_);
    factorise(topology_.program, ws_.factor(), Traced(0.0));
    put_factor(true);
    trammel::calc_velocity_rates(ws_.arrays, ws_.mu.data());
    solve(topology_.program, ws_.factor(), ws_.mu.data());
    trammel::calc_mass_step(ws_.arrays, of_, ws_.mu.data(), ws_.twist.data());
    for (int b = 0; b < topology_.n_bodies; ++b) {
      Traced* u = &z_[topology_.layout.u(b)];
      Traced* angular = u + Space::dimension;
      (Linear<Traced, Space>::load(u) - ws_.twist[b].linear).store(u);
      (Angular<Traced, Space>::load(angular) - ws_.twist[b].angular).store(angular);
      for (int k = 0; k < Space::n_u; ++k) trace_.output(u[k], results, at.u + Space::n_u * b + k);
    }
    trammel::calc_velocities(ws_.arrays, z_.data());
    put_rates_and_kinetic();
    std::vector<Traced> potential(topology_.n_components());
    trammel::calc_potential(ws_.arrays, of_, potential.data());
    put(potential, at.potential);
    return MachineCode(trace_, lanes);
  }

  MachineCode restart(int lanes) {
    get_factor();
    trammel::calc_poses(ws_.arrays, z_.data());
    trammel::calc_rows<true>(ws_.arrays, of_);
    put_rates_and_kinetic();
    trammel::calc_forces(ws_.arrays, of_);
    trammel::calc_free_accelerations(ws_.arrays, of_);
    trammel::calc_rates<true>(ws_.arrays, ws_.world_twist.data(), ws_.lambda.data());
    solve(topology_.program, ws_.factor(), ws_.lambda.data());
    trammel::subtract_constraint_forces(ws_.arrays, of_);
    put_rate(trammel::write_rate(ws_.arrays, z_.data(), rate_.data()));
    return MachineCode(trace_, lanes);
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

  void put(const std::vector<Traced>& values, int offset) {
    for (const Traced& value : values) trace_.output(value, results, offset++);
  }
  void put_rate(const Traced& not_finite) {
    for (std::size_t k = 0; k < rate_.size(); ++k) {
      trace_.output(rate_[k], derivative, static_cast<int>(k));
    }
    trace_.output(not_finite, results, code_.layout_.not_finite);
  }
  void put_factor(bool with_pivots) {
    const Layout& at = code_.layout_;
    const auto put_all = [&](const std::vector<Traced>& values, int offset) {
      for (const Traced& value : values) trace_.output(value, factor, offset++);
    };
    put_all(ws_.values, at.values);
    put_all(ws_.inverse, at.inverse);
    if (with_pivots) put_all(ws_.pivot, at.pivot);
    trace_.output(trace_.margin(), results, at.margin);
  }
  void get_factor() {
    const Layout& at = code_.layout_;
    const auto get_all = [&](std::vector<Traced>& values, int offset) {
      for (Traced& value : values) value = trace_.input(factor, offset++);
    };
    get_all(ws_.values, at.values);
    get_all(ws_.inverse, at.inverse);
  }
  void put_rates_and_kinetic() {
    const Layout& at = code_.layout_;
    trammel::calc_velocity_rates(ws_.arrays, ws_.mu.data());
    put(ws_.mu, at.rates);
    std::vector<Traced> kinetic(topology_.n_components());
    trammel::calc_kinetic(ws_.arrays, of_, kinetic.data());
    put(kinetic, at.kinetic);
  }

  Trace trace_;
  const StepCode& code_;
  const Topology& topology_;
  int next_number_ = 0;
  std::size_t next_differing_ = 0;
  KernelParameters<Traced, Space> parameters_;
  ParameterArrays<Traced, Space> of_;
  Workspace<Traced, Space> ws_;
  std::vector<Traced> z_, rate_;
};

template <class Space>
std::unique_ptr<StepCode<Space>> StepCode<Space>::make(
    const std::vector<const SystemIn<Space>*>& members, int lanes, double drop_tolerance,
    bool with_ends) {
  const SystemIn<Space>& system = *members.front();
  const Topology& topology = system.topology;
  if (!MachineCode::is_possible() || topology.n_rows > most_rows || topology.n_rows == 0 ||
      topology.program.is_large) {
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
  take(at.values, static_cast<int>(topology.program.n_values));
  take(at.inverse, rows);
  take(at.pivot, rows);
  at.factor_size = offset;
  offset = 0;
  take(at.margin, 1);
  take(at.not_finite, 1);
  take(at.g, rows);
  take(at.y, 2 * Space::n_y * bodies);  // moved, and behind it normalised
  take(at.linear2, bodies);
  take(at.angular2, bodies);
  take(at.u, Space::n_u * bodies);
  take(at.rates, rows);
  take(at.kinetic, topology.n_components());
  take(at.potential, topology.n_components());
  at.results_size = offset;
  try {
    using std::make_unique;
    const auto keep = [](MachineCode&& made) { return make_unique<MachineCode>(std::move(made)); };
    code->evaluate_ = keep(Tracer(*code, system).evaluate(lanes, drop_tolerance));
    if (with_ends) {
      code->arrive_ = keep(Tracer(*code, system).iterate(lanes, true));
      code->iterate_ = keep(Tracer(*code, system).iterate(lanes, false));
      code->settle_ = keep(Tracer(*code, system).settle(lanes));
      code->restart_ = keep(Tracer(*code, system).restart(lanes));
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
