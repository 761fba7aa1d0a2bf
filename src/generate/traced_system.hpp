// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A system on traced numbers, for whoever records parts of an evaluation (math/trace.hpp): its parameters as
// constants or inputs of the current trace, a workspace, and what is given at each evaluation besides the
// state: the time and what the laws of drivers ask for then.
#pragma once

#include <algorithm>
#include <vector>

#include "elements/members.hpp"
#include "math/trace.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
struct TracedSystem {
  // make(x): the traced number for a number of the system, in the order of the system
  template <class Make>
  TracedSystem(const SystemIn<Space>& system, const Make& make) : ws(system.topology) {
    copy_numbers(parameters, system.parameters, make);
  }
  explicit TracedSystem(const SystemIn<Space>& system)
      : TracedSystem(system, [](double x) { return Traced(x); }) {}

  Parameters<Traced, Space> parameters;
  Workspace<Traced, Space> ws;

  // Rows that take no part: their multipliers are 0.
  void leave_out(const std::vector<char>& rows) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r] != 0) ws.mask[r] = Traced(row_left_out);
    }
  }

  // The numbers of calc_given as inputs, from `offset` in `array` on.
  void take_given(int array, int offset) {
    Trace& trace = Trace::current();
    ws.time = trace.input(array, offset++);
    for (DriverLaw<Traced>& law : ws.law) {
      for (Traced* number : {&law.value, &law.first, &law.second}) {
        *number = trace.input(array, offset++);
      }
    }
  }
};

// The time, and the law of each driver with two derivatives.
template <class Space>
int count_given(const SystemIn<Space>& system) {
  return 1 + 3 * static_cast<int>(system.topology.drivers.size());
}
template <class Space>
void calc_given(const SystemIn<Space>& system, double time, double* given) {
  *given++ = time;
  for (const CompiledFunction& driver : system.parameters.drivers) {
    const auto law = driver.evaluate(time);
    for (const double number : {law.value, law.first, law.second}) *given++ = number;
  }
}

}  // namespace trammel
