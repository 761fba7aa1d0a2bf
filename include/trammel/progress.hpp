// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How a caller follows a run, and stops it.
#pragma once

#include <functional>

namespace trammel {

struct Progress {
  double t = 0.0;      // s, reached
  double t_end = 0.0;  // s, the end time
};

// Called after each step, and now and then between the output points of a step that has many; returning
// false stops the run there, which keeps what it computed.
using ProgressCallback = std::function<bool(const Progress&)>;

}  // namespace trammel
