// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Every option that users can set: the one place to change, next to the member in SimulationOptions.
#include "trammel/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "math/expression.hpp"
#include "math/nearest_word.hpp"

namespace trammel {
namespace {

using Options = SimulationOptions;

// ---- access by kind

OptionAccess number(double Options::*member, OptionRange range) {
  return {OptionKind::number, [=](const Options& options) { return options.*member; },
          [=](Options& options, const OptionValue& value) {
            options.*member = std::get<double>(value);
          },
          range};
}

template <class Integer>
OptionAccess count(Integer Options::*member, OptionRange range) {
  return {OptionKind::count,
          [=](const Options& options) { return static_cast<std::int64_t>(options.*member); },
          [=](Options& options, const OptionValue& value) {
            constexpr std::int64_t most = std::numeric_limits<Integer>::max();
            options.*member =
                static_cast<Integer>(std::clamp(std::get<std::int64_t>(value), -most, most));
          },
          range};
}

OptionAccess flag(bool Options::*member) {
  return {
      OptionKind::flag, [=](const Options& options) { return options.*member; },
      [=](Options& options, const OptionValue& value) { options.*member = std::get<bool>(value); }};
}

template <class Enum>
OptionAccess choice(Enum Options::*member,
                    const std::vector<std::pair<std::string_view, Enum>>& words) {
  OptionAccess access{OptionKind::choice,
                      [=](const Options& options) {
                        for (const auto& [word, value] : words) {
                          if (value == options.*member) return std::string(word);
                        }
                        return std::string("?");
                      },
                      [=](Options& options, const OptionValue& given) {
                        for (const auto& [word, value] : words) {
                          if (word == std::get<std::string>(given)) options.*member = value;
                        }
                      }};
  for (const auto& [word, value] : words) access.words.push_back(word);
  return access;
}

// Words that each set a flag; `alone` sets all of them to `all`.
using Flag = bool& (*)(Options&);
OptionAccess set(const std::vector<std::pair<std::string_view, Flag>>& words,
                 std::string_view alone, bool all) {
  OptionAccess access{OptionKind::set,
                      [=](const Options& options) {
                        Options copy = options;
                        std::vector<std::string> result;
                        for (const auto& [word, flag] : words) {
                          if (flag(copy)) result.emplace_back(word);
                        }
                        return result;
                      },
                      [=](Options& options, const OptionValue& value) {
                        const auto& given = std::get<std::vector<std::string>>(value);
                        for (const auto& [word, flag] : words) {
                          const bool named =
                              std::find(given.begin(), given.end(), word) != given.end();
                          flag(options) = named || (all && given.size() == 1 && given[0] == alone);
                        }
                      }};
  for (const auto& [word, flag] : words) access.words.push_back(word);
  access.alone = alone;
  return access;
}

// The words of flags, and the names of the user's own functions, which only C++ can set.
OptionAccess invariants() {
  OptionAccess access =
      set({{"energy", [](Options& o) -> bool& { return o.hold_energy; }},
           {"linear_momentum", [](Options& o) -> bool& { return o.hold_linear_momentum; }},
           {"angular_momentum", [](Options& o) -> bool& { return o.hold_angular_momentum; }}},
          "none", false);
  access.get = [get_words = access.get](const Options& options) {
    auto words = std::get<std::vector<std::string>>(get_words(options));
    for (const UserInvariant& invariant : options.user_invariants) words.push_back(invariant.name);
    return words;
  };
  return access;
}

// The words of quantities, and names or patterns of channels.
OptionAccess record() {
  OptionAccess access =
      set({{"positions", [](Options& o) -> bool& { return o.record.positions; }},
           {"velocities", [](Options& o) -> bool& { return o.record.velocities; }},
           {"accelerations", [](Options& o) -> bool& { return o.record.accelerations; }},
           {"reactions", [](Options& o) -> bool& { return o.record.reactions; }},
           {"forces", [](Options& o) -> bool& { return o.record.forces; }},
           {"energies", [](Options& o) -> bool& { return o.record.energies; }},
           {"violations", [](Options& o) -> bool& { return o.record.violations; }},
           {"steps", [](Options& o) -> bool& { return o.record.steps; }}},
          "all", true);
  access.takes_channels = true;
  access.get = [get_words = access.get](const Options& options) {
    auto words = std::get<std::vector<std::string>>(get_words(options));
    for (const std::string& channel : options.record.channels) words.push_back(channel);
    return words;
  };
  access.set = [set_words = access.set](Options& options, const OptionValue& value) {
    set_words(options, value);
    options.record.channels.clear();
    for (const std::string& word : std::get<std::vector<std::string>>(value)) {
      if (is_channel_pattern(word)) options.record.channels.push_back(word);
    }
  };
  return access;
}

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr OptionRange positive = {0, no_limit, false, false};
constexpr int most_threads = 64;

const OptionGroup integration = {"Integration"};
const OptionGroup steps = {"Steps"};
const OptionGroup jets = {"Jet coordinates", "projection quasi_orthogonal or orthogonal",
                          [](const Options& options) { return uses_jets(options.projection); }};
const OptionGroup output = {"Output"};

// ---- the table

// clang-format off
std::vector<Option> make_table() {
  return {
      {.word = "t_end", .group = &integration,
       .access = number(&Options::t_end, positive), .unit = "s",
       .help = "End time",
       .details = "A run starts at t = 0"},
      {.word = "rtol", .group = &integration,
       .access = number(&Options::rtol, {1e-15, 1, true, false}),
       .help = "Relative tolerance of the local error"},
      {.word = "atol", .group = &integration,
       .access = number(&Options::atol, {0, 1, false, false}),
       .help = "Absolute tolerance of the local error, in SI units"},
      {.word = "method", .group = &integration,
       .access = choice<Method>(&Options::method, {{"dopri5", Method::dopri5},
                                                   {"dop853", Method::dop853},
                                                   {"radau", Method::radau},
                                                   {"auto", Method::automatic}}),
       .help = "Runge-Kutta method: explicit of order 5 or 8, implicit for stiff forces, or chosen by work",
       .details = "`radau`: orders 5, 9 and 13, chosen as the run goes; `auto`: where forces depend on positions or "
                  "velocities, dop853 or radau, whichever takes less counted work, else dop853; the report says "
                  "which and why ([method.md](../explanation/method.md))"},
      {.word = "projection", .group = &integration,
       .access = choice<Projection>(&Options::projection,
                                    {{"mass", Projection::mass},
                                     {"quasi_orthogonal", Projection::quasi_orthogonal},
                                     {"orthogonal", Projection::orthogonal},
                                     {"none", Projection::none}}),
       .help = "How positions and velocities are projected onto the constraints",
       .details = "`mass`: in the mass metric; the second and third are the paper's, in jet "
                  "coordinates ([paper.md](../explanation/paper.md)); `none`: they drift"},
      {.word = "project_stages", .group = &integration,
       .access = flag(&Options::project_stages),
       .help = "Project at every stage, not only at the end of a step"},
      {.word = "kinematics", .group = &integration,
       .access = choice<Kinematics>(&Options::kinematics, {{"auto", Kinematics::automatic},
                                                           {"off", Kinematics::off}}),
       .help = "auto: solve for the positions where drivers determine the motion; off: integrate",
       .details = "[kinematics.md](../explanation/kinematics.md)"},
      {.word = "invariants", .group = &integration,
       .access = invariants(),
       .help = "Quantities to enforce besides the constraints",
       .details = "Each where the exact motion conserves it; a warning says where it is not "
                  "enforced ([invariants.md](../explanation/invariants.md))"},
      {.word = "energy_correction", .group = &integration,
       .access = choice<EnergyCorrection>(&Options::energy_correction,
                                          {{"scaling", EnergyCorrection::scaling},
                                           {"combined", EnergyCorrection::combined},
                                           {"embedded", EnergyCorrection::embedded},
                                           {"relaxation", EnergyCorrection::relaxation}}),
       .help = "How the energy is enforced",
       .details = "[invariants.md](../explanation/invariants.md)"},
      {.word = "schur", .group = &integration,
       .access = choice<SchurSolver>(&Options::schur, {{"direct", SchurSolver::direct},
                                                       {"iterative", SchurSolver::iterative}}),
       .help = "Linear solver for accelerations and projections",
       .details = "`direct`: block-sparse factorisation; `iterative`: conjugate gradients "
                  "preconditioned with the blocks of the joints ([method.md](../explanation/method.md))"},
      {.word = "kernel", .group = &integration,
       .access = choice<KernelChoice>(&Options::kernel, {{"auto", KernelChoice::automatic},
                                                         {"loops", KernelChoice::loops}}),
       .help = "auto: generate machine code for the mechanism where that is faster; loops: do not",
       .details = "Code is generated on processors with AVX2, for at most 160 constraints. Results are "
                  "the same to the bit"},
      {.word = "threads", .group = &integration,
       .access = count(&Options::threads, {1, most_threads}),
       .help = "Threads per run; results do not depend on it",
       .details = "They share the work of one step: eliminations with branches (trees, nets) from "
                  "some hundred bodies, everything else from two thousand"},

      {.word = "step_control", .group = &steps,
       .access = choice<StepControl>(&Options::step_control, {{"pi", StepControl::pi},
                                                              {"classical", StepControl::classical}}),
       .help = "How the step size follows the error",
       .details = "`pi` remembers the last error and rejects fewer steps"},
      {.word = "initial_step", .group = &steps,
       .access = number(&Options::initial_step, positive), .unit = "s", .zero = "estimated",
       .help = "First step size"},
      {.word = "max_step", .group = &steps,
       .access = number(&Options::max_step, positive), .unit = "s", .zero = "no limit",
       .help = "Largest step size"},
      {.word = "fixed_step", .group = &steps,
       .access = number(&Options::fixed_step, positive), .unit = "s", .zero = "error control",
       .help = "Fixed step size"},
      {.word = "max_steps", .group = &steps,
       .access = count(&Options::max_steps, positive), .zero = "no limit",
       .help = "Maximum number of attempted steps"},
      {.word = "event_resolution", .group = &steps,
       .access = number(&Options::event_resolution, positive), .unit = "s", .zero = "t_end/1000",
       .help = "Events that last longer than this are never missed"},
      {.word = "max_growth", .group = &steps,
       .access = number(&Options::max_growth, {1, no_limit, false, false}), .zero = "the method's",
       .help = "Largest growth factor of the step size"},

      {.word = "output_interval", .group = &output,
       .access = number(&Options::output_interval, positive), .unit = "s", .zero = "t_end/1000",
       .help = "Time between output points",
       .details = "At most 1e8 points"},
      {.word = "output_at_steps", .group = &output,
       .access = flag(&Options::output_at_steps),
       .help = "Write output at the integrator's steps instead of an even grid"},
      {.word = "record", .group = &output,
       .access = record(),
       .help = "Quantities to record over time, or channels by name or pattern",
       .details = "[results.md](results.md)"},
      {.word = "reaction_frame", .group = &output,
       .access = choice<ReactionFrame>(&Options::reaction_frame, {{"world", ReactionFrame::world},
                                                                  {"body", ReactionFrame::body}}),
       .help = "Frame in which reactions are recorded",
       .details = "`body`: that of the joint's second body, on which they act"},

      {.word = "work_quadrature", .group = &jets,
       .access = choice<WorkQuadrature>(&Options::work_quadrature,
                                        {{"runge_kutta", WorkQuadrature::runge_kutta},
                                         {"trapezoidal", WorkQuadrature::trapezoidal}}),
       .help = "How the work of external forces is integrated"},
      {.word = "newton_tolerance", .group = &jets,
       .access = number(&Options::newton_tolerance, positive), .zero = "atol/100",
       .help = "Residual at which a projection stops"},
      {.word = "energy_scale", .group = &jets,
       .access = number(&Options::energy_scale, positive), .unit = "J", .zero = "the mechanism's",
       .help = "Unit of the energy in that residual",
       .details = "The mechanism's: Σ m\\|g\\|L + T at t = 0"},
      {.word = "newton_forcing", .group = &jets,
       .access = number(&Options::newton_forcing, {0, 1, true, false}), .zero = "exact solves",
       .help = "Relative residual of the inexact Newton method"},
      {.word = "raw_error", .group = &jets,
       .access = flag(&Options::raw_error),
       .help = "Estimate the error from the embedded difference before its projection"}};
}
// clang-format on

}  // namespace

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = make_table();
  return table;
}

