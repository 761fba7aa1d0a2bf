// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How many digits of the accelerations are right, for long chains and for unlike masses, and what
// would mend it. Reference: the articulated-body recursion (chain_recursion.hpp) in quadruple
// precision, for more than 10,000 bodies of equal masses in long double; it is checked against
// dense equations. Prints the tables of docs/studies/conditioning.md.
//
//   c = J u̇ + γ      what is left of the constraints by the accelerations found
//   S δ = c          with the factor that is there
//
//   "λ again"        λ ← λ + δ, u̇ ← M⁻¹(f − Jᵀλ) anew: refinement of S λ = b
//   "λ again, long"  the same with c and u̇ in long double
//   "u̇ moved"        λ ← λ + δ, u̇ ← u̇ − M⁻¹Jᵀδ: refinement of the augmented system in (u̇, λ), whose
//                    first equation M u̇ + Jᵀλ = f holds to rounding already
//   "both"           a second step with the residual of the first equation too
//   "tip first", "root first"   S λ = b eliminated in these orders instead of the library's
//
// usage: conditioning [MOST_BODIES]
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <trammel/trammel.hpp>

#include "conditioning_chains.hpp"
#include "conditioning_model.hpp"
#include "cpu_clock.hpp"
#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/projection.hpp"
#include "math/flushed_subnormals.hpp"
#include "system/frames.hpp"
#include "system/system.hpp"

using namespace trammel;
using namespace trammel::bench;

namespace {

__extension__ using Quadruple = __float128;

// ---- the library's evaluation of a chain, and what can be done after it

class LibraryEvaluation {
 public:
  explicit LibraryEvaluation(const Chain& chain)
      : chain_(chain),
        handle_(compile(make_chain_model(chain))),
        system_(as_spatial(handle_.data())),
        topology_(system_.topology),
        parameters_(system_.parameters),
        ws_(topology_),
        z_(topology_.layout.size(), 0.0),
        free_(chain.rods.size()),
        u_(topology_.n_bodies + 1, Twist<double>::zero()),
        lambda_(topology_.n_rows),
        residual_(topology_.n_rows) {
    import_state(system_, make_chain_state(chain), z_.data());
    evaluate();
    // M⁻¹f: gravity, and the gyroscopic torque; as doubles, like the library's
    for (std::size_t b = 0; b < free_.size(); ++b) {
      const auto& body = parameters_.bodies[b];
      const Vector3<double>& Omega = ws_.pose[b].Omega;
      const Vector3<double> torque =
          Spatial::calc_effective_torque(Vector3<double>::zero(), body.inertia, Omega);
      free_[b] = {parameters_.gravity, scaled(body.inverse_inertia, torque)};
    }
  }

  // false: a row was dropped
  bool evaluate() {
    calc_positions(topology_, z_.data(), ws_);
    calc_velocities(topology_, z_.data(), ws_);
    calc_rows_and_gamma(topology_, parameters_, ws_);
    const bool whole = calc_factor(topology_, parameters_, ws_, run_drop_tolerance) < 0;
    calc_distribution(topology_, parameters_, ws_);
    return whole;
  }

  // From here on: u̇ and λ of the last evaluation, improved step by step.
  void start() {
    std::copy_n(ws_.twist.begin(), topology_.n_bodies, u_.begin());
    lambda_.assign(ws_.lambda.begin(), ws_.lambda.end());
  }

  // ε max(S_rr / pivot_r): how much of a diagonal is left when its row's turn comes
  double calc_estimate() const {
    double largest = 0.0;
    for (int r = 0; r < topology_.n_rows; ++r) {
      largest = std::max(largest, ws_.diagonal[r] * ws_.inverse[r]);
    }
    return std::numeric_limits<double>::epsilon() * largest;
  }

  void refine_multipliers() {
    calc_residual();
    solve_and_add();
    calc_from_multipliers();
  }

  void refine_multipliers_in_long() {
    std::vector<Twist<long double>> u = calc_accelerations_in_long();
    calc_residual_of(u);
    solve_and_add();
    u = calc_accelerations_in_long();
    for (std::size_t b = 0; b < free_.size(); ++b) {
      const auto& [v, w] = u[b];
      u_[b] = {{double(v.x), double(v.y), double(v.z)}, {double(w.x), double(w.y), double(w.z)}};
    }
  }

