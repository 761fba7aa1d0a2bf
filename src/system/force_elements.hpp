// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The force elements beyond constant loads and linear springs: their numbers, and what formulas see
// of the state. A model without them pays for one test of a flag.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "math/compiled_function.hpp"
#include "system/space.hpp"

namespace trammel {

// ---- what a formula can see

// A number of the state, by slot. Slot 0 is the time; slots 1 and 2 are the length (angle, travel)
// and the rate of the spring whose formula is being evaluated.
inline constexpr int time_slot = 0, own_slot = 1, rate_slot = 2, first_signal_slot = 3;

// position   ⟨e, r⟩ + offset   of a body, world axes, from the world's origin
// velocity   ⟨e, v⟩            of its centre of mass, world axes
// spin       ⟨e, Ω⟩            angular velocity, e an axis of the model's body frame
// coordinate, coordinate_rate  of a joint; angles are counted over turns
enum class SignalKind { position, velocity, spin, coordinate, coordinate_rate };

template <class Real, class Space = Spatial>
struct Signal {
  SignalKind kind;
  int body;                      // or the coordinate
  int reference;                 // that counts the turns of an angle, or −1
  Linear<Real, Space> linear;    // e of position and velocity
  Angular<Real, Space> angular;  // e of a spin
  Real offset;                   // m, of a position
};

// A number that depends on the state: a formula over the slots, a spline of time, or a constant.
class StateFunction {
 public:
  explicit StateFunction(double value) : form_(value) {}
  explicit StateFunction(Expression expression) : form_(std::move(expression)) {}
  explicit StateFunction(std::shared_ptr<const Spline> of_time) : form_(std::move(of_time)) {}
  double evaluate(std::span<const double> slots) const {
    if (const Expression* expression = std::get_if<Expression>(&form_)) {
      return expression->evaluate(slots);
    }
    if (const double* value = std::get_if<double>(&form_)) return *value;
    return spline()->evaluate(slots[time_slot]).value;
  }
  const Expression* expression() const { return std::get_if<Expression>(&form_); }
  const Spline* spline() const {
    const auto* shared = std::get_if<std::shared_ptr<const Spline>>(&form_);
    return shared == nullptr ? nullptr : shared->get();
  }

 private:
  std::variant<double, Expression, std::shared_ptr<const Spline>> form_;
};

// ---- elements; each law stands in the file named

// scaled_load.hpp
template <class Real, class Space = Spatial>
struct ScaledLoad {
  int body;
  Linear<Real, Space> point;      // m, where force_W acts, body frame
  Linear<Real, Space> force_W;    // a unit vector or 0, world components
  Angular<Real, Space> torque_W;  // likewise
  Linear<Real, Space> force_B;    // body components
  Angular<Real, Space> torque_B;  // about the centre of mass
  StateFunction factor;           // N or N m
};

// nonlinear_spring.hpp
template <class Real, class Space = Spatial>
struct NonlinearSpringParameters {
  int body_i, body_j;
  Linear<Real, Space> point_i, point_j;  // m
  // tension over length and rate (N), tension over length (N), or energy over length (J)
  std::variant<StateFunction, std::shared_ptr<const Spline>, CompiledFunction> law;
  Real damping;  // N s/m
};

// bushing.hpp; n_u is 6, in the plane 3
template <class Real, class Space = Spatial>
struct BushingParameters {
  int body_i, body_j;
  Linear<Real, Space> point_i, point_j;                            // m
  Rotation<Real, Space> axes_i, axes_j;                            // bushing axes to body axes
  std::array<std::array<Real, Space::n_u>, Space::n_u> stiffness;  // N/m, N, N m/rad; symmetric
  std::array<std::array<Real, Space::n_u>, Space::n_u> damping;    // likewise per s
};

// drag.hpp
template <class Real, class Space = Spatial>
struct DragParameters {
  int body;
  Real linear;   // N s/m
  Real angular;  // N m s/rad
};

// attraction.hpp
template <class Real, class Space = Spatial>
struct AttractionParameters {
  int body_i, body_j;
  Linear<Real, Space> point_i;  // m
  Real strength;                // N m²
};

// coordinate_spring.hpp
template <class Real>
struct CoordinateSpringParameters {
  int coordinate;
  int reference;   // that counts its turns, or −1
  Real stiffness;  // N m/rad or N/m
  Real damping;    // N m s/rad or N s/m
  Real free;       // rad or m
  // nothing, the load by a formula or a table (N m or N), or the energy (J)
  std::variant<std::monostate, StateFunction, std::shared_ptr<const Spline>, CompiledFunction> law;
};

template <class Real, class Space = Spatial>
struct ForceElements {
  std::vector<Signal<Real, Space>> signals;  // slots from first_signal_slot on
  std::vector<ScaledLoad<Real, Space>> loads;
  std::vector<NonlinearSpringParameters<Real, Space>> springs;
  std::vector<BushingParameters<Real, Space>> bushings;
  std::vector<DragParameters<Real, Space>> drags;
  std::vector<AttractionParameters<Real, Space>> attractions;
  std::vector<CoordinateSpringParameters<Real>> coordinate_springs;

  bool empty() const {
    return loads.empty() && springs.empty() && bushings.empty() && drags.empty() &&
           attractions.empty() && coordinate_springs.empty();
  }
};

}  // namespace trammel
