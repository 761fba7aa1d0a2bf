// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The command or option that was probably meant by one that does not exist.
#pragma once

#include <string>
#include <vector>

namespace trammel::cli {

// " (did you mean '--t-end'?)", or nothing if no word is close.
std::string suggest(const std::string& word, const std::vector<std::string>& known);

}  // namespace trammel::cli
