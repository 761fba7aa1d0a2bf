// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The model that a command works on: a model file, or a file of another program, which is imported.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "trammel/checked_model.hpp"
#include "trammel/import.hpp"

namespace trammel::cli {

// --floating-base
void add_import_options(CLI::App& app, ImportOptions& options);

// What an import leaves out is printed to stderr, unless `quiet`.
CheckedModel read_input(const std::string& path, const ParameterOverrides& overrides,
                        const ReadOptions& read, const ImportOptions& import, bool quiet);

}  // namespace trammel::cli
