// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Hints for keys and kinds that are named as in other programs (Adams, Simscape, Chrono, MuJoCo, URDF):
// "hinge" is our "revolute". For messages only: a model file has one name for each thing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

enum class KindOf { joint, coupler, force };

// "did you mean 'revolute'?" or what to do instead, for the name of another program; empty for a
// word that is not in the tables, or where `known` does not have what it means.
std::string hint_for_kind(KindOf what, std::string_view wanted,
                          const std::vector<std::string_view>& known);

// The same for a key; where it is not in the table, the nearest of `known`, or the list of them.
std::string hint_for_key(std::string_view wanted, const std::vector<std::string_view>& known);

}  // namespace trammel
