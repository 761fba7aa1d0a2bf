// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The momenta of each connected component that its joints and forces conserve, enforced on request.
//
// A rigid motion ξ(v, ω) = (v + ω × (r − c), Rᵀω) that neither joints nor forces notice conserves the
// momentum ⟨ξ, u⟩, in the mass metric. It lies in ker J by itself. So the smallest change of the
// velocities in the mass metric that restores the momenta is such a motion, with no system to solve:
//
//   free component          M δv  = P(0) + (M g + Σ F) t − P        linear, forces constant in the world
//                           I_c δω = L(0) − L                       angular, about the centre of mass c
//   one spherical joint     δω = n ⟨n, L(0) − L⟩/⟨n, I_p n⟩         n along gravity, about the joint p;
//   to the ground           I_p δω = L(0) − L                       without gravity, in the
//                                                                   plane about a revolute joint
//
// Where all of L is held, its direction comes first, by turning the whole component about c (or p) from
// L to L(0): a symmetry, which leaves energy, joints and the motion of the bodies relative to each
// other as they are. Changed by velocities alone, an error of the attitude would enter them (a single
// free body then lost a factor of 30 in accuracy). Velocities restore what is left, the size of L.
//
// What moves beyond these rigid motions is orthogonal to them in the mass metric: the energy is
// restored there (energy_balance.hpp), and the two corrections do not disturb each other.
#pragma once

#include <vector>

#include "manifold/rigid_motion.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

// How far a correction may change a body's velocities: |δv| ≤ atol + rtol |v|, likewise Ω.
struct CorrectionTolerance {
  double rtol;
  double atol;
};

template <class Space>
class MomentumBalance {
 public:
  MomentumBalance(const SystemIn<Space>& system, bool hold_linear, bool hold_angular);

  // Takes the momenta of the velocities in ws as those to keep.
  void start(const Workspace<double, Space>& ws);

  // Restores the momenta of z at the time t. Needs positions, rows, factor and velocities of z in ws
  // and leaves those of the new z there. Returns the number of components that were corrected.
  int hold(double t, const CorrectionTolerance& tolerance, double* z, Workspace<double, Space>& ws);

  // w [bodies + 1] ← w without the rigid motions whose momenta a change along w must not touch: of a
  // free component all, of a component on one spherical joint those held.
  void remove_carried(const Workspace<double, Space>& ws, Twist<double, Space>* w);

  // energy [components] ← ½ M |v_c|² of the velocities in ws, of free components: the part of their
  // energy that depends on the observer's motion. 0 for the others.
  void calc_translation_energy(const Workspace<double, Space>& ws, std::vector<double>& energy);

  // The same, only of components of which a momentum is held.
  void remove_held(const Workspace<double, Space>& ws, Twist<double, Space>* w);

  // Whether no momentum is enforced and, where the energy is, every component is tied to the ground.
  bool is_idle(bool holds_energy) const { return !any_ && !(holds_energy && any_carried_); }
  // Which momenta of a component are enforced, of those that were requested.
  bool holds_linear(int component) const { return held_[component].linear; }
  bool holds_angular(int component) const { return held_[component].angular != About::none; }

 private:
  using Position = Linear<double, Space>;
  using Spin = Angular<double, Space>;
  // about the centre of mass, about a fixed point, about an axis through a fixed point
  enum class About { none, centre, point, axis };
  struct Held {
    bool linear = false;
    About angular = About::none;
    Position point = Position::zero();      // m, of the spherical joint
    Spin axis = Spin::zero();               // along gravity
    Position force = Position::zero();      // N, constant, all that acts from outside
    Position momentum0 = Position::zero();  // N s, P(0)
    Spin spin0 = Spin::zero();              // N m s, L(0)
    bool directed = false;                  // L(0) is more than what parts that cancel leave over
  };

  void find_held(bool hold_linear, bool hold_angular);
  void find_pivots();
  bool is_free(int c) const { return !system_.topology.components[c].grounded; }
  bool is_carried(int c) const { return is_free(c) || held_[c].angular != About::none; }
  bool is_held(int c) const { return held_[c].linear || held_[c].angular != About::none; }
  void find_motion(const Workspace<double, Space>& ws, const Twist<double, Space>* w);
  void remove_motion(const Workspace<double, Space>& ws, bool held_only, Twist<double, Space>* w);
  void find_correction(double t, int c);
  bool turn(const CorrectionTolerance& tolerance, double* z, const Workspace<double, Space>& ws);
  int correct_velocities(double t, const CorrectionTolerance& tolerance, double* z,
                         Workspace<double, Space>& ws);

  const SystemIn<Space>& system_;
  std::vector<Held> held_;    // [components]
  bool any_ = false;          // momentum is held
  bool any_carried_ = false;  // rigid motion is kept out of corrections of the energy
  // scratch
  std::vector<RigidMotion<Space>> motion_;      // [components]
  std::vector<Twist<double, Space>> velocity_;  // [bodies + 1]
  std::vector<Position> delta_v_;               // [components]
  std::vector<Spin> delta_omega_;               // [components]
  std::vector<double> share_;                   // [components] of the correction that is allowed
  std::vector<Spin> turn_;                      // [components] rotation vector
};

}  // namespace trammel
