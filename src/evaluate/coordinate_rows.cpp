// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Each row is a sum of terms: their gradients are added up in the entries of the bodies they touch.
#include "evaluate/coordinate_rows.hpp"

#include <type_traits>

#include "elements/coordinate.hpp"
#include "math/functions.hpp"
#include "math/trace.hpp"
#include "system/row_shape.hpp"

namespace trammel {

namespace {

// Drivers are in the order of their rows: one walk over both.
struct DriverWalk {
  const Topology& topology;
  std::size_t next = 0;

  // The driver of the coordinate row, or −1; rows come in order.
  int find(std::size_t coordinate_row) {
    if (next == topology.drivers.size()) return -1;
    if (topology.drivers[next].coordinate_row != static_cast<int>(coordinate_row)) return -1;
    return static_cast<int>(next++);
  }
};

// What drivers ask for, from their laws at ws.time; the integral of a rate is part of the state.
template <class Real, class Space>
void calc_drives(const Topology& topology, const Parameters<Real, Space>& parameters,
                 Workspace<Real, Space>& ws) {
  if constexpr (std::is_same_v<Real, double>) calc_laws(parameters, ws);
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const int reference = topology.drivers[k].reference;
    const DriverLaw<Real>& f = ws.law[k];
    // f, f˙, f¨ of the law; of a driver by rate the law is f˙, and f is ρ of the state
    ws.drive[k] = reference < 0 ? DriverValue<Real>{f.value, f.first, f.second}
                                : DriverValue<Real>{ws.reference[reference], f.value, f.first};
  }
}

template <class Real, class Space>
void put_entry(const Topology& topology, int entry, const Linear<Real, Space>& linear,
               const Angular<Real, Space>& alpha, Workspace<Real, Space>& ws) {
  // an entry is stored as one general row
  using Offsets = RowOffsets<Space, RowShape{0, 0, 1}>;
  Real* data = ws.row_data.data() + topology.entries[entry].data;
  linear.store(data + Offsets::linear(0));
  alpha.store(data + Offsets::alpha_j(0));
}

}  // namespace

template <class Space>
void calc_laws(const Parameters<double, Space>& parameters, Workspace<double, Space>& ws) {
  // once for each time
  if (ws.law_time == ws.time) return;
  ws.law_time = ws.time;
  for (std::size_t k = 0; k < ws.law.size(); ++k) {
    const Jet f = parameters.drivers[k].evaluate(ws.time);
    ws.law[k] = {f.value, f.first, f.second};
  }
}

template <class Real, class Space>
RowEntryData<Real, Space> get_entry(const Topology& topology, int entry,
                                    const Workspace<Real, Space>& ws) {
  using Offsets = RowOffsets<Space, RowShape{0, 0, 1}>;
  const Real* data = ws.row_data.data() + topology.entries[entry].data;
  return {Linear<Real, Space>::load(data + Offsets::linear(0)),
          Angular<Real, Space>::load(data + Offsets::alpha_j(0))};
}

template <class Real, class Space>
void calc_coordinate_rows(const Topology& topology, const Parameters<Real, Space>& parameters,
                          Workspace<Real, Space>& ws) {
  calc_drives(topology, parameters, ws);
  DriverWalk drivers{topology};
  for (std::size_t k = 0; k < topology.coordinate_rows.size(); ++k) {
    const CoordinateRow& at = topology.coordinate_rows[k];
    const CoordinateRowParameters<Real>& row = parameters.coordinate_rows[k];
    const int driver = drivers.find(k);
    // b of a coupler, f(t) of a driver
    const Real offset = driver < 0 ? row.offset : ws.drive[driver].value;
    // J is a sum over the terms: a body may be in several of them
    for (int e = at.entry_begin; e < at.entry_end; ++e) {
      put_entry<Real, Space>(topology, e, Linear<Real, Space>::zero(), Angular<Real, Space>::zero(),
                             ws);
    }
    Real sum(0), turns(0);
    for (int t = at.term_begin; t < at.term_end; ++t) {
      const CoordinateTerm& term = topology.terms[t];
      const CoordinateTopology& coordinate = topology.coordinates[term.coordinate];
      // q and J_q
      const CoordinateGradient<Real, Space> q =
          calc_coordinate(coordinate.kind, parameters.coordinates[term.coordinate],
                          ws.pose[coordinate.body_i], ws.pose[coordinate.body_j]);
      const Real c = parameters.coefficients[t];
      Real n(0);
      if (is_unwrapped(coordinate.kind)) {
        // unwrapped: q = φ + 2πn, n the whole turns that bring φ closest to the reference
        const Real near = term.reference < 0 ? offset : ws.reference[term.reference];
        n = count_turns(q.value, near);
        if (term.reference >= 0) ws.reference_value[term.reference] = q.value + Real(full_turn) * n;
      }
      Real weight = row.factor * c;
      if (term.function >= 0) {
        const CompiledFunction& f = *parameters.term_functions[term.function];
        ws.term_value[t] = q.value + Real(full_turn) * n;
        ws.term_slope[t] = calc_slope(f, ws.term_value[t]);
        sum += c * calc_value(f, ws.term_value[t]);
        weight = weight * ws.term_slope[t];
      } else {
        sum += c * q.value;
        if (is_unwrapped(coordinate.kind)) turns += c * n;
      }
      // J += κ c f' J_q: the coordinate is that of body j against body i
      const RowEntryData<Real, Space> i = get_entry(topology, term.entry_i, ws);
      put_entry<Real, Space>(topology, term.entry_i, i.linear - weight * q.row.linear,
                             i.alpha - weight * q.row.alpha_i, ws);
      const RowEntryData<Real, Space> j = get_entry(topology, term.entry_j, ws);
      put_entry<Real, Space>(topology, term.entry_j, j.linear + weight * q.row.linear,
                             j.alpha + weight * q.row.alpha_j, ws);
    }
    // g = κ (Σ c φ + (2π Σ c n − b))
    ws.g[at.row] = row.factor * (sum + (Real(full_turn) * turns - offset));
  }
  // references that forces follow: the unwrapped angle, no row
  for (const FollowedCoordinate& at : topology.followed) {
    if (at.reference < 0) continue;
    const CoordinateTopology& coordinate = topology.coordinates[at.coordinate];
    const Real angle = calc_coordinate(coordinate.kind, parameters.coordinates[at.coordinate],
                                       ws.pose[coordinate.body_i], ws.pose[coordinate.body_j])
                           .value;
    ws.reference_value[at.reference] =
        angle + Real(full_turn) * count_turns(angle, ws.reference[at.reference]);
  }
}

