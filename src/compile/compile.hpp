// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Model → System, for a model without errors. Bodies start where the model puts them: joints that say where
// they start, and armatures, are seen to before (analyses/compile_model.cpp).
#pragma once

#include "trammel/model.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

System compile_drawn(const Model& model);

}  // namespace trammel
