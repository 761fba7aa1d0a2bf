// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// The rank by pivots at the start and at neighbours on M, and the combination of each row left out.
#include "manifold/rank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/projection.hpp"
#include "manifold/row_exchange.hpp"
#include "system/state.hpp"

namespace trammel {

template <class Space>
Parameters<double, Space> make_kinematic_metric(const SystemIn<Space>& system, bool own_sizes) {
  Parameters<double, Space> parameters = system.parameters;
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    const double ratio = own_sizes ? system.length[b] / system.size[b] : 1.0;
    // diag(L² I, ratio² I): dr is measured by L, φ by radians or by L/ℓ_b
    parameters.bodies[b].inverse_mass = system.length[b] * system.length[b];
    parameters.bodies[b].inverse_inertia = Angular<double, Space>::filled(ratio * ratio);
  }
  return parameters;
}

namespace {

// A walk along M: a random free direction, so far in all, in so many moves.
constexpr double walk_length = 0.1;  // rad, or relative to the mechanism's length
struct Effort {
  int walks;
  int moves;
};
constexpr Effort effort_for(int n_bodies) {
  return n_bodies <= 1000 ? Effort{6, 10} : Effort{2, 4};
}

// Rows left out whose combination is found: it costs a solve.
constexpr std::size_t most_explained = 200;

template <class Space>
class RankFinder {
 public:
  RankFinder(const SystemIn<Space>& system, double t)
      : system_(system),
        topology_(system.topology),
        by_length_{make_kinematic_metric(system), rank_threshold(topology_.n_bodies)},
        metric_(&by_length_),
        ws_(system.topology) {
    ws_.time = t;
  }

  RankReport find(const double* z) {
    RankReport report;
    const Sample start = sample(z);
    Sample best = start;
    report.reference.assign(z, z + topology_.layout.size());
    // dependent rows: is that so around the start, too? Random walks along M
    if (start.rank < topology_.n_rows) {
      const std::vector<double> at_start = report.reference;
      const Effort effort = effort_for(topology_.n_bodies);
      for (int k = 0; k < effort.walks; ++k) {
        std::vector<double> walker = at_start;
        metric_ = start.metric;
        if (!walk(walker, effort.moves)) continue;
        const Sample there = sample(walker.data());
        if (there.rank > best.rank) {
          best = there;
          report.reference = std::move(walker);
        }
      }
    }
    metric_ = best.metric;
    report.rank = best.rank;
    report.rank_at_start = start.rank;
    report.mask = best.mask;
    // a well conditioned choice of as many rows
    choose_base(report);
    if (start.rank == best.rank) report.rank_at_start = report.rank;
    report.smallest_pivot = start.smallest_pivot;
    report.smallest_pivot_row = start.smallest_pivot_row;
    if (start.rank == best.rank && start.rank < topology_.n_rows) find_smallest_pivot(z, report);
    report.rank_without_drivers = topology_.drivers.empty()
                                      ? report.rank
                                      : calc_rank_without_drivers(report.reference.data());
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (best.mask[r] == 1.0 && start.mask[r] != 1.0) report.lost_at_start.push_back(r);
    }
    explain(z, report);
    return report;
  }

 private:
  struct Metric {
    Parameters<double, Space> parameters;
    double threshold;
  };
  struct Sample {
    int rank = 0;
    const Metric* metric = nullptr;  // in which the rows were found
    LargeVector<double> mask;
    double smallest_pivot = 1.0;
    int smallest_pivot_row = -1;
  };

  void calc_rows_at(const double* z) {
    calc_positions(topology_, z, ws_);
    calc_rows(topology_, metric_->parameters, ws_);
  }
  void calc_factor_here() { calc_factor(topology_, metric_->parameters, ws_, metric_->threshold); }

  // With L alone where nothing looks dependent, else with the metric that finds the larger rank.
  Sample sample(const double* z) {
    constexpr double clearly_independent = 100.0;  // thresholds
    Sample by_length = sample_in(by_length_, z);
    if (by_length.rank == topology_.n_rows &&
        by_length.smallest_pivot >= clearly_independent * by_length_.threshold) {
      return by_length;
    }
    if (!by_size_) {
      by_size_.emplace(Metric{make_kinematic_metric(system_, true), 100.0 * by_length_.threshold});
    }
    Sample by_size = sample_in(*by_size_, z);
    if (by_size.rank > by_length.rank) return by_size;
    if (by_size.rank == topology_.n_rows && by_size.smallest_pivot > by_length.smallest_pivot) {
      by_length.smallest_pivot = by_size.smallest_pivot;
      by_length.smallest_pivot_row = by_size.smallest_pivot_row;
    }
    return by_length;
  }

