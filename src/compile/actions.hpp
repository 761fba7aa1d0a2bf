// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of compile for results only: where forces, drivers and named points are in a picture, and the
// outputs that a model defines by formula.
#pragma once

#include "model/model_index.hpp"
#include "system/system.hpp"

namespace trammel {

// Fills forces, drivers and points. What acts at a joint gets the joint's index here and its place from
// make_scene (system/picture.hpp).
// After the bodies.
void compile_actions(const ModelIndex& index, SystemData& system);

// Fills system.outputs.
void compile_outputs(const Model& model, SystemData& system);

}  // namespace trammel
