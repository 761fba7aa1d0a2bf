// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a tape as x86-64 code: registers, stack slots, operations and calls. Used by machine_code.cpp only.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "generate/machine_code.hpp"
#include "generate/value_uses.hpp"

#define XBYAK_NO_OP_NAMES
#include <xbyak/xbyak.h>
#include <xbyak/xbyak_util.h>

namespace trammel {

class MachineCode::Writer : public Xbyak::CodeGenerator, private ValueUses {
  static constexpr int n_registers = 16;
  static constexpr int scratch = 15;  // the last of them, where an operation needs one more
  static bool needs_scratch(Operation operation) {
    return operation == Operation::inverse_or_zero || operation == Operation::choose ||
           operation == Operation::odd || operation == Operation::turn ||
           operation == Operation::turn_next;
  }

 public:
  Writer(const Tape& tape, const std::vector<int>& operations, int lanes, std::size_t size)
      : CodeGenerator(size, Xbyak::DontSetProtectRWE),
        ValueUses(tape, operations),
        functions_(tape.functions),
        lanes_(lanes),
        width_(8 * lanes) {
    for (const int node : order_) {
      if (needs_scratch(nodes_[node].operation)) n_free_ = n_registers - 1;
    }
    const Xbyak::Reg64 frame = rbp;
    push(frame);
    mov(frame, rsp);
    and_(rsp, -32);
    sub(rsp, frame_size);
    const std::size_t frame_patch = getSize() - sizeof(int);
    lea(rax, ptr[rsp + short_reach]);
    if (!functions_.empty()) save_bases();
    for (position_ = 0; position_ < static_cast<int>(order_.size()); ++position_) {
      write(order_[position_]);
    }
    for (const Tape::Output& output : tape.outputs) {  // those that are not computed
      if (!is_computed(output.node)) store(load(output.node), address(output.array, output.offset));
    }
    if (lanes_ > 1) vzeroupper();
    mov(rsp, frame);
    pop(frame);
    ret();
    // the frame grew while the code was written
    const int bytes = (n_slots_ * width_ + 31) / 32 * 32;
    std::memcpy(const_cast<std::uint8_t*>(getCode()) + frame_patch, &bytes, sizeof bytes);
    setProtectModeRE();
  }

  int n_instructions = 0;
  std::vector<double> constants;  // the numbers behind the fifth argument

 private:
  // ---- memory

  Xbyak::Address address(int array, int offset) {
    const Xbyak::Reg64 base[] = {rdi, rsi, rdx, rcx, r9};  // the fifth argument: constants
    return ptr[base[array] + offset * width_];
  }
  Xbyak::Address address_of_slot(int slot) { return ptr[rax + (slot * width_ - short_reach)]; }
  Xbyak::Address address_of_constant(double value) {
    const auto bits = [](double x) {
      std::uint64_t pattern;
      std::memcpy(&pattern, &x, sizeof pattern);
      return pattern;
    };
    for (std::size_t k = 0; k < constants.size(); ++k) {
      if (bits(constants[k]) == bits(value)) return ptr[r8 + static_cast<int>(k) * width_];
    }
    constants.push_back(value);
    return ptr[r8 + static_cast<int>(constants.size() - 1) * width_];
  }
  // Where a value that is in no register is.
  Xbyak::Address home(int node) {
    Place& place = places_[node];
    if (nodes_[node].operation == Operation::input) {
      return address(nodes_[node].array, nodes_[node].offset);
    }
    if (nodes_[node].operation == Operation::constant) {
      if (place.constant < 0) {
        place.constant = static_cast<int>(constants.size());
        constants.push_back(nodes_[node].value);
      }
      return ptr[r8 + place.constant * width_];
    }
    if (place.n_outputs > 0) {
      const Tape::Output& output = outputs_[place.first_output];
      return address(output.array, output.offset);
    }
    return address_of_slot(place.slot);
  }

  // ---- registers

  Xbyak::Xmm reg(int r) const {
    if (lanes_ == 1) return Xbyak::Xmm(r);
    return Xbyak::Ymm(r);
  }

