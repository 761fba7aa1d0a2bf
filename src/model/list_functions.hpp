// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// All functions of a model, with their places.
#pragma once

#include <functional>
#include <string>

#include "trammel/model.hpp"

namespace trammel {

// smooth: its derivatives are used (drivers, energies)
using FunctionVisitor =
    std::function<void(const std::string& path, const Function& function, bool smooth)>;
void for_each_function(const Model& model, const FunctionVisitor& visit);

}  // namespace trammel
