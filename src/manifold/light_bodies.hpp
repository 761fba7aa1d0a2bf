// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies without mass, or nearly so, whose motion the joints determine.
//
// M⁻¹ of such a body is huge or does not exist: S = J M⁻¹ Jᵀ loses the digits of the heavy bodies,
// and rounding of the loads it transmits, divided by its mass, looks like an error of the step. So
// M̃ = M + ΔM with some mass for it takes the place of M in S and in the projections, which may be
// orthogonal in any metric, and the accelerations are corrected. With what the evaluation gives,
// M̃ u̇₀ + Jᵀλ₀ = M̃ g + f and J u̇₀ = −γ, the accelerations of M u̇ + Jᵀλ = M g + f are
//
//   u̇ = u̇₀ + x,   (1 − B) x = B (u̇₀ − g),   B = P̃ M̃⁻¹ ΔM,   P̃ = 1 − M̃⁻¹ Jᵀ S̃⁻¹ J,
//
// with x in ker J, by conjugate gradients in the metric M̃: there 1 − B is symmetric, xᵀM̃(1 − B)x =
// xᵀM x, and positive where no motion is without kinetic energy. It has few eigenvalues other than 1.
// The multipliers follow from a last application of B to u̇ − g.
#pragma once

#include <memory>
#include <vector>

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
struct ResolvedLight {
  std::vector<LightBody<Space>> light;  // those whose motion the joints determine
  std::vector<int> undetermined;        // bodies without mass or moment of inertia that are not
};

// Which of the candidates the joints determine at z, a point of M: those of their coordinates that
// have no part in the kernel of their columns of J. For coordinates without mass or moment of inertia
// that is the kernel of the columns of all such coordinates, for others that of all light ones.
template <class Space>
ResolvedLight<Space> resolve_light_bodies(const SystemIn<Space>& system, const double* z, double t);

// A copy of the system in which M̃⁻¹ takes the place of M⁻¹ for the light bodies that the joints
// determine at z; none where there are no such bodies.
template <class Space>
std::unique_ptr<SystemIn<Space>> make_lightened(const SystemIn<Space>& system, const double* z,
                                                double t);

template <class Space>
class LightCorrection {
 public:
  explicit LightCorrection(const SystemIn<Space>& system);

  // Needs rows, factor, u̇₀ (twist) and λ₀ of calc_distribution in ws; corrects them, and the power of
  // the drivers. false: it does not converge, some motion has no kinetic energy.
  bool correct(Workspace<double, Space>& ws);

 private:
  using Twists = LargeVector<Twist<double, Space>>;
  void apply(const Twists& w, Twists& image, Workspace<double, Space>& ws) const;
  double dot_in_metric(const Twists& a, const Twists& b) const;

  const SystemIn<Space>& system_;
  Twists x_, r_, p_, image_, start_;  // [bodies + 1]
};

}  // namespace trammel
