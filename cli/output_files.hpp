// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The files of `-o`: the ending chooses the form. What can be wrong with them is found before the
// run, not after it.
#pragma once

#include <string>
#include <vector>

#include "trammel/trammel.hpp"

namespace trammel::cli {

// Throws UsageError for an ending that is not known, for a file given twice, and for the model
// file itself; FileError when the folder is missing or may not be written.
void check_output_files(const std::vector<std::string>& paths, const std::string& model_path);

// Writes all it can; returns what went wrong, one message per file.
std::vector<std::string> write_output_files(const Results& results,
                                            const std::vector<std::string>& paths);

}  // namespace trammel::cli
