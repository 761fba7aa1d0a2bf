// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Evaluations and ends of steps by machine code (native/step_code.hpp), of one run or of four at once.
//
// A step's end is that of MechanicalProblem, in turns: the code computes, for all lanes together, and
// each run decides for itself what to do with it, by the same rules as without code. Only the order
// differs: a move onto the joints that is likely to be the last, because there were as many in the step
// before, is not checked by another iteration but by g of what comes behind it. A run to which
// something out of the ordinary happens (a projection that does not contract, a singular position, a
// motion so slow that the energy is held by climbing) goes the ordinary way for this step, from where
// it was: its bits are those of a run without code in any case.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "native/step_code.hpp"

namespace trammel {

template <class Space>
class MechanicalProblem;

// Where the end of a run's step is.
enum class Turn : char {
  again,     // wants another iteration
  moved,     // wants to know whether its last move has closed the joints
  closed,    // is on the joints
  climbing,  // may have to climb
  settled,   // is done
  ordinary,  // goes the ordinary way
  none       // there is no run
};

template <class Space>
class CodedStep {
 public:
  // Null where there is no code for these systems.
  using Code = std::shared_ptr<const StepCode<Space>>;  // may serve several threads
  static Code make_code(const std::vector<const SystemIn<Space>*>& members, int lanes,
                        const StepRules& rules) {
    return StepCode<Space>::make(members, lanes, rules);
  }
  static std::unique_ptr<CodedStep> make(const Code& code, const Topology& topology, int lanes);

  // Parameters of a lane, where runs differ in them.
  void set_member(int lane, const SystemIn<Space>& member);

  // ż at z; fine[lane]: the pivots can be trusted. Numbers of lane l stand at [lanes·k + l].
  void evaluate(double* z, double* rate, bool* fine) {
    code_->evaluate(arrays(z, rate));
    for (int lane = 0; lane < lanes_; ++lane) fine[lane] = is_fine(lane);
  }
  // The same of a run that is alone.
  bool evaluate(double* z, double* rate) {
    code_->evaluate(arrays(z, rate));
    return is_fine(0);
  }
  // Both errors of the steps from z0 to z1: error[lane], high and low. Lanes without a problem (null)
  // are left alone, here and below.
  struct Errors {
    double high, low;
  };
  void calc_errors(const MechanicalProblem<Space>* const* problems, double* z0, double* z1,
                   double* high, double* low, Errors* errors);
  // Ends the steps of size h at t: z onto M, ż there. fine[lane]: as of finish_step.
  void finish(MechanicalProblem<Space>* const* problems, const double* t, const double* h, double* z,
              double* rate, bool* fine);

  bool has_ends() const { return code_->has_ends(); }
  // The factor of the last evaluation of a lane, as the ordinary way needs it.
  void get_factor(int lane, std::span<double> values, std::span<double> inverse) const;

 private:
  CodedStep(Code code, int lanes, const Topology& topology);
  typename StepCode<Space>::Arrays arrays(double* z, double* rate) {
    return {z, rate, factor_.data(), results_.data(), parameters_.data()};
  }
  // The same with the factor at the end of the step.
  typename StepCode<Space>::Arrays end_arrays(double* z, double* rate) {
    return {z, rate, end_factor_.data(), results_.data(), parameters_.data()};
  }
  bool is_fine(int lane) const { return results_[code_->layout().margin * lanes_ + lane] > 0.0; }
  LaneNumbers results_of(int lane) const { return {results_.data() + lane, lanes_}; }
  void move_onto_joints(MechanicalProblem<Space>* const* problems, bool arrives, double* z,
                        double* rate);
  void settle(MechanicalProblem<Space>* const* problems, const double* h);
  void climb(MechanicalProblem<Space>* const* problems, const double* h, double* z, double* rate);
  // n numbers of lanes that are chosen, from those at `from` to those at `to`
  template <class Chosen>
  void copy(const Chosen& is_chosen, const double* from, int n, double* to) const;

  bool has(Turn turn) const {
    return turn_[0] == turn || turn_[1] == turn || turn_[2] == turn || turn_[3] == turn;
  }

  Code code_;
  int lanes_;
  int dimension_, n_y_, n_u_, n_components_;
  std::vector<double> factor_, end_factor_;  // of the last stage, of the step's end
  std::vector<double> results_, parameters_;
  std::vector<double> start_;         // [dimension × lanes] z before the step's end
  std::vector<double> state_, rate_;  // of one lane
  Turn turn_[4];
};

}  // namespace trammel
