// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The distribution: accelerations and multipliers at a state (paper, Algorithms 3.2 and 5.1, in the
// tangent of a body, u = (v, Ω), six-dimensional in space and three-dimensional in the plane).
//
//   M u̇ + Jᵀλ = f            f = (F, τ − Ω×𝕀Ω),  M = diag(m I, 𝕀);  in the plane f = (F, τ)
//   J u̇       = −γ
//
// By the Schur complement S = J M⁻¹ Jᵀ, symmetric and positive definite where the constraints are
// independent:  S λ = J M⁻¹ f + γ,  u̇ = M⁻¹ (f − Jᵀλ).
//
// Where drivers act, J u = −g_t, and g_tt is part of γ (coordinate_rows.hpp).
//
// Nothing here knows a joint or a force by kind, or how many velocities a body has: it sees g, J, γ
// and M⁻¹ in blocks.
#pragma once

#include <type_traits>

#include "evaluate/conjugate_gradients.hpp"
#include "system/workspace.hpp"

namespace trammel {

// S from the rows, and its factor L D Lᵀ, without the rows that ws.mask leaves out. Returns the
// first row dropped besides those, or −1 (block_ldlt.hpp). Where ws.iterative is set: of its
// diagonal blocks, each by itself.
template <class Real, class Space>
int calc_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                Workspace<Real, Space>& ws, Real drop_tolerance);

// The factor of S + μ diag(size²): for Gauss–Newton steps that stay short where rows are dependent.
template <class Real, class Space>
void calc_damped_factor(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws, Real mu, const Real* size);

// b → S⁻¹ b, with the factor in ws or, where ws.iterative is set, by conjugate gradients.
template <class Real, class Space>
inline void solve_schur(const Topology& topology, const Parameters<Real, Space>& parameters,
                        Workspace<Real, Space>& ws, Real* b) {
  ws.stages.need(Stage::factor);
  if constexpr (std::is_same_v<Real, double>) {
    if (ws.iterative != nullptr) return solve_iteratively(topology, parameters, ws, b);
  }
  solve(topology.program, ws.factor(), b);
}

// image ← S d = J M⁻¹ Jᵀ d without forming S; w: scratch, [bodies + 1].
template <class Real, class Space>
void calc_schur_times(const Topology& topology, const Parameters<Real, Space>& parameters,
                      Workspace<Real, Space>& ws, const Real* d, std::vector<Twist<Real, Space>>& w,
                      Real* image);

// The first row that takes part but was dropped, or −1.
template <class Real, class Space>
int find_dropped_row(const Topology& topology, const Workspace<Real, Space>& ws);

// rates ← J w for twists w [bodies + 1], and J u for the velocities in ws.
template <class Real, class Space>
void calc_j_times(const Topology& topology, Workspace<Real, Space>& ws, const Twist<Real, Space>* w,
                  Real* rates);
template <class Real, class Space>
void calc_velocity_rates(const Topology& topology, Workspace<Real, Space>& ws, Real* rates);

// ws.twist ← M⁻¹ Jᵀ μ
template <class Real, class Space>
void calc_mass_step(const Topology& topology, const Parameters<Real, Space>& parameters,
                    Workspace<Real, Space>& ws, const Real* mu);

// ws.twist ← u̇, ws.lambda ← λ, ws.power ← power of drivers and of forces without a potential.
// Needs calc_rows_and_gamma and calc_factor at the same state.
template <class Real, class Space>
void calc_distribution(const Topology& topology, const Parameters<Real, Space>& parameters,
                       Workspace<Real, Space>& ws);

// u̇ and λ of calc_distribution to the digits that long chains and unlike masses cost them
// (docs/studies/conditioning.md): refinement of the equations above as one system, with the factor that is there,
//   S δ = J u̇ + γ,  λ ← λ + δ,  u̇ ← u̇ − M⁻¹Jᵀδ,
// while δ becomes smaller. For results: steps do not need it, their projection takes out the same error.
// Nothing is done where S is solved iteratively: the accuracy there is the requested one.
inline constexpr double refined_enough =
    1e-22;  // of squares: a step leaves about the square of its part
// One step of it: δ in ws.mu, M⁻¹Jᵀδ in ws.world_twist; u̇ and λ are not changed.
template <class Real>
struct RefinementStep {
  Real size2, whole2;  // of the change of u̇, and of u̇, in the mass metric
};
template <class Real, class Space>
RefinementStep<Real> calc_refinement(const Topology& topology,
                                     const Parameters<Real, Space>& parameters,
                                     Workspace<Real, Space>& ws);
template <class Space>
void refine_distribution(const Topology& topology, const Parameters<double, Space>& parameters,
                         Workspace<double, Space>& ws);

// The same where the power of drivers is used afterwards: with the refined λ.
template <class Space>
void refine_with_power(const Topology& topology, const Parameters<double, Space>& parameters,
                       Workspace<double, Space>& ws);

// ż from ws.twist, ws.power and ws.reference_rate; false: it is not finite.
template <class Real, class Space>
bool write_rate(const Topology& topology, Workspace<Real, Space>& ws, const Real* z, Real* rate);

// The sequence of an evaluation, positions → velocities → rows → forces → factor → multipliers, for a state
// z at ws.time: leaves all of them in ws, M⁻¹ f in ws.twist. false: a row was dropped.
template <class Real, class Space>
bool calc_multipliers(const Topology& topology, const Parameters<Real, Space>& parameters,
                      Workspace<Real, Space>& ws, const Real& drop_tolerance, const Real* z);

// The same with u̇ in ws.twist.
template <class Real, class Space>
bool calc_accelerations_at(const Topology& topology, const Parameters<Real, Space>& parameters,
                           Workspace<Real, Space>& ws, const Real& drop_tolerance, const Real* z);

// ż at z: calc_multipliers, then accelerations and the rest of the rates. false: a row was dropped, or the
// result is not finite.
template <class Real, class Space>
bool evaluate(const Topology& topology, const Parameters<Real, Space>& parameters,
              Workspace<Real, Space>& ws, const Real& drop_tolerance, const Real* z, Real* rate);

}  // namespace trammel