template <class Real, class Space>
void calc_coordinate_gamma(const Topology& topology, const Parameters<Real, Space>& parameters,
                           Workspace<Real, Space>& ws) {
  DriverWalk drivers{topology};
  for (std::size_t k = 0; k < topology.coordinate_rows.size(); ++k) {
    const CoordinateRow& at = topology.coordinate_rows[k];
    // γ = κ (Σ c γ_q − f¨)
    Real sum(0);
    for (int t = at.term_begin; t < at.term_end; ++t) {
      const int c = topology.terms[t].coordinate;
      const CoordinateTopology& coordinate = topology.coordinates[c];
      const Pose<Real, Space>&i = ws.pose[coordinate.body_i], &j = ws.pose[coordinate.body_j];
      Real bend = calc_coordinate_gamma(coordinate.kind, parameters.coordinates[c], i, j);
      if (const int of = topology.terms[t].function; of >= 0) {
        // f(q)¨ = f' q̈ + f'' q̇²
        const Real rate =
            calc_coordinate(coordinate.kind, parameters.coordinates[c], i, j).calc_rate(i, j);
        bend = ws.term_slope[t] * bend +
               calc_second(*parameters.term_functions[of], ws.term_value[t]) * (rate * rate);
      }
      sum += parameters.coefficients[t] * bend;
    }
    const int driver = drivers.find(k);
    if (driver >= 0) sum -= ws.drive[driver].second;
    ws.gamma[at.row] = parameters.coordinate_rows[k].factor * sum;
  }
  // ρ˙ = q˙ = J_q u of those that follow a coordinate, f˙ of drivers by rate
  for (std::size_t k = 0; k < topology.references.size(); ++k) {
    const int c = topology.references[k].coordinate;
    if (c < 0) continue;
    const CoordinateTopology& coordinate = topology.coordinates[c];
    const Pose<Real, Space>&i = ws.pose[coordinate.body_i], &j = ws.pose[coordinate.body_j];
    ws.reference_rate[k] =
        calc_coordinate(coordinate.kind, parameters.coordinates[c], i, j).calc_rate(i, j);
  }
  for (std::size_t k = 0; k < topology.drivers.size(); ++k) {
    const int reference = topology.drivers[k].reference;
    if (reference >= 0) ws.reference_rate[reference] = ws.drive[k].first;
  }
}

template void calc_laws(const Parameters<double, Spatial>&, Workspace<double, Spatial>&);
template void calc_laws(const Parameters<double, Planar>&, Workspace<double, Planar>&);
template void calc_coordinate_rows(const Topology&, const Parameters<double, Spatial>&,
                                   Workspace<double, Spatial>&);
template void calc_coordinate_gamma(const Topology&, const Parameters<double, Spatial>&,
                                    Workspace<double, Spatial>&);
template RowEntryData<double, Spatial> get_entry(const Topology&, int,
                                                 const Workspace<double, Spatial>&);
template void calc_coordinate_rows(const Topology&, const Parameters<double, Planar>&,
                                   Workspace<double, Planar>&);
template void calc_coordinate_gamma(const Topology&, const Parameters<double, Planar>&,
                                    Workspace<double, Planar>&);
template RowEntryData<double, Planar> get_entry(const Topology&, int,
                                                const Workspace<double, Planar>&);
template void calc_coordinate_rows(const Topology&, const Parameters<Traced, Spatial>&,
                                   Workspace<Traced, Spatial>&);
template void calc_coordinate_gamma(const Topology&, const Parameters<Traced, Spatial>&,
                                    Workspace<Traced, Spatial>&);
template RowEntryData<Traced, Spatial> get_entry(const Topology&, int,
                                                 const Workspace<Traced, Spatial>&);
template void calc_coordinate_rows(const Topology&, const Parameters<Traced, Planar>&,
                                   Workspace<Traced, Planar>&);
template void calc_coordinate_gamma(const Topology&, const Parameters<Traced, Planar>&,
                                    Workspace<Traced, Planar>&);
template RowEntryData<Traced, Planar> get_entry(const Topology&, int,
                                                const Workspace<Traced, Planar>&);

}  // namespace trammel
