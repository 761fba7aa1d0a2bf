// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The public Evaluator: a state, and how far it has been evaluated. Each question brings the stage up to
// what it needs:
//
//   state      bodies as the user gave them
//   rows       z, positions, velocities; g, J and J u + g_t
//   dynamics   factor, u̇ and λ, refined and, where joints are redundant, shared; energies
#include "trammel/evaluator.hpp"

#include <algorithm>
#include <stdexcept>

#include "analyses/check.hpp"
#include "analyses/prepared_run.hpp"
#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "evaluate/reactions.hpp"
#include "generate/acceleration_jacobian.hpp"
#include "generate/step_code.hpp"
#include "manifold/light_bodies.hpp"
#include "manifold/projection.hpp"
#include "record/reaction_share.hpp"
#include "system/frames.hpp"
#include "system/row_names.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

Vec3 make_vec(const Vector3<double>& v) { return {v.x, v.y, v.z}; }

SimulationOptions make_options() {
  SimulationOptions options;
  options.kernel = KernelChoice::loops;  // single evaluations are not worth generating code for
  return options;
}

}  // namespace

class Evaluator::Base {
 public:
  enum class Stage { state, rows, dynamics };

  virtual ~Base() = default;
  virtual void calc_rows() = 0;
  virtual void calc_dynamics() = 0;
  virtual Matrix make_jacobian() = 0;
  virtual Matrix make_mass() = 0;
  virtual BodyAcceleration make_acceleration(int body) = 0;
  virtual std::vector<BodyAcceleration> make_derivative(int body, const BodyVariation& of) = 0;
  virtual Reaction make_reaction(int joint) = 0;
  virtual Momentum make_momentum() = 0;

  void reach(Stage wanted) {
    if (stage < Stage::rows && wanted >= Stage::rows) calc_rows();
    if (stage < Stage::dynamics && wanted >= Stage::dynamics) calc_dynamics();
    stage = std::max(stage, wanted);
  }
  // Where the name is in a list of them.
  static int find(const std::vector<std::string>& names, const std::string& name,
                  const char* what) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      throw std::invalid_argument(std::string("evaluator: there is no ") + what + " '" + name +
                                  "'");
    }
    return static_cast<int>(at - names.begin());
  }

  Stage stage = Stage::state;
  double time = 0.0;
  std::vector<BodyState> bodies;
  std::vector<std::string> row_names;
  std::vector<double> g, rates, lambda;
  SystemEnergy energy{};
  const SystemData* data = nullptr;
};

template <class Space>
class Evaluator::In final : public Evaluator::Base {
 public:
  In(const System& handle, const SystemIn<Space>& system)
      : handle_(handle), system_(system), ws_(system.topology) {
    const CheckedState checked = check_and_assemble(system);
    if (!checked.report.ok()) {
      throw std::runtime_error("evaluator: " + checked.report.reasons.front());
    }
    data = &system;
    z_ = checked.assembled.z;
    initial_ = z_;
    rate_.resize(z_.size());
    lightened_ = make_lightened(system, z_.data(), 0.0);
    problem_ = std::make_unique<MechanicalProblem<Space>>(lightened_ ? *lightened_ : system,
                                                          make_options(),
                                                          ProblemSettings{&checked.assembled.rank});
    for (int b = 0; b < system.topology.n_bodies; ++b) {
      bodies.push_back(export_body(system, z_.data(), b));
    }
    row_names = make_row_names(system);
  }

