// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trammel/trammel.hpp"

namespace trammel {

const char* version() { return TRAMMEL_VERSION; }

}  // namespace trammel
