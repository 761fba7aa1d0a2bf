// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A Model as a model file, for models that were not read from one: those that importers make. Bodies, joints,
// linear couplers, joint drivers, springs, dampers and points; what it cannot write is a std::logic_error.
#pragma once

#include <string>

#include "trammel/model.hpp"

namespace trammel {

// `heading`: lines of a comment at the top. read_model_text gives the same model again.
std::string write_yaml(const Model& model, const std::string& heading = {});

}  // namespace trammel
