// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The part of `compile` that knows the force elements (force_elements.hpp): formulas lose their
// names, frames become those inside.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "system/system.hpp"
#include "trammel/joint_kind.hpp"
#include "trammel/model.hpp"

namespace trammel {

using BodyIndex = std::function<int(const std::string&)>;
using CoordinateIndex = std::function<int(const std::string& joint, JointCoordinate coordinate)>;

// What the elements connect; before make_topology.
std::vector<ForceLink> list_element_links(const Model& model, const BodyIndex& body_index);

// The coordinates of joints that elements act on or formulas name, each once.
std::vector<int> list_element_coordinates(const Model& model, const CoordinateIndex& find);

// Fills parameters.elements and topology.n_slots; after the bodies and the topology.
template <class Space>
void compile_elements(const Model& model, const BodyIndex& body_index, const CoordinateIndex& find,
                      SystemIn<Space>& system);

}  // namespace trammel