const Option& find_option(std::string_view word) {
  const auto& table = option_table();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Option& option) { return option.word == word; });
  assert(found != table.end());
  return *found;
}

bool is_channel_pattern(std::string_view word) {
  if (word.find_first_of(".*?") != std::string_view::npos) return true;
  static const OptionAccess access = record();
  const auto& words = access.words;
  if (word == access.alone || std::find(words.begin(), words.end(), word) != words.end()) {
    return false;
  }
  // outputs and states have names of one word; what is nearly a quantity is one with a slip
  NearestWord nearest(word);
  for (const std::string_view known : words) nearest.offer(known);
  nearest.offer(access.alone);
  return is_identifier(word) && nearest.hint().empty();
}

std::string option_text(const Option& option, const SimulationOptions& options) {
  const OptionAccess& access = option.access;
  const OptionValue value = access.get(options);
  switch (access.kind) {
    case OptionKind::number: {
      const double x = std::get<double>(value);
      return x == 0 && !option.zero.empty() ? std::string(option.zero) : fmt::format("{}", x);
    }
    case OptionKind::count: {
      const std::int64_t n = std::get<std::int64_t>(value);
      return n == 0 && !option.zero.empty() ? std::string(option.zero) : fmt::format("{}", n);
    }
    case OptionKind::flag: return std::get<bool>(value) ? "true" : "false";
    case OptionKind::choice: return std::get<std::string>(value);
    case OptionKind::set: break;
  }
  SimulationOptions alone;
  access.set(alone, std::vector<std::string>{std::string(access.alone)});
  if (access.get(alone) == value) return std::string(access.alone);
  return fmt::format("{}", fmt::join(std::get<std::vector<std::string>>(value), ", "));
}

std::string to_text(const OptionRange& range) {
  const auto& [least, most, includes_least, includes_most] = range;
  if (includes_least && includes_most && std::isfinite(most)) {
    return fmt::format("from {} to {}", least, most);
  }
  std::string text = fmt::format("{} {}", includes_least ? "at least" : "greater than", least);
  if (std::isfinite(most)) {
    text += fmt::format(" and {} {}", includes_most ? "at most" : "less than", most);
  }
  return text;
}

}  // namespace trammel
