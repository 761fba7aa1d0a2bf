// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "record/channel_names.hpp"

#include "evaluate/joint_rows.hpp"
#include "system/picture.hpp"

namespace trammel {

template <class Space>
void list_names(const SystemIn<Space>& system, Results& results) {
  results.body_names = system.body_names;
  results.joint_names = system.joint_names;
  results.coordinate_names = system.coordinate_names;
  for (const CoordinateTopology& of : system.topology.coordinates) {
    results.coordinate_units.emplace_back(is_angle(of.kind) ? "rad" : "m");
  }
  for (const LoadChannel& load : system.loads) {
    results.load_names.push_back(load.name);
    results.load_units.push_back(load.unit);
  }
}

template <class Space>
void list_element_names(ForceChannels<Space>& forces, Workspace<double, Space>& ws,
                        Results& results) {
  std::vector<std::string> taken = results.coordinate_names;
  taken.insert(taken.end(), results.load_names.begin(), results.load_names.end());
  forces.list(ws, taken, results.element_names, results.element_units);
}

template <class Space>
std::vector<ChannelProblem> find_wrong_outputs(const SystemIn<Space>& system) {
  if (system.outputs.empty()) return {};
  Results names;
  list_names(system, names);
  names.scene = make_scene(system);
  names.options.record = widen_record(system, {});
  Workspace<double, Space> ws(system.topology);
  calc_positions(system.topology, system.initial.data(), ws);
  calc_velocities(system.topology, system.initial.data(), ws);
  ForceChannels<Space> forces(system);
  list_element_names(forces, ws, names);
  return OutputChannels(system.outputs).list(names);
}

template void list_names(const SystemIn<Spatial>&, Results&);
template void list_names(const SystemIn<Planar>&, Results&);
template void list_element_names(ForceChannels<Spatial>&, Workspace<double, Spatial>&, Results&);
template void list_element_names(ForceChannels<Planar>&, Workspace<double, Planar>&, Results&);
template std::vector<ChannelProblem> find_wrong_outputs(const SystemIn<Spatial>&);
template std::vector<ChannelProblem> find_wrong_outputs(const SystemIn<Planar>&);

}  // namespace trammel
