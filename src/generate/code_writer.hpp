// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a tape as x86-64 code: registers, stack slots, operations and calls. Used by machine_code.cpp only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "generate/machine_code.hpp"
#include "generate/value_uses.hpp"
#include "generate/vector_instructions.hpp"

namespace trammel {

class MachineCode::Writer : public VectorInstructions, private ValueUses {
  static constexpr int n_registers = 16;
  static constexpr int scratch = 15;  // the last of them, where an operation needs one more
  static bool needs_scratch(Operation operation) {
    return operation == Operation::inverse_or_zero || operation == Operation::choose ||
           operation == Operation::odd || operation == Operation::turn ||
           operation == Operation::turn_next;
  }

 public:
  Writer(const Tape& tape, const std::vector<int>& operations, int lanes, std::size_t size)
      : VectorInstructions(size, lanes),
        ValueUses(tape, operations),
        functions_(tape.functions),
        lanes_(lanes),
        width_(8 * lanes) {
    for (const int node : order_) {
      if (needs_scratch(nodes_[node].operation)) n_free_ = n_registers - 1;
    }
    free_ = (1u << n_free_) - 1;
    const Xbyak::Reg64 frame = rbp;
    push(frame);
    mov(frame, rsp);
    and_(rsp, -32);
    sub(rsp, frame_size);
    const std::size_t frame_patch = getSize() - sizeof(int);
    lea(rax, ptr[rsp + short_reach]);
    if (!functions_.empty()) save_bases();
    for (int position = 0; position < static_cast<int>(order_.size()); ++position) {
      pass_uses(nodes_[order_[position]], position);
      write(order_[position]);
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

  using Code = Xbyak::Operand::Code;
  Memory address(int array, int offset) const {
    constexpr Code base[] = {Code::RDI, Code::RSI, Code::RDX, Code::RCX, Code::R9};
    return {base[array], offset * width_};
  }
  Memory address_of_slot(int slot) const { return {Code::RAX, slot * width_ - short_reach}; }
  // The fifth argument: constants.
  Memory address_of_constant(int k) const { return {Code::R8, k * width_}; }
  Memory find_constant(double value) {
    const auto bits = [](double x) {
      std::uint64_t pattern;
      std::memcpy(&pattern, &x, sizeof pattern);
      return pattern;
    };
    for (std::size_t k = 0; k < constants.size(); ++k) {
      if (bits(constants[k]) == bits(value)) return address_of_constant(static_cast<int>(k));
    }
    constants.push_back(value);
    return address_of_constant(static_cast<int>(constants.size() - 1));
  }
  // Where a value that is in no register is.
  Memory home(int node) {
    Place& place = places_[node];
    if (nodes_[node].operation == Operation::input) {
      return address(nodes_[node].array, nodes_[node].offset);
    }
    if (nodes_[node].operation == Operation::constant) {
      if (place.constant < 0) {
        place.constant = static_cast<int>(constants.size());
        constants.push_back(nodes_[node].value);
      }
      return address_of_constant(place.constant);
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

  // A set of registers; −1 is none.
  template <class... Register>
  static unsigned set_of(Register... r) {
    return ((r < 0 ? 0u : 1u << r) | ... | 0u);
  }

  int next_use_in(int r) const { return next_use(in_register_[r]); }

  // A register that may be overwritten: free, or of what is needed last. keep: not these.
  int allocate(unsigned keep) {
    if ((free_ & ~keep) != 0) return std::countr_zero(free_ & ~keep);
    int best = -1, farthest = -1;
    for (int r = 0; r < n_free_; ++r) {
      if ((keep >> r & 1) != 0) continue;
      const int next = next_use_in(r);
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
  // Where a value has been used for the last time.
  void give_back(int node) {
    Place& place = places_[node];
    if (next_use(node) != never) return;
    if (place.reg >= 0) release(place.reg);
    if (place.slot < 0) return;
    free_slots_.push_back(place.slot);
    place.slot = -1;
  }
  void release(int r) {
    if (in_register_[r] >= 0) places_[in_register_[r]].reg = -1;
    in_register_[r] = -1;
    free_ |= 1u << r;
  }
  void assign(int r, int node) {
    in_register_[r] = node;
    free_ &= ~(1u << r);
    places_[node].reg = r;
  }
  int load(int node, unsigned keep = 0) {
    if (places_[node].reg >= 0) return places_[node].reg;
    const int r = allocate(keep);
    load_to(r, home(node));
    assign(r, node);
    return r;
  }
  void load_to(int r, const Memory& from) {
    ++n_instructions;
    write_load(r, from);
  }
  void store(int r, const Memory& to) {
    ++n_instructions;
    write_store(r, to);
  }

  // ---- operations

  static Opcode opcode_of(Operation operation) {
    switch (operation) {
      case Operation::add: return sum;
      case Operation::subtract: return difference;
      case Operation::multiply: return product;
      case Operation::divide: return quotient;
      case Operation::least: return minimum;
      default: return maximum;
    }
  }

  // The second operand of an operation is in its register, or where it is in memory.
  void emit(Operation operation, int d, int a, int node) {
    ++n_instructions;
    if (const int r = places_[node].reg; r >= 0)
      write_numbers(opcode_of(operation), d, a, r);
    else
      write_numbers(opcode_of(operation), d, a, home(node));
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
        const int first = load(a, set_of(places_[b].reg));
        d = target(first, set_of(first, places_[b].reg));
        emit(of.operation, d, first, b);
        break;
      }
      case Operation::negate: {
        const int first = load(of.a);
        d = target(first, set_of(first));
        n_instructions += 1;
        write_bits(bitwise_xor, d, first, sign_bits());
        break;
      }
      case Operation::absolute: {
        const int first = load(of.a);
        d = target(first, set_of(first));
        n_instructions += 1;
        write_bits(bitwise_and, d, first, all_but_sign());
        break;
      }
      case Operation::square_root: {
        const int first = load(of.a);
        d = target(first, set_of(first));
        ++n_instructions;
        write_root(d, first);
        break;
      }
      case Operation::nearest: {
        constexpr int to_even = 8;
        const int first = load(of.a);
        d = target(first, set_of(first));
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
        d = target(first, set_of(first));
        n_instructions += 4;
        vxorpd(vector(scratch), vector(scratch), vector(scratch));
        vcmppd(vector(scratch), vector(scratch), vector(first), 1);  // 0 < a
        const Memory one = find_constant(1.0);
        if (first == d) {
          // the quotient needs a register other than that of its divisor
          store_to_spare(first);
          load_to(d, one);
          write_numbers(quotient, d, d, spare());
        } else {
          load_to(d, one);
          write_numbers(quotient, d, d, first);
        }
        ++n_instructions;
        vandpd(vector(d), vector(d), vector(scratch));
        break;
      }
      case Operation::choose:
      case Operation::odd: {
        const int by = load(of.a, set_of(places_[of.b].reg, places_[of.c].reg));
        const int b = load(of.b, set_of(by, places_[of.c].reg));
        const int c = load(of.c, set_of(by, b));
        d = target(-1, set_of(by, b, c));
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
        const int bits = load(of.a, set_of(places_[of.b].reg));
        const int value = load(of.b, set_of(bits));
        d = target(value, set_of(bits, value));
        n_instructions += 3;
        if (of.operation == Operation::turn_next) {
          ++n_instructions;
          vpaddq(vector(scratch), vector(bits), at(ones()));
          vpsllq(vector(scratch), vector(scratch), 62);
        } else {
          vpsllq(vector(scratch), vector(bits), 62);
        }
        write_bits(bitwise_and, scratch, scratch, sign_bits());
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
    for (int k = operands(of, list); k-- > 0;) give_back(list[k]);
    const Place& place = places_[node];
    for (int k = 0; k < place.n_outputs; ++k) {
      const Tape::Output& output = outputs_[place.first_output + k];
      store(d, address(output.array, output.offset));
    }
    give_back(node);
  }

  // Where the result goes: over an operand that is not needed again, or to another register.
  int target(int first, unsigned operands) {
    if (first >= 0 && next_use_in(first) == never) return first;
    return allocate(operands);
  }

  // Bit operations act on whole registers; of one run the upper half is not read.
  Xbyak::Xmm vector(int r) const { return reg(r); }
  Memory sign_bits() { return wide_constant(-0.0); }
  Memory all_but_sign() {
    double mask;
    const std::uint64_t bits = ~std::uint64_t{0} >> 1;
    std::memcpy(&mask, &bits, sizeof mask);
    return wide_constant(mask);
  }
  Memory ones() {
    double one;
    const std::uint64_t bits = 1;
    std::memcpy(&one, &bits, sizeof one);
    return wide_constant(one);
  }
  // A constant that is read as a whole register: twice in a row where a number is one double.
  Memory wide_constant(double value) {
    if (lanes_ > 1) return find_constant(value);
    for (const auto& [known, k] : wide_) {
      if (std::memcmp(&known, &value, sizeof value) == 0) return address_of_constant(k);
    }
    const int k = static_cast<int>(constants.size());
    constants.push_back(value);
    constants.push_back(value);
    wide_.emplace_back(value, k);
    return address_of_constant(k);
  }

  int spare_slot_ = -1;
  Memory spare() { return address_of_slot(spare_slot_); }
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
  unsigned free_ = 0;         // those without one, a bit each
  int in_register_[n_registers] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  std::vector<std::pair<double, int>> wide_;
  static constexpr int frame_size = 0x7fffff00;  // until it is known
  static constexpr int short_reach = 128;  // bytes before and behind a register that one byte names
};

}  // namespace trammel
