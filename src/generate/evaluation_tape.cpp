// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "generate/evaluation_tape.hpp"

#include <limits>

#include "evaluate/accelerations.hpp"
#include "generate/traced_system.hpp"

namespace trammel {

template <class Space>
EvaluationTape record_evaluation(const SystemIn<Space>& system, double drop_tolerance,
                                 const std::vector<char>& left_out) {
  Trace trace;
  TracedSystem<Space> traced(system);
  traced.take_given(EvaluationTape::given, 0);
  traced.leave_out(left_out);
  const int n = system.topology.layout.size();
  std::vector<Traced> z, rate(n);
  for (int k = 0; k < n; ++k) z.push_back(trace.input(EvaluationTape::state, k));
  evaluate(system.topology, traced.parameters, traced.ws, Traced(drop_tolerance), z.data(),
           rate.data());
  for (int k = 0; k < n; ++k) trace.output(rate[k], EvaluationTape::rate, k);
  for (int r = 0; r < system.topology.n_rows; ++r) {
    trace.output(traced.ws.lambda[r], EvaluationTape::multipliers, r);
  }
  trace.output(trace.has_margin() ? trace.margin() : Traced(1.0), EvaluationTape::margin, 0);
  return {trace.tape()};
}

template EvaluationTape record_evaluation(const SystemIn<Spatial>&, double,
                                          const std::vector<char>&);
template EvaluationTape record_evaluation(const SystemIn<Planar>&, double,
                                          const std::vector<char>&);

}  // namespace trammel
