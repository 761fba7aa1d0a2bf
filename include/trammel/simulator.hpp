// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A run that the caller drives: for controllers in code, co-simulation and everything else that has to act
// between steps.
//
//   Simulator sim(compile(model), options);
//   while (sim.time() < 5.0) {
//     sim.set_input("torque", -20.0 * sim.value("shoulder.angle"));
//     sim.advance(0.001);
//   }
//
// The steps are those of simulate: the same options give the same bits where the same steps end. A step ends
// where an advance ends. Joints are closed there, as at every end of a step.
//
// Inputs are the states of the model (`states`) whose rate is the number 0: formulas of forces read them by
// name, and they are constant but for set_input. Kinematic models are integrated (kinematics: off).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/trammel.hpp"

namespace trammel {

class Simulator {
 public:
  // At t = 0, assembled; the run can go as far as options.t_end. One row of results is recorded at the end of
  // each step. Throws ModelError where the model cannot run.
  Simulator(const System& system, const SimulationOptions& options);
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  // ---- time. False: the run is over, at its end or because it cannot go on; status() says why.

  bool step();                // one step of the integrator
  bool advance(double dt);    // s; throws std::invalid_argument where that is not after now,
  bool advance_to(double t);  // or after t_end
  double time() const;        // s
  bool is_over() const;
  Status status() const;  // Outcome::running while it is not over

  // ---- the state, at the end of the last step. Inputs that were set since then act from there on.

  std::vector<BodyState> state() const;  // [bodies] in the order of body_names()
  const std::vector<std::string>& body_names() const;
  // A channel by name, "motor.torque" (channels.hpp). Throws std::invalid_argument, with similar names.
  double value(const std::string& channel);

  // ---- inputs. Throw std::invalid_argument where there is no such input, or the value is not finite.

  const std::vector<std::string>& input_names() const;
  double input(const std::string& name) const;
  void set_input(const std::string& name, double value);

  // ---- the mechanism

  // Goes on with another system: other masses, forces or points, but the same bodies, joints and states. Bodies
  // move as far as joints have moved, velocities as far as they have to. Throws std::invalid_argument where the
  // parts are not the same, ModelError where it cannot run. The results begin anew.
  void change(const System& system);

  // ---- results

  // What was recorded since the start, or the last change.
  Results results();

  // ---- checkpoints

  // Everything a simulator of the same system and options needs to go on with the same bits, in this process
  // or another. What is saved is what was done to the run since its start (or the last change): restoring
  // repeats that, and takes the CPU time it took.
  std::string save() const;
  // Throws std::invalid_argument where the text is damaged or of another system or other options.
  void restore(const std::string& saved);

 private:
  class Base;
  template <class Space>
  class In;
  std::unique_ptr<Base> in_;
};

}  // namespace trammel
