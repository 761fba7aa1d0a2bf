// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a mechanism, z = (y, u, W, ρ, x) at a time t, body by body: a view over one array, so that
// no other code has to know where a velocity is. State<Space> may be written to, ConstState<Space> may not;
// OwnedState<Space> has the array. Rates (ẏ, u̇, Ẇ, ρ̇, ẋ) and errors have the same layout: the velocity of
// a rate is an acceleration.
#pragma once

#include <vector>

#include "space/space.hpp"

namespace trammel {

template <class Space, class Number>
class BasicState {
  using V = Linear<double, Space>;
  using A = Angular<double, Space>;

 public:
  // t: 0 where nothing depends on the time. layout and z have to outlive the view.
  BasicState(const StateLayout& layout, Number* z, double t = 0.0)
      : layout_(layout), z_(z), t_(t) {}
  // NOLINTNEXTLINE(google-explicit-constructor): what may be written to may be read
  operator BasicState<Space, const double>() const { return {layout_, z_, t_}; }

  double t() const { return t_; }
  Number* z() const { return z_; }
  int n_bodies() const { return layout_.n_bodies; }

  // ---- a body: coordinates y (position, then orientation), velocities u (linear, then angular)
  Number* y(int body) const { return z_ + layout_.y(body); }
  Number* u(int body) const { return z_ + layout_.u(body); }
  V position(int body) const { return V::load(y(body)); }
  V velocity(int body) const { return V::load(u(body)); }
  A angular_velocity(int body) const { return A::load(u(body) + Space::dimension); }

  void set_position(int body, const V& r) const { r.store(y(body)); }
  void set_velocity(int body, const V& v) const { v.store(u(body)); }
  void set_angular_velocity(int body, const A& Omega) const {
    Omega.store(u(body) + Space::dimension);
  }
  // y ← y ⊕ (dr, φ)
  void move(int body, const V& dr, const A& phi) const { Space::retract(y(body), dr, phi); }
  // u ← u + (dv, dΩ)
  void add_velocity(int body, const V& dv, const A& dOmega) const {
    set_velocity(body, velocity(body) + dv);
    set_angular_velocity(body, angular_velocity(body) + dOmega);
  }

  // ---- the rest
  Number& work(int component) const { return z_[layout_.work(component)]; }
  double total_work() const {
    double sum = 0.0;
    for (int c = 0; c < layout_.n_components; ++c) sum += work(c);
    return sum;
  }
  Number& reference(int k) const { return z_[layout_.reference(k)]; }
  Number& own(int k) const { return z_[layout_.state(k)]; }  // x, of the model's states

 private:
  const StateLayout& layout_;
  Number* z_;
  double t_;
};

template <class Space>
using State = BasicState<Space, double>;
template <class Space>
using ConstState = BasicState<Space, const double>;

// All zeros at first.
template <class Space>
class OwnedState {
 public:
  explicit OwnedState(const StateLayout& layout, double t = 0.0)
      : layout_(layout), t_(t), z_(layout.size(), 0.0) {}

  State<Space> view() { return {layout_, z_.data(), t_}; }
  ConstState<Space> view() const { return {layout_, z_.data(), t_}; }

 private:
  StateLayout layout_;
  double t_;
  std::vector<double> z_;
};

}  // namespace trammel
