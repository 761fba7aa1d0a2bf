// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The instructions that nearly all code of a tape is made of, byte by byte. Xbyak, which checks every
// combination of operands, takes some 500 instructions to write one; it writes what is rare.
//
//   C5 [R v L p] opcode ModRM displacement             R, X, B, v inverted; v: the first operand
//   C4 [R X B 00001] [0 v L p] opcode …                where the last operand is, or is behind, register 8 or above
//
// Literature: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section 2.3.5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#define XBYAK_NO_OP_NAMES
#include <xbyak/xbyak.h>
#include <xbyak/xbyak_util.h>

namespace trammel {

// Of one double per register (lanes = 1) or of four.
class VectorInstructions : public Xbyak::CodeGenerator {
 protected:
  VectorInstructions(std::size_t size, int lanes)
      : CodeGenerator(size, Xbyak::DontSetProtectRWE),
        wide_bit_(lanes > 1 ? 4 : 0),
        number_(lanes > 1 ? packed : one_double) {}

  // Behind a general register; not rsp, rbp, r12 or r13, whose codes mean something else.
  struct Memory {
    int base;
    int offset;  // bytes
  };
  Xbyak::Address at(const Memory& memory) { return ptr[Xbyak::Reg64(memory.base) + memory.offset]; }

  enum Opcode : std::uint8_t {
    move_from = 0x10,
    move_to = 0x11,
    root = 0x51,
    bitwise_and = 0x54,
    bitwise_xor = 0x57,
    sum = 0x58,
    product = 0x59,
    difference = 0x5C,
    minimum = 0x5D,
    quotient = 0x5E,
    maximum = 0x5F
  };

  // d ← a ∘ b, b a register or in memory
  template <class Operand>
  void write_numbers(Opcode opcode, int d, int a, const Operand& b) {
    write_instruction(opcode, number_, d, a, b);
  }
  // The same on the bits of whole registers.
  template <class Operand>
  void write_bits(Opcode opcode, int d, int a, const Operand& b) {
    write_instruction(opcode, packed, d, a, b);
  }
  void write_load(int d, const Memory& from) { write_instruction(move_from, number_, d, 0, from); }
  void write_store(int r, const Memory& to) { write_instruction(move_to, number_, r, 0, to); }
  void write_root(int d, int a) { write_instruction(root, number_, d, wide_bit_ != 0 ? 0 : a, a); }

 private:
  static constexpr int packed = 1, one_double = 3;  // prefixes 66 and F2

  void write_instruction(Opcode opcode, int prefix, int d, int a, int b) {
    std::uint8_t* p = begin(opcode, prefix, d, a, b >= 8);
    *p++ = static_cast<std::uint8_t>(0xC0 | (d & 7) << 3 | (b & 7));
    end(p);
  }
  void write_instruction(Opcode opcode, int prefix, int d, int a, const Memory& b) {
    std::uint8_t* p = begin(opcode, prefix, d, a, b.base >= 8);
    const int registers = (d & 7) << 3 | (b.base & 7);
    if (b.offset == 0) {
      *p++ = static_cast<std::uint8_t>(registers);
    } else if (b.offset >= -128 && b.offset < 128) {
      *p++ = static_cast<std::uint8_t>(0x40 | registers);
      *p++ = static_cast<std::uint8_t>(b.offset);
    } else {
      *p++ = static_cast<std::uint8_t>(0x80 | registers);
      std::memcpy(p, &b.offset, sizeof b.offset);
      p += sizeof b.offset;
    }
    end(p);
  }

  std::uint8_t* begin(Opcode opcode, int prefix, int d, int a, bool is_high) {
    constexpr std::size_t longest = 16;
    if (maxSize_ - size_ < longest) throw Xbyak::Error(Xbyak::ERR_CODE_IS_TOO_BIG);
    std::uint8_t* p = top_ + size_;
    const int high_d = d < 8 ? 0x80 : 0;
    const int rest = (~a & 15) << 3 | wide_bit_ | prefix;
    if (is_high) {
      *p++ = 0xC4;
      *p++ = static_cast<std::uint8_t>(high_d | 0x41);
      *p++ = static_cast<std::uint8_t>(rest);
    } else {
      *p++ = 0xC5;
      *p++ = static_cast<std::uint8_t>(high_d | rest);
    }
    *p++ = opcode;
    return p;
  }
  void end(const std::uint8_t* p) { size_ = static_cast<std::size_t>(p - top_); }

  int wide_bit_, number_;
};

}  // namespace trammel
