// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A switch without default: the compiler names the value that has no word yet.
#include "format/words.hpp"

namespace trammel {

const char* to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished: return "finished";
    case Outcome::interrupted: return "interrupted";
    case Outcome::step_too_small: return "step_too_small";
    case Outcome::too_many_steps: return "too_many_steps";
    case Outcome::running: return "running";
    case Outcome::open_joint: return "open_joint";
    case Outcome::too_many_events: return "too_many_events";
  }
  return "?";
}

}  // namespace trammel
