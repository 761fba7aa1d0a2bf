// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// S = J M⁻¹ Jᵀ, body by body. With the rows of a joint on body b, σ = 1 where b is its body j and
// σ = −1 where it is body i,
//
//   S_qp += σ_q σ_p ( ℓ_q ℓ_pᵀ/m + α_q W α_pᵀ ),        W = R 𝕀⁻¹ Rᵀ
//
// for every pair of joints p, q on b, q = p among them. W α_p is computed once for all q. What is known
// of pinned and angular rows (system/row_shape.hpp) is used: (p × e_k) has two components,
// ℓ is a unit vector or 0. Nothing is spent on the ground.
#pragma once

#include <type_traits>

#include "math/unroll.hpp"
#include "system/arrays.hpp"
#include "system/parameters.hpp"
#include "system/row_shape.hpp"

namespace trammel {
namespace {

// body(k) for k = 0 … count − 1, which need not be constants. On doubles they are, as of unroll; numbers
// that write down what is done go through a loop, which is compiled far faster.
template <class Real, int count, class Body>
[[gnu::always_inline]] inline void repeat(Body&& body) {
  if constexpr (std::is_same_v<Real, double>) {
    unroll<count>(body);
  } else {
    for (int k = 0; k < count; ++k) body(k);
  }
}

// The rows of a joint on one of its bodies, with the sign of the side: ±ℓ, ±α.
template <class Real, class Space, RowShape shape>
struct SideRows {
  using Offsets = RowOffsets<Space, shape>;
  Linear<Real, Space> arm;                                        // ±p
  Angular<Real, Space> alpha[shape.angular + shape.general + 1];  // of rows behind the pinned ones
  Linear<Real, Space> linear[shape.general + 1];

  [[gnu::always_inline]] SideRows(const Real* data, bool side_j, const Real& sign) {
    if constexpr (shape.pinned > 0) {
      arm = sign * Linear<Real, Space>::load(data + (side_j ? Offsets::arm_j : Offsets::arm_i));
    }
    unroll<shape.angular>([&](auto k) __attribute__((always_inline)) {
      alpha[k] = sign * Angular<Real, Space>::load(data + Offsets::angular(k));
    });
    unroll<shape.general>([&](auto k) __attribute__((always_inline)) {
      const int offset = side_j ? Offsets::alpha_j(k) : Offsets::alpha_i(k);
      alpha[shape.angular + k] = sign * Angular<Real, Space>::load(data + offset);
      linear[k] = sign * Linear<Real, Space>::load(data + Offsets::linear(k));
    });
  }

  static constexpr bool is_pinned(int row) { return row < shape.pinned; }
  static constexpr bool is_general(int row) { return row >= shape.pinned + shape.angular; }

