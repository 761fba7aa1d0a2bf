// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <variant>

#include <nanobind/stl/variant.h>

#include <trammel/checked_model.hpp>
#include <trammel/document.hpp>
#include <trammel/ensemble.hpp>
#include <trammel/import.hpp>
#include <trammel/option_table.hpp>

#include "core.hpp"

namespace trammel::python {

namespace {

using Overrides = std::vector<std::pair<std::string, std::variant<double, std::string>>>;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  Mistake mistake;
  mistake.path = path;
  mistake.reason = reason;
  throw ModelError({mistake});
}

std::string list_words(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

bool has_word(const OptionAccess& access, const std::string& word) {
  for (const std::string_view known : access.words) {
    if (known == word) return true;
  }
  return access.takes_channels && is_channel_pattern(word);
}

OptionValue read_option(const Option& option, nb::handle value) {
  const OptionAccess& access = option.access;
  const std::string path = "simulation." + std::string(option.word);
  const bool is_bool = nb::isinstance<nb::bool_>(value);
  switch (access.kind) {
    case OptionKind::number: {
      double number = 0.0;
      if (is_bool || !nb::try_cast(value, number)) refuse(path, "must be a number");
      if (!std::isfinite(number)) refuse(path, "must be a finite number");
      return number;
    }
    case OptionKind::count: {
      std::int64_t count = 0;
      if (is_bool || !nb::try_cast(value, count)) refuse(path, "must be a whole number");
      return count;
    }
    case OptionKind::flag:
      if (!is_bool) refuse(path, "must be True or False");
      return nb::cast<bool>(value);
    case OptionKind::choice: {
      std::string word;
      if (!nb::try_cast(value, word) || !has_word(access, word)) {
        refuse(path, "must be one of: " + list_words(access.words));
      }
      return word;
    }
    case OptionKind::set: break;
  }
  std::vector<std::string> words;
  if (nb::isinstance<nb::str>(value)) {
    words = {nb::cast<std::string>(value)};
  } else if (!nb::try_cast(value, words)) {
    refuse(path, "must be a list of words");
  }
  for (const std::string& word : words) {
    if (!has_word(access, word)) {
      refuse(path, "'" + word + "' is none of: " + list_words(access.words));
    }
  }
  if (access.takes_channels && words.empty()) words = {std::string(access.alone)};
  return words;
}

Compiled read(const std::string& text, const std::string& name, const Overrides& overrides,
              bool allow_outside, bool from_file) {
  ParameterOverrides values;
  for (const auto& [key, value] : overrides) {
    if (const double* number = std::get_if<double>(&value)) {
      if (!std::isfinite(*number)) refuse("parameters." + key, "must be a finite number");
      values.emplace_back(key, *number);
    } else {
      values.emplace_back(key, std::get<std::string>(value));
    }
  }
  ReadOptions options;
  options.allow_outside = allow_outside;
  nb::gil_scoped_release release;
  if (from_file) {
    const CheckedModel checked = read_checked_model(name, values, options);
    System system = compile(checked);
    return {checked.model(), std::move(system)};
  }
  Model model = read_model_text(text, name, values, options);
  System system = compile(model);
  return {std::move(model), std::move(system)};
}

nb::list run_ensemble(const std::vector<const Compiled*>& members, const nb::dict& values,
                      int threads, nb::object progress) {
  if (members.empty()) return {};
  SimulationOptions options = make_options(members.front()->model.simulation, values);
  options.threads = threads;
  std::vector<System> systems;
  for (const Compiled* member : members) systems.push_back(member->system);
  std::vector<Results> results(systems.size());
  std::vector<char> delivered(systems.size());
  std::atomic<bool> interrupted{false};
  const ProgressCallback ask = make_progress(std::move(progress), interrupted);
  EnsembleCallbacks callbacks;
  callbacks.sink = [&](std::size_t member, Results&& one) {
    results[member] = std::move(one);
    delivered[member] = 1;
  };
  callbacks.progress = [&](const EnsembleProgress& at) {
    return ask({static_cast<double>(at.finished), static_cast<double>(at.members)});
  };
  {
    nb::gil_scoped_release release;
    simulate_ensemble(systems, options, callbacks);
  }
  nb::list list;
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (delivered[k] == 0) {
      list.append(nb::none());
    } else {
      list.append(nb::cast(std::move(results[k])));
    }
  }
  return list;
}

}  // namespace

