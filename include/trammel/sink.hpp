// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Where a run goes while it is still going: a file that grows with it. `simulate` calls `start`,
// then `is_due` after each accepted step, and between the output points of a step that has many, and
// `update` where that says so; the caller calls `finish` with what `simulate` returned. All happens
// between steps.
#pragma once

#include "trammel/results.hpp"

namespace trammel {

class ResultsSink {
 public:
  virtual ~ResultsSink() = default;

  // Does `start` need the scene and the names of constraints? Else they are made at the end of the run.
  virtual bool needs_description() const { return true; }

  // Names, options and the first row are there. Throws FileError: then the run does not start.
  virtual void start(const Results& results) = 0;

  // Is it time for an update? Cheap.
  virtual bool is_due() = 0;

  // Rows and steps so far. Does not throw: what could not be delivered is tried again later. May
  // take rows out of the columns that it has delivered (Results::first_row).
  virtual void update(Results& results) = 0;

  // All there is. Throws FileError.
  virtual void finish(const Results& results) = 0;
};

}  // namespace trammel
