// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "problem/saddle_point_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "evaluate/coordinate_rows.hpp"
#include "evaluate/joint_rows.hpp"
#include "problem/local_increments.hpp"

namespace trammel {

namespace {

template <class Space>
BlockLuPattern make_pattern(SaddleGraph& graph, const ElementBlocks<Space>& elements) {
  for (int e = 0; e < elements.size(); ++e) {
    for (const int a : elements.bodies_of(e)) {
      for (const int b : elements.bodies_of(e)) {
        if (a < b) graph.edges.push_back({a, b});
      }
    }
  }
  const BlockGraph blocks = make_block_graph(static_cast<int>(graph.sizes.size()), graph.edges);
  return {graph.sizes, blocks, order_by_minimum_degree(graph.sizes, blocks, graph.after)};
}

// R B Rᵀ of a block with n rows and columns out of rows of `stride` numbers
template <int n, class Rotation>
void turn_block(const Rotation& R, const double* B, int stride, double* turned) {
  double entry[n][n];
  for (int i = 0; i < n; ++i) {
    double row[3];
    R.row[i].store(row);
    for (int j = 0; j < n; ++j) entry[i][j] = row[j];
  }
  double half[n][n];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      half[i][j] = 0.0;
      for (int k = 0; k < n; ++k) half[i][j] += entry[i][k] * B[k * stride + j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      turned[i * n + j] = 0.0;
      for (int k = 0; k < n; ++k) turned[i * n + j] += half[i][k] * entry[j][k];
    }
  }
}

template <class Rotation>
Rotation transpose(const Rotation& R);
template <>
Matrix3<double> transpose(const Matrix3<double>& R) {
  const auto& [a, b, c] = R.row;
  return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}
template <>
Matrix2<double> transpose(const Matrix2<double>& R) {
  const auto& [a, b] = R.row;
  return {{{a.x, b.x}, {a.y, b.y}}};
}

}  // namespace

template <class Space>
SaddlePointMatrix<Space>::SaddlePointMatrix(const SystemIn<Space>& system, int n_pairs)
    : system_(system),
      topology_(system.topology),
      layout_(system.topology.layout),
      elements_(system, false, ElementParts::forces),
      graph_(make_saddle_graph(system.topology, n_u)),
      pattern_(make_pattern(graph_, elements_)),
      mask_(topology_.n_rows, 1.0),
      row_place_(topology_.n_rows),
      Omega_(topology_.n_bodies * n_w),
      R_(topology_.n_bodies),
      turns_v_(topology_.n_bodies, 1),
      turns_w_(topology_.n_bodies, 1),
      before_(topology_.n_bodies),
      real_(pattern_, topology_.n_bodies),
      complex_(n_pairs, Factors<Complex>(pattern_, topology_.n_bodies)) {
  find_pairs();
  find_sides();
}

template <class Space>
int SaddlePointMatrix<Space>::find_pair(int row, int column) const {
  const auto found = std::lower_bound(
      pairs_.begin(), pairs_.end(), std::pair(row, column),
      [](const Pair& p, const auto& key) { return std::pair(p.row, p.column) < key; });
  const bool exists = found != pairs_.end() && found->row == row && found->column == column;
  return exists ? static_cast<int>(found - pairs_.begin()) : -1;
}

