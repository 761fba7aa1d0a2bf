// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/joint_rules.hpp"
#include "system/joint_table.hpp"

namespace trammel {

namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// The radius of gyration counts in L up to this many mean distances of joint points.
constexpr double most_gyration = 10.0;
// Distances a million times shorter than the others are rounding of coordinates.
constexpr double least_distance = 1e-6;
// A body with its joints at the centre of mass is at least this part as large as its neighbours: many
// point masses are given next to no moment of inertia.
constexpr double least_round = 1e-3;
// Bodies that are smaller than L by more than this factor are judged by their own size where the
// projection ends; the others by L.
constexpr double much_smaller = 0.1;
// The tolerance of the projection's moves is at least this part of the usual one: the
// rounding of coordinates ends it.
constexpr double least_part = 1e-3;
// Rows of bodies that are smaller than L by more than this factor are closed to one unit in the last
// place of the coordinates, not to four: it counts for them.
constexpr double tiny = 1e-3, least_reach = 0.25;

template <class Space>
class ScaleCompiler {
 public:
  explicit ScaleCompiler(SystemIn<Space>& system)
      : system_(system),
        topology_(system.topology),
        arm_(topology_.n_bodies, 0.0),
        near_(topology_.n_bodies, unknown) {}

  void compile() {
    find_lengths();
    find_sizes();
    for (const JointTopology& joint : topology_.joints) {
      system_.row_component.insert(system_.row_component.end(), joint.n_rows,
                                   topology_.component_of[moving_body(joint)]);
    }
    // rows of couplers and drivers are added after those of the joints
    const std::size_t n = system_.row_component.size();
    for (auto* rows : {&system_.row_scale, &system_.row_reach, &system_.row_size}) rows->resize(n);
    for_each_constraint([&](const auto& at, const JointLayout& layout, int,
                            const JointParameters<double, Space>& data) {
      scale_rows(at, layout, std::abs(data.length));
    });
  }

 private:
  template <class Element>
  int moving_body(const Element& at) const {
    return at.body_i == topology_.n_bodies ? at.body_j : at.body_i;
  }

  // f(joint or basic constraint, its rows, number of its points, its parameters)
  template <class Function>
  void for_each_constraint(Function&& f) const {
    for (int k = 0; k < topology_.n_joints; ++k) {
      const JointTopology& at = topology_.joints[k];
      const int points =
          at.kind == JointKind::generic ? 0 : rules_of(at.kind, system_.planar).points;
      f(at, layout_of<Space>(at.kind), points, system_.parameters.joints[k]);
    }
    for (std::size_t k = 0; k < topology_.basic_constraints.size(); ++k) {
      const BasicTopology& at = topology_.basic_constraints[k];
      f(at, layout_of<Space>(at.kind), rules_of(at.kind, system_.planar).points,
        system_.parameters.basic_constraints[k]);
    }
  }

  double calc_gyration(int body) const {
    const BodyParameters<double, Space>& p = system_.parameters.bodies[body];
    const Vector3<double> inertia = Space::export_angular(p.inertia);
    return p.mass > 0.0 ? std::sqrt(std::max({inertia.x, inertia.y, inertia.z}) / p.mass) : 0.0;
  }

