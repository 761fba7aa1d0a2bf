// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a picture of the system needs and the system itself knows: where the joints are, along which
// axes, and how large a body without a shape is. All in the frames of the user.
#pragma once

#include "system/system.hpp"

namespace trammel {

// Made on request: of a large System it would be a fifth.
template <class Space>
Scene make_scene(const SystemIn<Space>& system);

}  // namespace trammel