template <class Space>
void SaddlePointMatrix<Space>::find_pairs() {
  std::vector<std::pair<int, int>> keys;
  for (int e = 0; e < elements_.size(); ++e) {
    for (const int a : elements_.bodies_of(e)) {
      for (const int b : elements_.bodies_of(e)) keys.push_back({a, b});
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  for (const auto& [row, column] : keys) {
    pairs_.push_back({row, column, pattern_.find(row, column), {}, {}});
  }
  for (int b = 0; b < topology_.n_bodies; ++b) diagonal_.push_back(find_pair(b, b));
  for (int e = 0; e < elements_.size(); ++e) {
    std::vector<int>& places = places_.emplace_back();
    for (const int a : elements_.bodies_of(e)) {
      for (const int b : elements_.bodies_of(e)) places.push_back(find_pair(a, b));
    }
  }
}

template <class Space>
void SaddlePointMatrix<Space>::find_sides() {
  std::size_t numbers = 0;
  const auto add = [&](int node, int body, int first_row, int n_rows) {
    if (body == topology_.ground()) return;
    sides_.push_back({node, body, first_row, n_rows, numbers, pattern_.find(node, body),
                      pattern_.find(body, node)});
    numbers += static_cast<std::size_t>(n_rows) * n_u;
  };
  int node = graph_.first_joint;
  for (const JointTopology& joint : topology_.joints) {
    add(node, joint.body_i, joint.row, joint.n_rows);
    add(node, joint.body_j, joint.row, joint.n_rows);
    for (int r = 0; r < joint.n_rows; ++r) {
      row_place_[joint.row + r] = pattern_.first_row(node) + r;
    }
    ++node;
  }
  for (const CoordinateRow& row : topology_.coordinate_rows) {
    for (int e = row.entry_begin; e < row.entry_end; ++e) {
      add(node, topology_.entries[e].body, row.row, 1);
    }
    row_place_[row.row] = pattern_.first_row(node);
    ++node;
  }
  jacobian_.resize(numbers);
}

template <class Space>
bool SaddlePointMatrix<Space>::has_rows_of(const Workspace<double, Space>& ws) const {
  return std::equal(mask_.begin(), mask_.end(), ws.mask.begin());
}

template <class Space>
bool SaddlePointMatrix<Space>::linearise(const double* z, const Workspace<double, Space>& ws) {
  before_is_known_ = is_linearised_;
  for (int b = 0; b < topology_.n_bodies; ++b) {
    if (before_is_known_ && diagonal_[b] >= 0) {
      const Pair& pair = pairs_[diagonal_[b]];
      std::copy(pair.stiffness, pair.stiffness + n_u * n_u, before_[b].stiffness);
      std::copy(pair.damping, pair.damping + n_u * n_u, before_[b].damping);
      before_[b].R = R_[b];
    }
    R_[b] = Space::calc_rotation(z + layout_.y(b));
    std::copy_n(z + layout_.u(b) + n_v, n_w, &Omega_[b * n_w]);
  }
  std::copy(ws.mask.begin(), ws.mask.end(), mask_.begin());
  take_elements(ws);
  take_rows(ws);
  is_new_ = true;
  const auto is_finite = [](double x) { return std::isfinite(x); };
  const bool finite = std::all_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) {
    return std::all_of(pair.stiffness, pair.stiffness + n_u * n_u, is_finite) &&
           std::all_of(pair.damping, pair.damping + n_u * n_u, is_finite);
  });
  is_linearised_ = finite;
  return finite && std::all_of(jacobian_.begin(), jacobian_.end(), is_finite);
}

// K and D, summed over the elements.
template <class Space>
void SaddlePointMatrix<Space>::take_elements(const Workspace<double, Space>& ws) {
  for (Pair& pair : pairs_) {
    std::fill(pair.stiffness, pair.stiffness + n_u * n_u, 0.0);
    std::fill(pair.damping, pair.damping + n_u * n_u, 0.0);
  }
  for (int e = 0; e < elements_.size(); ++e) {
    const auto blocks = elements_.calc(e, ws);
    if (!blocks.is_smooth) continue;
    const int n = static_cast<int>(blocks.bodies.size());
    for (int a = 0; a < n; ++a) {
      for (int b = 0; b < n; ++b) {
        Pair& pair = pairs_[places_[e][a * n + b]];
        for (int i = 0; i < n_u; ++i) {
          const int from = (a * n_u + i) * blocks.size + b * n_u;
          for (int j = 0; j < n_u; ++j) {
            pair.stiffness[i * n_u + j] -= blocks.by_position[from + j];
            pair.damping[i * n_u + j] -= blocks.by_velocity[from + j];
          }
        }
      }
    }
  }
}

// J by (δv, δΩ), 0 for rows that take no part.
template <class Space>
void SaddlePointMatrix<Space>::take_rows(const Workspace<double, Space>& ws) {
  std::size_t side = 0;
  const auto put = [&](int row, const Linear<double, Space>& linear,
                       const Angular<double, Space>& alpha) {
    const Side& at = sides_[side];
    double* const numbers = &jacobian_[at.numbers + static_cast<std::size_t>(row) * n_u];
    if (mask_[at.first_row + row] != 1.0) {
      std::fill(numbers, numbers + n_u, 0.0);
      return;
    }
    linear.store(numbers);
    transposed_times(R_[at.body], alpha).store(numbers + n_v);
  };
  const int ground = topology_.ground();
  for (int k = 0; k < topology_.n_joints; ++k) {
    const JointTopology& joint = topology_.joints[k];
    const bool has_i = joint.body_i != ground, has_j = joint.body_j != ground;
    for (int r = 0; r < joint.n_rows; ++r) {
      const Row<double, Space> row = get_row(topology_, ws, k, r);
      if (has_i) put(r, -row.linear, -row.alpha_i);
      if (!has_j) continue;
      if (has_i) ++side;
      put(r, row.linear, row.alpha_j);
      if (has_i) --side;
    }
    side += (has_i ? 1 : 0) + (has_j ? 1 : 0);
  }
  for (const CoordinateRow& row : topology_.coordinate_rows) {
    for (int e = row.entry_begin; e < row.entry_end; ++e) {
      if (topology_.entries[e].body == ground) continue;
      const RowEntryData<double, Space> entry = get_entry(topology_, e, ws);
      put(0, entry.linear, entry.alpha);
      ++side;
    }
  }
}

