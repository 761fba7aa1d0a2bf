// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// read_results for a file that is in memory, for tests: thousands of damaged files in a second.
#pragma once

#include <string>

#include "trammel/results.hpp"

namespace trammel {

// `name` is what messages call it. Throws FileError.
Results read_results_image(std::string image, const std::string& name);

}  // namespace trammel
