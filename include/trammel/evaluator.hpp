// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The mechanics of a system at a state of your own: constraint equations and their Jacobian, mass matrix,
// accelerations, multipliers, reactions, energies, momenta. Bodies and joints go by their names.
//
//   M u̇ + Jᵀλ = f,   J u̇ = −γ,   u = (v, Ω) of all bodies in the order of the model
//
// v of the origin of the body's frame in world axes, Ω in the axes of the body; positions, orientations and
// velocities as BodyState has them. Where the centre of mass is away from that origin, M couples the two
// and depends on the orientation, and f holds terms of the velocities.
// A planar system has the same six velocities per body; those out of the plane are 0, with mass.
//
//   trammel::Evaluator at(trammel::compile(trammel::read_model("crank.yaml")));
//   at.set_body("rod", state);
//   trammel::Vec3 a = at.acceleration("rod").linear;
//
// Everything is computed on first use, and once. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/results.hpp"
#include "trammel/trammel.hpp"
#include "trammel/types.hpp"

namespace trammel {

// Row by row.
struct Matrix {
  int rows = 0;
  int columns = 0;
  std::vector<double> values;  // [rows × columns]
  double operator()(int row, int column) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
};

struct BodyAcceleration {
  Vec3 linear;   // m/s², of the origin of the body's frame, world axes
  Vec3 angular;  // rad/s², Ω̇, body axes
};

// A small change of the state of a body, as a direction.
struct BodyVariation {
  Vec3 position{};          // m, world axes
  Vec3 rotation{};          // rad, body axes: δR = R [rotation]×
  Vec3 velocity{};          // m/s, world axes
  Vec3 angular_velocity{};  // rad/s, body axes
};

// What a joint exerts on its second body at the joint's point on it; the first body receives the opposite.
struct Reaction {
  Vec3 force;   // N, world axes
  Vec3 moment;  // N m, world axes
};

struct SystemEnergy {
  double kinetic;    // J
  double potential;  // J, of weight and springs
};

struct Momentum {
  Vec3 linear;   // N s, world axes
  Vec3 angular;  // N m s, about the world's origin, world axes
};

class Evaluator {
 public:
  // At t = 0, in the initial configuration, assembled. Throws ModelError where it cannot be.
  explicit Evaluator(const System& system);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  // ---- the state; it need not close the joints, but accelerations are those of a state that does

  // Throws std::invalid_argument for a name that does not exist, or not one state per body.
  void set_state(const std::vector<BodyState>& bodies, double t = 0.0);
  void set_body(const std::string& name, const BodyState& state);
  void set_time(double t);  // s, for drivers and loads that depend on it
  const BodyState& body(const std::string& name) const;
  double time() const;

  const std::vector<std::string>& body_names() const;
  const std::vector<std::string>& joint_names() const;
  const std::vector<std::string>& constraint_names() const;  // [rows] "pin.C.x"

  // ---- at that state. Throws std::runtime_error where it cannot be evaluated, and says why.

  const std::vector<double>& constraints();            // [rows] g: m, or unit-free
  const std::vector<double>& constraint_velocities();  // [rows] J u + g_t
  Matrix jacobian();                                   // J, [rows × 6 bodies]
  Matrix mass();                                       // M, [6 bodies × 6 bodies]
  BodyAcceleration acceleration(const std::string& body);
  const std::vector<double>& multipliers();  // [rows] λ
  // The directional derivative of the accelerations of all bodies, in the order of body_names(), where the
  // state of one body changes in the given direction; exact, by differentiating the evaluation. Drivers,
  // the time and unwrapped angles of joints are held. Throws where the system has more constraint equations
  // than generated code can have, parts without derivatives (curves) or bodies without mass.
  std::vector<BodyAcceleration> acceleration_derivative(const std::string& body,
                                                        const BodyVariation& direction);
  Reaction reaction(const std::string& joint);
  SystemEnergy energy();
  Momentum momentum();

 private:
  class Base;
  template <class Space>
  class In;
  std::unique_ptr<Base> in_;
};

}  // namespace trammel
