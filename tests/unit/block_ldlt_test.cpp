// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Block-sparse LDLᵀ against dense algebra, as a list of operations and with supernodes: the same S,
// the same answers, the same rule for rows that depend on others.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "math/block_ldlt.hpp"
#include "math/thread_pool.hpp"

using namespace trammel;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Edges = std::vector<std::pair<int, int>>;

// A matrix given by blocks, its program, and the numbers of a factorisation.
struct Problem {
  std::vector<int> sizes;
  Edges edges;
  Matrix S;
  BlockProgram program;
  std::vector<double> values, pivot, inverse, diagonal;

  BlockFactor<double> factor() {
    return {values.data(), pivot.data(), inverse.data(), diagonal.data()};
  }
};

void put(Problem& p) {
  p.values.assign(p.program.n_values, 0.0);
  const auto block = [&](int a, int b) {
    return p.S.block(p.program.row[a], p.program.row[b], p.sizes[a], p.sizes[b]);
  };
  const auto store = [&](const Matrix& from, int offset) {
    for (int r = 0; r < from.rows(); ++r) {
      for (int c = 0; c < from.cols(); ++c) p.values[offset + r * from.cols() + c] = from(r, c);
    }
  };
  for (int k = 0; k < static_cast<int>(p.sizes.size()); ++k) {
    store(block(k, k), p.program.diagonal[k]);
  }
  for (const auto& [a, b] : p.edges) {
    const auto at = p.program.find_coupling(a, b);
    store(at.rows_of_a ? block(a, b) : block(b, a), at.offset);
  }
}

// S positive definite; with `dependent` ≥ 0 that row repeats the one before it.
Problem make_problem(std::vector<int> sizes, const Edges& edges, Supernodes supernodes,
                     int dependent = -1) {
  Problem p;
  p.sizes = std::move(sizes);
  p.edges = edges;
  p.program = make_block_program(p.sizes, edges, supernodes);
  const int n = p.program.n_rows;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  // S = Σ over blocks and edges of G Gᵀ, which has the pattern of the edges
  p.S = Matrix::Zero(n, n);
  const auto add = [&](int a, int b) {
    const int rows = p.sizes[a] + p.sizes[b];
    const Matrix G = Matrix::NullaryExpr(rows, rows + 2, [&] { return number(random); });
    const Matrix GG = G * G.transpose();
    const int ra = p.program.row[a], rb = p.program.row[b], m = p.sizes[a], k = p.sizes[b];
    p.S.block(ra, ra, m, m) += GG.topLeftCorner(m, m);
    p.S.block(rb, rb, k, k) += GG.bottomRightCorner(k, k);
    p.S.block(ra, rb, m, k) += GG.topRightCorner(m, k);
    p.S.block(rb, ra, k, m) += GG.bottomLeftCorner(k, m);
  };
  for (int k = 0; k < static_cast<int>(p.sizes.size()); ++k) {
    const int r = p.program.row[k];
    for (int i = 0; i < p.sizes[k]; ++i) p.S(r + i, r + i) += 0.5;
  }
  for (const auto& [a, b] : std::set<std::pair<int, int>>(edges.begin(), edges.end())) add(a, b);
  if (dependent >= 0) {
    p.S.row(dependent) = p.S.row(dependent - 1);
    p.S.col(dependent) = p.S.col(dependent - 1);
  }
  p.pivot.resize(n);
  p.inverse.resize(n);
  for (int r = 0; r < n; ++r) p.diagonal.push_back(p.S(r, r));
  put(p);
  return p;
}

// n × n nodes, each coupled with those right and below; sizes go round 1 … 6, or are all `uniform`.
Problem make_grid(int n, Supernodes supernodes, int uniform = 0, int dependent = -1) {
  std::vector<int> sizes;
  Edges edges;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sizes.push_back(uniform > 0 ? uniform : 1 + (5 * i + 3 * j) % 6);
      if (i + 1 < n) edges.emplace_back(i * n + j, (i + 1) * n + j);
      if (j + 1 < n) edges.emplace_back(i * n + j + 1, i * n + j);
    }
  }
  return make_problem(sizes, edges, supernodes, dependent);
}