  // L of each component, and the largest joint arm of each body
  void find_lengths() {
    const int n = topology_.n_components();
    std::vector<double> sum(n, 0.0), largest(n, 0.0), smallest(n, unknown);
    std::vector<int> count(n, 0);
    const auto add = [&](int body, const Linear<double, Space>& point) {
      if (body == topology_.n_bodies) return;
      const double arm = std::sqrt(dot(point, point));
      arm_[body] = std::max(arm_[body], arm);
      sum[topology_.component_of[body]] += arm;
      ++count[topology_.component_of[body]];
    };
    for_each_constraint([&](const auto& at, const JointLayout&, int points,
                            const JointParameters<double, Space>& data) {
      if (points == 0) return;  // it only turns
      add(at.body_i, data.point_i);
      add(at.body_j, data.point_j);
    });
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const int c = topology_.component_of[b];
      const double radius = calc_gyration(b);
      largest[c] = std::max(largest[c], radius);
      if (radius > 0.0) smallest[c] = std::min(smallest[c], radius);
    }
    system_.length.reserve(topology_.n_bodies);
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const int c = topology_.component_of[b];
      const double mean = count[c] > 0 ? sum[c] / count[c] : 0.0;
      // a mean far below every radius of gyration is rounding: joints at the centres of mass
      const bool is_rounding = smallest[c] == unknown || mean < least_distance * smallest[c];
      const double usual = is_rounding ? std::max(mean, smallest[c]) : mean;
      const double length = std::max(mean, std::min(largest[c], most_gyration * usual));
      system_.length.push_back(length > 0.0 ? length : 1.0);
    }
  }

  // ℓ of each body
  void find_sizes() {
    const auto is_meant = [&](int b, double length) {
      return length > least_distance * system_.length[b];
    };
    const auto see = [&](int body, double length) {
      if (body < topology_.n_bodies && is_meant(body, length)) {
        near_[body] = std::min(near_[body], length);
      }
    };
    for_each_constraint([&](const auto& at, const JointLayout& layout, int,
                            const JointParameters<double, Space>& data) {
      if (at.body_j < topology_.n_bodies) see(at.body_i, arm_[at.body_j]);
      if (at.body_i < topology_.n_bodies) see(at.body_j, arm_[at.body_i]);
      if (layout.n_distance + layout.n_radial + layout.n_axis_distance == 0) return;
      see(at.body_i, std::abs(data.length));
      see(at.body_j, std::abs(data.length));
    });
    system_.size.reserve(topology_.n_bodies);
    for (int b = 0; b < topology_.n_bodies; ++b) {
      const double near = near_[b] == unknown ? system_.length[b] : near_[b];
      const double round = std::min(calc_gyration(b), near);  // of a body turning about its centre
      const double size =
          is_meant(b, arm_[b]) ? std::max(arm_[b], round) : std::max(round, least_round * near);
      system_.size.push_back(size);
      const double part = size / system_.length[b];
      system_.own_part.push_back(part < much_smaller ? std::max(part, least_part) : 1.0);
    }
  }

  // C, O, D, K, R and X rows are lengths, SO, CV and A rows are cosines and sines. The ground's point of a
  // D row may be far away from all that moves (a ball on a long rod): g has the rounding of that.
  template <class Element>
  void scale_rows(const Element& at, const JointLayout& layout, double apart) {
    const bool on_ground = at.body_i == topology_.n_bodies || at.body_j == topology_.n_bodies;
    const double size = calc_joined_size(system_, at.body_i, at.body_j);
    const double mechanism = system_.length[moving_body(at)];
    const double length = size < much_smaller * mechanism ? size : mechanism;
    const double reach = size < tiny * mechanism ? least_reach : 1.0;
    for (int r = 0; r < layout.rows(); ++r) {
      const bool turns = layout.turns(r);
      const double scale = layout.is_distance(r) && on_ground ? std::max(length, apart) : length;
      system_.row_scale[at.row + r] = turns ? 1.0 : scale;
      system_.row_size[at.row + r] = turns ? 1.0 : size;
      system_.row_reach[at.row + r] = turns ? 0.0 : reach;
    }
  }

  SystemIn<Space>& system_;
  const Topology& topology_;
  std::vector<double> arm_;   // [bodies] m, largest distance of a joint point
  std::vector<double> near_;  // [bodies] m, smallest arm of the bodies joined to it
};

}  // namespace

double calc_joined_size(const SystemData& system, int body_i, int body_j) {
  double size = unknown;
  for (const int b : {body_i, body_j}) {
    if (b < system.topology.n_bodies) size = std::min(size, system.size[b]);
  }
  return size;
}

template <class Space>
void compile_scales(SystemIn<Space>& system) {
  ScaleCompiler<Space>(system).compile();
}

template void compile_scales(SystemIn<Spatial>&);
template void compile_scales(SystemIn<Planar>&);

}  // namespace trammel
