// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which row of a base set K to exchange for one left out, so that the set becomes better conditioned.
//
// On M each row left out is a combination of those kept,
//
//   d = Σ c_dk k,   c_dk = (S_K⁻¹ S_Kd)_k,
//
// where c depends on neither masses nor metric. Exchanging k for d multiplies the volume of the set
// by |c_dk| (rows divided by their sizes s), as in strong rank-revealing QR (Gu, Eisenstat 1996).
// Rows are to be exchanged while
//
//   |c_dk| s_k/s_d > 4   and   |c_dk| σ_k/σ_d > 1,   σ_r = √S_rr at a reference point.
//
// Each exchange raises the volume in both scalings: it ends, and cannot swing back at the same
// point. Where the second condition does not bind, the smallest singular value of K is afterwards at
// least σ_rank(all rows)/√(1 + 16 r (n − r)): K is bad only where all rows together are.
#pragma once

#include <vector>

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class RowExchange {
 public:
  // sigma: [rows]. Allocates; `find` does not.
  RowExchange(const SystemIn<Space>& system, std::vector<double> sigma);

  struct Pair {
    int out;
    int in;  // −1: none
  };
  // Rows left out are looked at in so many combinations at most, each of which costs a product with S and
  // a solve: the cost per point is bounded. A single loop of hinges has three redundant rows. The signs in
  // a combination change from one quick look to the next like Walsh functions, so that rows which cancel
  // each other in one look do not in the next.
  static constexpr int thorough = 8, quick = 3;

  // Needs rows in ws and the factor of the base set with these parameters; changes the scratch of ws.
  // least_pivot: that the row which comes in must have after all others, relative to σ².
  Pair find(const Parameters<double, Space>& parameters, const std::vector<int>& left_out,
            double least_pivot, int most_groups, Workspace<double, Space>& ws);

  // The largest |c_dk| s_k/s_d that the last `find` saw (of combinations, where there are many rows).
  double largest() const { return largest_; }

  // The exchange itself, in a mask and in the list of rows left out.
  static void apply(const Pair& pair, LargeVector<double>& mask, std::vector<int>& left_out);

 private:
  Pair find_in_group(const Parameters<double, Space>& parameters, const std::vector<int>& left_out,
                     double least_pivot, Workspace<double, Space>& ws, int group, int n_groups);
  int find_row_to_take(const Parameters<double, Space>& parameters,
                       const std::vector<int>& left_out, double least_pivot,
                       Workspace<double, Space>& ws, int out);
  void calc_products(const Parameters<double, Space>& parameters, const LargeVector<double>& mu,
                     LargeVector<double>& products, Workspace<double, Space>& ws) const;

  const SystemIn<Space>& system_;
  std::vector<double> sigma_;
  double largest_ = 0.0;
  unsigned n_looks_ = 0;                        // quick ones, for the signs
  LargeVector<double> solution_, combination_;  // [rows] scratch
};

}  // namespace trammel