  // A register that may be overwritten: free, or of what is needed last. keep: not these.
  int allocate(std::initializer_list<int> keep) {
    int best = -1, farthest = -1;
    for (int r = 0; r < n_free_; ++r) {
      if (std::find(keep.begin(), keep.end(), r) != keep.end()) continue;
      const int next = in_register_[r] < 0 ? never : next_use(in_register_[r]);
      if (next == never) {
        release(r);
        return r;
      }
      if (next > farthest) {
        farthest = next;
        best = r;
      }
    }
    const int node = in_register_[best];
    Place& place = places_[node];
    if (is_computed(node) && place.n_outputs == 0 && place.slot < 0) {
      place.slot = take_slot();
      store(best, address_of_slot(place.slot));
    }
    release(best);
    return best;
  }
  // Slots are used again: what is on the stack stays in the nearest cache.
  int take_slot() {
    if (free_slots_.empty()) return n_slots_++;
    const int slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  void give_back_slot(int node) {
    Place& place = places_[node];
    if (place.slot < 0 || next_use(node) != never) return;
    free_slots_.push_back(place.slot);
    place.slot = -1;
  }
  void release(int r) {
    if (in_register_[r] >= 0) places_[in_register_[r]].reg = -1;
    in_register_[r] = -1;
  }
  void assign(int r, int node) {
    in_register_[r] = node;
    places_[node].reg = r;
  }
  int load(int node, std::initializer_list<int> keep = {}) {
    if (places_[node].reg >= 0) return places_[node].reg;
    const int r = allocate(keep);
    load_to(r, home(node));
    assign(r, node);
    return r;
  }
  void load_to(int r, const Xbyak::Address& from) {
    ++n_instructions;
    if (lanes_ == 1)
      vmovsd(Xbyak::Xmm(r), from);
    else
      vmovupd(Xbyak::Ymm(r), from);
  }
  void store(int r, const Xbyak::Address& to) {
    ++n_instructions;
    if (lanes_ == 1)
      vmovsd(to, Xbyak::Xmm(r));
    else
      vmovupd(to, Xbyak::Ymm(r));
  }

  // ---- operations

  void emit(Operation operation, int d, int a, const Xbyak::Operand& b) {
    ++n_instructions;
    const Xbyak::Xmm D = reg(d), A = reg(a);
    const bool one = lanes_ == 1;
    switch (operation) {
      case Operation::add: return one ? vaddsd(D, A, b) : vaddpd(D, A, b);
      case Operation::subtract: return one ? vsubsd(D, A, b) : vsubpd(D, A, b);
      case Operation::multiply: return one ? vmulsd(D, A, b) : vmulpd(D, A, b);
      case Operation::divide: return one ? vdivsd(D, A, b) : vdivpd(D, A, b);
      case Operation::least: return one ? vminsd(D, A, b) : vminpd(D, A, b);
      case Operation::greatest: return one ? vmaxsd(D, A, b) : vmaxpd(D, A, b);
      default: break;
    }
  }

  // The second operand of an operation: its register, or where it is in memory.
  template <class Emit>
  void with_operand(int node, const Emit& emit_with) {
    if (places_[node].reg >= 0)
      emit_with(reg(places_[node].reg));
    else
      emit_with(home(node));
  }

  void write(int node) {
    const Tape::Node& of = nodes_[node];
    const auto is_in_register = [&](int n) { return places_[n].reg >= 0; };
    int d = -1;
    switch (of.operation) {
      case Operation::add:
      case Operation::multiply:
      case Operation::subtract:
      case Operation::divide:
      case Operation::least:
      case Operation::greatest: {
        int a = of.a, b = of.b;
        const bool commutes = of.operation == Operation::add || of.operation == Operation::multiply;
        if (commutes && !is_in_register(a) && is_in_register(b)) std::swap(a, b);
        // of two in memory, the one that is needed again gets the register
        if (commutes && !is_in_register(a) && !is_in_register(b) && next_use(b) < next_use(a)) {
          std::swap(a, b);
        }
        const int first = load(a, {places_[b].reg});
        d = target(first, {first, places_[b].reg});
        with_operand(b, [&](const Xbyak::Operand& from) { emit(of.operation, d, first, from); });
        break;
      }
      case Operation::negate: {
        const int first = load(of.a);
        d = target(first, {first});
        n_instructions += 1;
        vxorpd(vector(d), vector(first), sign_bits());
        break;
      }
      case Operation::absolute: {
        const int first = load(of.a);
        d = target(first, {first});
        n_instructions += 1;
        vandpd(vector(d), vector(first), all_but_sign());
        break;
      }
      case Operation::square_root: {
        const int first = load(of.a);
        d = target(first, {first});
        ++n_instructions;
        if (lanes_ == 1)
          vsqrtsd(reg(d), reg(first), reg(first));
        else
          vsqrtpd(reg(d), reg(first));
        break;
      }
      case Operation::nearest: {
        constexpr int to_even = 8;
        const int first = load(of.a);
        d = target(first, {first});
        ++n_instructions;
        if (lanes_ == 1)
          vroundsd(reg(d), reg(first), reg(first), to_even);
        else
          vroundpd(reg(d), reg(first), to_even);
        break;
      }
      case Operation::call: d = write_call(of); break;
      case Operation::inverse_or_zero: {
        const int first = load(of.a);
        d = target(first, {first});
        n_instructions += 4;
        vxorpd(vector(scratch), vector(scratch), vector(scratch));
        vcmppd(vector(scratch), vector(scratch), vector(first), 1);  // 0 < a
        const Xbyak::Address one = address_of_constant(1.0);
        if (first == d) {
          // the quotient needs a place beside its divisor
          store_to_spare(first);
          load_to(d, one);
          emit(Operation::divide, d, d, spare());
        } else {
          load_to(d, one);
          emit(Operation::divide, d, d, reg(first));
        }
        vandpd(vector(d), vector(d), vector(scratch));
        break;
      }
      case Operation::choose:
      case Operation::odd: {
        const int by = load(of.a, {places_[of.b].reg, places_[of.c].reg});
        const int b = load(of.b, {by, places_[of.c].reg});
        const int c = load(of.c, {by, b});
        d = target(-1, {by, b, c});
        if (of.operation == Operation::odd) {
          n_instructions += 2;
          vpsllq(vector(scratch), vector(by), 63);
          vblendvpd(vector(d), vector(b), vector(c), vector(scratch));
        } else {
          n_instructions += 3;
          vxorpd(vector(scratch), vector(scratch), vector(scratch));
          vcmppd(vector(scratch), vector(scratch), vector(by), 1);  // 0 < a
          vblendvpd(vector(d), vector(c), vector(b), vector(scratch));
        }
        break;
      }
      case Operation::turn:
      case Operation::turn_next: {
        const int bits = load(of.a, {places_[of.b].reg});
        const int value = load(of.b, {bits});
        d = target(value, {bits, value});
        n_instructions += 3;
        if (of.operation == Operation::turn_next) {
          ++n_instructions;
          vpaddq(vector(scratch), vector(bits), ones());
          vpsllq(vector(scratch), vector(scratch), 62);
        } else {
          vpsllq(vector(scratch), vector(bits), 62);
        }
        vandpd(vector(scratch), vector(scratch), sign_bits());
        vxorpd(vector(d), vector(value), vector(scratch));
        break;
      }
      case Operation::sine:
      case Operation::cosine:  // written out before
      case Operation::constant:
      case Operation::input: return;
    }
    release(d);
    assign(d, node);
    int list[3];
    for (int k = operands(of, list); k-- > 0;) give_back_slot(list[k]);
    const Place& place = places_[node];
    for (int k = 0; k < place.n_outputs; ++k) {
      const Tape::Output& output = outputs_[place.first_output + k];
      store(d, address(output.array, output.offset));
    }
  }

  // Where the result goes: over an operand that is not needed again, or to another register.
  int target(int first, std::initializer_list<int> operands) {
    if (first >= 0 && next_use(in_register_[first]) == never) return first;
    return allocate(operands);
  }

  // Bit operations act on whole registers; of one run the upper half is not read.
  Xbyak::Xmm vector(int r) const { return reg(r); }
  Xbyak::Address sign_bits() { return wide_constant(-0.0); }
  Xbyak::Address all_but_sign() {
    double mask;
    const std::uint64_t bits = ~std::uint64_t{0} >> 1;
    std::memcpy(&mask, &bits, sizeof mask);
    return wide_constant(mask);
  }
  Xbyak::Address ones() {
    double one;
    const std::uint64_t bits = 1;
    std::memcpy(&one, &bits, sizeof one);
    return wide_constant(one);
  }
  // A constant that is read as a whole register: twice in a row where a number is one double.
  Xbyak::Address wide_constant(double value) {
    if (lanes_ > 1) return address_of_constant(value);
    for (const auto& [known, at] : wide_) {
      if (std::memcmp(&known, &value, sizeof value) == 0) return ptr[r8 + at * width_];
    }
    const int at = static_cast<int>(constants.size());
    constants.push_back(value);
    constants.push_back(value);
    wide_.emplace_back(value, at);
    return ptr[r8 + at * width_];
  }

  int spare_slot_ = -1;
  Xbyak::Address spare() { return address_of_slot(spare_slot_); }
  void store_to_spare(int r) {
    if (spare_slot_ < 0) spare_slot_ = n_slots_++;
    store(r, spare());
  }

  // ---- calls

  // Where arrays and constants are: a function may use these registers for itself.
  static constexpr int n_bases = 7;
  void save_bases() {
    bases_slot_ = n_slots_;
    n_slots_ += (8 * n_bases + width_ - 1) / width_;
    call_slot_ = n_slots_;
    n_slots_ += 4;  // three operands and the result
    for_each_base([&](const Xbyak::Reg64& base, int offset) { mov(ptr[rsp + offset], base); });
  }
  void restore_bases() {
    for_each_base([&](const Xbyak::Reg64& base, int offset) { mov(base, ptr[rsp + offset]); });
  }
  template <class Do>
  void for_each_base(const Do& with) {
    const Xbyak::Reg64 bases[n_bases] = {rdi, rsi, rdx, rcx, r8, r9, rax};
    for (int k = 0; k < n_bases; ++k) with(bases[k], bases_slot_ * width_ + 8 * k);
  }

  // Stores what is still needed and is nowhere but in a register; then none has a value.
  void empty_registers() {
    for (int r = 0; r < n_registers; ++r) {
      const int node = in_register_[r];
      if (node < 0) continue;
      Place& place = places_[node];
      if (is_computed(node) && place.n_outputs == 0 && place.slot < 0 && next_use(node) != never) {
        place.slot = take_slot();
        store(r, address_of_slot(place.slot));
      }
      release(r);
    }
  }

  // d ← f(a, b, c), lane by lane
  int write_call(const Tape::Node& of) {
    int list[3];
    bool is_stored[3] = {};
    const int n = operands(of, list);
    // those in registers first: a register whose value has its last use here counts as free
    for (const bool in_register : {true, false}) {
      for (int k = 0; k < n; ++k) {
        if (is_stored[k] || (in_register && places_[list[k]].reg < 0)) continue;
        store(load(list[k]), address_of_slot(call_slot_ + k));
        is_stored[k] = true;
      }
    }
    empty_registers();
    if (lanes_ > 1) vzeroupper();
    const TracedFunction& function = functions_[of.offset];
    for (int lane = 0; lane < lanes_; ++lane) {
      for (int k = 0; k < 3; ++k) {
        const Xbyak::Xmm argument(k);
        if (k < n) {
          vmovsd(argument, ptr[rsp + (call_slot_ + k) * width_ + 8 * lane]);
        } else {
          vxorpd(argument, argument, argument);
        }
      }
      mov(rdi, reinterpret_cast<std::uint64_t>(function.data));
      mov(rax, reinterpret_cast<std::uint64_t>(function.calc));
      call(rax);
      vmovsd(ptr[rsp + (call_slot_ + 3) * width_ + 8 * lane], xmm0);
      n_instructions += 7;
    }
    restore_bases();
    n_instructions += n_bases;
    load_to(0, address_of_slot(call_slot_ + 3));
    return 0;
  }

  const std::vector<TracedFunction>& functions_;
  int bases_slot_ = -1, call_slot_ = -1;
  int lanes_;
  int width_;  // bytes of a number
  int n_slots_ = 0;
  std::vector<int> free_slots_;
  int n_free_ = n_registers;  // registers for values
  int in_register_[n_registers] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  std::vector<std::pair<double, int>> wide_;
  static constexpr int frame_size = 0x7fffff00;  // until it is known
  static constexpr int short_reach = 128;  // bytes before and behind a register that one byte names
};

}  // namespace trammel
