// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Hints: near enough to be meant, and not too far.
#include "math/nearest_word.hpp"

#include <doctest/doctest.h>

using namespace trammel;

TEST_CASE("the nearest word") {
  const std::vector<std::string_view> known = {"mass", "inertia", "position", "orientation"};
  CHECK(hint_for("mas", known) == "did you mean 'mass'?");
  CHECK(hint_for("Mass", known) == "did you mean 'mass'?");
  CHECK(hint_for("masss", known) == "did you mean 'mass'?");
  CHECK(hint_for("amss", known) == "did you mean 'mass'?");
  CHECK(hint_for("postion", known) == "did you mean 'position'?");
  CHECK(hint_for("orientatoin", known) == "did you mean 'orientation'?");
  CHECK(hint_for("inerta", known) == "did you mean 'inertia'?");
  CHECK(hint_for("color", known) == "known: mass, inertia, position, orientation");
  CHECK(hint_for("", known) == "known: mass, inertia, position, orientation");
  CHECK(hint_for(std::string(1000, 'm'), known) == "known: mass, inertia, position, orientation");
}

TEST_CASE("of equally near words the first is taken, and a nearer one later wins") {
  NearestWord nearest("link_12");
  nearest.offer("link_1");
  nearest.offer("link_2");
  CHECK(nearest.hint() == "did you mean 'link_1'?");
  NearestWord better("crnak");
  better.offer("cran");
  better.offer("crank");
  CHECK(better.hint() == "did you mean 'crank'?");
}

TEST_CASE("a word of one letter is not like another one") {
  NearestWord nearest("x");
  nearest.offer("y");
  CHECK(nearest.hint().empty());
  nearest.offer("xy");
  CHECK(nearest.hint() == "did you mean 'xy'?");
}
