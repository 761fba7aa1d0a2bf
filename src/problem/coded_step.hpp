// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Evaluations and ends of steps by machine code (generate/step_code.hpp), of one run or of four at once.
//
// The code computes for all lanes together; each run decides for itself what to do with its numbers
// (CodedEnd), by the same rules as without code. Only the order differs: a move onto the joints that is
// likely to be the last, because there were as many in the step before, is not checked by another
// iteration but by g of the part that follows. If anything unusual happens (a projection that does not
// contract, a singular position), that run falls back to the loops for this step and repeats its end:
// its bits are those of a run without code in any case.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "generate/step_code.hpp"
#include "problem/coded_end.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class CodedStep {
 public:
  // Null where there is no code for these systems.
  using Code = std::shared_ptr<const StepCode<Space>>;  // may serve several threads
  static Code make_code(const std::vector<const SystemIn<Space>*>& members, int lanes,
                        const StepRules<Space>& rules) {
    return StepCode<Space>::make(members, lanes, rules);
  }
  static std::unique_ptr<CodedStep> make(const Code& code, const Topology& topology, int lanes);

  // Parameters of a lane, where runs differ in them.
  void set_member(int lane, const SystemIn<Space>& member);
  // The time of the next evaluation or step's end of a lane, and what the laws of drivers give then.
  void set_time(int lane, double t, std::span<const DriverLaw<double>> laws);
  // The references of curves have moved; of a run that is alone.
  void set_curves(std::span<const CurveState<double, Space>> curves);

  // ż at z; fine[lane]: the pivots can be trusted. Number k of lane l is at [lanes·k + l].
  void evaluate(double* z, double* rate, bool* fine) {
    run(code_->evaluate(), z, rate, factor_.data());
    for (int lane = 0; lane < lanes_; ++lane) fine[lane] = is_fine(lane);
  }
  // The same of a run that is alone.
  bool evaluate(double* z, double* rate) {
    run(code_->evaluate(), z, rate, factor_.data());
    return is_fine(0);
  }
  // Both errors of the steps from z0 to z1: error[lane], high and low. Lanes without a run (null)
  // are not touched, here and below.
  struct Errors {
    double high, low;
  };
  void calc_errors(const CodedEnd<Space>* const* runs, double* z0, double* z1, double* high,
                   double* low, Errors* errors);
  // Ends the steps of size h at t: z onto M, ż there. fine[lane]: as of finish_step.
  void finish(CodedEnd<Space>* const* runs, const double* t, const double* h, double* z,
              double* rate, bool* fine);

  bool has_ends() const { return code_->has_ends(); }
  // A point z between steps of a run that is alone, near M: moved onto M, by the codes of a step's end with the
  // factor of the point itself. false: not by code; z is as it was.
  bool finish_output(CodedEnd<Space>& run, double t, double h, double* z);
  // The factor of the last evaluation of a lane, as the ordinary way needs it.
  void get_factor(int lane, std::span<double> values, std::span<double> inverse) const;

 private:
  CodedStep(Code code, int lanes, const Topology& topology);
  // A step's end, or a point between steps, and the factors they use: the one that is there, and that of the point
  // on the joints.
  struct Place {
    bool is_output;
    double *factor, *end_factor;
  };
  void run(const MachineCode& code, double* z, double* rate, double* factor) {
    double* const arrays[] = {z, rate, factor, results_.data(), parameters_.data()};
    code.run(arrays);
  }
  bool is_fine(int lane) const { return results_[code_->layout().margin * lanes_ + lane] > 0.0; }
  LaneNumbers results_of(int lane) const { return {results_.data() + lane, lanes_}; }
  using Runs = CodedEnd<Space>* const*;
  void move_onto_manifold(const Place& place, Runs runs, const double* t, const double* h,
                          double* z, double* rate);
  void move_onto_joints(const Place& place, Runs runs, bool is_first, double* z, double* rate);
  void complete(const Place& place, Runs runs, const double* h);
  void shift(const Place& place, Runs runs, const double* h, double* z, double* rate);
  // n numbers of lanes that are chosen, from those at `from` to those at `to`
  template <class Chosen>
  void copy(const Chosen& is_chosen, const double* from, int n, double* to) const;

  bool has(EndProgress value) const {
    return std::find(progress_, progress_ + 4, value) != progress_ + 4;
  }

  Code code_;
  int lanes_;
  int dimension_, n_y_, n_u_, n_components_;
  struct Followed {
    int state, reference;  // where a reference is in z, and which it is
  };
  std::vector<Followed> followed_;           // references that take the values of coordinates
  std::vector<double> factor_, end_factor_;  // of the last stage, of the step's end
  std::vector<double> output_factor_;        // both, of a point between steps
  std::vector<double> results_, parameters_;
  std::vector<double> start_;         // [dimension × lanes] z before the step's end
  std::vector<double> state_, rate_;  // of one lane
  EndProgress progress_[4];
};

}  // namespace trammel
