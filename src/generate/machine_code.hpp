// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A tape as machine code of the processor it runs on (x86-64 with AVX2), written with Xbyak.
//
// An operation has one operand in a register and may take the other from memory, where inputs and
// constants are anyway: registers are given to what is used next soonest, and only a computed value that
// is needed again and loses its register is stored. The same list is written for one run (one double a
// register) or for four at once (lanes); every lane rounds as one run does.
#pragma once

#include <memory>
#include <vector>

#include "generate/operation_order.hpp"
#include "math/tape.hpp"

namespace trammel {

class MachineCode {
 public:
  static constexpr int n_arrays = 5;  // inputs and outputs, as the tape numbers them

  // Whether this processor and build can: x86-64 with AVX2, memory that may be executed.
  static bool is_possible();

  // No output goes where an input comes from. lanes: 1 or 4. Throws std::runtime_error where the code
  // cannot be made.
  MachineCode(const Tape& tape, OperationOrder order, int lanes);
  ~MachineCode();
  MachineCode(MachineCode&&) noexcept;

  // arrays: where the tape's arrays are, with `lanes` doubles for each number
  void run(double* const (&arrays)[n_arrays]) const {
    entry_(arrays[0], arrays[1], arrays[2], arrays[3], constants_.get(), arrays[4]);
  }

  int n_instructions() const { return n_instructions_; }

 private:
  class Writer;
  using Entry = void (*)(double*, double*, double*, double*, const double*, double*);

  std::unique_ptr<Writer> writer_;
  struct Free {
    void operator()(double* p) const;
  };
  std::unique_ptr<double[], Free> constants_;  // aligned to 32 bytes
  Entry entry_ = nullptr;
  int n_instructions_ = 0;
};

}  // namespace trammel
