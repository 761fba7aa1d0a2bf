// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Block LU against a dense solution with full pivoting.
#include "math/block_lu.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <complex>
#include <random>
#include <type_traits>

using namespace trammel;

namespace {

template <class Number>
using Scalar = std::conditional_t<std::is_same_v<Number, double>, double, std::complex<double>>;

double make_number(std::mt19937& random, double*) {
  return std::uniform_real_distribution<double>(-1, 1)(random);
}
Complex make_number(std::mt19937& random, Complex*) {
  return {make_number(random, static_cast<double*>(nullptr)),
          make_number(random, static_cast<double*>(nullptr))};
}
double to_scalar(double x) { return x; }
std::complex<double> to_scalar(const Complex& z) { return {z.re, z.im}; }

// Bodies 0 … n−1 of six rows in a tree with some more links, joints behind them without a diagonal block:
// joint k has `rows` rows and lies between body k and an earlier one.
struct Sample {
  std::vector<int> sizes;
  std::vector<std::pair<int, int>> edges;
  Predecessors after;
};
Sample make_sample(int n, int rows, std::mt19937& random) {
  Sample sample;
  sample.sizes.assign(n, 6);
  sample.after.resize(2 * n);
  for (int k = 0; k < n; ++k) {
    sample.sizes.push_back(rows);
    sample.edges.push_back({k, n + k});
    if (k > 0) sample.edges.push_back({static_cast<int>(random() % k), n + k});
    sample.after[n + k] = {k};
    if (k > 1 && k % 3 == 0) sample.edges.push_back({k, k - 2});  // a force
  }
  return sample;
}

template <class Number>
void check_solutions(int n, int rows) {
  std::mt19937 random(n + rows);
  const Sample sample = make_sample(n, rows, random);
  const BlockGraph graph = make_block_graph(2 * n, sample.edges);
  const std::vector<int> order = order_by_minimum_degree(sample.sizes, graph, sample.after);
  REQUIRE(order.size() == sample.sizes.size());
  std::vector<int> position(order.size());
  for (std::size_t step = 0; step < order.size(); ++step)
    position[order[step]] = static_cast<int>(step);
  for (int k = 0; k < n; ++k) CHECK(position[k] < position[n + k]);
  const BlockLuPattern pattern(sample.sizes, graph, order);
  BlockLu<Number> lu(pattern);

  using Matrix = Eigen::Matrix<Scalar<Number>, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix dense = Matrix::Zero(pattern.n_rows(), pattern.n_rows());
  lu.clear();
  const auto fill = [&](int a, int b, double diagonal) {
    const BlockLuPattern::Place place = pattern.find(a, b);
    Number* const block = lu.at(place);
    for (int i = 0; i < sample.sizes[a]; ++i) {
      for (int j = 0; j < sample.sizes[b]; ++j) {
        Number x = make_number(random, static_cast<Number*>(nullptr));
        if (i == j) x += Number(diagonal);
        block[i * place.stride + j] = x;
        dense(pattern.first_row(a) + i, pattern.first_row(b) + j) = to_scalar(x);
      }
    }
  };
  for (int k = 0; k < n; ++k) fill(k, k, 4.0);
  // the rows of a joint are well determined on its outer body
  for (const auto& [a, b] : sample.edges) {
    const double diagonal = b == n + a ? 4.0 : 0.0;
    fill(a, b, diagonal);
    fill(b, a, diagonal);
  }
  REQUIRE(lu.factor());
  std::vector<Number> b;
  Eigen::Matrix<Scalar<Number>, Eigen::Dynamic, 1> right(pattern.n_rows());
  for (int r = 0; r < pattern.n_rows(); ++r) {
    b.push_back(make_number(random, static_cast<Number*>(nullptr)));
    right[r] = to_scalar(b.back());
  }
  const auto exact = dense.fullPivLu().solve(right).eval();
  lu.solve(b.data());
  double largest = 0.0;
  for (int r = 0; r < pattern.n_rows(); ++r) {
    largest = std::max(largest, std::abs(to_scalar(b[r]) - exact[r]));
  }
  CHECK(largest < 1e-9 * (1.0 + exact.cwiseAbs().maxCoeff()));
}

}  // namespace

TEST_CASE("block LU solves real and complex systems with zero blocks on the diagonal") {
  for (const int n : {1, 2, 7, 16}) {
    for (const int rows : {0, 1, 3, 5, 6}) {
      CAPTURE(n);
      CAPTURE(rows);
      check_solutions<double>(n, rows);
      check_solutions<Complex>(n, rows);
    }
  }
}

TEST_CASE("block LU reports a singular pivot") {
  const std::vector<int> sizes = {2};
  const BlockGraph graph = make_block_graph(1, {});
  const BlockLuPattern pattern(sizes, graph, {0});
  BlockLu<double> lu(pattern);
  lu.clear();
  double* const block = lu.at(pattern.find(0, 0));
  block[0] = 1.0, block[1] = 2.0, block[2] = 2.0, block[3] = 4.0;
  CHECK_FALSE(lu.factor());
}

TEST_CASE(
    "minimum degree with predecessors keeps the order of the others, and fills nothing in a star") {
  // a hub with a hundred arms: arms, then their joints, then the hub
  const int n = 100;
  std::vector<int> sizes(n + 1, 6);
  std::vector<std::pair<int, int>> edges;
  Predecessors after(2 * n + 1);
  for (int k = 0; k < n; ++k) {
    sizes.push_back(5);
    edges.push_back({k + 1, n + 1 + k});
    edges.push_back({0, n + 1 + k});
    after[n + 1 + k] = {k + 1};
  }
  const BlockGraph graph = make_block_graph(2 * n + 1, edges);
  const BlockLuPattern pattern(sizes, graph, order_by_minimum_degree(sizes, graph, after));
  // 36 + 30 + 30 of an arm, 25 + 30 + 30 of its joint, 36 of the hub
  CHECK(pattern.n_values() == 100 * (96 + 85) + 36);
}
