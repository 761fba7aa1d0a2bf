// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which generated code a run uses, and when it is made.
#include <algorithm>

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

// coded_ ← the code for the rows of the current step, made where that pays, or null.
template <class Space>
void MechanicalProblem<Space>::find_code() {
  coded_ = nullptr;
  if (!point().code_refusal.empty() || point().rows.is_passage()) return;
  const std::vector<int>& left_out = point().rows.step_left_out();
  // code for these rows may have been made before
  const auto known = std::find_if(codes_.begin(), codes_.end(),
                                  [&](const RowCode& code) { return code.left_out == left_out; });
  if (known != codes_.end()) {
    coded_ = known->code.get();
  } else if (point().counts.accelerations >= code_after_ && codes_.size() < most_codes) {
    codes_.push_back({left_out, CodedStep<Space>::make(CodedStep<Space>::make_code(
                                                           {&system_}, 1, make_step_rules(point())),
                                                       system_.topology, 1)});
    coded_ = codes_.back().code.get();
    if (coded_ == nullptr) point().code_refusal = "no memory for code";
  }
  if (coded_ != nullptr) coded_->set_curves(point().ws.curves);
}

template <class Space>
void MechanicalProblem<Space>::find_first_code() {
  if (system_.topology.n_rows > rows_for_code_at_once) code_after_ = evaluations_before_code;
  find_code();
}

template <class Space>
void MechanicalProblem<Space>::find_other_code() {
  code_after_ = std::max(code_after_, point().counts.accelerations + evaluations_before_other_code);
  find_code();
}

template void MechanicalProblem<Spatial>::find_code();
template void MechanicalProblem<Spatial>::find_first_code();
template void MechanicalProblem<Spatial>::find_other_code();
template void MechanicalProblem<Planar>::find_code();
template void MechanicalProblem<Planar>::find_first_code();
template void MechanicalProblem<Planar>::find_other_code();

}  // namespace trammel
