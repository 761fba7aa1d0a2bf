// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which generated code a run uses, and when it is made.
#include <algorithm>

#include "evaluate/coordinate_rows.hpp"
#include "problem/mechanical_problem.hpp"

namespace trammel {

namespace {

// Code takes 0.15 ms per row to generate and saves some 13 ns per row and evaluation: a small mechanism has
// it from the start, a larger one when it has run for about as long as that takes.
constexpr int rows_for_code_at_once = 60;
constexpr std::int64_t evaluations_before_code = 10'000;
// Other rows than at the start, where joints are redundant, are other code: not for a set of rows that is in
// use for a moment.
constexpr std::int64_t evaluations_before_other_code = 1'000;
constexpr std::size_t most_codes = 8;
}  // namespace

// What cannot be written down as code, or is not to be, by name.
template <class Space>
std::string MechanicalProblem<Space>::find_code_refusal() const {
  if (options_.kernel != KernelChoice::automatic) return "loops were requested";
  if (options_.project_stages) return "stages are projected";
  if (options_.schur == SchurSolver::iterative) return "the solver is iterative";
  if (!system_.light.empty()) return "bodies with little or no mass";
  return StepCode<Space>::find_refusal(system_.topology, 1);
}

// coded_ ← the code for the rows of the step in hand, made where that pays, or null.
template <class Space>
void MechanicalProblem<Space>::find_code() {
  coded_ = nullptr;
  if (!code_refusal_.empty() || watch_.is_bridge()) return;
  const std::vector<int>& left_out = watch_.step_left_out();
  const auto known = std::find_if(codes_.begin(), codes_.end(),
                                  [&](const RowCode& code) { return code.left_out == left_out; });
  if (known != codes_.end()) {
    coded_ = known->code.get();
  } else if (counts_.distribution >= code_after_ && codes_.size() < most_codes) {
    codes_.push_back({left_out, CodedStep<Space>::make(
                                    CodedStep<Space>::make_code({&system_}, 1, make_step_rules()),
                                    system_.topology, 1)});
    coded_ = codes_.back().code.get();
    if (coded_ == nullptr) code_refusal_ = "no memory for code";
  }
  if (coded_ != nullptr) coded_->set_curves(ws_.curves);
}

template <class Space>
void MechanicalProblem<Space>::find_first_code() {
  if (system_.topology.n_rows > rows_for_code_at_once) code_after_ = evaluations_before_code;
  find_code();
}

template <class Space>
void MechanicalProblem<Space>::find_other_code() {
  code_after_ = std::max(code_after_, counts_.distribution + evaluations_before_other_code);
  find_code();
}

template <class Space>
std::span<const DriverLaw<double>> MechanicalProblem<Space>::calc_laws_at(double t) {
  ws_.time = t;
  calc_laws(system_.parameters, ws_);
  return ws_.law;
}

template std::string MechanicalProblem<Spatial>::find_code_refusal() const;
template void MechanicalProblem<Spatial>::find_code();
template void MechanicalProblem<Spatial>::find_first_code();
template void MechanicalProblem<Spatial>::find_other_code();
template std::span<const DriverLaw<double>> MechanicalProblem<Spatial>::calc_laws_at(double);
template std::string MechanicalProblem<Planar>::find_code_refusal() const;
template void MechanicalProblem<Planar>::find_code();
template void MechanicalProblem<Planar>::find_first_code();
template void MechanicalProblem<Planar>::find_other_code();
template std::span<const DriverLaw<double>> MechanicalProblem<Planar>::calc_laws_at(double);

}  // namespace trammel
