// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of `trammel run`: an option for every row of the option table, and its own.
#include "run_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "arguments.hpp"
#include "read_input.hpp"

namespace trammel::cli {
namespace {

// --max-step
std::string name_of(const Option& option) {
  std::string name = "--" + std::string(option.word);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// "Largest step size, s (default: no limit)"
std::string help_of(const Option& option) {
  std::string text(option.help);
  if (!option.unit.empty()) text += fmt::format(", {}", option.unit);
  if (option.access.kind == OptionKind::set) text += "; comma separated, can be repeated";
  if (option.access.kind == OptionKind::flag) return text;
  return text + fmt::format(" (default: {})", option_text(option, SimulationOptions()));
}

std::vector<std::string_view> list_words(const OptionAccess& access) {
  std::vector<std::string_view> words = access.words;
  if (!access.alone.empty()) words.push_back(access.alone);
  return words;
}

void check_words(const Option& option, const std::vector<std::string>& given) {
  const auto known = list_words(option.access);
  for (const std::string& word : given) {
    if (word.ends_with(".yaml") || word.ends_with(".yml")) {
      throw UsageError(fmt::format("{} takes '{}' for a channel: put the model file before it",
                                   name_of(option), word));
    }
    if (option.access.takes_channels && is_channel_pattern(word)) continue;
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      throw UsageError(
          fmt::format("{}: '{}' is not one of {}", name_of(option), word, fmt::join(known, "|")));
    }
    if (word == option.access.alone && given.size() > 1) {
      throw UsageError(
          fmt::format("{}: '{}' cannot be combined with others", name_of(option), word));
    }
  }
}

// Adds the option; what is given for it goes to `target`.
void add_option(CLI::App& app, const Option& option, std::optional<OptionValue>& target) {
  const std::string name = name_of(option), help = help_of(option);
  const auto take = [&target](const auto& value) { target.emplace(value); };
  switch (option.access.kind) {
    case OptionKind::number: add_number(app, name, true, take, help); break;
    case OptionKind::count: add_count(app, name, take, help); break;
    case OptionKind::flag:
      app.add_flag_function(
          name, [take](std::int64_t times) { take(times > 0); }, help);
      break;
    case OptionKind::choice:
      app.add_option_function<std::string>(
             name,
             [take, &option](const std::string& word) {
               check_words(option, {word});
               take(word);
             },
             help)
          ->type_name(fmt::format("{}", fmt::join(list_words(option.access), "|")));
      break;
    case OptionKind::set:
      app.add_option_function<std::vector<std::string>>(
             name,
             [take, &option](const std::vector<std::string>& words) {
               check_words(option, words);
               take(words);
             },
             help)
          ->type_name(fmt::format("{}", fmt::join(list_words(option.access), "|")))
          ->delimiter(',')
          ->allow_extra_args(option.access.takes_channels);
      break;
  }
}

void add_output_options(CLI::App& app, RunOptions& options) {
  app.option_defaults()->group("Output");
  app.add_option("-o,--output", options.output_paths,
                 "Output file; the extension (.html, .h5, .csv, .json) selects the format. Can be "
                 "repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_positive(app, "--flush-interval", options.flush_interval,
               "Clock time between updates of an .h5 file, s (default: about 1)");
  app.add_flag("--json", options.json, "Print one JSON object instead of the report");
  app.add_flag("--full", options.full, "Print the full report");
  app.add_flag("-q,--quiet", options.quiet, "No report and no progress bar");
}

}  // namespace

void add_run_options(CLI::App& app, RunOptions& options) {
  app.add_option("MODEL", options.model_path, "Model file (YAML or JSON), or URDF, MJCF, .asmt")
      ->type_name("")
      ->required();
  add_overrides(app, options.overrides);
  add_read_options(app, options.read);
  add_import_options(app, options.import);
  for (const Option& option : option_table()) {
    const OptionGroup& group = *option.group;
    app.option_defaults()->group(group.needs.empty()
                                     ? std::string(group.heading)
                                     : fmt::format("{} (--{})", group.heading, group.needs));
    add_option(app, option, options.simulation[option.word]);
  }
  add_output_options(app, options);
}

void apply(const RunOptions& options, SimulationOptions& simulation) {
  for (const auto& [word, value] : options.simulation) {
    if (value) find_option(word).access.set(simulation, *value);
  }
  // An interval on the command line asks for an even grid, whatever the model says.
  if (options.simulation.at("output_interval") && !options.simulation.at("output_at_steps")) {
    simulation.output_at_steps = false;
  }
}

}  // namespace trammel::cli
