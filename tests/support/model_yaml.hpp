// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A model made in memory as the text of a model file, so that a failing one can be kept and run by
// `trammel run`. All digits of all numbers.
#pragma once

#include <string>
#include <trammel/trammel.hpp>

namespace trammel::test {

std::string to_yaml(const Model& model);

}  // namespace trammel::test
