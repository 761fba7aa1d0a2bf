// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Evaluations and ends of steps by machine code (native/step_code.hpp), of one run or of four at once.
//
// A step's end is that of MechanicalProblem, in turns: the code computes, for all lanes together, and
// each run decides for itself what to do with it, by the same rules as without code. A run to which
// something out of the ordinary happens (a projection that does not contract, a singular position, a
// motion so slow that the energy is held by climbing) goes the ordinary way for this step, from where
// it was: its bits are those of a run without code in any case.
#pragma once

#include <memory>
#include <vector>

#include "native/step_code.hpp"

namespace trammel {

template <class Space>
class MechanicalProblem;

template <class Space>
class CodedStep {
 public:
  // Null where there is no code for these systems. Ends of steps by code: where all of them can.
  using Code = std::shared_ptr<const StepCode<Space>>;  // may serve several threads
  static Code make_code(const std::vector<const SystemIn<Space>*>& members, int lanes,
                        bool with_ends);
  static std::unique_ptr<CodedStep> make(const Code& code, const Topology& topology, int lanes);

  // Parameters of a lane, where runs differ in them.
  void set_member(int lane, const SystemIn<Space>& member);

  // ż at z; fine[lane]: pivots and result can be trusted. Numbers of lane l stand at [lanes·k + l].
  void evaluate(double* z, double* rate, bool* fine);
  // Ends the steps of size h at t: z onto M, ż there. fine[lane]: as of finish_step. Lanes without a
  // problem (null) are left alone.
  void finish(MechanicalProblem<Space>* const* problems, const double* t, const double* h, double* z,
              double* rate, bool* fine);

  bool has_ends() const { return code_->has_ends(); }
  // The factor of the last evaluation of a lane, as the ordinary way needs it.
  void get_factor(int lane, std::vector<double>& values, std::vector<double>& inverse) const;
  int n_instructions() const { return code_->n_instructions(); }

 private:
  CodedStep(Code code, int lanes, int dimension);
  typename StepCode<Space>::Arrays arrays(double* z, double* rate, bool ended) {
    return {z, rate, ended ? end_factor_.data() : factor_.data(), results_.data(),
            parameters_.data()};
  }
  // n numbers of a lane, in a row.
  const double* get(const std::vector<double>& from, int offset, int n, int lane,
                    std::vector<double>& into) const;
  const double* get_result(int offset, int n, int lane) {
    return get(results_, offset, n, lane, row_);
  }
  void read_lane(const double* z, int lane, std::vector<double>& into) const;
  void write_lane(const double* from, int n, int offset, int lane, double* z) const;

  Code code_;
  int lanes_;
  int dimension_;
  std::vector<double> factor_, end_factor_;  // of the last stage, of the step's end
  std::vector<double> results_, parameters_;
  std::vector<double> row_, square_, move_;  // of one lane
  std::vector<std::vector<double>> start_;   // [lanes] z before
  std::vector<double> state_, rate_;         // of one lane
};

}  // namespace trammel
