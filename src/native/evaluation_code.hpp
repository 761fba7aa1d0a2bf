// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One mechanism's evaluation as machine code: the kernel is run once on numbers that write down what is
// done (math/trace.hpp), and that list, some two thousand operations for three bodies, is all that is
// left of loops, indices, tables and zeros. Two to three times faster than the kernel itself
// (docs/performance.md), with the same bits.
//
// For mechanisms whose rows and forces are all the kernel's own, and small ones: code beyond the
// processor's caches would be slower than loops.
#pragma once

#include <memory>

#include "native/machine_code.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class EvaluationCode {
 public:
  // Null where it cannot be made or would not pay.
  static std::unique_ptr<EvaluationCode> make(const SystemIn<Space>& system, double drop_tolerance);

  // ż at z, and the factor of S in ws. false: a pivot is not safely positive or the result is not
  // finite; nothing then is of use. All rows take part.
  bool evaluate(const double* z, double* rate, Workspace<double, Space>& ws) const {
    double outcome[2];
    double* const arrays[] = {const_cast<double*>(z), rate, ws.values.data(), ws.inverse.data(),
                              outcome};
    code_.run(arrays);
    return outcome[0] > 0.0 && outcome[1] == 0.0;
  }

  int n_instructions() const { return code_.n_instructions(); }

 private:
  explicit EvaluationCode(const Trace& trace) : code_(trace, 1) {}
  MachineCode code_;
};

}  // namespace trammel