  void calc_rows() override {
    const Topology& topology = system_.topology;
    import_state(system_, bodies, z_.data());
    // integrals of given rates; angles are counted from the initial configuration
    const State<Space> state(topology.layout, z_.data());
    const ConstState<Space> initial(topology.layout, initial_.data());
    for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
      const int r = topology.drivers[k].reference;
      if (r < 0) continue;
      state.reference(r) =
          initial.reference(r) + system_.parameters.drivers[k].integrate(0.0, time);
    }
    ws_.time = time;
    ws_.forget_references();
    calc_positions(topology, z_.data(), ws_);
    trammel::calc_rows(topology, system_.parameters, ws_);
    calc_velocity_residual(system_, z_.data(), ws_);
    g.assign(ws_.g.begin(), ws_.g.end());
    rates.assign(ws_.mu.begin(), ws_.mu.end());
  }

  void calc_dynamics() override {
    std::vector<double> z = z_;
    if (!problem_->start(z.data(), rate_.data(), time)) {
      throw std::runtime_error("evaluator: " + explain(system_, problem_->point().failure));
    }
    Workspace<double, Space>& ws = problem_->point().ws;
    refine_distribution(system_.topology, problem_->point().system.parameters, ws);
    if (!write_rate(system_.topology, ws, z.data(), rate_.data())) {
      throw std::runtime_error("evaluator: the accelerations are not finite");
    }
    if (!problem_->point().in_passage) {
      ReactionShare<Space>(problem_->point().system).share(problem_->point().rows.left_out(), ws);
    }
    lambda.assign(ws.lambda.begin(), ws.lambda.end());
    energy = {problem_->point().energy.kinetic(),
              problem_->point().energy.potential() + system_.potential_of_origin};
  }

  // Column by column: J of a unit velocity.
  Matrix make_jacobian() override {
    const Topology& topology = system_.topology;
    Matrix result{topology.n_rows, 6 * topology.n_bodies, {}};
    result.values.resize(static_cast<std::size_t>(result.rows) * result.columns);
    const std::vector<Offset> offsets = calc_offsets();
    std::vector<Twist<double, Space>> w(topology.n_bodies + 1, Twist<double, Space>::zero());
    std::vector<double> column(topology.n_rows);
    for (int b = 0; b < topology.n_bodies; ++b) {
      for (int k = 0; k < 6; ++k) {
        const Vector3<double> unit{k % 3 == 0 ? 1.0 : 0.0, k % 3 == 1 ? 1.0 : 0.0,
                                   k % 3 == 2 ? 1.0 : 0.0};
        w[b] = Twist<double, Space>::zero();
        if (k < 3) {
          w[b].linear = Space::import_linear(unit);
        } else {
          w[b].angular = Space::import_angular(
              transposed_times(calc_rotation(system_.principal[b].data()), unit));
          if (!offsets.empty()) {
            w[b].linear = Space::import_linear(offsets[b].R * cross(unit, offsets[b].c));
          }
        }
        calc_j_times(topology, ws_, w.data(), column.data());
        for (int r = 0; r < result.rows; ++r) {
          result.values[static_cast<std::size_t>(r) * result.columns + 6 * b + k] = column[r];
        }
      }
      w[b] = Twist<double, Space>::zero();
    }
    return result;
  }

  // diag(m I, 𝕀), 𝕀 in the axes of the model; with the centre of mass at c
  //   m I   −m R [c]×
  //   ·     𝕀 − m [c]×[c]×
  Matrix make_mass() override {
    const int n = system_.topology.n_bodies;
    Matrix result{6 * n, 6 * n, {}};
    result.values.resize(static_cast<std::size_t>(result.rows) * result.columns);
    const auto at = [&](int row, int column) -> double& {
      return result.values[static_cast<std::size_t>(row) * result.columns + column];
    };
    for (int b = 0; b < n; ++b) {
      for (int k = 0; k < 3; ++k) at(6 * b + k, 6 * b + k) = system_.parameters.bodies[b].mass;
      const Mat3& inertia = system_.picture.inertia[b];
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) at(6 * b + 3 + r, 6 * b + 3 + c) = inertia[r][c];
      }
    }
    const std::vector<Offset> offsets = calc_offsets();
    for (int b = 0; b < static_cast<int>(offsets.size()); ++b) {
      const double m = system_.parameters.bodies[b].mass;
      for (int k = 0; k < 3; ++k) {
        const Vector3<double> unit{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        const Vector3<double> v = cross(unit, offsets[b].c);  // of the centre for Ω = e_k
        const Vec3 across = make_vec(m * (offsets[b].R * v));
        const Vec3 about = make_vec(m * cross(offsets[b].c, v));
        for (int r = 0; r < 3; ++r) {
          at(6 * b + r, 6 * b + 3 + k) = at(6 * b + 3 + k, 6 * b + r) = across[r];
          at(6 * b + 3 + r, 6 * b + 3 + k) += about[r];
        }
      }
    }
    return result;
  }

  BodyAcceleration make_acceleration(int body) override {
    const double* const u1 = rate_.data() + system_.topology.layout.u(body);
    const UserAcceleration a = trammel::export_acceleration(
        system_,
        Twist<double, Space>{Linear<double, Space>::load(u1),
                             Angular<double, Space>::load(u1 + Space::dimension)},
        z_.data(), body);
    return {a.linear, a.angular};
  }

  // Σ ∂u̇/∂d · d over the directions d of one body
  std::vector<BodyAcceleration> make_derivative(int body, const BodyVariation& of) override {
    calc_derivatives();
    const int n_u = Space::n_u, n = n_u * system_.topology.n_bodies;
    double direction[2 * Space::n_u];
    const std::vector<Offset> offsets = calc_offsets();
    const BodyVariation to_center =
        offsets.empty() ? of : calc_variation_of_center(of, offsets[body]);
    import_twist(to_center.position, of.rotation, body, direction);
    import_twist(to_center.velocity, of.angular_velocity, body, direction + n_u);
    std::vector<double> change(n, 0.0);
    for (int k = 0; k < n; ++k) {
      for (int d = 0; d < n_u; ++d) {
        change[k] += (*derivatives_)(k, n_u * body + d) * direction[d];
        change[k] += (*derivatives_)(k, n + n_u * body + d) * direction[n_u + d];
      }
    }
    std::vector<BodyAcceleration> result;
    for (int b = 0; b < system_.topology.n_bodies; ++b) {
      result.push_back(export_acceleration(change.data() + n_u * b, b));
      if (offsets.empty()) continue;
      // v̇ of the origin is that of the centre less R (Ω̇ × c + Ω × (Ω × c))
      const Offset& at = offsets[b];
      V lever = cross(load(result[b].angular), at.c);
      if (b == body) {
        const V turn = load(of.rotation), d = load(of.angular_velocity);
        lever += cross(turn, cross(load(make_acceleration(b).angular), at.c) +
                                 cross(at.Omega, cross(at.Omega, at.c)));
        lever += cross(d, cross(at.Omega, at.c)) + cross(at.Omega, cross(d, at.c));
      }
      result[b].linear = make_vec(load(result[b].linear) - at.R * lever);
    }
    return result;
  }

  Reaction make_reaction(int joint) override {
    const SystemIn<Space>& system = problem_->point().system;
    const Wrench<double, Space> wrench = calc_reaction(system.topology, system.parameters,
                                                       problem_->point().ws, lambda.data(), joint);
    return {make_vec(Space::export_linear(wrench.force)),
            make_vec(Space::export_angular(wrench.moment))};
  }

  Momentum make_momentum() override {
    V linear = V::zero(), angular = V::zero();
    for (int b = 0; b < system_.topology.n_bodies; ++b) {
      const Pose<double, Space>& pose = ws_.pose[b];
      const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
      const V p = body.mass * Space::export_linear(pose.v);
      const V spin = Space::export_angular(pose.R * scaled(body.inertia, pose.Omega));
      linear += p;
      angular += cross(Space::export_linear(pose.r) + system_.origin, p) + spin;
    }
    return {make_vec(linear), make_vec(angular)};
  }

 private:
  using V = Vector3<double>;
  static V load(const Vec3& v) { return V::load(v.data()); }

  // The centre of mass of a body, from the origin of its frame, at the state.
  struct Offset {
    V c, Omega;  // body axes
    Matrix3<double> R;
  };
  // [bodies], or none where all are 0
  std::vector<Offset> calc_offsets() const {
    std::vector<Offset> offsets;
    for (std::size_t b = 0; b < system_.com.size(); ++b) {
      offsets.push_back({load(system_.com[b]), load(bodies[b].angular_velocity),
                         calc_rotation(bodies[b].orientation.data())});
    }
    return offsets;
  }
  // r_c = r + R c, v_c = v + R (Ω × c)
  static BodyVariation calc_variation_of_center(const BodyVariation& of, const Offset& at) {
    BodyVariation result = of;
    const V turn = load(of.rotation);
    result.position = make_vec(load(of.position) + at.R * cross(turn, at.c));
    result.velocity = make_vec(load(of.velocity) + at.R * (cross(turn, cross(at.Omega, at.c)) +
                                                           cross(load(of.angular_velocity), at.c)));
    return result;
  }

  // From world axes and the axes of the model's body to those that the system has.
  void import_twist(const Vec3& linear, const Vec3& angular, int body, double* twist) const {
    const Vector3<double> l{linear[0], linear[1], linear[2]};
    const Vector3<double> a{angular[0], angular[1], angular[2]};
    Space::import_linear(l).store(twist);
    Space::import_angular(transposed_times(calc_rotation(system_.principal[body].data()), a))
        .store(twist + Space::dimension);
  }

  // ∂u̇/∂(q, u) at the state, with the rows that its evaluation keeps.
  void calc_derivatives() {
    std::vector<double> here = z_;
    here.push_back(time);
    if (derivatives_at_ == here) return;
    derivatives_at_.clear();
    if (lightened_) {
      throw std::runtime_error("evaluator: no derivatives: bodies with little or no mass");
    }
    std::vector<char> left_out;
    for (const int r : problem_->point().rows.left_out()) {
      left_out.resize(system_.topology.n_rows, 0);
      left_out[r] = 1;
    }
    if (!derivatives_ || left_out != left_out_) {
      derivatives_ = AccelerationJacobian<Space>::make(system_, run_drop_tolerance, left_out);
      left_out_ = left_out;
    }
    if (!derivatives_) {
      const std::string reason = StepCode<Space>::find_refusal(system_.topology, 1);
      throw std::runtime_error("evaluator: no derivatives: " +
                               (reason.empty() ? "a curve has none" : reason));
    }
    const JacobianOutcome outcome = derivatives_->calc(z_.data(), time);
    if (outcome != JacobianOutcome::done) {
      throw std::runtime_error(outcome == JacobianOutcome::not_smooth
                                   ? "evaluator: a force or a constraint has no derivative here"
                                   : "evaluator: no derivatives in a singular position");
    }
    derivatives_at_ = std::move(here);
  }

  BodyAcceleration export_acceleration(const double* a, int body) const {
    return {make_vec(Space::export_linear(Linear<double, Space>::load(a))),
            export_angular(system_, Angular<double, Space>::load(a + Space::dimension), body)};
  }

  System handle_;  // keeps the system
  const SystemIn<Space>& system_;
  Workspace<double, Space> ws_;  // of the rows
  std::vector<double> z_, initial_, rate_;
  std::unique_ptr<SystemIn<Space>> lightened_;
  std::unique_ptr<MechanicalProblem<Space>> problem_;
  std::unique_ptr<AccelerationJacobian<Space>> derivatives_;
  std::vector<char> left_out_;          // [rows] of derivatives_, or empty
  std::vector<double> derivatives_at_;  // z and t where they were calculated
};

