// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which rows the next step uses, chosen at a point where those of the current step are closed.
#include <algorithm>
#include <cmath>

#include "evaluate/step_end.hpp"
#include "problem/projector.hpp"

namespace trammel {

namespace {

// By which part velocities may change where rows come back after a singular position.
constexpr double largest_velocity_change = 0.01;

}  // namespace

// Whether the factor in ws_ is that of a guess so close to the point that a second pass takes out what
// it misses; with redundant rows the choice between them looks at the point itself.
template <class Space>
bool Projector<Space>::has_close_factor() const {
  constexpr double close = 1e-6;
  return guesses_are_close_ && point_.quality.moved <= close && rows_.has_all_rows();
}

// At a point where the rows of the current step are closed: the rows of the next one, and S
// factored with them. is_improved: the base set has been looked at here already.
template <class Space>
bool Projector<Space>::choose_rows(double h, double* z, bool is_improved) {
  if (!is_improved) rows_.reset();
  if (rows_.is_passage()) {
    rows_.use_base_rows(ws_);
    point_.has_other_rows = true;
  }
  if (!has_close_factor()) {
    ++point_.counts.dg;
    calc_factor(system_.topology, system_.parameters, ws_, 0.0);
  }
  if (!is_improved && rows_.has_spare_rows() && rows_.is_due(ws_) && improve_rows()) {
    if (options_.projection != Projection::none && !move_onto_joints(z)) return false;
    calc_factor(system_.topology, system_.parameters, ws_, 0.0);
  }
  const auto smallest = rows_.find_smallest(ws_);
  point_.quality.smallest_pivot = smallest.ratio;
  point_.quality.smallest_pivot_row = smallest.row;
  if (!ActiveRows<Space>::is_sound(smallest)) {
    rows_.choose(ws_);
    point_.has_other_rows = true;
  }
  point_.in_passage = rows_.will_be_passage();
  return !rows_.came_back() || close_rows_that_came_back(h, z);
}

// With the factor of the base set: a better one, where there are rows to exchange.
template <class Space>
bool Projector<Space>::improve_rows() {
  if (!rows_.has_spare_rows() || point_.iterative || !rows_.improve(ws_)) return false;
  point_.has_other_rows = true;
  return true;
}

// After a passage. The change of velocity that closes the rows is an error the passage has made: as
// a displacement over the step it may be ten tolerances.
template <class Space>
bool Projector<Space>::close_rows_that_came_back(double h, double* z) {
  if (options_.projection == Projection::none) return true;
  const StateLayout& layout = system_.topology.layout;
  if (!move_onto_joints(z)) return false;
  calc_factor(system_.topology, system_.parameters, ws_, 0.0);
  std::copy(z, z + system_.topology.layout.size(), before_.get());
  project_velocity(system_, z, ws_);
  double changed = 0.0, whole = 0.0;  // twice the kinetic energy of the change, and of the motion
  for (int b = 0; b < layout.n_bodies; ++b) {
    const int u = layout.u(b), w = u + Space::dimension;
    const auto dv = Linear<double, Space>::load(z + u) - Linear<double, Space>::load(&before_[u]);
    const auto dw = Angular<double, Space>::load(z + w) - Angular<double, Space>::load(&before_[w]);
    const double limit = 10.0 * (options_.atol + options_.rtol * system_.length[b]);
    const double turn = 10.0 * (options_.atol + options_.rtol);
    if (h * std::sqrt(dot(dv, dv)) > limit || h * std::sqrt(dot(dw, dw)) > turn) {
      return point_.fail(PointFailure::Kind::rough_passage, point_.quality.smallest_pivot_row);
    }
    changed += mass_norm2<double, Space>(system_.parameters.bodies[b], {dv, dw});
    whole += mass_norm2<double, Space>(
        system_.parameters.bodies[b],
        {Linear<double, Space>::load(&before_[u]), Angular<double, Space>::load(&before_[w])});
  }
  // a velocity along none of the branches that meet here would lose its energy at once
  return changed <= squared(largest_velocity_change) * whole ||
         point_.fail(PointFailure::Kind::rough_passage, point_.quality.smallest_pivot_row);
}

// Rows are exchanged before the projection: within a step they may go bad unnoticed by its ends. Pivots
// say whether that is worth a look, and so does an exchange at the end of the step.
template <class Space>
void Projector<Space>::improve_rows_of_output() {
  if (rows_.is_passage() || !rows_.has_spare_rows()) return;
  const double smallest = rows_.find_smallest(ws_).ratio;
  if (rows_.is_exchanged_after_output() || smallest < std::max(1e-3, 0.5 * point_.end_pivot)) {
    improve_rows();
  }
}

template bool Projector<Spatial>::has_close_factor() const;
template bool Projector<Spatial>::choose_rows(double, double*, bool);
template bool Projector<Spatial>::improve_rows();
template void Projector<Spatial>::improve_rows_of_output();
template bool Projector<Spatial>::close_rows_that_came_back(double, double*);
template bool Projector<Planar>::has_close_factor() const;
template bool Projector<Planar>::choose_rows(double, double*, bool);
template bool Projector<Planar>::improve_rows();
template void Projector<Planar>::improve_rows_of_output();
template bool Projector<Planar>::close_rows_that_came_back(double, double*);

}  // namespace trammel