// All blocks coupled with all: one supernode, in pieces where it is wide.
Problem make_clique(int n, int size, Supernodes supernodes) {
  Edges edges;
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) edges.emplace_back(a, b);
  }
  return make_problem(std::vector<int>(n, size), edges, supernodes);
}

Vector make_right(int n) {
  return Vector::NullaryExpr(n, [](Eigen::Index r) { return std::sin(1.0 + 3.0 * double(r)); });
}

void check_solution(Problem p) {
  const Vector b = make_right(p.program.n_rows);
  const Vector expected = p.S.ldlt().solve(b);
  factorise(p.program, p.factor(), 1e-12);
  for (double pivot : p.pivot) CHECK(pivot > 0.0);
  Vector x = b;
  solve(p.program, p.factor(), x.data());
  CHECK((x - expected).norm() <= 1e-11 * expected.norm());
  // L⁻ᵀ: of v = L⁻ᵀ e_r the quadratic form is D_r
  for (int r = 0; r < p.program.n_rows; r += 7) {
    Vector v = Vector::Unit(p.program.n_rows, r);
    solve_transposed(p.program, p.factor(), v.data());
    CHECK(v.dot(p.S * v) == doctest::Approx(p.pivot[r]).epsilon(1e-10));
  }
  // the same numbers again, from values that are not zero any more
  const std::vector<double> pivot = p.pivot;
  put(p);
  factorise(p.program, p.factor(), 1e-12);
  CHECK(p.pivot == pivot);
}

constexpr Supernodes both_ways[] = {Supernodes::never, Supernodes::always};

}  // namespace

TEST_CASE("solutions are those of dense algebra, as a list and with supernodes") {
  for (const Supernodes way : both_ways) {
    CAPTURE(static_cast<int>(way));
    for (const int n : {1, 2, 3, 7, 12}) {
      CAPTURE(n);
      check_solution(make_grid(n, way));
      check_solution(make_grid(n, way, 3));
    }
    for (const int size : {1, 2, 3, 5, 6}) check_solution(make_clique(30, size, way));
    // two parts that know nothing of each other, and a block alone
    check_solution(make_problem({3, 3, 2, 6, 1}, {{0, 1}, {3, 2}, {2, 3}}, way));
  }
}

TEST_CASE("a list has no panels, supernodes have no list, and the choice follows the fill") {
  const BlockProgram list = make_grid(7, Supernodes::never).program;
  CHECK(list.supernodes.empty());
  CHECK(list.n_values == list.n_block_values);
  const BlockProgram panels = make_grid(7, Supernodes::always).program;
  CHECK(!panels.supernodes.empty());
  CHECK(panels.forward.empty());
  CHECK(panels.n_values > panels.n_block_values);
  CHECK(make_grid(4, Supernodes::where_they_pay, 3).program.supernodes.empty());
  CHECK(!make_grid(30, Supernodes::where_they_pay, 3).program.supernodes.empty());
}

TEST_CASE("of two equal rows one is dropped, and the rest is solved as if it were not there") {
  for (const Supernodes way : both_ways) {
    CAPTURE(static_cast<int>(way));
    const int row = 40;  // of the grid's rows; in a block of three its second
    Problem p = make_grid(9, way, 3, row);
    factorise(p.program, p.factor(), 1e-10);
    int dropped = -1;
    for (int r = 0; r < p.program.n_rows; ++r) {
      CHECK(std::isfinite(p.pivot[r]));
      if (p.inverse[r] != 0.0) continue;
      CHECK(dropped < 0);
      dropped = r;
    }
    const bool one_of_them = dropped == row || dropped == row - 1;
    REQUIRE(one_of_them);
    CHECK(p.pivot[dropped] == 0.0);
    Vector x = make_right(p.program.n_rows);
    const Vector b = x;
    solve(p.program, p.factor(), x.data());
    CHECK(x[dropped] == 0.0);
    Matrix reduced = p.S;
    reduced.row(dropped).setZero();
    reduced.col(dropped).setZero();
    reduced(dropped, dropped) = 1.0;
    Vector right = b;
    right[dropped] = 0.0;
    CHECK((x - reduced.ldlt().solve(right)).norm() <= 1e-10 * x.norm());
  }
}