SimulationOptions make_options(const SimulationOptions& base, const nb::dict& values) {
  SimulationOptions options = base;
  for (const auto& [key, value] : values) {
    const auto word = nb::cast<std::string>(key);
    const Option* option = nullptr;
    std::string known;
    for (const Option& one : option_table()) {
      if (one.word == word) option = &one;
      known += (known.empty() ? "" : ", ") + std::string(one.word);
    }
    if (option == nullptr) refuse("simulation." + word, "no such option; there are " + known);
    option->access.set(options, read_option(*option, value));
  }
  const std::vector<Mistake> mistakes = check_simulation(options);
  if (!mistakes.empty()) throw ModelError(mistakes);
  return options;
}

void bind_model(nb::module_& module) {
  nb::class_<CheckReport>(module, "CheckReport", "Degrees of freedom, assembly, redundancy.")
      .def_ro("bodies", &CheckReport::bodies)
      .def_ro("joints", &CheckReport::joints)
      .def_ro("rows", &CheckReport::rows, "Constraint equations.")
      .def_ro("rank", &CheckReport::rank, "Independent ones.")
      .def_ro("dof", &CheckReport::dof, "Degrees of freedom.")
      .def_ro("drivers", &CheckReport::drivers)
      .def_ro("reasons", &CheckReport::reasons, "Why it cannot run; empty: it can.")
      .def_ro("warnings", &CheckReport::warnings)
      .def_prop_ro("ok", &CheckReport::ok)
      .def("to_json", [](const CheckReport& report) { return to_json(report); })
      .def("__repr__", [](const CheckReport& report) { return to_string(report); });

  nb::class_<Compiled>(module, "Compiled", "A model as read, and its system.")
      .def_prop_ro("name", [](const Compiled& of) { return of.model.name; })
      .def_prop_ro("text", [](const Compiled& of) { return of.model.text; })
      .def_prop_ro("dimension", [](const Compiled& of) { return of.model.dimension; })
      .def_prop_ro("parameters", [](const Compiled& of) { return of.model.parameters; })
      .def_prop_ro("t_end", [](const Compiled& of) { return of.model.simulation.t_end; })
      .def("check",
           [](const Compiled& of) {
             nb::gil_scoped_release release;
             return check(of.system);
           })
      .def("assembled",
           [](const Compiled& of) {
             nb::gil_scoped_release release;
             return assemble(of.system).bodies;
           })
      .def(
          "run",
          [](const Compiled& of, const nb::dict& options, nb::object progress) {
            const SimulationOptions all = make_options(of.model.simulation, options);
            std::atomic<bool> interrupted{false};
            const ProgressCallback ask = make_progress(std::move(progress), interrupted);
            const System system = of.system;
            Results results;
            {
              nb::gil_scoped_release release;
              results = simulate(system, all, ask);
            }
            if (PyErr_Occurred() != nullptr) throw nb::python_error();
            return results;
          },
          nb::arg("options"), nb::arg("progress").none());

  module.def(
      "read_text",
      [](const std::string& text, const std::string& name, const Overrides& overrides,
         bool allow_outside) { return read(text, name, overrides, allow_outside, false); },
      nb::arg("text"), nb::arg("name"), nb::arg("parameters"), nb::arg("allow_outside"));
  module.def(
      "read_file",
      [](const std::string& path, const Overrides& overrides, bool allow_outside) {
        return read({}, path, overrides, allow_outside, true);
      },
      nb::arg("path"), nb::arg("parameters"), nb::arg("allow_outside"));
  module.def(
      "import_text",
      [](const std::string& path) {
        const ImportedModel imported = import_model(path);
        return std::pair(imported.model.text,
                         to_string(imported.left_out) + to_string(imported.changed));
      },
      nb::arg("path"));
  module.def("is_importable", &is_importable, nb::arg("path"));
  module.def("to_json_text", &to_json_text, nb::arg("text"), nb::arg("name"));
  module.def("run_ensemble", &run_ensemble, nb::arg("members"), nb::arg("options"),
             nb::arg("threads"), nb::arg("progress").none());
  module.def("list_options", [] {
    nb::list rows;
    for (const Option& option : option_table()) {
      rows.append(nb::make_tuple(std::string(option.word), std::string(option.unit),
                                 std::string(option.help)));
    }
    return rows;
  });
}

}  // namespace trammel::python
