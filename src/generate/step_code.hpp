// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a step of one mechanism computes, as machine code: the kernel is run once on numbers that write
// down what is done (math/trace.hpp), and that list, some two thousand operations for an evaluation of
// three bodies, is all that is left of loops, indices, tables and zeros. Two to three times faster than
// the kernel itself (docs/studies/performance.md), with the same bits.
//
// For small mechanisms, with any kind of joint, driver and force: code beyond the
// processor's caches would be slower than loops. One code serves one run or four at once (lanes); then
// every number is there four times in a row, one for each, and parameters in which the runs differ are
// read from an array instead of being part of the code.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "elements/curve.hpp"
#include "generate/machine_code.hpp"
#include "math/lane_numbers.hpp"
#include "system/system.hpp"

namespace trammel {

// What steps are judged by, and what is held at their ends.
template <class Space>
struct StepRules {
  double drop_tolerance;    // of pivots at the stages
  double rtol, atol;        // of the local error
  bool with_ends;           // the parts for a step's end as well:
  std::vector<char> holds;  // [components] the energy is held
  bool shifts;              // of the only component: along the potential as well
  std::span<const CurveState<double, Space>> curves = {};  // of the run that the code is made for
  std::vector<char> left_out = {};  // [rows] those that take no part; empty: none
  bool refines = false;  // of a run that is alone: `complete` refines λ and has the reactions
};

template <class Space>
class StepCode {
 public:
  // Null where it cannot be made or would not pay. members: the systems of all runs, of one topology.
  static std::unique_ptr<StepCode> make(const std::vector<const SystemIn<Space>*>& members,
                                        int lanes, const StepRules<Space>& rules);

  // Why there is none for a system of this size or on this machine; empty where there is.
  static std::string find_refusal(const Topology& topology, int lanes);

  // Where results are among those of all lanes: number k of lane l at [lanes·k + l].
  struct Layout {
    Layout() = default;
    // n_parameters: in how many numbers the runs differ
    Layout(const Topology& topology, int n_parameters);

    // in `factor`
    int values = 0, inverse = 0, factor_size = 0;
    // in `parameters`: what differs between runs, and
    int start_energy = 0;  // [components] J, E(0)
    int step_kinetic = 0;  // [components] J, T at the last step's end
    int tolerance = 0;     // of a move onto the joints
    int energy_rtol = 0,
        energy_atol = 0;  // tolerances of the local error that the energy may use up
    int shift_limit = 0;  // of the move along the potential
    int step = 0;         // s, h
    int error = 0;        // [2] high, low: results of calc_errors
    int time = 0;         // s
    int laws = 0;         // [drivers × 3] what their laws give at that time
    int curve_frames =
        0;  // [curves × dimension²] e and n_k of their references (elements/curve.hpp)
    int parameters_size = 0;
    // in `results`
    int margin = 0;  // of the pivots: positive, or the rest is of no use
    // … of an iteration, at the z it is given
    int reach = 0;  // [components] m, largest coordinate of a centre of mass at the first iteration
    int g = 0;      // [rows]
    int largest_g = 0;  // of |g|
    int noise = 0;      // least of limit − |g|: not negative where g is rounding
    int size2 = 0;      // of the move that it proposes, max(|dr|/L, |φ|)², or not a number
    int small = 0;      // least of limit − size2: positive where the move is small for every body
    int moved = 0;      // [n_y × bodies] y after it
    int normalised = 0;  // [n_y × bodies] y before it, normalised (at the first iteration)
    // … of complete: g, largest_g and noise as well
    int pivot = 0;            // [rows]
    int largest_before = 0;   // of |J u| of the projected velocities
    int kinetic_before = 0;   // [components] J, of them
    int gradient_power = 0;   // [components] W, uᵀ∇U
    int steepness = 0;        // [components] ‖M⁻¹∇U‖²
    int deficit = 0;          // [components] what T lacks, relative to T
    int growth = 0;           // [components] of u to restore it
    int u = 0;                // [n_u × bodies]
    int rates = 0;            // [rows] J u
    int largest_rate = 0;     // of |J u|
    int kinetic = 0;          // [components] J
    int potential = 0;        // [components] J
    int defect = 0;           // largest | |θ|² − 1 |
    int projected = 0;        // [n_u × bodies] u before it was scaled, where there is a shift
    int reference_value = 0;  // [references] q, unwrapped, of those that follow a coordinate
    int sigma = 0;            // [curves] m, where on their curves the points are
    int lambda = 0;           // [rows] λ
    // … of complete, where it refines
    int refined = 0;                     // [rows] λ after a step of refinement
    int refined_by = 0, refined_of = 0;  // squares of that step and of u̇, in the mass metric
    int reactions = 0;  // [joints × n_u] F, M of them, with these λ (evaluate/reactions.hpp)
    // … of shift: moved and reach as well
    int shift_norm2 = 0;  // ‖P a‖²
    int shift = 0;        // what of P a it goes along
    int results_size = 0;
  };
  const Layout& layout() const { return layout_; }
  // The numbers in which the runs differ, of one of them, in the order that the code reads them.
  std::vector<double> list_parameters(const SystemIn<Space>& member) const;

  // The codes read and write, in this order: the state z, its derivative, the factor, results and parameters.

  // ż and the factor of S; margin. A result that is not finite is for the error to find.
  const MachineCode& evaluate() const { return *evaluate_; }
  // Both errors of the steps from z0 to z1; arrays: z0, z1, high, low, parameters.
  const MachineCode& errors() const { return *errors_; }
  // A chord iteration with the factor that is there: g at z, and y moved by −M⁻¹JᵀS⁻¹g. The first normalises
  // the coordinates of z before.
  const MachineCode& begin() const { return *begin_; }
  const MachineCode& iterate() const { return *iterate_; }
  // At z on the joints: S factored, u projected into ker J and scaled to the energy to keep, ż there.
  const MachineCode& complete() const { return *complete_; }
  // At the same z and with the factor that complete has left: y moved along the potential. Touches none of
  // the results of complete. Null where there is none.
  const MachineCode* shift() const { return shift_.get(); }

  bool has_ends() const { return complete_ != nullptr; }

  int n_instructions() const { return evaluate_->n_instructions(); }

 private:
  class Tracer;

  Layout layout_;
  std::vector<int> parameters_;  // which of all numbers of a member
  std::unique_ptr<MachineCode> evaluate_, errors_, begin_, iterate_, complete_, shift_;
};

}  // namespace trammel
