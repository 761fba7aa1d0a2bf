// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The texts of models/paper, built into the library so that the study needs no files.
#pragma once

#include <string>

namespace trammel {

// name: pendulum, quadrangle, crank
std::string paper_model_text(const std::string& name);

}  // namespace trammel