  // The augmented system, its first equation taken as solved.
  void move_accelerations() {
    calc_residual();
    solve_and_add();
    calc_mass_step(topology_, parameters_, ws_, residual_.data());
    for (std::size_t b = 0; b < free_.size(); ++b) {
      u_[b].linear -= ws_.twist[b].linear;
      u_[b].angular -= ws_.twist[b].angular;
    }
  }

  // The augmented system: e = M⁻¹(f − Jᵀλ) − u̇, S δ = c + J e, u̇ ← u̇ + e − M⁻¹Jᵀδ.
  void refine_both() {
    calc_from_multipliers();
    move_accelerations();
  }

  // S, block tridiagonal, by Gauss from one end of the chain to the other.
  void solve_in_order(bool from_tip) {
    using Block = Eigen::MatrixXd;
    const int n = topology_.n_joints, m = topology_.joints[0].n_rows;
    calc_j_times(topology_, ws_, widen_free().data(), residual_.data());
    const auto rows = [&](int joint, bool side_j) {  // J √M⁻¹ of one body
      Block J(m, 6);
      const int body = side_j ? joint : joint - 1;
      const double sign = side_j ? 1.0 : -1.0;
      const auto& of = parameters_.bodies[body];
      const Vector3<double>& i = of.inverse_inertia;
      for (int k = 0; k < m; ++k) {
        const BodyRow row = get_body_row(joint, k);
        const Vector3<double>& l = row.linear;
        const Vector3<double>& a = side_j ? row.angular_j : row.angular_i;
        const double s = sign * std::sqrt(of.inverse_mass);
        J.row(k) << s * l.x, s * l.y, s * l.z, std::sqrt(i.x) * a.x, std::sqrt(i.y) * a.y,
            std::sqrt(i.z) * a.z;
      }
      return J;
    };
    std::vector<Eigen::LLT<Block>> pivot(n);
    std::vector<Block> below(n);  // coupling of a joint with the one eliminated before it
    std::vector<Eigen::VectorXd> b(n);
    const auto joint = [&](int step) { return from_tip ? n - 1 - step : step; };
    for (int step = 0; step < n; ++step) {
      const int k = joint(step);
      const Block j = rows(k, true), i = k > 0 ? rows(k, false) : Block::Zero(m, 6).eval();
      Block D = j * j.transpose() + i * i.transpose();
      b[k].resize(m);
      for (int r = 0; r < m; ++r) {
        const int row = topology_.joints[k].row + r;
        b[k][r] = residual_[row] + ws_.gamma[row];
      }
      if (step > 0) {
        const int before = joint(step - 1);
        below[k] =
            from_tip ? j * rows(before, false).transpose() : i * rows(before, true).transpose();
        const Block solved = pivot[before].solve(below[k].transpose());
        D -= below[k] * solved;
        b[k] -= solved.transpose() * b[before];
      }
      pivot[k].compute(D);
    }
    for (int step = n - 1; step >= 0; --step) {
      const int k = joint(step);
      if (step + 1 < n) b[k] -= below[joint(step + 1)].transpose() * b[joint(step + 1)];
      b[k] = pivot[k].solve(b[k]).eval();
      for (int r = 0; r < m; ++r) lambda_[topology_.joints[k].row + r] = b[k][r];
    }
    calc_from_multipliers();
  }

  ChainAccelerations<double> export_result() const {
    ChainAccelerations<double> result;
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const Twist<double>& a = u_[b];
      const Vector3<double> alpha = ws_.pose[b].R * a.angular;
      result.linear.push_back({a.linear.x, a.linear.y, a.linear.z});
      result.angular.push_back({alpha.x, alpha.y, alpha.z});
      const double* lambda = lambda_.data() + topology_.joints[b].row;
      result.force.push_back({-lambda[0], -lambda[1], -lambda[2]});
    }
    return result;
  }

 private:
  // u̇ ← M⁻¹(f − Jᵀλ)
  void calc_from_multipliers() {
    calc_mass_step(topology_, parameters_, ws_, lambda_.data());
    for (std::size_t b = 0; b < free_.size(); ++b) {
      u_[b] = {free_[b].linear - ws_.twist[b].linear, free_[b].angular - ws_.twist[b].angular};
    }
  }