Evaluator::Evaluator(const System& system) {
  if (system.data().planar) {
    in_ = std::make_unique<In<Planar>>(system, as_planar(system.data()));
  } else {
    in_ = std::make_unique<In<Spatial>>(system, as_spatial(system.data()));
  }
}
Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

void Evaluator::set_state(const std::vector<BodyState>& bodies, double t) {
  if (bodies.size() != in_->bodies.size()) {
    throw std::invalid_argument(
        "evaluator: one state per body is needed, in the order of the model");
  }
  in_->bodies = bodies;
  set_time(t);
}
void Evaluator::set_body(const std::string& name, const BodyState& state) {
  in_->bodies[Base::find(in_->data->body_names, name, "body")] = state;
  in_->stage = Base::Stage::state;
}
void Evaluator::set_time(double t) {
  in_->time = t;
  in_->stage = Base::Stage::state;
}
const BodyState& Evaluator::body(const std::string& name) const {
  return in_->bodies[Base::find(in_->data->body_names, name, "body")];
}
double Evaluator::time() const { return in_->time; }

const std::vector<std::string>& Evaluator::body_names() const { return in_->data->body_names; }
const std::vector<std::string>& Evaluator::joint_names() const { return in_->data->joint_names; }
const std::vector<std::string>& Evaluator::constraint_names() const { return in_->row_names; }

