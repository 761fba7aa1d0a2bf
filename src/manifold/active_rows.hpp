// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which constraint rows take part in a step, decided at points of M only and kept for the whole
// step.
//
// The base set K has as many rows as the rank of the mechanism (rank.hpp) and never grows. A
// redundant mechanism has several base sets, and which of them is well conditioned changes with the
// motion: on M each row left out is a combination of those kept, d = Σ c_dk k, so that kept rows
// closed to ε leave d open by |c_d| ε. At accepted points and output points rows are therefore
// exchanged while a coefficient is large (row_exchange.hpp). Afterwards K is bad only where all rows
// together are.
//
// That is a singular position: rows of K become dependent for an instant, and their pivot D_r in the
// factor of S goes to zero. The acceleration error of a stage off M, defect/σ, would shorten the
// steps without end. So where a pivot has fallen below 10⁻⁵ of its reference, the combination of
// rows that nearly vanishes is found,
//
//   v = L⁻ᵀ e_r,  vᵀ S v = D_r,
//
// and the row with the largest share in it is left out of the next step, if its own pivot after
// all others, D_r / v_k², is below 10⁻⁷ of the smallest reference (rows scaled to unit diagonal).
// This is a *passage*. At the end of that step all rows of K are considered again; those that come
// back are closed, and the change of the velocities which that takes says how good the passage was.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "manifold/rank.hpp"
#include "manifold/row_exchange.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

// A singular position passed by leaving out a row.
struct Passage {
  double t;    // s, when it began
  int row;     // the first row left out
  int n_rows;  // how many in all
};

template <class Space>
class ActiveRows {
 public:
  explicit ActiveRows(const SystemIn<Space>& system) : system_(system) {}

  // Takes over the base set; ws is scratch. Allocates.
  void start(const RankReport& rank, Workspace<double, Space>& ws);

  // ---- queries at points of M; ws has their rows

  // The smallest pivot of the factor in ws, relative to its reference. Needs a factor with the base
  // set.
  struct Smallest {
    double ratio;
    int row;
  };
  Smallest find_smallest(const Workspace<double, Space>& ws) const {
    return find_smallest(ws.pivot.data());
  }
  Smallest find_smallest(const double* pivot) const;
  static bool is_sound(const Smallest& smallest) { return smallest.ratio >= look_below; }

  // Before anything is decided at a point: the choice is the base set of the current step.
  void reset();

  // Exchanges rows of the base set for rows left out while that makes it clearly better conditioned.
  // Needs the factor with the base set of the choice, and leaves mask and factor of the new one.
  // false: the base set stays.
  bool improve(Workspace<double, Space>& ws);
  // Whether that is worth a look at the end of a step: not again right after one that found small
  // coefficients only, unless a pivot has fallen since then. Needs the factor with the base set.
  bool is_due(const Workspace<double, Space>& ws);
  // Whether rows are exchanged at the end of the step that the output point lies in.
  bool is_exchanged_after_output() const { return output_.exchanged; }
  bool has_spare_rows() const { return !base_of(choice_).left_out.empty(); }

  // Leaves out rows for the step that begins here where the base set is nearly dependent, with mask
  // and factor in ws. Needs the factor with the base set.
  void choose(Workspace<double, Space>& ws);

  // The row that is open by the most, of those open by more than the limit, or −1. Of all rows, kept
  // or not: g is that of the joints as the model has them.
  int find_open_row(const Workspace<double, Space>& ws) const;
  // The same of velocities: by ġ = J u + g_t of all rows, with the velocities in ws.
  int find_parting_row(const Workspace<double, Space>& ws, const double* rates) const;
  // No row is open where the largest |g| is not above this, and none is parting where the largest |ġ|
  // is not (least_speed is chosen so).
  double least_opening() const { return least_opening_; }
  // The limit is at least this, relative to the size of the parts.
  void allow_opening(double least);

  // ---- bookkeeping of steps

  // An output point within the step: what is chosen there is for that point only.
  void begin_output() {
    std::swap(choice_, output_);
    reset();
  }
  void end_output() { std::swap(choice_, output_); }

  // The rows of the current step, and all rows of the base set.
  void use_step_rows(Workspace<double, Space>& ws) const {
    use_base_rows(ws);
    for (const int r : step_.dropped) ws.mask[r] = row_left_out;
  }
  void use_base_rows(Workspace<double, Space>& ws) const { ws.mask = base_of(step_).mask; }
  const std::vector<int>& step_left_out() const { return base_of(step_).left_out; }
  bool is_passage() const { return !step_.dropped.empty(); }  // the current step
  bool has_all_rows() const { return base_of(step_).left_out.empty() && !is_passage(); }
  bool will_be_passage() const { return !choice_.dropped.empty(); }  // what choose decided
  bool came_back() const { return choice_.dropped.size() < step_.dropped.size(); }

  // The step was accepted: what was chosen at its end is the choice of the next. true: other rows than
  // those of the step so far.
  bool accept(double t);

  const std::vector<Passage>& passages() const { return passages_; }
  int n_passages() const { return n_passages_; }
  int n_exchanges() const { return n_exchanges_; }
  // Rows outside the base set of the last point that was considered.
  const std::vector<int>& left_out() const { return bases_[point_base_].left_out; }

  static constexpr double drop_below = 1e-7;  // of the smallest reference pivot
  static constexpr double look_below = 100.0 * drop_below;

 private:
  struct Base {
    LargeVector<double> mask;         // [rows]
    LargeVector<double> reference;    // [rows] D at the reference point, 0 for rows left out
    LargeVector<double> size;         // [rows] diagonal of S there
    double smallest_reference = 1.0;  // of D/S_rr
    std::vector<int> left_out;        // rows outside this set
  };
  struct Choice {
    int base = 0;              // which of bases_
    std::vector<int> dropped;  // rows of it that are left out for the step
    bool exchanged = false;    // the base is not that of the step before
  };

  const Base& base_of(const Choice& choice) const { return bases_[choice.base]; }
  void calc_reference(const double* z, bool guarded, Workspace<double, Space>& ws,
                      Base& base) const;
  int find_largest_share(Workspace<double, Space>& ws, int row, double& pivot) const;
  Base& make_new_base();
  void factor(Workspace<double, Space>& ws) const;

  const SystemIn<Space>& system_;
  // one base for all choices; where rows may be exchanged, one more than there are choices
  std::vector<Base> bases_ = std::vector<Base>(1);
  std::vector<double> reference_z_;                         // where rows may be exchanged
  std::unique_ptr<Workspace<double, Space>> reference_ws_;  // likewise
  Choice step_, choice_, output_;
  int point_base_ = 0;  // the base set of the last point that was considered
  std::unique_ptr<RowExchange<Space>> exchange_;  // where rows may be exchanged
  int waits_ = 0;                                 // steps until the next look
  LargeVector<double> seen_pivot_;                // [rows] at the last look, where it is to wait
  double open_limit_ = 0.0;                       // |g|/size by which a row may be open
  double least_opening_ = 0.0;                    // m or unit-free, the smallest of these limits
  std::vector<Passage> passages_;                 // the first thousand
  int n_passages_ = 0;
  int n_exchanges_ = 0;
};

}  // namespace trammel
