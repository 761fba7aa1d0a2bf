// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Switches without default: the compiler names the value that has no word yet.
#include "format/words.hpp"

namespace trammel {

const char* to_word(Method method) {
  switch (method) {
    case Method::dopri5:
      return "dopri5";
    case Method::dop853:
      return "dop853";
  }
  return "?";
}

const char* to_word(Projection projection) {
  switch (projection) {
    case Projection::none:
      return "none";
    case Projection::mass:
      return "mass";
    case Projection::quasi_orthogonal:
      return "quasi_orthogonal";
    case Projection::orthogonal:
      return "orthogonal";
  }
  return "?";
}

const char* to_word(EnergyCorrection correction) {
  switch (correction) {
    case EnergyCorrection::scaling:
      return "scaling";
    case EnergyCorrection::combined:
      return "combined";
  }
  return "?";
}

const char* to_word(StepControl control) {
  switch (control) {
    case StepControl::pi:
      return "pi";
    case StepControl::classical:
      return "classical";
  }
  return "?";
}

const char* to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished:
      return "finished";
    case Outcome::interrupted:
      return "interrupted";
    case Outcome::step_too_small:
      return "step_too_small";
    case Outcome::too_many_steps:
      return "too_many_steps";
  }
  return "?";
}

}  // namespace trammel
