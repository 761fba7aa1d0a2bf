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
#include "trammel/model.hpp"

namespace trammel {

using BodyIndex = std::function<int(const std::string&)>;

// What the elements connect; before make_topology.
std::vector<ForceLink> list_element_links(const Model& model, const BodyIndex& body_index);

// Fills parameters.elements and topology.n_slots; after the bodies and the topology.
template <class Space>
void compile_elements(const Model& model, const BodyIndex& body_index, SystemIn<Space>& system);

}  // namespace trammel
