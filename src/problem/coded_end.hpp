// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What one run decides at the end of a step, or at an output point, whose numbers come from generated
// code (coded_step.hpp). The rules are those of Projector; anything unusual is left to it.
#pragma once

#include <span>

#include "generate/step_code.hpp"
#include "problem/projector.hpp"

namespace trammel {

template <class Space>
class CodedStep;

// How far the end of a run's step is.
enum class EndProgress : char {
  iterating,    // needs another iteration
  unchecked,    // moved; the next numbers say whether that has closed the joints
  closed,       // is on the joints
  may_shift,    // may have to move along the potential to restore the energy
  done,         // is on the manifold
  fallen_back,  // something unusual: the loops repeat it
  idle          // there is no run in this lane
};

// What code for steps of this run is to do; with_ends is false where loops have to end them.
template <class Space>
StepRules<Space> make_step_rules(const RunPoint<Space>& point);

template <class Space>
class CodedEnd {
 public:
  using Layout = typename StepCode<Space>::Layout;  // of the numbers that code has computed

  // in_lanes: one of several runs that share the code
  explicit CodedEnd(Projector<Space>& projector, bool in_lanes = false)
      : projector_(projector), point_(projector.point()), in_lanes_(in_lanes) {}

  const RunPoint<Space>& point() const { return point_; }
  // What the laws of drivers give at t, [drivers].
  std::span<const DriverLaw<double>> calc_laws_at(double t);

  // Whether an evaluation that code has made can be used; then it counts.
  bool take_evaluation(bool fine);
  void count_evaluation();

  // A step ends at t, or an output point is there.
  EndProgress begin(double t, bool is_output);
  // After an iteration: g, and the move that it proposes.
  EndProgress judge_iteration(const Layout& layout, const LaneNumbers& numbers);
  // Whether the last move has closed the joints: g is rounding, or the move was small.
  bool is_closed(const Layout& layout, const LaneNumbers& numbers) const;
  // On the joints: everything else.
  EndProgress complete(bool is_output, double h, const Layout& layout, const LaneNumbers& numbers);
  // Where that has found that it may have to be shifted: whether it has to. Then the joints are closed and
  // it is completed once more, and in any case without asking again.
  bool begin_shift(double h, const Layout& layout, const LaneNumbers& numbers);

  // Projector::finish_step with the factor that a lane of the code has.
  bool finish_by_loops(const CodedStep<Space>& coded, int lane, double t, double h, double* z,
                       double* rate);

 private:
  EndProgress take_point(double h, const Layout& layout, const LaneNumbers& numbers);
  EndProgress complete_end(double h, const Layout& layout, const LaneNumbers& numbers);
  EndProgress complete_output(double h, const Layout& layout, const LaneNumbers& numbers);
  LargestRow find_row(double largest, const LaneNumbers& rows) const;

  Projector<Space>& projector_;
  RunPoint<Space>& point_;
  bool in_lanes_;
  const SystemIn<Space>& system_ = point_.system;
  const SimulationOptions& options_ = point_.options;
  Workspace<double, Space>& ws_ = point_.ws;
  ActiveRows<Space>& rows_ = point_.rows;
  ChordIteration chord_;
  int usual_moves_ = 1;   // how many of its moves are likely to be enough
  bool shifted_ = false;  // it has been shifted, or need not
};

}  // namespace trammel
