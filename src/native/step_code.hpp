// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What a step of one mechanism computes, as machine code: the kernel is run once on numbers that write
// down what is done (math/trace.hpp), and that list, some two thousand operations for an evaluation of
// three bodies, is all that is left of loops, indices, tables and zeros. Two to three times faster than
// the kernel itself (docs/performance.md), with the same bits.
//
// For mechanisms whose rows and forces are all the kernel's own, and small ones: code beyond the
// processor's caches would be slower than loops. One code serves one run or four at once (lanes); then
// every number stands four times in a row, one for each, and parameters in which the runs differ are
// read from an array instead of being part of the code.
#pragma once

#include <memory>
#include <vector>

#include "native/machine_code.hpp"
#include "system/system.hpp"

namespace trammel {

template <class Space>
class StepCode {
 public:
  // Null where it cannot be made or would not pay. members: the systems of all runs, of one topology;
  // with_ends: the parts for a step's end as well.
  static std::unique_ptr<StepCode> make(const std::vector<const SystemIn<Space>*>& members, int lanes,
                                        double drop_tolerance, bool with_ends);

  // Where results stand among those of all lanes: number k of lane l at [lanes·k + l].
  struct Layout {
    // in `factor`
    int values = 0, inverse = 0, pivot = 0, factor_size = 0;
    // in `results`
    int margin = 0;      // of the pivots: positive, or the rest is of no use
    int not_finite = 0;  // 0, or not a number
    int g = 0;           // [rows]
    int y = 0;           // [n_y × bodies] moved
    int linear2 = 0;     // [bodies] m², square of that move
    int angular2 = 0;    // [bodies] rad²
    int u = 0;           // [n_u × bodies] projected
    int rates = 0;       // [rows] J u
    int kinetic = 0;     // [components] J
    int potential = 0;   // [components] J
    int results_size = 0;
  };
  const Layout& layout() const { return layout_; }
  int n_parameters() const { return static_cast<int>(parameters_.size()); }
  // The numbers in which the runs differ, of one of them, in the order that the code reads them.
  std::vector<double> list_parameters(const SystemIn<Space>& member) const;

  struct Arrays {
    double* z;
    double* rate;
    double* factor;
    double* results;
    double* parameters;
  };

  // ż and the factor of S; margin, not_finite
  void evaluate(const Arrays& at) const { run(*evaluate_, at); }
  // A chord iteration with the factor in hand: g at z, and y moved by −M⁻¹JᵀS⁻¹g. The first normalises
  // the coordinates of z before.
  void arrive(const Arrays& at) const { run(*arrive_, at); }
  void iterate(const Arrays& at) const { run(*iterate_, at); }
  // Factor of S at z, with pivots; u projected into ker J, J u there, energies
  void settle(const Arrays& at) const { run(*settle_, at); }
  // ż at z with the factor in hand; J u, kinetic energy
  void restart(const Arrays& at) const { run(*restart_, at); }

  bool has_ends() const { return settle_ != nullptr; }
  int n_instructions() const { return evaluate_->n_instructions(); }

 private:
  class Tracer;
  static void run(const MachineCode& code, const Arrays& at) {
    double* const arrays[] = {at.z, at.rate, at.factor, at.results, at.parameters};
    code.run(arrays);
  }

  Layout layout_;
  std::vector<int> parameters_;  // which of all numbers of a member
  std::unique_ptr<MachineCode> evaluate_, arrive_, iterate_, settle_, restart_;
};

}  // namespace trammel
