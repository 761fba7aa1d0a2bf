// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/least_squares.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace trammel {

struct LeastSquares::Factor {
  virtual ~Factor() = default;
  virtual double& a(int row, int column) = 0;
  virtual double& b(int row) = 0;
  virtual void solve(std::vector<double>& x) = 0;
};

namespace {

// Up to `most` equations without touching the heap, which Eigen's decompositions do for matrices of any size.
template <int most>
struct FactorOf final : LeastSquares::Factor {
  explicit FactorOf(int n) : a_(n, n), b_(n), y_(n), decomposition_(n, n) {}
  double& a(int row, int column) override { return a_(row, column); }
  double& b(int row) override { return b_(row); }
  void solve(std::vector<double>& x) override {
    const Eigen::Index n = b_.size();
    decomposition_.compute(a_);
    const Eigen::Index rank = decomposition_.rank();
    // Qᵀ b, of which the first `rank` numbers count; then T⁻¹
    y_ = b_;
    y_.applyOnTheLeft(decomposition_.matrixQ().setLength(rank).adjoint());
    y_.tail(n - rank).setZero();
    auto independent = y_.head(rank);
    decomposition_.matrixT()
        .topLeftCorner(rank, rank)
        .template triangularView<Eigen::Upper>()
        .solveInPlace(independent);
    // Zᵀ, a reflection for each independent column: 1 at its own place, w at those of the dependent ones.
    // By hand: Eigen's own allocates.
    for (Eigen::Index k = 0; rank < n && k < rank; ++k) {
      const auto w = decomposition_.matrixQTZ().row(k).tail(n - rank);
      const double along =
          decomposition_.zCoeffs()[k] * (y_[k] + w.transpose().dot(y_.tail(n - rank)));
      y_[k] -= along;
      y_.tail(n - rank) -= along * w.transpose();
    }
    const auto& place = decomposition_.colsPermutation().indices();
    for (Eigen::Index k = 0; k < n; ++k) x[place[k]] = y_[k];
  }

  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;
  Matrix a_;
  Vector b_, y_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition_;
};

constexpr int most_in_place = 12;

}  // namespace

LeastSquares::LeastSquares(int n) : x_(n, 0.0) {
  if (n <= most_in_place) {
    factor_ = std::make_unique<FactorOf<most_in_place>>(n);
  } else {
    factor_ = std::make_unique<FactorOf<Eigen::Dynamic>>(n);
  }
}
LeastSquares::~LeastSquares() = default;

double& LeastSquares::a(int row, int column) { return factor_->a(row, column); }
double& LeastSquares::b(int row) { return factor_->b(row); }

bool LeastSquares::solve() {
  factor_->solve(x_);
  return std::all_of(x_.begin(), x_.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace trammel