  // with the ground, which stays
  std::vector<Twist<double>> widen_free() const {
    std::vector<Twist<double>> w = free_;
    w.push_back(Twist<double>::zero());
    return w;
  }

  void calc_residual() {
    calc_j_times(topology_, ws_, u_.data(), residual_.data());
    for (int r = 0; r < topology_.n_rows; ++r) residual_[r] += ws_.gamma[r];
  }

  // residual → δ, λ ← λ + δ
  void solve_and_add() {
    solve_schur(topology_, parameters_, ws_, residual_.data());
    for (int r = 0; r < topology_.n_rows; ++r) lambda_[r] += residual_[r];
  }

  // A row of J by (v, Ω) of its bodies, in their own frames: ℓ with a minus for body i.
  struct BodyRow {
    Vector3<double> linear, angular_i, angular_j;
  };
  BodyRow get_body_row(int joint, int r) const {
    const Row<double> row = get_row(topology_, ws_, joint, r);
    const JointTopology& of = topology_.joints[joint];
    return {row.linear, -transposed_times(ws_.pose[of.body_i].R, row.alpha_i),
            transposed_times(ws_.pose[of.body_j].R, row.alpha_j)};
  }

  static Vector3<long double> widen(const Vector3<double>& a) { return {a.x, a.y, a.z}; }

  // M⁻¹(f − Jᵀλ), J and λ as they are in double
  std::vector<Twist<long double>> calc_accelerations_in_long() const {
    std::vector<Twist<long double>> force(topology_.n_bodies + 1, Twist<long double>::zero());
    for (int k = 0; k < topology_.n_joints; ++k) {
      const JointTopology& joint = topology_.joints[k];
      for (int r = 0; r < joint.n_rows; ++r) {
        const BodyRow row = get_body_row(k, r);
        const long double mu = lambda_[joint.row + r];
        force[joint.body_i].linear -= mu * widen(row.linear);
        force[joint.body_j].linear += mu * widen(row.linear);
        force[joint.body_i].angular += mu * widen(row.angular_i);
        force[joint.body_j].angular += mu * widen(row.angular_j);
      }
    }
    for (std::size_t b = 0; b < free_.size(); ++b) {
      const auto& body = parameters_.bodies[b];
      const Vector3<long double> inertia = widen(body.inertia), &torque = force[b].angular;
      force[b] = {
          widen(free_[b].linear) - (1.0L / body.mass) * force[b].linear,
          widen(free_[b].angular) - Vector3<long double>{torque.x / inertia.x, torque.y / inertia.y,
                                                         torque.z / inertia.z}};
    }
    force[free_.size()] = Twist<long double>::zero();
    return force;
  }

  void calc_residual_of(const std::vector<Twist<long double>>& u) {
    for (int k = 0; k < topology_.n_joints; ++k) {
      const JointTopology& joint = topology_.joints[k];
      const Twist<long double>&i = u[joint.body_i], &j = u[joint.body_j];
      for (int r = 0; r < joint.n_rows; ++r) {
        const BodyRow row = get_body_row(k, r);
        residual_[joint.row + r] = static_cast<double>(
            dot(widen(row.linear), j.linear - i.linear) + dot(widen(row.angular_i), i.angular) +
            dot(widen(row.angular_j), j.angular) +
            static_cast<long double>(ws_.gamma[joint.row + r]));
      }
    }
  }

  const Chain& chain_;
  const System handle_;
  const SystemIn<Spatial>& system_;
  const Topology& topology_;
  const Parameters<double, Spatial>& parameters_;
  Workspace<double> ws_;
  std::vector<double> z_;
  std::vector<Twist<double>> free_;        // [bodies] M⁻¹f
  std::vector<Twist<double>> u_;           // [bodies + 1] u̇
  std::vector<double> lambda_, residual_;  // [rows]
};

// ---- tables

struct Case {
  bool revolute;
  ChainPose pose;
  ChainMasses masses;
  int bodies;
  double ratio;
};

