// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "generate/machine_code.hpp"

#include <stdexcept>

#ifdef TRAMMEL_HAS_XBYAK

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "generate/code_writer.hpp"

namespace trammel {

void MachineCode::Free::operator()(double* p) const { std::free(p); }

bool MachineCode::is_possible() {
  static const bool possible = Xbyak::util::Cpu().has(Xbyak::util::Cpu::tAVX2);
  return possible;
}

MachineCode::MachineCode(const Tape& recorded, OperationOrder order, int lanes) {
  const bool expands = recorded.has_angles();
  const Tape expanded = expands ? expand_sine_cosine(recorded) : Tape{};
  const Tape& tape = expands ? expanded : recorded;
  const std::vector<int> operations = list_operations(tape, order);
  // an instruction is shorter than 16 bytes, and an operation rarely takes more than three
  const auto n_calls =
      std::count_if(tape.nodes.begin(), tape.nodes.end(),
                    [](const Tape::Node& node) { return node.operation == Tape::Operation::call; });
  const std::size_t size = 4096 + 48 * tape.nodes.size() + 16 * tape.outputs.size() + 800 * n_calls;
  try {
    writer_ = std::make_unique<Writer>(tape, operations, lanes, size);
  } catch (const Xbyak::Error& error) {
    throw std::runtime_error(error.what());
  }
  const std::vector<double>& constants = writer_->constants;
  const std::size_t bytes = (constants.size() * lanes * sizeof(double) + 63) / 32 * 32;
  constants_.reset(static_cast<double*>(std::aligned_alloc(32, bytes)));
  if (!constants_) throw std::bad_alloc();
  for (std::size_t k = 0; k < constants.size(); ++k) {
    std::fill_n(constants_.get() + k * lanes, lanes, constants[k]);
  }
  entry_ = writer_->getCode<Entry>();
  n_instructions_ = writer_->n_instructions;
}

MachineCode::~MachineCode() = default;
MachineCode::MachineCode(MachineCode&&) noexcept = default;

}  // namespace trammel

#else  // no assembler for this processor

namespace trammel {

class MachineCode::Writer {};
void MachineCode::Free::operator()(double*) const {}
bool MachineCode::is_possible() { return false; }
MachineCode::MachineCode(const Tape&, OperationOrder, int) {
  throw std::runtime_error("this build cannot make machine code");
}
MachineCode::~MachineCode() = default;
MachineCode::MachineCode(MachineCode&&) noexcept = default;

}  // namespace trammel

#endif
