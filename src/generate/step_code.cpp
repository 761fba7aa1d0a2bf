// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "generate/step_code.hpp"

#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "elements/members.hpp"
#include "generate/step_tracer.hpp"
#include "math/trace.hpp"

namespace trammel {

namespace {

// Rows beyond which the code outgrows the caches (measured: docs/studies/performance.md); lanes have four times
// the numbers.
constexpr int most_rows_in_lanes = 60;

struct NumberList {
  std::vector<double>& numbers;
  void number(double x, double) const { numbers.push_back(x); }
  template <class T>
  void other(const T&, const T&) const {}
  template <class T>
  bool size(const T&, const T&) const {
    return true;
  }
};

// All numbers of a system that a trace reads, in the order in which the tracer asks for them.
template <class Space>
std::vector<double> list_numbers(const SystemIn<Space>& system) {
  std::vector<double> numbers;
  NumberList list{numbers};
  visit_pairs(system.parameters, system.parameters, list);
  for (const std::vector<double>* scale :
       {&system.length, &system.own_part, &system.row_scale, &system.row_reach}) {
    numbers.insert(numbers.end(), scale->begin(), scale->end());
  }
  return numbers;
}

}  // namespace

template <class Space>
std::string StepCode<Space>::find_refusal(const Topology& topology, int lanes) {
  const int most = lanes == 1 ? most_coded_rows : most_rows_in_lanes;
  if (!MachineCode::is_possible()) return "the processor has no AVX2";
  if (topology.program.is_large || topology.n_rows > most) {
    return "more than " + std::to_string(most) + " constraint equations";
  }
  return {};
}

template <class Space>
std::unique_ptr<StepCode<Space>> StepCode<Space>::make(
    const std::vector<const SystemIn<Space>*>& members, int lanes, const StepRules<Space>& rules) {
  const SystemIn<Space>& system = *members.front();
  const Topology& topology = system.topology;
  if (!find_refusal(topology, lanes).empty()) return nullptr;
  std::unique_ptr<StepCode> code(new StepCode);
  // which numbers differ
  const std::vector<double> first = list_numbers(system);
  std::vector<char> differs(first.size(), 0);
  for (std::size_t m = 1; m < members.size(); ++m) {
    const std::vector<double> other = list_numbers(*members[m]);
    if (other.size() != first.size()) return nullptr;
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (std::memcmp(&first[k], &other[k], sizeof(double)) != 0) differs[k] = 1;
    }
  }
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (differs[k] != 0) code->parameters_.push_back(static_cast<int>(k));
  }
  code->layout_ = Layout(topology, static_cast<int>(code->parameters_.size()));
  const auto keep = [](MachineCode&& made) {
    return std::make_unique<MachineCode>(std::move(made));
  };
  try {
    code->evaluate_ = keep(Tracer(*code, rules, system).evaluate(lanes));
    code->errors_ = keep(Tracer(*code, rules, system).errors(lanes));
    if (rules.with_ends) {
      code->begin_ = keep(Tracer(*code, rules, system).iterate(lanes, Tracer::Iteration::first));
      code->iterate_ = keep(Tracer(*code, rules, system).iterate(lanes, Tracer::Iteration::next));
      code->complete_ = keep(Tracer(*code, rules, system).complete(lanes));
      if (rules.shifts) code->shift_ = keep(Tracer(*code, rules, system).shift(lanes));
    }
  } catch (const std::runtime_error&) {
    return nullptr;  // memory that may be executed is not to be had
  }
  return code;
}

template <class Space>
std::vector<double> StepCode<Space>::list_parameters(const SystemIn<Space>& member) const {
  const std::vector<double> all = list_numbers(member);
  std::vector<double> list;
  for (const int k : parameters_) list.push_back(all[k]);
  return list;
}

template class StepCode<Spatial>;
template class StepCode<Planar>;

}  // namespace trammel
