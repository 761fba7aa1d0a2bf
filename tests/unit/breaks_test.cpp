// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Times at which given functions of time are not smooth.
#include "system/breaks.hpp"

#include <doctest/doctest.h>

#include "system/system.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;

namespace {

std::vector<double> find(const std::string& text) {
  VariableNames names;
  names.add("t");
  names.add("u");
  std::vector<double> breaks;
  Expression(text, names).add_breaks(0, 1e6, 1000, breaks);
  return breaks;
}

using Times = std::vector<double>;

// A body that two functions of time push, for 10 s.
Times find_of(const Function& x, const Function& y) {
  Model model;
  Body body;
  body.name = "b";
  body.mass = 1.0;
  body.inertia = Mat3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  model.bodies = {body};
  VariableForce force;
  force.body = "b";
  force.value = {x, y, Function(0.0)};
  model.forces = {{"f", force}};
  const System handle = compile(model);
  return find_breaks(as_spatial(handle.data()).parameters, 10.0);
}

}  // namespace

TEST_CASE("ends of step functions") {
  CHECK(find("2*sin(t) + t^2").empty());
  CHECK(find("step(t, 1, 0, 2, 5)") == Times{1, 2});
  CHECK(find("3*step(t, 1/2, 0, 2*4, 5) - step(t, 1, u, 3, 2)*u") == Times{0.5, 8, 1, 3});
  CHECK(find("step(t, u, 0, 2, 5)") == Times{2});  // where it begins depends on the state
  CHECK(find("step(u, 1, 0, 2, 5)").empty());      // a corner of another variable
  CHECK(find("step(2*t, 1, 0, 2, 5)").empty());    // not looked for
  CHECK(find("step(t, 0, step(t, 4, 0, 5, 1), 2, 5)") == Times{4, 5, 0, 2});
}

TEST_CASE("points of tables of time, within the run, in order, each once") {
  DataTable table;
  table.x = {-1, 0, 2, 3.5, 12};
  table.y = {0, 1, 0, 1, 0};
  table.beyond = TableBeyond::hold;
  CHECK(find_of(Function(table), Function("step(t, 2, 0, 3, 1)")) == Times{2, 3, 3.5});
  table.x = {0.5, 1, 2, 3.5};
  table.y = {0, 1, 2, 0};
  table.ends = TableEnds::periodic;
  CHECK(find_of(Function(table), Function(0.0)) == Times{0.5, 1, 2, 3.5, 4, 5, 6.5, 7, 8, 9.5});
  CHECK(find_of(Function("cos(t)"), Function(1.0)).empty());
}

TEST_CASE("a million points are enough") {
  DataTable table;
  table.x = {0, 1e-9, 2e-9, 3e-9};
  table.y = {0, 1, 2, 0};
  table.ends = TableEnds::periodic;
  std::vector<double> breaks;
  Spline(table).add_breaks(1e6, 1000, breaks);
  CHECK(breaks.size() < 1010);
}