  Sample sample_in(const Metric& metric, const double* z) {
    metric_ = &metric;
    std::fill(ws_.mask.begin(), ws_.mask.end(), 1.0);
    calc_rows_at(z);
    calc_factor_here();
    Sample result;
    result.metric = metric_;
    result.mask.assign(topology_.n_rows, row_left_out);
    for (int r = 0; r < topology_.n_rows; ++r) {
      // the pivot was below the threshold: dependent
      if (ws_.inverse[r] == 0.0) continue;
      result.mask[r] = 1.0;
      ++result.rank;
      const double pivot = ws_.pivot[r] / ws_.diagonal[r];
      if (pivot < result.smallest_pivot) {
        result.smallest_pivot = pivot;
        result.smallest_pivot_row = r;
      }
    }
    return result;
  }

  // The rows were kept in the order of elimination: others may give a better conditioned set. With
  // such a set a row left out is judged once more: one that is out of line by more than the threshold
  // is independent after all.
  void choose_base(RankReport& report) {
    std::vector<int> left_out;
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (report.mask[r] != 1.0) left_out.push_back(r);
    }
    // a look at a row costs a solve: systems with many are judged by their pivots alone
    if (left_out.empty() || left_out.size() > most_explained) return;
    const Parameters<double, Space>& metric = metric_->parameters;
    std::fill(ws_.mask.begin(), ws_.mask.end(), 1.0);
    calc_rows_at(report.reference.data());
    calc_factor(topology_, metric, ws_, metric_->threshold);
    std::vector<double> sigma(topology_.n_rows);
    // √S_rr: the length of each row in the metric
    for (int r = 0; r < topology_.n_rows; ++r) sigma[r] = std::sqrt(ws_.diagonal[r]);
    RowExchange<Space> exchange(system_, sigma);
    const auto use_rows = [&] {
      ws_.mask = report.mask;
      calc_factor(topology_, metric, ws_, 0.0);
    };
    use_rows();
    // each exchange raises the volume that the rows span
    for (int n = 0; n < 2 * topology_.n_rows; ++n) {
      const auto pair =
          exchange.find(metric, left_out, metric_->threshold, RowExchange<Space>::thorough, ws_);
      if (pair.in < 0) break;
      exchange.apply(pair, report.mask, left_out);
      use_rows();
    }
    std::vector<char> shared(topology_.n_rows, 0);
    for (const int r : left_out) {
      DependentRow row{r, {}, 0.0, 0.0};
      explain_row(row, shared);
      // sin² above the threshold: independent after all
      if (row.angle * row.angle <= metric_->threshold) continue;
      report.mask[r] = 1.0;
      ++report.rank;
      use_rows();
    }
  }

  // Of the rows that were chosen, at the start.
  void find_smallest_pivot(const double* z, RankReport& report) {
    ws_.mask = report.mask;
    calc_rows_at(z);
    calc_factor(topology_, metric_->parameters, ws_, 0.0);
    report.smallest_pivot = 1.0;
    report.smallest_pivot_row = -1;
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (ws_.mask[r] != 1.0) continue;
      const double pivot = ws_.pivot[r] / ws_.diagonal[r];
      if (!(pivot < report.smallest_pivot)) continue;
      report.smallest_pivot = pivot;
      report.smallest_pivot_row = r;
    }
  }

  int calc_rank_without_drivers(const double* z) {
    std::fill(ws_.mask.begin(), ws_.mask.end(), 1.0);
    // all rows but those of drivers
    for (const DriverTopology& driver : topology_.drivers) {
      ws_.mask[topology_.coordinate_rows[driver.coordinate_row].row] = row_left_out;
    }
    calc_rows_at(z);
    calc_factor_here();
    return static_cast<int>(std::count_if(ws_.inverse.begin(),
                                          ws_.inverse.begin() + topology_.n_rows,
                                          [](double inverse) { return inverse != 0.0; }));
  }

  // Moves z along a random free direction, back onto M after each move. false: M was lost.
  bool walk(std::vector<double>& z, int moves) {
    const int n = topology_.n_bodies;
    const State<Space> state(topology_.layout, z.data());
    std::vector<Twist<double, Space>> w(n + 1, Twist<double, Space>::zero());
    for (int b = 0; b < n; ++b) {
      std::array<double, Space::n_u> random;
      for (double& x : random) x = normal_(generator_);
      w[b].linear = system_.length[b] * Linear<double, Space>::load(random.data());
      w[b].angular = Angular<double, Space>::load(random.data() + Space::dimension);
    }
    for (int move = 0; move < moves; ++move) {
      calc_rows_at(z.data());
      calc_factor_here();
      // w ← w − A⁻¹ Jᵀ S⁻¹ J w: into ker J
      calc_j_times(topology_, ws_, w.data(), ws_.mu.data());
      solve(topology_.program, ws_.factor(), ws_.mu.data());
      calc_mass_step(topology_, metric_->parameters, ws_, ws_.mu.data());
      double size = 0.0;
      for (int b = 0; b < n; ++b) {
        w[b].linear -= ws_.twist[b].linear;
        w[b].angular -= ws_.twist[b].angular;
        const double inverse = 1.0 / system_.length[b];
        size = std::max({size, inverse * std::sqrt(dot(w[b].linear, w[b].linear)),
                         std::sqrt(dot(w[b].angular, w[b].angular))});
      }
      if (!(size > 1e-9)) return false;  // no degree of freedom
      const double step = walk_length / (moves * size);
      for (int b = 0; b < n; ++b) state.move(b, step * w[b].linear, step * w[b].angular);
      if (!close(z)) return false;
    }
    return true;
  }

  // Back onto M: Newton with the rows that are independent at the threshold. The others close with
  // them, or stay open by as little as a start with contradictory rows may.
  bool close(std::vector<double>& z) {
    const State<Space> state(topology_.layout, z.data());
    for (int iteration = 0; iteration < 12; ++iteration) {
      calc_rows_at(z.data());
      calc_factor_here();
      double kept = 0.0, dropped = 0.0;
      for (int r = 0; r < topology_.n_rows; ++r) {
        // |g| relative to the size of the row, of kept and of dropped rows
        double& largest = ws_.inverse[r] == 0.0 ? dropped : kept;
        largest = std::max(largest, std::abs(ws_.g[r]) / system_.row_scale[r]);
      }
      if (kept < 1e-10) return dropped < 1e-2;
      if (!(kept < 1.0)) return false;
      // y ← y ⊕ (−A⁻¹ Jᵀ S⁻¹ g)
      std::copy(ws_.g.begin(), ws_.g.end(), ws_.mu.begin());
      solve(topology_.program, ws_.factor(), ws_.mu.data());
      calc_mass_step(topology_, metric_->parameters, ws_, ws_.mu.data());
      for (int b = 0; b < topology_.n_bodies; ++b) {
        state.move(b, -ws_.twist[b].linear, -ws_.twist[b].angular);
      }
    }
    return false;
  }

  // The combination of kept rows that gives each row left out, S_KK c = S_Kk, where the rows were
  // chosen; how far the row is open at the start.
  void explain(const double* start, RankReport& report) {
    report.shared.assign(topology_.n_rows, 0);
    if (report.rank == topology_.n_rows) return;
    calc_rows_at(start);
    // how far each row is open at the start
    const LargeVector<double> g = ws_.g;
    ws_.mask = report.mask;
    calc_rows_at(report.reference.data());
    calc_factor(topology_, metric_->parameters, ws_, 0.0);
    // enough to see the pattern
    for (int r = 0; r < topology_.n_rows; ++r) {
      if (report.mask[r] == 1.0) continue;
      DependentRow dependent{r, {}, std::abs(g[r]), 0.0};
      if (report.dependent.size() < most_explained) explain_row(dependent, report.shared);
      report.shared[r] = 1;
      report.dependent.push_back(std::move(dependent));
    }
  }

  void explain_row(DependentRow& dependent, std::vector<char>& shared) {
    std::vector<double> unit(topology_.n_rows, 0.0), c(topology_.n_rows, 0.0);
    unit[dependent.row] = 1.0;
    // J A⁻¹ Jᵀ e_k: the products of row k with all rows
    calc_mass_step(topology_, metric_->parameters, ws_, unit.data());
    calc_j_times(topology_, ws_, ws_.twist.data(), c.data());
    const double size = c[dependent.row];  // the row's own S_kk: its square length
    // S_KK c = S_Kk
    const std::vector<double> products = c;
    solve(topology_.program, ws_.factor(), c.data());
    double across = size;  // square length of what the others do not give
    // S_kk − c · S_Kk, relative to S_kk: sin² of the angle to the span
    for (int r = 0; r < topology_.n_rows; ++r) across -= c[r] * products[r];
    dependent.angle = std::sqrt(std::max(0.0, across) / size);
    for (int r = 0; r < topology_.n_rows; ++r) {
      // coefficients of rows of unit length
      const double scaled = c[r] == 0.0 ? 0.0 : c[r] * std::sqrt(ws_.diagonal[r] / size);
      if (std::abs(scaled) > 1e-3) dependent.on.emplace_back(r, scaled);
      if (std::abs(scaled) > 1e-6) shared[r] = 1;
    }
    std::stable_sort(dependent.on.begin(), dependent.on.end(), [](const auto& a, const auto& b) {
      return std::abs(a.second) > std::abs(b.second) + 1e-9;
    });
  }

  const SystemIn<Space>& system_;
  const Topology& topology_;
  Metric by_length_;               // L
  std::optional<Metric> by_size_;  // ℓ_b, where needed
  const Metric* metric_;           // the one in use
  Workspace<double, Space> ws_;
  std::mt19937_64 generator_{20};  // the same walks in every run
  std::normal_distribution<double> normal_;
};

}  // namespace

template <class Space>
RankReport find_rank(const SystemIn<Space>& system, const double* z, double t) {
  return RankFinder<Space>(system, t).find(z);
}

template RankReport find_rank(const SystemIn<Spatial>&, const double*, double);
template RankReport find_rank(const SystemIn<Planar>&, const double*, double);
template Parameters<double, Spatial> make_kinematic_metric(const SystemIn<Spatial>&, bool);
template Parameters<double, Planar> make_kinematic_metric(const SystemIn<Planar>&, bool);

}  // namespace trammel
