// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "read_input.hpp"

#include <fmt/format.h>

#include "arguments.hpp"
#include "messages.hpp"

namespace trammel::cli {

void add_import_options(CLI::App& app, ImportOptions& options) {
  app.add_flag("--floating-base", options.floating_base,
               "The root link of a URDF file moves freely (default: fixed to the ground)");
}

CheckedModel read_input(const std::string& path, const ParameterOverrides& overrides,
                        const ReadOptions& read, const ImportOptions& import, bool quiet) {
  if (!is_importable(path)) return read_checked_model(path, overrides, read);
  if (!overrides.empty()) {
    throw UsageError(
        fmt::format("--set {}: imported models have no parameters", overrides.front().first));
  }
  ImportedModel imported = import_model(path, import);
  if (!quiet && !imported.left_out.empty()) {
    fmt::print(stderr, "trammel: left out of {}:\n{}", path, to_string(imported.left_out));
  }
  return CheckedModel(std::move(imported.model));
}

}  // namespace trammel::cli
