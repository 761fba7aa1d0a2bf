// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A structure may be shaky: the rank of its rows leaves a degree of freedom at the place where it is assembled, but
// no motion follows it. Two bars in line between two pins can give way a little at the pin between them;
// as soon as they do the joints open, and no finite reaction holds a load across.
#pragma once

#include "manifold/assembly.hpp"
#include "system/system.hpp"

namespace trammel {

// Whether the joints lead back to where they were assembled from a small move along a degree of
// freedom that they seem to leave. To be called where rows are dependent and a degree of freedom is left.
template <class Space>
bool is_shaky(const SystemIn<Space>& system, const AssembledState& assembled);

}  // namespace trammel