void print_head() {
  fmt::print(
      "\n| joints | pose | masses | bodies | ratio | data | recursion | u̇ | λ | estimate | "
      "λ again: u̇ | λ | λ again, long: u̇ | λ | u̇ moved: u̇ | λ | twice: u̇ | λ | both: u̇ | "
      "λ | tip first: u̇ | λ | root first: u̇ | λ |\n|");
  for (int column = 0; column < 24; ++column) fmt::print("---|");
  fmt::print("\n");
}

// Reference: the type in which the reference is calculated.
template <class Reference>
void print_case_with(const Case& of) {
  const Chain chain = make_conditioned_chain(of.revolute, of.pose, of.masses, of.bodies, of.ratio);
  const ChainAccelerations<Reference> exact = calc_by_recursion<Reference>(chain);
  const auto of_data = calc_errors(calc_by_recursion<Reference>(round_to_double(chain)), exact);
  const auto of_double = calc_errors(calc_by_recursion<double>(chain), exact);
  LibraryEvaluation library(chain);
  const bool whole = library.evaluate();
  const auto errors = [&] { return calc_errors(library.export_result(), exact); };
  const auto improved = [&](auto&& improve) {
    library.evaluate();
    library.start();
    improve();
    const ChainErrors e = errors();
    return fmt::format("{:.0e} | {:.0e}", e.acceleration, e.force);
  };
  library.start();
  const ChainErrors plain = errors();
  fmt::print(
      "| {} | {} | {} | {} | {:.0e} | {:.0e} | {:.0e} | {:.0e}{} | {:.0e} | {:.0e} | {} | {} | {} "
      "| {} | {} | {} | {} |\n",
      of.revolute ? "revolute" : "spherical", to_word(of.pose), to_word(of.masses), of.bodies,
      of.ratio, of_data.acceleration, of_double.acceleration, plain.acceleration,
      whole ? "" : " (row dropped)", plain.force, library.calc_estimate(),
      improved([&] { library.refine_multipliers(); }),
      improved([&] { library.refine_multipliers_in_long(); }),
      improved([&] { library.move_accelerations(); }), improved([&] {
        library.move_accelerations();
        library.move_accelerations();
      }),
      improved([&] {
        library.move_accelerations();
        library.refine_both();
      }),
      improved([&] { library.solve_in_order(true); }),
      improved([&] { library.solve_in_order(false); }));
  std::fflush(stdout);
}

void print_case(const Case& of) {
  if (of.bodies <= 10'000) {
    print_case_with<Quadruple>(of);
  } else {
    print_case_with<long double>(of);
  }
}

constexpr ChainPose all_poses[] = {ChainPose::hanging, ChainPose::stretched, ChainPose::random};
constexpr ChainMasses unequal[] = {ChainMasses::light_then_heavy, ChainMasses::heavy_then_light,
                                   ChainMasses::alternating, ChainMasses::heavy_end};

