// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes as pictures need them: not more triangles than a page can show. Masses come from the whole meshes.
#pragma once

#include "system/system.hpp"

namespace trammel {

inline constexpr std::size_t most_shown_triangles = 200'000;  // of all meshes together

// Replaces meshes of the picture; says so in its notes.
void limit_meshes(PictureData& picture);

}  // namespace trammel
