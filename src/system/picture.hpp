// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a picture of the system needs and the system itself knows: where the joints are, along which
// axes, and how large a body without a shape is. All in the frames of the user.
#pragma once

#include "system/system.hpp"

namespace trammel {

// Fills `system.scene` where compile, which knows names and shapes, has left it empty: bodies and
// joints are listed there already.
template <class Space>
void complete_scene(SystemIn<Space>& system);

}  // namespace trammel
