// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The columns `output` of Results: the model's outputs by formula, its named points, and channels that are
// not stored but were selected by name. Each is calculated from the row that was just written.
#pragma once

#include <string>
#include <vector>

#include "record/channels.hpp"
#include "system/system.hpp"

namespace trammel {

// A formula or a pattern that names no channel, with its place in the model.
struct ChannelProblem {
  std::string path;  // "outputs.swing.formula", or "simulation.record"
  std::string reason;
  std::string hint = {};
  std::string word = {};  // in the formula, or empty
};

class OutputChannels {
 public:
  explicit OutputChannels(const std::vector<OutputFormula>& formulas) : formulas_(formulas) {}

  // Fills output_names and output_units. Returns what is wrong.
  std::vector<ChannelProblem> list(Results& results);

  // Appends one row.
  void write(Results& results);

 private:
  struct Formula {
    const Expression* expression;
    std::vector<Channel> channels;
    std::vector<double> slots;
  };
  const std::vector<OutputFormula>& formulas_;
  std::vector<Formula> compiled_;
  std::vector<Channel> channels_;
};

// What has to be recorded besides `record` for the outputs of a system and for channels selected by name.
Recorded widen_record(const SystemData& system, const Recorded& record);

}  // namespace trammel
