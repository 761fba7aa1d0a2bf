// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a finished run between its output times.
//
//   positions      Hermite polynomials through the positions and velocities of both neighbours, and their
//                  accelerations where recorded: an error of order h⁴ or h⁶ in the output interval h
//   orientations   the same of the Euler parameters θ, with θ̇ = ½ θ∘(0, Ω)
//   velocities     the slopes of these: an error of order h³ or h⁵
//   then           the nearest point (in the mass metric) at which the joints and drivers are closed, as at
//                  the run's own output points, by the model compiled anew from the text in the results
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/results.hpp"

namespace trammel {

class Interpolator {
 public:
  // `results` has to stay where it is. Throws std::invalid_argument where it has no positions.
  explicit Interpolator(const Results& results);
  ~Interpolator();
  Interpolator(Interpolator&&) noexcept;
  Interpolator& operator=(Interpolator&&) noexcept;

  // Bodies in their order; at an output time exactly the recorded positions. Throws std::invalid_argument
  // for a time outside of the run, and between output times where no velocities were recorded.
  std::vector<BodyState> at(double t);

  // Why states are not closed (no text of the model, a table that is gone, a singular position), or empty.
  // The first reason met so far stays.
  const std::string& why_open() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> in_;
};

}  // namespace trammel
