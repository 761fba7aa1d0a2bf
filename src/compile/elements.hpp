// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The part of `compile` that knows the force elements (elements/forces): formulas lose their
// names, frames become those inside.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compile/body_frames.hpp"
#include "system/system.hpp"
#include "trammel/joint_kind.hpp"
#include "trammel/model.hpp"

namespace trammel {

using CoordinateIndex = std::function<int(const std::string& joint, JointCoordinate coordinate)>;

// Writes down where a force went, by the numbers of elements before it was added.
template <class Forces, class Counts>
void note_force(const Forces& forces, const Counts& before, NamedForce& force) {
  const Counts after = count_forces(forces);
  for (std::size_t k = 0; k < after.size(); ++k) {
    if (after[k] == before[k]) continue;
    force.list = static_cast<int>(k);
    force.first = before[k];
    force.count = after[k] - before[k];
  }
}

// What the elements connect; before make_topology.
std::vector<ForceLink> list_element_links(const ModelIndex& index);

// The coordinates of joints that elements act on or formulas name, each once.
std::vector<int> list_element_coordinates(const ModelIndex& index, const CoordinateIndex& find);

// Fills parameters.forces, parameters.signals and topology.n_slots; after the bodies and the topology.
template <class Space>
void compile_elements(const BodyFrames<Space>& frames, const CoordinateIndex& find,
                      SystemIn<Space>& system);

}  // namespace trammel
