// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The commands. Each adds itself to the program and leaves a function that runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace trammel::cli {

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;  // returns the exit status
};

Command add_run_command(CLI::App& program);
Command add_view_command(CLI::App& program);
Command add_check_command(CLI::App& program);
Command add_import_command(CLI::App& program);
Command add_assemble_command(CLI::App& program);
Command add_paper_command(CLI::App& program);
Command add_export_command(CLI::App& program);
Command add_report_command(CLI::App& program);
Command add_render_command(CLI::App& program);

}  // namespace trammel::cli
