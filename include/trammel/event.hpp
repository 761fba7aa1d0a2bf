// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Events: what happens when a function of the state changes its sign.
#pragma once

#include <string>
#include <vector>

#include "trammel/function.hpp"

namespace trammel {

enum class EventDirection { either, rising, falling };

// The instant at which `when`, a formula of what formulas of forces can read, changes its sign. A step ends
// there. Simultaneous events happen in the order of the model, each with its actions in the order record,
// set, stop; all new values of one event are computed before any state changes.
struct Event {
  std::string name;
  Function when = 0.0;
  EventDirection direction = EventDirection::either;
  bool record = false;  // a row of the results, of the state before the event
  struct Change {
    std::string state;     // a switch or a state that is not sampled
    Function value = 0.0;  // its new value
  };
  std::vector<Change> set = {};
  bool stop = false;  // the run ends
};

}  // namespace trammel