  // W α of a row
  template <int row>
  [[gnu::always_inline]] Angular<Real, Space> times_inertia(
      const typename Space::template WorldInertia<Real>& W) const {
    if constexpr (is_pinned(row))
      return Space::times_arm(W, arm, row);
    else
      return W * alpha[row - shape.pinned];
  }
  // ⟨α, v⟩
  template <int row>
  [[gnu::always_inline]] Real dot_alpha(const Angular<Real, Space>& v) const {
    if constexpr (is_pinned(row))
      return Space::dot_arm(arm, v, row);
    else
      return dot(alpha[row - shape.pinned], v);
  }
  template <int row>
  [[gnu::always_inline]] const Linear<Real, Space>& get_linear() const {
    return linear[row - shape.pinned - shape.angular];
  }
};

template <int k, class Real>
[[gnu::always_inline]] inline Real component(const Vector3<Real>& v) {
  if constexpr (k == 0)
    return v.x;
  else if constexpr (k == 1)
    return v.y;
  else
    return v.z;
}
template <int k, class Real>
[[gnu::always_inline]] inline Real component(const Vector2<Real>& v) {
  if constexpr (k == 0)
    return v.x;
  else
    return v.y;
}

// v + ⟨ℓ_r, ℓ_c⟩/m of a row r of one side and a row c of another. signs: those of the pinned rows.
template <int r, int c, class R, class C, class Real>
[[gnu::always_inline]] inline Real add_linear(const R& of_r, const C& of_c, const Real& sign_r,
                                              const Real& sign_c, const Real& inverse_mass,
                                              const Real& v) {
  if constexpr (R::is_pinned(r) && C::is_pinned(c)) {
    if constexpr (r == c)
      return v + (sign_r * sign_c) * inverse_mass;
    else
      return v;
  } else if constexpr (R::is_pinned(r) && C::is_general(c)) {
    return v + (sign_r * inverse_mass) * component<r>(of_c.template get_linear<c>());
  } else if constexpr (R::is_general(r) && C::is_pinned(c)) {
    return v + (sign_c * inverse_mass) * component<c>(of_r.template get_linear<r>());
  } else if constexpr (R::is_general(r) && C::is_general(c)) {
    return v + inverse_mass * dot(of_r.template get_linear<r>(), of_c.template get_linear<c>());
  } else {
    return v;
  }
}

// The current body.
template <class Real, class Space>
struct SchurBody {
  typename Space::template WorldInertia<Real> W;
  Real inverse_mass;
  Angular<Real, Space> response[Space::max_joint_rows];  // ±W α of the rows of the current side
  Real sign;                                             // of that side
};

template <class Real>
[[gnu::always_inline]] inline Real sign_of(const SchurSide& side) {
  return side.side_j ? Real(1) : Real(-1);
}

// Of one side: its diagonal block (lower triangle), and W α, which is left for the couplings.
template <class Real, class Space, RowShape shape>
[[gnu::always_inline]] inline void add_side(const Arrays<Real, Space>& at, const SchurSide& side,
                                            SchurBody<Real, Space>& body) {
  constexpr int m = shape.rows();
  const Real sign = sign_of<Real>(side);
  const SideRows<Real, Space, shape> rows(at.row_data + side.data, side.side_j, sign);
  // ⟨α_c, W α_r⟩ + ⟨ℓ_r, ℓ_c⟩/m of the lower triangle; W α_r is kept for the couplings
  Real block[m][m];
  Angular<Real, Space> response[m];
  unroll<m>([&](auto r) __attribute__((always_inline)) {
    response[r] = rows.template times_inertia<r>(body.W);
    body.response[r] = response[r];
    unroll<r + 1>([&](auto c) __attribute__((always_inline)) {
      // c ≤ r: α_c is the one with the simpler form
      block[r][c] = add_linear<r, c>(rows, rows, sign, sign, body.inverse_mass,
                                     rows.template dot_alpha<c>(response[r]));
    });
  });
  body.sign = sign;
  Real* out = at.values + side.diagonal;
  // another body of the joint has written this block before
  if (!side.first) {
    unroll<m>([&](auto r) __attribute__((always_inline)) {
      repeat<Real, r + 1>([&](auto c)
                              __attribute__((always_inline)) { block[r][c] += out[r * m + c]; });
    });
  }
  unroll<m>([&](auto r) __attribute__((always_inline)) {
    repeat<Real, r + 1>([&](auto c)
                            __attribute__((always_inline)) { out[r * m + c] = block[r][c]; });
  });
  // the diagonal of a masked row becomes +∞: no pivot is above that, so the row is dropped
  if (side.last) {
    repeat<Real, m>([&](auto r) __attribute__((always_inline)) {
      at.diagonal[side.row + r] = at.mask[side.row + r] * block[r][r];
    });
  }
}

// The block of two sides: rows of q, columns of p, whose response was computed last.
template <class Real, class Space, RowShape shape_p, RowShape shape_q>
[[gnu::always_inline]] inline void add_coupling(const Arrays<Real, Space>& at, const SchurSide& p,
                                                const SchurSide& q,
                                                const SchurBody<Real, Space>& body, int offset) {
  constexpr int m = shape_p.rows(), n = shape_q.rows();
  const Real sign = sign_of<Real>(q);
  const SideRows<Real, Space, shape_q> of_q(at.row_data + q.data, q.side_j, sign);
  const SideRows<Real, Space, shape_p> of_p(at.row_data + p.data, p.side_j, body.sign);
  const bool add = offset < 0;
  Real* out = at.values + (add ? ~offset : offset);
  Angular<Real, Space> response[m];
  repeat<Real, m>([&](auto c) __attribute__((always_inline)) { response[c] = body.response[c]; });
  // σ_q σ_p (⟨α_q, W α_p⟩ + ⟨ℓ_q, ℓ_p⟩/m); the signs are in the rows
  Real block[n][m];
  unroll<n>([&](auto r) __attribute__((always_inline)) {
    unroll<m>([&](auto c) __attribute__((always_inline)) {
      block[r][c] = add_linear<r, c>(of_q, of_p, sign, body.sign, body.inverse_mass,
                                     of_q.template dot_alpha<r>(response[c]));
    });
  });
  // another body has written this block before
  if (add) {
    repeat<Real, n * m>([&](auto k)
                            __attribute__((always_inline)) { block[k / m][k % m] += out[k]; });
  }
  repeat<Real, n * m>([&](auto k) __attribute__((always_inline)) { out[k] = block[k / m][k % m]; });
}

// Of one side of a clone: S_rr of the hub as a whole for each row, which is that of the clone without the excess
// of its M⁻¹ (in `body`). Pivots are judged by the rows, not by how a hub was cut. The rows of a weld have
// none but their own.
template <class Real, class Space, RowShape shape>
[[gnu::always_inline]] inline void add_to_diagonal(const Arrays<Real, Space>& at,
                                                   const SchurSide& side,
                                                   SchurBody<Real, Space>& body) {
  const Real sign = sign_of<Real>(side);
  const SideRows<Real, Space, shape> rows(at.row_data + side.data, side.side_j, sign);
  unroll<shape.rows()>([&](auto r) __attribute__((always_inline)) {
    const auto response = rows.template times_inertia<r>(body.W);
    at.diagonal[side.row + r] -= add_linear<r, r>(rows, rows, sign, sign, body.inverse_mass,
                                                  rows.template dot_alpha<r>(response));
  });
}

// ---- functions of their own, chosen from tables by the shapes

template <class Real, class Space>
struct SchurTables {
  void (*side[RowShapes<Space>::count])(const Arrays<Real, Space>&, const SchurSide&,
                                        SchurBody<Real, Space>&);
  void (*diagonal[RowShapes<Space>::count])(const Arrays<Real, Space>&, const SchurSide&,
                                            SchurBody<Real, Space>&);
  void (*coupling[RowShapes<Space>::count][RowShapes<Space>::count])(const Arrays<Real, Space>&,
                                                                     const SchurSide&,
                                                                     const SchurSide&,
                                                                     const SchurBody<Real, Space>&,
                                                                     int);
};

template <class Real, class Space, RowShape shape>
void call_side(const Arrays<Real, Space>& at, const SchurSide& side, SchurBody<Real, Space>& body) {
  add_side<Real, Space, shape>(at, side, body);
}
template <class Real, class Space, RowShape shape>
void call_diagonal(const Arrays<Real, Space>& at, const SchurSide& side,
                   SchurBody<Real, Space>& body) {
  add_to_diagonal<Real, Space, shape>(at, side, body);
}
template <class Real, class Space, RowShape shape_p, RowShape shape_q>
void call_coupling(const Arrays<Real, Space>& at, const SchurSide& p, const SchurSide& q,
                   const SchurBody<Real, Space>& body, int offset) {
  add_coupling<Real, Space, shape_p, shape_q>(at, p, q, body, offset);
}

template <class Real, class Space>
constexpr SchurTables<Real, Space> make_schur_tables() {
  SchurTables<Real, Space> tables{};
  constexpr int n = RowShapes<Space>::count;
  unroll<n>([&](auto p) {
    constexpr RowShape shape_p = RowShapes<Space>::all[p];
    tables.side[p] = call_side<Real, Space, shape_p>;
    tables.diagonal[p] = call_diagonal<Real, Space, shape_p>;
    unroll<n>([&](auto q) {
      constexpr RowShape shape_q = RowShapes<Space>::all[q];
      tables.coupling[p][q] = call_coupling<Real, Space, shape_p, shape_q>;
    });
  });
  return tables;
}

// add_side and add_coupling for the shapes at hand: by a call …
template <class Real, class Space>
struct ByTable {
  static constexpr SchurTables<Real, Space> tables = make_schur_tables<Real, Space>();
  [[gnu::always_inline]] static void side(const Arrays<Real, Space>& at, const SchurSide& side,
                                          SchurBody<Real, Space>& body) {
    tables.side[side.shape](at, side, body);
  }
  [[gnu::always_inline]] static void coupling(const Arrays<Real, Space>& at, const SchurSide& p,
                                              const SchurSide& q,
                                              const SchurBody<Real, Space>& body, int offset) {
    tables.coupling[p.shape][q.shape](at, p, q, body, offset);
  }
};
// … or in place, where every joint is C and nothing else (revolute joints of the plane, balls in
// space): with so few rows calls cost more than numbers.
template <class Real, class Space>
struct InPlace {
  static constexpr RowShape shape{Space::dimension, 0, 0};
  [[gnu::always_inline]] static void side(const Arrays<Real, Space>& at, const SchurSide& side,
                                          SchurBody<Real, Space>& body) {
    add_side<Real, Space, shape>(at, side, body);
  }
  [[gnu::always_inline]] static void coupling(const Arrays<Real, Space>& at, const SchurSide& p,
                                              const SchurSide& q,
                                              const SchurBody<Real, Space>& body, int offset) {
    add_coupling<Real, Space, shape, shape>(at, p, q, body, offset);
  }
};

// The blocks of the joint itself, then those with the joints that come later on this body.
template <class How, bool with_couplings, class Real, class Space>
[[gnu::always_inline]] inline const int* add_sides(const Arrays<Real, Space>& at,
                                                   const SchurSide* side,
                                                   const SchurSide* const end, const int* coupling,
                                                   SchurBody<Real, Space>& body) {
  for (; side != end; ++side) {
    How::side(at, *side, body);
    if constexpr (with_couplings) {
      for (const SchurSide* later = side + 1; later != end; ++later) {
        How::coupling(at, *side, *later, body, *coupling++);
      }
    }
  }
  return coupling;
}

template <class How, bool with_couplings, class Real, class Space>
[[gnu::always_inline]] inline void calc_schur_of_bodies(
    const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
    const SchurPart& part) {
  SchurBody<Real, Space> body;
  const int* coupling = at.couplings + part.coupling;
  for (int k = part.bodies.begin; k < part.bodies.end; ++k) {
    const SchurSide* side = at.schur_sides + at.schur_side_begin[k];
    const SchurSide* const end = at.schur_sides + at.schur_side_begin[k + 1];
    if (side == end) continue;
    const int b = at.body_order[k];
    // W = R 𝕀⁻¹ Rᵀ
    body.W = Space::turn_inertia(at.pose[b].R, parameters.bodies[b].inverse_inertia);
    body.inverse_mass = parameters.bodies[b].inverse_mass;
    coupling = add_sides<How, with_couplings>(at, side, end, coupling, body);
  }
}

// M⁻¹ of a hub times a factor.
template <class Real, class Space>
[[gnu::always_inline]] inline void load_part_of_hub(const Arrays<Real, Space>& at,
                                                    const ParameterArrays<Real, Space>& parameters,
                                                    int b, const Real& factor,
                                                    SchurBody<Real, Space>& body) {
  body.W = Space::turn_inertia(at.pose[b].R, factor * parameters.bodies[b].inverse_inertia);
  body.inverse_mass = factor * parameters.bodies[b].inverse_mass;
}

template <bool with_couplings, class Real, class Space>
void calc_schur_of_clones(const Arrays<Real, Space>& at,
                          const ParameterArrays<Real, Space>& parameters, const SchurPart& part) {
  SchurBody<Real, Space> body;
  for (int k = part.clones.begin; k < part.clones.end; ++k) {
    const HubClone& clone = at.clones[k];
    load_part_of_hub(at, parameters, clone.body, Real(clone.parts), body);
    add_sides<ByTable<Real, Space>, with_couplings>(at, at.clone_sides + clone.sides.begin,
                                                    at.clone_sides + clone.sides.end,
                                                    at.couplings + clone.coupling, body);
  }
}

// Where all parts of S are there: the diagonal of S as if no hub had been cut, and that of the welds.
template <class Real, class Space>
void correct_hub_diagonals(const Arrays<Real, Space>& at,
                           const ParameterArrays<Real, Space>& parameters) {
  constexpr auto& tables = ByTable<Real, Space>::tables;
  SchurBody<Real, Space> body;
  for (int k = 0; k < at.n_clones; ++k) {
    const HubClone& clone = at.clones[k];
    load_part_of_hub(at, parameters, clone.body, Real(clone.parts - 1.0), body);
    for (int s = clone.sides.begin; s < clone.sides.end; ++s) {
      const SchurSide& side = at.clone_sides[s];
      if (side.row < at.n_rows) {
        tables.diagonal[side.shape](at, side, body);
      } else if (side.side_j) {
        const int m = Space::n_u;
        for (int r = 0; r < m; ++r) {
          at.diagonal[side.row + r] = at.values[side.diagonal + r * m + r];
        }
      }
    }
  }
}

// What the bodies of a part add to S.
template <bool with_couplings, class Real, class Space>
void calc_schur(const Arrays<Real, Space>& at, const ParameterArrays<Real, Space>& parameters,
                const SchurPart& part) {
  if (at.common_shape == 0) {  // the first of RowShapes
    calc_schur_of_bodies<InPlace<Real, Space>, with_couplings>(at, parameters, part);
  } else {
    calc_schur_of_bodies<ByTable<Real, Space>, with_couplings>(at, parameters, part);
  }
  if (part.clones.begin != part.clones.end) {
    calc_schur_of_clones<with_couplings>(at, parameters, part);
  }
}

// The blocks that no body writes, but the factor will.
template <class Real, class Space>
void clear_fill(const Arrays<Real, Space>& at) {
  for (int k = 0; k < at.n_fill; ++k) {
    for (int v = at.fill[k].begin; v < at.fill[k].end; ++v) at.values[v] = Real(0);
  }
}

}  // namespace
}  // namespace trammel
