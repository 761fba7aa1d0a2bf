// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Which stage of an evaluation a workspace has reached:
//
//   positions ─▶ velocities ─▶ rows g, J ─▶ γ ─▶ factor of S ─▶ accelerations
//
// Each function of src/evaluate states what it needs and what it provides. A stage that is missing, or that
// belongs to another state, is a programmer's error: an assertion in builds without NDEBUG (presets debug,
// asan and tsan), nothing in others.
#pragma once

#include <cassert>

namespace trammel {

enum class Stage : unsigned {
  positions = 1,
  velocities = 2,
  rows = 4,
  gamma = 8,
  factor = 16,  // survives a change of state: chord iterations use that of a nearby point
};

class Stages {
 public:
#ifdef NDEBUG
  void begin_state() {}
  void provide(Stage) {}
  void need(Stage) const {}
#else
  // Positions of another state: everything but the factor is stale.
  void begin_state() {
    reached_ &= static_cast<unsigned>(Stage::factor);
    provide(Stage::positions);
  }
  void provide(Stage stage) {
    reached_ |= static_cast<unsigned>(stage);
    // γ is quadratic in the velocities
    if (stage == Stage::velocities) reached_ &= ~static_cast<unsigned>(Stage::gamma);
  }
  void need(Stage stage) const {
    assert((reached_ & static_cast<unsigned>(stage)) != 0 &&
           "an earlier stage is missing or stale");
  }

 private:
  unsigned reached_ = 0;
#endif
};

}  // namespace trammel
