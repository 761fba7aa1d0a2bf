// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Accelerations, reactions and the mass matrix at a state, against the installed package.
#include <trammel/evaluator.hpp>

#include <cstdio>

int main(int, char** arguments) {
  trammel::Evaluator at(trammel::compile(trammel::read_model(arguments[1])));
  at.set_body("crank", at.body("crank"));
  const trammel::BodyAcceleration a = at.acceleration("crank");
  std::printf("%.17g %.17g\n", a.linear[1], a.angular[2]);
  std::printf("%.17g %.17g\n", at.mass()(0, 0), at.reaction(at.joint_names()[0]).force[1]);
}
