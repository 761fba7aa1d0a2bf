// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The linear algebra of implicit steps: (I − s ∂ż/∂z) x = b for a few shifts s, one of them real, the others
// complex, with what is stiff of ∂ż/∂z. In increments of the bodies (local_increments.hpp), with the stiffness
// K = −∂F/∂(r, φ) and damping D = −∂F/∂u of the force elements,
//
//   x_y = G b_y + E x_u,   ( M + s D + s K E   Jᵀ ) ( x_u )   ( M b_u − s K G b_y )
//                          (        J          0  ) (  ν  ) = (       J b_u       )
//
// Reactions, γ and gyroscopic terms are left out: they are not stiff, and with them the matrix would couple
// both bodies of each joint. J is that of the point where it was linearised. It is factored block by block
// (math/block_lu.hpp) in the order of saddle_graph.hpp, real and complex alike.
//
// Stiffness acts in directions that turn with the bodies. So increments are kept in axes that turn: turn()
// takes those of a stage to the attitude of the linearisation and back. A rotor in bearings of the ground
// turns while its stiffness stands still; which of both it is, is chosen for each body, for velocities and
// angular velocities separately, at each linearisation: the one in which its blocks have changed less.
#pragma once

#include <memory>
#include <vector>

#include "generate/element_blocks.hpp"
#include "math/block_lu.hpp"
#include "problem/saddle_graph.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class SaddlePointMatrix {
 public:
  // n_pairs: complex shifts. Throws NotDifferentiable where a force has no derivatives.
  SaddlePointMatrix(const SystemIn<Space>& system, int n_pairs);

  const BlockLuPattern& pattern() const { return pattern_; }

  // At the state whose positions, velocities and rows are in ws; rows that ws.mask leaves out take no part.
  // A force that has no derivative there, as a spring of length 0, counts as not stiff. false: not finite.
  bool linearise(const double* z, const Workspace<double, Space>& ws);
  // The rows it was linearised with are those of the mask.
  bool has_rows_of(const Workspace<double, Space>& ws) const;

  // Shift 0 is real and comes first after a linearisation; shift k > 0 is complex. false: a singular pivot.
  bool factor(int k, const Complex& shift);

  // b → x, in the layout of the state without what only integrates (work, references). Increments of
  // coordinates are local ones.
  void solve(double* b);
  void solve(int k, double* re, double* im);

  // An increment of the state z, in place: to the axes and local coordinates of the linearisation, and back.
  void turn_to(const double* z, double* x) const;
  void turn_from(const double* z, double* x) const;

 private:
  static constexpr int n_u = Space::n_u, n_v = Space::dimension, n_w = Space::n_angular;

  // K and D of a pair of bodies: how the load on `row` depends on the motion of `column`.
  struct Pair {
    int row, column;
    BlockLuPattern::Place place;
    double stiffness[n_u * n_u], damping[n_u * n_u];
  };
  // J of a joint or coordinate row on one of its bodies.
  struct Side {
    int node, body, first_row, n_rows;
    std::size_t numbers;                 // [n_rows × n_u], in jacobian_
    BlockLuPattern::Place lower, upper;  // of J and of Jᵀ
  };
  template <class Number>
  struct Factors {
    explicit Factors(const BlockLuPattern& pattern, int n_bodies)
        : lu(pattern), right(pattern.n_rows()), y(n_bodies * Space::n_y) {}
    BlockLu<Number> lu;
    Number shift = 0.0;
    std::vector<Number> right;  // [rows of the pattern]
    std::vector<Number> y;      // [bodies × n_y] G b_y
  };
  // The stiff part on the diagonal of a body, for the choice of axes.
  struct Diagonal {
    double stiffness[n_u * n_u], damping[n_u * n_u];
    Rotation<double, Space> R;
  };

  void find_pairs();
  void find_sides();
  void take_elements(const Workspace<double, Space>& ws);
  void take_rows(const Workspace<double, Space>& ws);
  void choose_axes(double shift);
  int find_pair(int row, int column) const;
  template <class Number>
  bool factor_with(Factors<Number>& of, const Number& shift);
  template <class Number, class Load, class Store>
  void solve_with(Factors<Number>& of, const Load& load, const Store& store);
  template <bool to>
  void turn(const double* z, double* x) const;

  const SystemIn<Space>& system_;
  const Topology& topology_;
  const StateLayout& layout_;
  ElementBlocks<Space> elements_;
  SaddleGraph graph_;
  BlockLuPattern pattern_;
  std::vector<Pair> pairs_;               // sorted by row, then column
  std::vector<int> diagonal_;             // [bodies] its pair with itself, or −1
  std::vector<std::vector<int>> places_;  // [elements] pairs, [n × n] of its bodies
  std::vector<Side> sides_;
  std::vector<double> jacobian_;
  std::vector<double> mask_;    // [rows]
  std::vector<int> row_place_;  // [rows] in vectors of the factors

  std::vector<double> Omega_;               // [bodies × n_w] of the linearisation
  std::vector<Rotation<double, Space>> R_;  // [bodies]
  std::vector<char> turns_v_, turns_w_;     // [bodies]
  std::vector<Diagonal> before_;            // [bodies] of the linearisation before
  bool is_linearised_ = false, before_is_known_ = false, is_new_ = false;

  Factors<double> real_;
  std::vector<Factors<Complex>> complex_;
};

}  // namespace trammel