// Have the blocks of B = D + sK turned with the body since the linearisation before, or stood still?
template <class Space>
void SaddlePointMatrix<Space>::choose_axes(double shift) {
  constexpr double least_difference = 1e-9;
  const auto choose = [&]<int n>(int b, int at, bool is_world, char& turns) {
    double now[n * n], then[n * n], other_now[n * n], other_then[n * n];
    const Pair& pair = pairs_[diagonal_[b]];
    double size = 0.0, by_turning = 0.0, by_standing = 0.0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const int k = (at + i) * n_u + at + j;
        now[i * n + j] = pair.damping[k] + shift * pair.stiffness[k];
        then[i * n + j] = before_[b].damping[k] + shift * before_[b].stiffness[k];
        size += now[i * n + j] * now[i * n + j];
      }
    }
    // differences in the frame of the blocks and in the other one
    const Rotation<double, Space> R1 = is_world ? transpose(R_[b]) : R_[b];
    const Rotation<double, Space> R0 = is_world ? transpose(before_[b].R) : before_[b].R;
    turn_block<n>(R1, now, n, other_now);
    turn_block<n>(R0, then, n, other_then);
    for (int k = 0; k < n * n; ++k) {
      const double own = now[k] - then[k], other = other_now[k] - other_then[k];
      (is_world ? by_standing : by_turning) += own * own;
      (is_world ? by_turning : by_standing) += other * other;
    }
    const double difference = std::sqrt(by_turning) - std::sqrt(by_standing);
    if (std::abs(difference) > least_difference * std::sqrt(size)) turns = difference < 0.0;
  };
  for (int b = 0; b < topology_.n_bodies; ++b) {
    if (diagonal_[b] < 0) continue;
    choose.template operator()<n_v>(b, 0, true, turns_v_[b]);
    if constexpr (n_w == 3) choose.template operator()<n_w>(b, n_v, false, turns_w_[b]);
  }
}

template <class Space>
bool SaddlePointMatrix<Space>::factor(int k, const Complex& shift) {
  if (k > 0) return factor_with(complex_[k - 1], shift);
  if (is_new_ && before_is_known_) choose_axes(shift.re);
  is_new_ = false;
  return factor_with(real_, shift.re);
}

template <class Space>
template <class Number>
bool SaddlePointMatrix<Space>::factor_with(Factors<Number>& of, const Number& shift) {
  of.shift = shift;
  of.lu.clear();
  for (int b = 0; b < topology_.n_bodies; ++b) {
    const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
    double mass[n_u];
    std::fill(mass, mass + n_v, body.mass);
    body.inertia.store(mass + n_v);
    const BlockLuPattern::Place place = pattern_.find(b, b);
    Number* const block = of.lu.at(place);
    for (int k = 0; k < n_u; ++k) block[k * place.stride + k] = mass[k];
  }
  // s D + s K E
  for (const Pair& pair : pairs_) {
    Number E[n_w * n_w];
    LocalIncrements<Space>::calc_rate_matrix(&Omega_[pair.column * n_w], shift, E);
    Number* const block = of.lu.at(pair.place);
    for (int i = 0; i < n_u; ++i) {
      const double* const K = pair.stiffness + i * n_u;
      const double* const D = pair.damping + i * n_u;
      Number* const row = block + i * pair.place.stride;
      for (int j = 0; j < n_v; ++j) row[j] += shift * (shift * K[j] + Number(D[j]));
      for (int j = 0; j < n_w; ++j) {
        Number sum = D[n_v + j];
        for (int k = 0; k < n_w; ++k) sum += E[k * n_w + j] * K[n_v + k];
        row[n_v + j] += shift * sum;
      }
    }
  }
  for (const Side& side : sides_) {
    const double* const J = &jacobian_[side.numbers];
    Number *const lower = of.lu.at(side.lower), *const upper = of.lu.at(side.upper);
    for (int r = 0; r < side.n_rows; ++r) {
      for (int k = 0; k < n_u; ++k) {
        lower[r * side.lower.stride + k] = J[r * n_u + k];
        upper[k * side.upper.stride + r] = J[r * n_u + k];
      }
    }
  }
  // rows that take no part: a pivot of 1
  const auto put_units = [&](int node, int first_row, int n_rows) {
    for (int r = 0; r < n_rows; ++r) {
      if (mask_[first_row + r] == 1.0) continue;
      const BlockLuPattern::Place place = pattern_.find(node, node);
      of.lu.at(place)[r * place.stride + r] = 1.0;
    }
  };
  int node = graph_.first_joint;
  for (const JointTopology& joint : topology_.joints) put_units(node++, joint.row, joint.n_rows);
  for (const CoordinateRow& row : topology_.coordinate_rows) put_units(node++, row.row, 1);
  return of.lu.factor();
}