void print_lengths(int most) {
  fmt::print("\n## Length, equal masses\n");
  print_head();
  for (const bool revolute : {false, true}) {
    for (const ChainPose pose : all_poses) {
      for (int n = 10; n <= std::min(most, revolute ? 100'000 : 1'000'000); n *= 10) {
        print_case({revolute, pose, ChainMasses::equal, n, 1.0});
      }
    }
  }
}

void print_ratios(int bodies) {
  fmt::print("\n## Mass ratio, {} bodies\n", bodies);
  print_head();
  for (const bool revolute : {false, true}) {
    for (const ChainMasses masses : unequal) {
      for (const ChainPose pose : all_poses) {
        for (const double ratio : {1e2, 1e4, 1e6, 1e8}) {
          print_case({revolute, pose, masses, bodies, ratio});
        }
      }
    }
  }
}

// The reference in long double against quadruple precision, and against dense equations.
void print_reference_checks() {
  double of_equal = 0.0, of_dense = 0.0;
  const auto worst = [](double& into, const ChainErrors& e) {
    into = std::max({into, e.acceleration, e.force});
  };
  for (const bool revolute : {false, true}) {
    for (const ChainPose pose : all_poses) {
      for (const ChainMasses masses : unequal) {
        for (const double ratio : {1.0, 1e4, 1e8}) {
          const Chain chain = make_conditioned_chain(revolute, pose, masses, 6, ratio);
          worst(of_dense, calc_errors(calc_by_dense_equations<Quadruple>(chain),
                                      calc_by_recursion<Quadruple>(chain)));
        }
      }
      const Chain chain = make_conditioned_chain(revolute, pose, ChainMasses::equal, 10'000, 1.0);
      worst(of_equal, calc_errors(calc_by_recursion<long double>(chain),
                                  calc_by_recursion<Quadruple>(chain)));
    }
  }
  fmt::print(
      "reference: recursion against dense equations in quadruple precision, 6 bodies, ratios to "
      "1e8: {:.0e}; in long double against quadruple, 10,000 equal bodies: {:.0e}\n",
      of_dense, of_equal);
}

void print_costs() {
  fmt::print(
      "\n## Cost, µs a body\n\n| joints | bodies | evaluation | one step, u̇ moved | share |\n"
      "|---|---|---|---|---|\n");
  for (const bool revolute : {false, true}) {
    for (const int n : {3, 30, 1000, 100'000}) {
      const Chain chain =
          make_conditioned_chain(revolute, ChainPose::random, ChainMasses::equal, n, 1.0);
      LibraryEvaluation library(chain);
      const int repeat = std::max(1, 3000 / n);
      const auto time = [&](auto&& call) {
        const auto many = [&] {
          for (int k = 0; k < repeat; ++k) call();
        };
        return 1e6 / n / repeat * find_least_cpu(many, 3, 200, 0.3);
      };
      const double whole = time([&] { library.evaluate(); });
      library.start();
      const double step = time([&] { library.move_accelerations(); });
      fmt::print("| {} | {} | {:.3f} | {:.3f} | {:.0f} % |\n", revolute ? "revolute" : "spherical",
                 n, whole, step, 100 * step / whole);
    }
  }
}

// What it does to a run. The error of u̇ = M⁻¹(f − Jᵀλ̃) is M⁻¹Jᵀ(λ − λ̃), normal to the manifold in
// the mass metric: the projection at the end of a step takes it out. Reactions have no such help. A
// hanging chain should stay where it is, and carry at each joint the weight below.
void print_runs() {
  fmt::print(
      "\n## Runs of 0.5 s, hanging chains of 1000 with spherical joints, tolerance 1e-8\n\n"
      "| masses | ratio | u̇ in one evaluation | moved, m | violation | reactions at the end |\n"
      "|---|---|---|---|---|---|\n");
  for (const ChainMasses masses : unequal) {
    for (const double ratio : {1.0, 1e4, 1e8}) {
      const Chain chain = make_conditioned_chain(false, ChainPose::hanging, masses, 1000, ratio);
      const auto exact = calc_by_recursion<Quadruple>(chain);
      LibraryEvaluation library(chain);
      library.start();
      const double u = calc_errors(library.export_result(), exact).acceleration;
      Model model = make_chain_model(chain);
      const std::vector<BodyState> state = make_chain_state(chain);
      for (std::size_t k = 0; k < state.size(); ++k) model.bodies[k].position = state[k].position;
      SimulationOptions options;
      options.t_end = 0.5;
      options.output_interval = 0.5;
      options.rtol = options.atol = 1e-8;
      const Results results = simulate(compile(model), options);
      const std::size_t last = results.time.size() - 1, n = chain.rods.size();
      double moved = 0.0, carried = 0.0;
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
          const std::size_t at = 3 * (last * n + k) + i;
          moved = std::max(moved, std::abs(results.position[at] - state[k].position[i]));
          const double force = static_cast<double>(exact.force[k][i]);
          carried = std::max(carried, std::abs(results.reaction_force[at] - force));
        }
      }
      fmt::print(
          "| {} | {:.0e} | {:.0e} | {:.0e} | {:.0e} | {:.0e}{} |\n", to_word(masses), ratio, u,
          moved, results.violation.position, carried / find_largest(exact.force, 0.0),
          results.status.outcome == Outcome::finished ? "" : " (" + results.status.message + ")");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const FlushedSubnormals flushed;  // as in a run
  const int most = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  print_reference_checks();
  print_lengths(most);
  print_ratios(std::min(most, 100));
  print_ratios(std::min(most, 10'000));
  print_runs();
  print_costs();
  return 0;
}
