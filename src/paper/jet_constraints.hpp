// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The constraints in the paper's coordinates y = (r, θ) ∈ R⁷ per body: g, dg, d²g, d³g in the
// ambient space, on and off S³, and counters as the paper's tables have them.
//
//   C    g = r_j + R_j χ_j − r_i − R_i χ_i
//   SO   g = ⟨R_i a, R_j b⟩
//   O    g = ⟨R_i a, d⟩ − ⟨a, χ_i⟩,  d = r_j + R_j χ_j − r_i
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "paper/rotation_forms.hpp"
#include "system/joint_table.hpp"
#include "system/system.hpp"

namespace trammel::paper {

// How often each differential was evaluated (docs/explanation/paper.md defines them).
struct JetCounts {
  std::int64_t dist = 0;
  std::int64_t proj = 0;    // projections that had something to do
  std::int64_t newton = 0;  // Newton iterations in all of them
  int newton_max = 0;       // in one projection
  std::int64_t dg = 0;      // evaluations of the matrix dg
  std::int64_t d2g = 0;     // evaluations of d²gⁱ, counted by rows i
  std::int64_t d3g = 0;     // evaluations of d³gⁱ, SO and O rows between two moving bodies
  std::int64_t df_inv = 0;
  std::int64_t d2f_inv = 0;
  double dist_seconds = 0.0;
  double proj_seconds = 0.0;
};

class JetConstraints {
 public:
  explicit JetConstraints(const SystemIn<Spatial>& system);

  // Why a system has no jet form; empty: it has one.
  static std::string why_not(const SystemIn<Spatial>& system);

  int n() const { return 7 * system_.topology.n_bodies; }  // coordinates
  int rows() const { return system_.topology.n_rows; }     // ℓ
  const SystemIn<Spatial>& system() const { return system_; }

  VectorX calc_g(const VectorX& y) const;
  MatrixX calc_dg(const VectorX& y);                      // ℓ × n
  VectorX calc_d2g(const VectorX& y, const VectorX& y1);  // d²g(y₁, y₁), ℓ

  // Σ μᵢ d²gⁱ, n × n
  MatrixX calc_d2g_sum(const VectorX& y, const VectorX& mu);

  // What the orthogonal projection needs, in one pass:
  //   d2g_v   rows d²gⁱ(v, ·), ℓ × n
  //   beta_sum = Σ βᵢ d²gⁱ + Σ αᵢ d³gⁱ(v, ·, ·),  alpha_sum = Σ αᵢ d²gⁱ
  struct Second {
    MatrixX d2g_v, beta_sum, alpha_sum;
  };
  Second calc_second(const VectorX& y, const VectorX& v, const VectorX& alpha, const VectorX& beta);

  JetCounts counts;

 private:
  using Vector14 = Eigen::Matrix<double, 14, 1>;
  using Matrix14 = Eigen::Matrix<double, 14, 14>;
  enum class Kind { coincidence, symmetric, orthogonal };

  // One basic constraint; body −1 is the ground.
  struct Basic {
    Kind kind;
    int i, j;
    Vector3 chi_i = Vector3::Zero(), chi_j = Vector3::Zero();  // C, O
    Vector3 a = Vector3::Zero(), b = Vector3::Zero();          // SO: a, b; O: a
    int row;
    int rows() const { return kind == Kind::coincidence ? 3 : 1; }
    bool has_third() const { return kind != Kind::coincidence && i >= 0 && j >= 0; }
  };
  void add_basic_constraints(const JointTopology& joint, const JointLayout& layout,
                             const JointParameters<double, Spatial>& data);
  static Vector3 part3(const VectorX& y, int body);
  static Vector4 part4(const VectorX& y, int body);  // of a vector that is 0 on the ground
  static Vector4 theta_of(const VectorX& y, int body);
  Matrix14 calc_hessian(const Basic& c, int component, const VectorX& y) const;
  Matrix14 calc_third(const Basic& c, const VectorX& y, const VectorX& v) const;
  static Vector14 gather(const Basic& c, const VectorX& v);
  static void scatter(const Basic& c, const Matrix14& local, double factor, MatrixX& sum);

  const SystemIn<Spatial>& system_;
  std::vector<Basic> basic_constraints_;
};

}  // namespace trammel::paper
