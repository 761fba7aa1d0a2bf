// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "system/row_names.hpp"

#include <algorithm>

#include "system/joint_table.hpp"

namespace trammel {

namespace {

// Of row r of a joint or of one constraint of a generic joint; number: ".2" of the second of its
// kind in the joint's list.
std::string name_within(const JointLayout& layout, int r, const std::string& number) {
  static constexpr char letters[] = {'a', 'b'};
  static constexpr char axes[] = {'x', 'y', 'z'};
  const auto with = [&](const std::string& vectors) {
    return number.empty() ? "(" + vectors + ")" : number;
  };
  if (r < layout.first_symmetric()) return "C" + number + "." + axes[r];
  if (r < layout.first_orthogonality()) {
    const VectorPair pair = layout.pair[r - layout.first_symmetric()];
    return "SO" + with(std::string{letters[pair.i], ',', letters[pair.j]});
  }
  if (r < layout.first_distance()) return "O" + with({letters[r - layout.first_orthogonality()]});
  if (r < layout.first_constant_velocity()) return "D" + number;
  if (r < layout.first_curve()) return "CV" + number;
  if (r < layout.first_angle()) return "K." + std::to_string(r - layout.first_curve() + 1);
  return (r < layout.first_radial() ? "A" : r < layout.first_axis_distance() ? "R" : "X") + number;
}

template <class Kind>
const JointLayout& find_layout(const SystemData& system, Kind kind) {
  return system.planar ? layout_of<Planar>(kind) : layout_of<Spatial>(kind);
}

// f(basic, ".2") for the constraints of generic joints, where this is the second of its kind in the
// joint's list: they are sorted by kind, then by joint, then as listed.
template <class Function>
void for_each_basic(const SystemData& system, Function&& f) {
  const BasicTopology* before = nullptr;
  int number = 0;
  for (const BasicTopology& basic : system.topology.basic_constraints) {
    const bool goes_on =
        before != nullptr && before->kind == basic.kind && before->joint == basic.joint;
    number = goes_on ? number + 1 : 1;
    before = &basic;
    f(basic, "." + std::to_string(number));
  }
}

}  // namespace

std::string make_row_name(const SystemData& system, int row) {
  const Topology& topology = system.topology;
  const auto after =
      std::upper_bound(topology.joints.begin(), topology.joints.end(), row,
                       [](int r, const JointTopology& joint) { return r < joint.row; });
  const int k = static_cast<int>(after - topology.joints.begin()) - 1;
  if (k < 0 || row >= topology.joints[k].row + topology.joints[k].n_rows) {
    return system.coordinate_row_names[row - topology.coordinate_rows.front().row];
  }
  const JointTopology& joint = topology.joints[k];
  std::string name;
  if (joint.kind != JointKind::generic) {
    name = name_within(find_layout(system, joint.kind), row - joint.row, "");
  } else {
    for_each_basic(system, [&](const BasicTopology& basic, const std::string& number) {
      const JointLayout& layout = find_layout(system, basic.kind);
      if (row < basic.row || row >= basic.row + layout.rows()) return;
      name = name_within(layout, row - basic.row, number);
    });
  }
  return system.joint_names[k] + "." + name;
}

std::vector<std::string> make_row_names(const SystemData& system) {
  std::vector<std::string> names(static_cast<std::size_t>(system.topology.n_rows));
  for (const JointTopology& joint : system.topology.joints) {
    if (joint.kind == JointKind::generic) continue;
    for (int r = joint.row; r < joint.row + joint.n_rows; ++r) names[r] = make_row_name(system, r);
  }
  for_each_basic(system, [&](const BasicTopology& basic, const std::string& number) {
    const JointLayout& layout = find_layout(system, basic.kind);
    for (int r = 0; r < layout.rows(); ++r) {
      names[basic.row + r] = system.joint_names[basic.joint] + "." + name_within(layout, r, number);
    }
  });
  for (const CoordinateRow& at : system.topology.coordinate_rows) {
    names[at.row] = make_row_name(system, at.row);
  }
  return names;
}

}  // namespace trammel
