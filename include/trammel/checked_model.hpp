// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Models that are known to be without errors. read_model and compile each check a Model, because it may be
// changed in between; a CheckedModel cannot be changed and is checked once:
//
//   const System system = compile(read_checked_model("crank.yaml"));
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/trammel.hpp"

namespace trammel {

class CheckedModel {
 public:
  explicit CheckedModel(Model model);  // Throws ModelError.
  const Model& model() const { return model_; }
  Model take() && { return std::move(model_); }

 private:
  struct Known {};  // to be without errors
  CheckedModel(Model model, Known) : model_(std::move(model)) {}
  friend CheckedModel read_checked_model(const std::string&, const ParameterOverrides&,
                                         const ReadOptions&);
  Model model_;
};

// Like read_model. Throws ModelError with all errors, or FileError.
CheckedModel read_checked_model(const std::string& path, const ParameterOverrides& overrides = {},
                                const ReadOptions& options = {});

System compile(const CheckedModel& model);

// Everything that is wrong with options, such as those of a command line.
std::vector<Mistake> check_simulation(const SimulationOptions& options);

}  // namespace trammel