template <class Space>
template <class Number, class Load, class Store>
void SaddlePointMatrix<Space>::solve_with(Factors<Number>& of, const Load& load,
                                          const Store& store) {
  constexpr int n_y = Space::n_y;
  const Number s = of.shift;
  std::vector<Number>& right = of.right;
  std::fill(right.begin(), right.end(), Number(0.0));
  // M b_u, J b_u; G b_y
  for (int b = 0; b < topology_.n_bodies; ++b) {
    Number* const y = &of.y[b * n_y];
    for (int k = 0; k < n_y; ++k) y[k] = load(layout_.y(b) + k);
    LocalIncrements<Space>::carry(&Omega_[b * n_w], s, y + n_v);
    const BodyParameters<double, Space>& body = system_.parameters.bodies[b];
    double mass[n_u];
    std::fill(mass, mass + n_v, body.mass);
    body.inertia.store(mass + n_v);
    Number* const at = &right[pattern_.first_row(b)];
    for (int k = 0; k < n_u; ++k) at[k] = mass[k] * load(layout_.u(b) + k);
  }
  for (const Side& side : sides_) {
    const double* J = &jacobian_[side.numbers];
    for (int r = 0; r < side.n_rows; ++r, J += n_u) {
      Number sum(0.0);
      for (int k = 0; k < n_u; ++k) sum += J[k] * load(layout_.u(side.body) + k);
      right[row_place_[side.first_row + r]] += sum;
    }
  }
  // − s K G b_y
  for (const Pair& pair : pairs_) {
    const Number* const y = &of.y[pair.column * n_y];
    Number* const at = &right[pattern_.first_row(pair.row)];
    for (int i = 0; i < n_u; ++i) {
      const double* const K = pair.stiffness + i * n_u;
      Number sum(0.0);
      for (int j = 0; j < n_u; ++j) sum += K[j] * y[j];
      at[i] -= s * sum;
    }
  }
  of.lu.solve(right.data());
  // x_y = G b_y + E x_u
  for (int b = 0; b < topology_.n_bodies; ++b) {
    const Number* const x = &right[pattern_.first_row(b)];
    Number* const y = &of.y[b * n_y];
    for (int k = 0; k < n_v; ++k) y[k] += s * x[k];
    LocalIncrements<Space>::add_rate(&Omega_[b * n_w], s, x + n_v, y + n_v);
    for (int k = 0; k < n_y; ++k) store(layout_.y(b) + k, y[k]);
    for (int k = 0; k < n_u; ++k) store(layout_.u(b) + k, x[k]);
  }
}

template <class Space>
void SaddlePointMatrix<Space>::solve(double* b) {
  solve_with(
      real_, [&](int k) { return b[k]; }, [&](int k, double x) { b[k] = x; });
}

template <class Space>
void SaddlePointMatrix<Space>::solve(int k, double* re, double* im) {
  solve_with(
      complex_[k - 1], [&](int at) { return Complex(re[at], im[at]); },
      [&](int at, const Complex& x) {
        re[at] = x.re;
        im[at] = x.im;
      });
}

// Linear parts: from the axes of the stage to those of the linearisation, Rⱼ Rᵀ. Angular parts are in axes
// of the body: they are left alone where the stiffness turns with it, else Rⱼᵀ R.
template <class Space>
template <bool to>
void SaddlePointMatrix<Space>::turn(const double* z, double* x) const {
  using V = Linear<double, Space>;
  for (int b = 0; b < topology_.n_bodies; ++b) {
    const double* const y = z + layout_.y(b);
    double *const position = x + layout_.y(b), *const velocity = x + layout_.u(b);
    if constexpr (to) LocalIncrements<Space>::take(y, position);
    if (turns_v_[b] != 0 || turns_w_[b] == 0) {
      const Rotation<double, Space> now = Space::calc_rotation(y);
      const auto &from = to ? now : R_[b], &onto = to ? R_[b] : now;
      if (turns_v_[b] != 0) {
        for (double* part : {position, velocity}) {
          (onto * transposed_times(from, V::load(part))).store(part);
        }
      }
      if constexpr (n_w == 3) {
        if (turns_w_[b] == 0) {
          for (double* part : {position + n_v, velocity + n_v}) {
            transposed_times(onto, from * V::load(part)).store(part);
          }
        }
      }
    }
    if constexpr (!to) LocalIncrements<Space>::give(y, position);
  }
}

template <class Space>
void SaddlePointMatrix<Space>::turn_to(const double* z, double* x) const {
  turn<true>(z, x);
}
template <class Space>
void SaddlePointMatrix<Space>::turn_from(const double* z, double* x) const {
  turn<false>(z, x);
}

template class SaddlePointMatrix<Spatial>;
template class SaddlePointMatrix<Planar>;

}  // namespace trammel
