// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The list of all kinds of force, and one vector of elements per kind. Whoever works on forces (loops,
// tracer, energies, ensembles, momenta) goes over this list: a new kind is a file next to this one and a
// line here.
//
// A kind has: numbers and indices, `members` that lists them (elements/members.hpp), `traits`,
// `first_body` and `second_body`, `add_force`, which returns the power of what has no potential, `show`,
// which says what is recorded of it (force_site.hpp), and, where it has a potential, `add_gradient` and
// `calc_energy`. One made from a force that describes itself
// (trammel/model.hpp) names it as `Law`, or several as `Laws`, and `make` turns it into the element: `places`
// finds bodies, coordinates and functions and has points and vectors as the System needs them (ForcePlaces in
// compile/elements.cpp). One that acts along a coordinate of a joint, or the line of two points, is a
// PathForce (force_path.hpp).
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "elements/forces/aerodynamic_drag.hpp"
#include "elements/forces/attraction.hpp"
#include "elements/forces/bushing.hpp"
#include "elements/forces/constant_load.hpp"
#include "elements/forces/coordinate_spring.hpp"
#include "elements/forces/dc_motor.hpp"
#include "elements/forces/drag.hpp"
#include "elements/forces/friction.hpp"
#include "elements/forces/gas_strut.hpp"
#include "elements/forces/linear_actuator.hpp"
#include "elements/forces/nonlinear_spring.hpp"
#include "elements/forces/rotational_damper.hpp"
#include "elements/forces/scaled_load.hpp"
#include "elements/forces/spring_damper.hpp"
#include "elements/forces/stop.hpp"
#include "elements/members.hpp"

namespace trammel {

template <class Real, class Space = Spatial>
struct Forces {
  // in the order in which forces are added up
  std::tuple<std::vector<ConstantLoad<Real, Space>>,           //
             std::vector<SpringDamperForce<Real, Space>>,      //
             std::vector<RotationalDamperForce<Real, Space>>,  //
             std::vector<ScaledLoad<Real, Space>>,             //
             std::vector<NonlinearSpringForce<Real, Space>>,   //
             std::vector<BushingForce<Real, Space>>,           //
             std::vector<DragForce<Real, Space>>,              //
             std::vector<AerodynamicDragForce<Real, Space>>,   //
             std::vector<AttractionForce<Real, Space>>,        //
             std::vector<CoordinateSpringForce<Real, Space>>,  //
             std::vector<StopForce<Real, Space>>,              //
             std::vector<FrictionForce<Real, Space>>,          //
             std::vector<GasStrutForce<Real, Space>>,          //
             std::vector<LinearActuatorForce<Real, Space>>,    //
             std::vector<DcMotorForce<Real, Space>>>
      lists;

  template <class Self>
  static auto members(Self& self) {
    return std::apply([](auto&... list) { return std::tie(list...); }, self.lists);
  }
  template <class Force>
  void add(Force force) {
    std::get<std::vector<Force>>(lists).push_back(std::move(force));
  }
  template <template <class, class> class Force>
  const std::vector<Force<Real, Space>>& list() const {
    return std::get<std::vector<Force<Real, Space>>>(lists);
  }
  bool empty() const {
    return std::apply([](const auto&... list) { return (list.empty() && ...); }, lists);
  }
};

// Elements per list.
template <class Real, class Space>
auto count_forces(const Forces<Real, Space>& forces) {
  return std::apply(
      [](const auto&... list) { return std::array{static_cast<int>(list.size())...}; },
      forces.lists);
}

// f(list) for the list of that number
template <class Real, class Space, class Function>
void visit_list(const Forces<Real, Space>& forces, int number, const Function& f) {
  int k = 0;
  const auto visit = [&](const auto& list) {
    if (k++ == number) f(list);
  };
  std::apply([&](const auto&... list) { (visit(list), ...); }, forces.lists);
}

// f(element) for every force, kind by kind
template <class Real, class Space, class Function>
void for_each_force(const Forces<Real, Space>& forces, const Function& f) {
  const auto go_over = [&](const auto& list) {
    for (const auto& force : list) f(force);
  };
  std::apply([&](const auto&... list) { (go_over(list), ...); }, forces.lists);
}

}  // namespace trammel
