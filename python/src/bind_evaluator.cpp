// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include <trammel/evaluator.hpp>

#include "core.hpp"

namespace trammel::python {

namespace {

Array to_array(const Matrix& matrix) {
  return make_array(matrix.values, {static_cast<std::size_t>(matrix.rows),
                                    static_cast<std::size_t>(matrix.columns)});
}

Array to_array(const std::vector<double>& numbers) { return make_array(numbers, {numbers.size()}); }

}  // namespace

void bind_evaluator(nb::module_& module) {
  nb::class_<Evaluator>(module, "Evaluator", R"(The equations of motion at a state.

SI units. Forces, velocities and positions in world axes, angular velocities in those of the body. Rows of the
Jacobian are constraint equations, columns the velocities of the bodies, six each.)")
      .def(
          "__init__",
          [](Evaluator* self, const Compiled& of) {
            nb::gil_scoped_release release;
            new (self) Evaluator(of.system);
          },
          nb::arg("compiled"))
      .def("set_state", &Evaluator::set_state, nb::arg("bodies"), nb::arg("t") = 0.0,
           "Sets the states of all bodies, in the order of body_names, at time t (s).")
      .def("set_body", &Evaluator::set_body, nb::arg("name"), nb::arg("state"),
           "Sets the state of one body.")
      .def("set_time", &Evaluator::set_time, nb::arg("t"), "Sets the time (s).")
      .def(
          "body", [](const Evaluator& of, const std::string& name) { return of.body(name); },
          nb::arg("name"), "The state of a body, a copy.")
      .def_prop_ro("time", &Evaluator::time, "s")
      .def_prop_ro("body_names", [](const Evaluator& of) { return of.body_names(); })
      .def_prop_ro("joint_names", [](const Evaluator& of) { return of.joint_names(); })
      .def_prop_ro(
          "constraint_names", [](const Evaluator& of) { return of.constraint_names(); },
          "Of the rows: 'pin.C.x'.")
      .def(
          "constraints", [](Evaluator& of) { return to_array(of.constraints()); },
          "g, in m or without a unit.")
      .def(
          "constraint_velocities",
          [](Evaluator& of) { return to_array(of.constraint_velocities()); }, "J u + dg/dt.")
      .def(
          "jacobian", [](Evaluator& of) { return to_array(of.jacobian()); }, "J, rows × 6 bodies.")
      .def(
          "mass", [](Evaluator& of) { return to_array(of.mass()); }, "M, 6 bodies × 6 bodies.")
      .def(
          "acceleration",
          [](Evaluator& of, const std::string& body) {
            const BodyAcceleration a = of.acceleration(body);
            return std::pair(a.linear, a.angular);
          },
          nb::arg("body"), "Of a body: m/s², world axes, and rad/s², body axes.")
      .def(
          "multipliers", [](Evaluator& of) { return to_array(of.multipliers()); }, "λ.")
      .def(
          "reaction",
          [](Evaluator& of, const std::string& joint) {
            const Reaction r = of.reaction(joint);
            return std::pair(r.force, r.moment);
          },
          nb::arg("joint"), "Force (N) and moment (N m) on the joint's second body, world axes.")
      .def(
          "energy",
          [](Evaluator& of) {
            const SystemEnergy e = of.energy();
            return std::pair(e.kinetic, e.potential);
          },
          "Kinetic and potential energy, J.")
      .def(
          "momentum",
          [](Evaluator& of) {
            const Momentum m = of.momentum();
            return std::pair(m.linear, m.angular);
          },
          "Linear (N s) and angular momentum (N m s) about the world's origin.");
}

}  // namespace trammel::python
