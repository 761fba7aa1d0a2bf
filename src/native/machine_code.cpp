// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "native/machine_code.hpp"

#include <stdexcept>

#ifdef TRAMMEL_HAS_XBYAK

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#define XBYAK_NO_OP_NAMES
#include <xbyak/xbyak.h>
#include <xbyak/xbyak_util.h>

namespace trammel {

namespace {

using Operation = Trace::Operation;
constexpr int n_registers = 16;
constexpr int scratch = 15;  // the last of them, where an operation needs one more
constexpr int never = std::numeric_limits<int>::max();

int operands(const Trace::Node& node, int* list) {
  int n = 0;
  for (const int operand : {node.a, node.b, node.c}) {
    if (operand >= 0) list[n++] = operand;
  }
  return n;
}

bool needs_scratch(Operation operation) {
  return operation == Operation::inverse_or_zero || operation == Operation::odd ||
         operation == Operation::turn || operation == Operation::turn_next;
}

}  // namespace

class MachineCode::Writer : public Xbyak::CodeGenerator {
 public:
  Writer(const Trace& trace, const std::vector<int>& operations, int lanes, std::size_t size)
      : CodeGenerator(size, Xbyak::DontSetProtectRWE),
        nodes_(trace.nodes()),
        lanes_(lanes),
        width_(8 * lanes),
        order_(operations),
        places_(trace.nodes().size()) {
    find_uses(trace);
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
    for (position_ = 0; position_ < static_cast<int>(order_.size()); ++position_) {
      write(order_[position_]);
    }
    for (const Trace::Output& output : trace.outputs()) {  // those that are not computed
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
  // ---- where values are

  struct Place {
    int reg = -1;           // or −1
    int slot = -1;          // on the stack, or −1
    int constant = -1;      // among the constants, or −1
    int next = 0, end = 0;  // its uses that are still to come, in uses_
    int first_output = -1, n_outputs = 0;
  };

  bool is_computed(int node) const {
    return nodes_[node].operation != Operation::constant &&
           nodes_[node].operation != Operation::input;
  }

  // Where each value is used.
  void find_uses(const Trace& trace) {
    int list[3], n_uses = 0;
    for (const int n : order_) {
      for (int k = operands(nodes_[n], list); k-- > 0; ++n_uses) ++places_[list[k]].end;
    }
    int begin = 0;
    for (Place& place : places_) {
      const int count = place.end;
      place.next = place.end = begin;
      begin += count;
    }
    uses_.resize(n_uses);
    for (int p = 0; p < static_cast<int>(order_.size()); ++p) {
      for (int k = operands(nodes_[order_[p]], list); k-- > 0;) uses_[places_[list[k]].end++] = p;
    }
    outputs_ = trace.outputs();
    std::stable_sort(outputs_.begin(), outputs_.end(),
                     [](const auto& a, const auto& b) { return a.node < b.node; });
    for (int k = 0; k < static_cast<int>(outputs_.size()); ++k) {
      Place& place = places_[outputs_[k].node];
      if (place.n_outputs++ == 0) place.first_output = k;
    }
  }

  int next_use(int node) {
    Place& place = places_[node];
    while (place.next != place.end && uses_[place.next] <= position_) ++place.next;
    return place.next == place.end ? never : uses_[place.next];
  }

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
      const Trace::Output& output = outputs_[place.first_output];
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
    ++n_instructions;
    if (lanes_ == 1) vmovsd(Xbyak::Xmm(r), home(node));
    else vmovupd(Xbyak::Ymm(r), home(node));
    assign(r, node);
    return r;
  }
  void store(int r, const Xbyak::Address& to) {
    ++n_instructions;
    if (lanes_ == 1) vmovsd(to, Xbyak::Xmm(r));
    else vmovupd(to, Xbyak::Ymm(r));
  }

  // ---- operations

  void emit(Operation operation, int d, int a, const Xbyak::Operand& b) {
    ++n_instructions;
    const Xbyak::Xmm D = reg(d), A = reg(a);
    const bool one = lanes_ == 1;
    switch (operation) {
      case Operation::add:
        return one ? vaddsd(D, A, b) : vaddpd(D, A, b);
      case Operation::subtract:
        return one ? vsubsd(D, A, b) : vsubpd(D, A, b);
      case Operation::multiply:
        return one ? vmulsd(D, A, b) : vmulpd(D, A, b);
      case Operation::divide:
        return one ? vdivsd(D, A, b) : vdivpd(D, A, b);
      case Operation::least:
        return one ? vminsd(D, A, b) : vminpd(D, A, b);
      case Operation::greatest:
        return one ? vmaxsd(D, A, b) : vmaxpd(D, A, b);
      default:
        break;
    }
  }

  // The second operand of an operation: its register, or where it is in memory.
  template <class Emit>
  void with_operand(int node, const Emit& emit_with) {
    if (places_[node].reg >= 0) emit_with(reg(places_[node].reg));
    else emit_with(home(node));
  }

  void write(int node) {
    const Trace::Node& of = nodes_[node];
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
        const bool commutes =
            of.operation == Operation::add || of.operation == Operation::multiply;
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
        if (lanes_ == 1) vsqrtsd(reg(d), reg(first), reg(first));
        else vsqrtpd(reg(d), reg(first));
        break;
      }
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
          if (lanes_ == 1) vmovsd(reg(d), one);
          else vmovupd(reg(d), one);
          emit(Operation::divide, d, d, spare());
        } else {
          if (lanes_ == 1) vmovsd(reg(d), one);
          else vmovupd(reg(d), one);
          emit(Operation::divide, d, d, reg(first));
        }
        vandpd(vector(d), vector(d), vector(scratch));
        break;
      }
      case Operation::odd: {
        const int bits = load(of.a, {places_[of.b].reg, places_[of.c].reg});
        const int even = load(of.b, {bits, places_[of.c].reg});
        const int odd = load(of.c, {bits, even});
        d = target(-1, {bits, even, odd});
        n_instructions += 2;
        vpsllq(vector(scratch), vector(bits), 63);
        vblendvpd(vector(d), vector(even), vector(odd), vector(scratch));
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
      case Operation::constant:
      case Operation::input:
        return;
    }
    release(d);
    assign(d, node);
    int list[3];
    for (int k = operands(of, list); k-- > 0;) give_back_slot(list[k]);
    const Place& place = places_[node];
    for (int k = 0; k < place.n_outputs; ++k) {
      const Trace::Output& output = outputs_[place.first_output + k];
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

  const std::vector<Trace::Node>& nodes_;
  int lanes_;
  int width_;  // bytes of a number
  const std::vector<int>& order_;  // of the nodes that are computed
  std::vector<Place> places_;
  std::vector<Trace::Output> outputs_;
  std::vector<int> uses_;   // positions in the order, by node
  int position_ = 0;
  int n_slots_ = 0;
  std::vector<int> free_slots_;
  int n_free_ = n_registers;  // registers for values
  int in_register_[n_registers] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  std::vector<std::pair<double, int>> wide_;
  static constexpr int frame_size = 0x7fffff00;  // until it is known
  static constexpr int short_reach = 128;  // bytes before and behind a register that one byte names
};

void MachineCode::Free::operator()(double* p) const { std::free(p); }

bool MachineCode::is_possible() {
  static const bool possible = Xbyak::util::Cpu().has(Xbyak::util::Cpu::tAVX2);
  return possible;
}

MachineCode::MachineCode(const Trace& trace, const std::vector<int>& operations, int lanes) {
  // an instruction is shorter than 16 bytes, and an operation rarely takes more than three
  const std::size_t size = 4096 + 48 * trace.nodes().size() + 16 * trace.outputs().size();
  try {
    writer_ = std::make_unique<Writer>(trace, operations, lanes, size);
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
MachineCode::MachineCode(const Trace&, const std::vector<int>&, int) {
  throw std::runtime_error("this build cannot make machine code");
}
MachineCode::~MachineCode() = default;
MachineCode::MachineCode(MachineCode&&) noexcept = default;

}  // namespace trammel

#endif
