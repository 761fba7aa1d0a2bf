// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Newton's iteration on the values of the functions; their gradients by central differences.
#include "manifold/user_invariants.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "system/frames.hpp"
#include "system/state.hpp"
#include "trammel/results.hpp"

namespace trammel {

namespace {

template <class Space>
using Twists = std::vector<Twist<double, Space>>;

constexpr int max_iterations = 3;
constexpr double smallest_share = 0.05;   // of an invariant's change that what is held may leave
constexpr double difference_step = 1e-5;  // of a velocity, relative to 1 + |u|

template <class Vector>
double length_of(const Vector& v) {
  return std::sqrt(dot(v, v));
}

template <class Space>
Twist<double, Space> times_mass(const BodyParameters<double, Space>& body,
                                const Twist<double, Space>& w) {
  return {body.mass * w.linear, scaled(body.inertia, w.angular)};
}

template <class Space>
double product(const Twist<double, Space>& a, const Twist<double, Space>& b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

template <class Space>
double product(const Twists<Space>& a, const Twists<Space>& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += product(a[k], b[k]);
  return sum;
}

}  // namespace

template <class Space>
UserInvariants<Space>::UserInvariants(const SystemIn<Space>& system,
                                      const std::vector<UserInvariant>& invariants)
    : system_(system),
      invariants_(invariants),
      start_(invariants.size()),
      step_(static_cast<int>(invariants.size())) {
  if (invariants.empty()) return;
  states_.resize(system.topology.n_bodies);
  trial_.resize(system.topology.layout.size());
  const Twists<Space> none(system.topology.n_bodies + 1, Twist<double, Space>::zero());
  gradient_.assign(invariants.size(), none);
  direction_ = gradient_;
}

template <class Space>
UserInvariants<Space>::~UserInvariants() = default;

template <class Space>
double UserInvariants<Space>::value(std::size_t k, const double* z) {
  for (int b = 0; b < system_.topology.n_bodies; ++b) states_[b] = export_body(system_, z, b);
  return invariants_[k].function(states_);
}

template <class Space>
void UserInvariants<Space>::start(const double* z) {
  for (std::size_t k = 0; k < invariants_.size(); ++k) start_[k] = value(k, z);
}

// gradient_[k], direction_[k] at z.
template <class Space>
void UserInvariants<Space>::calc_direction(std::size_t k, bool energy_held,
                                           MomentumBalance<Space>& momenta, const double* z,
                                           Workspace<double, Space>& ws) {
  const Topology& topology = system_.topology;
  // ∂f/∂u
  std::copy(z, z + topology.layout.size(), trial_.begin());
  const State<Space> trial(topology.layout, trial_.data());
  for (int b = 0; b < topology.n_bodies; ++b) {
    double slope[Space::n_u];
    for (int i = 0; i < Space::n_u; ++i) {
      double& u = trial.u(b)[i];
      // (f(u + s) − f(u − s))/2s
      const double at = u, step = difference_step * (1.0 + std::abs(at));
      u = at + step;
      const double above = value(k, trial_.data());
      u = at - step;
      slope[i] = (above - value(k, trial_.data())) / (2.0 * step);
      u = at;
    }
    gradient_[k][b] = {Linear<double, Space>::load(slope),
                       Angular<double, Space>::load(slope + Space::dimension)};
  }
  // P M⁻¹ (∂f/∂u)ᵀ
  Twists<Space>& xi = direction_[k];
  for (int b = 0; b < topology.n_bodies; ++b) {
    const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
    xi[b] = {body.inverse_mass * gradient_[k][b].linear,
             scaled(body.inverse_inertia, gradient_[k][b].angular)};
  }
  if (topology.n_rows > 0) {
    // ξ ← ξ − M⁻¹ Jᵀ S⁻¹ J ξ
    calc_j_times(topology, ws, xi.data(), ws.mu.data());
    solve_schur(topology, system_.parameters, ws, ws.mu.data());
    calc_mass_step(topology, system_.parameters, ws, ws.mu.data());
    for (int b = 0; b < topology.n_bodies; ++b) {
      xi[b].linear -= ws.twist[b].linear;
      xi[b].angular -= ws.twist[b].angular;
    }
  }
  // Q: without momenta and, component by component, without the motion itself
  const double full = product(gradient_[k], xi);
  momenta.remove_held(ws, xi.data());
  const auto drop_if_small = [&] {
    if (product(gradient_[k], xi) > smallest_share * full) return;
    std::fill(xi.begin(), xi.end(), Twist<double, Space>::zero());
  };
  if (!energy_held) return drop_if_small();
  for (int c = 0; c < topology.n_components(); ++c) {
    // ξ ← ξ − u ⟨M u, ξ⟩/⟨M u, u⟩: to first order the kinetic energy does not change
    double along = 0.0, all = 0.0;
    const auto for_bodies = [&](auto use) {
      for (int b = 0; b < topology.n_bodies; ++b) {
        if (topology.component_of[b] == c)
          use(b, Twist<double, Space>{ws.pose[b].v, ws.pose[b].Omega});
      }
    };
    for_bodies([&](int b, const Twist<double, Space>& u) {
      const Twist<double, Space> momentum = times_mass(system_.parameters.bodies[b], u);
      along += product(momentum, xi[b]);
      all += product(momentum, u);
    });
    if (all == 0.0) continue;
    for_bodies([&](int b, const Twist<double, Space>& u) {
      xi[b].linear -= (along / all) * u.linear;
      xi[b].angular -= (along / all) * u.angular;
    });
  }
  drop_if_small();
}

// u ← u + s Σ ν ξ with the largest s ≤ 1 that the tolerance allows; returns s.
template <class Space>
double UserInvariants<Space>::move(const CorrectionTolerance& tolerance,
                                   const std::vector<double>& nu, double* z,
                                   Workspace<double, Space>& ws) const {
  const Topology& topology = system_.topology;
  const auto change = [&](int b) {
    auto sum = Twist<double, Space>::zero();
    for (std::size_t k = 0; k < nu.size(); ++k) {
      // Σ ν_k ξ_k
      sum.linear += nu[k] * direction_[k][b].linear;
      sum.angular += nu[k] * direction_[k][b].angular;
    }
    return sum;
  };
  double share = 1.0;
  const auto limit = [&](const auto& delta, const auto& velocity) {
    const double allowed = tolerance.atol + tolerance.rtol * length_of(velocity);
    if (length_of(delta) > allowed) share = std::min(share, allowed / length_of(delta));
  };
  // |δv| ≤ atol + rtol |v| and likewise Ω, for every body
  for (int b = 0; b < topology.n_bodies; ++b) {
    limit(change(b).linear, ws.pose[b].v);
    limit(change(b).angular, ws.pose[b].Omega);
  }
  const State<Space> state(topology.layout, z);
  for (int b = 0; b < topology.n_bodies; ++b) {
    state.add_velocity(b, share * change(b).linear, share * change(b).angular);
  }
  calc_velocities(topology, z, ws);
  return share;
}

template <class Space>
int UserInvariants<Space>::hold(const CorrectionTolerance& tolerance, bool energy_held,
                                MomentumBalance<Space>& momenta, double* z,
                                Workspace<double, Space>& ws) {
  const int n = static_cast<int>(invariants_.size());
  int gradients = 0;
  for (int iteration = 0; iteration < max_iterations; ++iteration) {
    for (int k = 0; k < n; ++k) {
      calc_direction(k, energy_held, momenta, z, ws);
      step_.b(k) = start_[k] - value(k, z);
    }
    gradients += n;
    for (int k = 0; k < n; ++k) {
      // ⟨∂f_k/∂u, ξ_l⟩
      for (int l = 0; l < n; ++l) step_.a(k, l) = product(gradient_[k], direction_[l]);
    }
    // least squares where invariants repeat each other or cannot be changed
    if (!step_.solve()) break;
    if (move(tolerance, step_.x(), z, ws) < 1.0) break;
    // converged to rounding
    bool done = true;
    for (int k = 0; k < n; ++k) {
      done &= std::abs(start_[k] - value(k, z)) <= 1e-14 * (std::abs(start_[k]) + 1e-3);
    }
    if (done) break;
  }
  return gradients;
}

template class UserInvariants<Spatial>;
template class UserInvariants<Planar>;

}  // namespace trammel