const std::vector<double>& Evaluator::constraints() {
  in_->reach(Base::Stage::rows);
  return in_->g;
}
const std::vector<double>& Evaluator::constraint_velocities() {
  in_->reach(Base::Stage::rows);
  return in_->rates;
}
Matrix Evaluator::jacobian() {
  in_->reach(Base::Stage::rows);
  return in_->make_jacobian();
}
Matrix Evaluator::mass() { return in_->make_mass(); }
BodyAcceleration Evaluator::acceleration(const std::string& body) {
  const int index = Base::find(in_->data->body_names, body, "body");
  in_->reach(Base::Stage::dynamics);
  return in_->make_acceleration(index);
}
std::vector<BodyAcceleration> Evaluator::acceleration_derivative(const std::string& body,
                                                                 const BodyVariation& direction) {
  const int index = Base::find(in_->data->body_names, body, "body");
  in_->reach(Base::Stage::dynamics);
  return in_->make_derivative(index, direction);
}
const std::vector<double>& Evaluator::multipliers() {
  in_->reach(Base::Stage::dynamics);
  return in_->lambda;
}
Reaction Evaluator::reaction(const std::string& joint) {
  const int index = Base::find(in_->data->joint_names, joint, "joint");
  in_->reach(Base::Stage::dynamics);
  return in_->make_reaction(index);
}
SystemEnergy Evaluator::energy() {
  in_->reach(Base::Stage::dynamics);
  return in_->energy;
}
Momentum Evaluator::momentum() {
  in_->reach(Base::Stage::rows);
  return in_->make_momentum();
}

}  // namespace trammel