TEST_CASE("a row with +∞ as its diagonal is left out; rows that are not numbers are dropped") {
  for (const Supernodes way : both_ways) {
    CAPTURE(static_cast<int>(way));
    Problem p = make_grid(8, way, 3);
    p.diagonal[17] = std::numeric_limits<double>::infinity();
    factorise(p.program, p.factor(), 0.0);
    CHECK(p.inverse[17] == 0.0);
    Vector x = make_right(p.program.n_rows);
    solve(p.program, p.factor(), x.data());
    CHECK(x[17] == 0.0);
    CHECK(x.allFinite());

    put(p);
    p.values[p.program.diagonal[5]] = std::numeric_limits<double>::quiet_NaN();
    factorise(p.program, p.factor(), 0.0);
    CHECK(p.inverse[p.program.row[5]] == 0.0);
  }
}

// Block k hangs on block (k − 1)/2, and brothers are coupled, as in a tree of bodies.
Problem make_tree(int n, int uniform) {
  std::vector<int> sizes;
  Edges edges;
  for (int k = 0; k < n; ++k) {
    sizes.push_back(uniform > 0 ? uniform : 1 + k % 6);
    if (k > 0) edges.emplace_back((k - 1) / 2, k);
    if (k > 0 && k % 2 == 0) edges.emplace_back(k - 1, k);
  }
  return make_problem(sizes, edges, Supernodes::where_they_pay);
}

TEST_CASE("a large tree is cut into subtrees, and solved as before") {
  for (const int uniform : {0, 3}) {
    const Problem p = make_tree(500, uniform);
    CHECK(p.program.subtrees.size() >= 4);
    check_solution(p);
  }
  // a chain is not: its halves are eaten in turn
  Edges edges;
  for (int k = 1; k < 500; ++k) edges.emplace_back(k - 1, k);
  const Problem chain = make_problem(std::vector<int>(500, 2), edges, Supernodes::where_they_pay);
  CHECK(chain.program.subtrees.empty());
  check_solution(chain);
}

TEST_CASE("bits do not depend on the number of threads") {
  const auto calc = [](Problem p) {
    factorise(p.program, p.factor(), 1e-12);
    Vector x = make_right(p.program.n_rows), y = x;
    solve(p.program, p.factor(), x.data());
    solve_transposed(p.program, p.factor(), y.data());
    std::vector<double> all = p.pivot;
    all.insert(all.end(), x.data(), x.data() + x.size());
    all.insert(all.end(), y.data(), y.data() + y.size());
    return all;
  };
  for (const Problem& p : {make_tree(500, 3), make_tree(450, 0), make_grid(24, Supernodes::always),
                           make_grid(20, Supernodes::always, 6)}) {
    const std::vector<double> alone = calc(p);
    for (const int threads : {2, 3, 4}) {
      const UsedThreads used(threads);
      for (int again = 0; again < 3; ++again) CHECK(calc(p) == alone);
    }
  }
}

TEST_CASE("blocks of the diagonal alone") {
  for (const Supernodes way : both_ways) {
    Problem p = make_grid(5, way);
    factorise_blocks(p.program, p.factor(), 1e-12);
    const Vector b = make_right(p.program.n_rows);
    Vector x = b;
    solve_blocks(p.program, p.factor(), x.data());
    for (std::size_t k = 0; k < p.sizes.size(); ++k) {
      const int row = p.program.row[k], m = p.sizes[k];
      const Vector image = p.S.block(row, row, m, m) * x.segment(row, m);
      CHECK((image - b.segment(row, m)).norm() <= 1e-11);
    }
  }
}
