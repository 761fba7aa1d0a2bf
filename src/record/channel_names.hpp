// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The name tables of Results, from the System.
#pragma once

#include <string>
#include <vector>

#include "record/force_channels.hpp"
#include "record/output_channels.hpp"
#include "trammel/results.hpp"

namespace trammel {

// Bodies, joints, coordinates, couplers and drivers.
template <class Space>
void list_names(const SystemIn<Space>& system, Results& results);

// Force elements; ws has positions and velocities of any state.
template <class Space>
void list_element_names(ForceChannels<Space>& forces, Workspace<double, Space>& ws,
                        Results& results);

// What is wrong with the outputs of the model: formulas that name no channel.
template <class Space>
std::vector<ChannelProblem> find_wrong_outputs(const SystemIn<Space>& system);

}  // namespace trammel
