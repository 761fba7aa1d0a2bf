// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that depend on the state: what formulas can read of it, and the functions themselves.
#pragma once

#include <memory>
#include <span>
#include <tuple>
#include <variant>

#include "math/functions.hpp"
#include "space/space.hpp"

namespace trammel {

// A formula reads numbers of the state by slot. Slot 0 is the time; slots 1 and 2 are the length (angle,
// travel) and the rate of the spring whose formula is being evaluated; signals follow.
inline constexpr int time_slot = 0, own_slot = 1, rate_slot = 2, first_signal_slot = 3;

// position   ⟨e, r⟩ + offset   of a body's centre of mass, world axes, from the world's origin
// velocity   ⟨e, v⟩            of the same, world axes
// point_position, point_velocity   of another point p of the body: ⟨e, r + R p⟩ + offset, ⟨e, v + R (Ω × p)⟩
// spin       ⟨e, Ω⟩            angular velocity, e an axis of the model's body frame
// coordinate, coordinate_rate  of a joint; angles are unwrapped
// own        x, of the model's states
enum class SignalKind {
  position,
  velocity,
  point_position,
  point_velocity,
  spin,
  coordinate,
  coordinate_rate,
  own
};

template <class Real, class Space = Spatial>
struct Signal {
  SignalKind kind;
  int body;                      // or the coordinate, or the state
  int reference;                 // that counts the revolutions of an angle, or −1
  Linear<Real, Space> linear;    // e of positions and velocities
  Linear<Real, Space> point;     // p
  Angular<Real, Space> angular;  // e of a spin
  Real offset;                   // m, of a position

  template <class Self>
  static auto members(Self& self) {
    return std::tie(self.kind, self.body, self.reference, self.linear, self.point, self.angular,
                    self.offset);
  }
};

// A number that depends on the state: a formula over the slots, a spline of time, or a constant.
class StateFunction {
 public:
  explicit StateFunction(double value = 0.0) : form_(value) {}
  explicit StateFunction(Expression expression) : form_(std::move(expression)) {}
  explicit StateFunction(std::shared_ptr<const Spline> of_time) : form_(std::move(of_time)) {}

  template <class Real>
  Real evaluate(std::span<const Real> slots) const {
    if (const Expression* formula = expression()) return calc_value(*formula, slots);
    if (const double* value = std::get_if<double>(&form_)) return Real(*value);
    return calc_value(*spline(), slots[time_slot]);
  }
  const Expression* expression() const { return std::get_if<Expression>(&form_); }
  const Spline* spline() const {
    const auto* shared = std::get_if<std::shared_ptr<const Spline>>(&form_);
    return shared == nullptr ? nullptr : shared->get();
  }
  // The name of the first table that has no value there; null: none.
  const std::string* find_left_table(std::span<const double> slots) const {
    if (const Expression* formula = expression()) return formula->find_left_table(slots);
    const Spline* table = spline();
    return table != nullptr && table->has_left(slots[time_slot]) ? &table->name() : nullptr;
  }
  friend bool operator==(const StateFunction& a, const StateFunction& b) {
    if (a.form_.index() != b.form_.index()) return false;
    if (a.spline() != nullptr) return *a.spline() == *b.spline();
    return a.form_ == b.form_;
  }

 private:
  std::variant<double, Expression, std::shared_ptr<const Spline>> form_;
};

// The law of a spring over its length or angle x: nothing besides its linear part, a load by a formula that
// may depend on the whole state, a load by a table, or an energy.
class SpringLaw {
 public:
  SpringLaw() = default;
  explicit SpringLaw(StateFunction load) : form_(std::move(load)) {}
  explicit SpringLaw(std::shared_ptr<const Spline> load) : form_(std::move(load)) {}
  explicit SpringLaw(CompiledFunction energy)
      : form_(std::make_shared<const CompiledFunction>(std::move(energy))) {}

  // The load of a formula, which has no potential; 0 for the other forms.
  template <class Real>
  Real calc_free_load(std::span<Real> slots, const Real& x, const Real& rate) const {
    const StateFunction* formula = this->formula();
    if (formula == nullptr) return Real(0);
    slots[own_slot] = x;
    slots[rate_slot] = rate;
    return formula->evaluate(std::span<const Real>(slots));
  }
  // What has a potential: the load f of a table with ∫f dx, the slope U' of an energy with U.
  bool is_table() const { return std::holds_alternative<Table>(form_); }
  bool is_energy() const { return std::holds_alternative<Energy>(form_); }
  bool has_potential() const { return is_table() || is_energy(); }
  template <class Real>
  Real calc_load(const Real& x) const {
    if (is_table()) return calc_value(*std::get<Table>(form_), x);
    return is_energy() ? calc_slope(*std::get<Energy>(form_), x) : Real(0);
  }
  template <class Real>
  Real calc_energy(const Real& x) const {
    if (is_table()) return calc_integral(*std::get<Table>(form_), x);
    return is_energy() ? calc_value(*std::get<Energy>(form_), x) : Real(0);
  }
  const StateFunction* formula() const { return std::get_if<StateFunction>(&form_); }
  // Of a load or an energy given by a table; else null.
  const std::string* table_name() const {
    const Spline* table = is_table()    ? std::get<Table>(form_).get()
                          : is_energy() ? std::get<Energy>(form_)->spline()
                                        : nullptr;
    return table == nullptr ? nullptr : &table->name();
  }

  friend bool operator==(const SpringLaw& a, const SpringLaw& b) {
    if (a.form_.index() != b.form_.index()) return false;
    if (a.is_table()) return *std::get<Table>(a.form_) == *std::get<Table>(b.form_);
    if (a.is_energy()) return *std::get<Energy>(a.form_) == *std::get<Energy>(b.form_);
    return a.form_ == b.form_;
  }

 private:
  // shared: code that calls them outlives copies of the element
  using Table = std::shared_ptr<const Spline>;
  using Energy = std::shared_ptr<const CompiledFunction>;
  std::variant<std::monostate, StateFunction, Table, Energy> form_;
};

}  // namespace trammel
