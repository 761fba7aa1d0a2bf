// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of the Model that describe themselves (trammel/model.hpp, `kind` and `fields`).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "trammel/model.hpp"

namespace trammel {

template <class Law>
concept DescribedForce = requires {
  Law::kind.word;
};

// A visitor of fields that passes over all of them: others hide what they look at.
struct FieldVisitor {
  void body(const ForceField&, const std::string&) {}
  void bodies(const ForceField&, const std::string&, const std::string&, BodyJ = BodyJ::any) {}
  void points(const ForceField&, const Vec3&, const Vec3&) {}
  void point(const ForceField&, const Vec3&) {}
  void vector(const ForceField&, const Vec3&) {}
  template <class Number>
  void size(const ForceField&, const Number&) {}
  template <class Number>
  void positive(const ForceField&, const Number&) {}
  void number(const ForceField&, double) {}
  void range(const ForceField&, const std::optional<Range>&) {}
  void choice(const ForceField&, const std::array<std::string_view, 2>&, bool) {}
  void joint(const std::string&, const std::optional<JointCoordinate>&) {}
  void along(const Along&) {}
  template <class Law>
  void load(const ForceField&, const Law&) {}
  void energy(const ForceField&, const std::optional<Function>&) {}
};

// A function that may be missing.
inline const Function* find(const Function& function) { return &function; }
inline const Function* find(const std::optional<Function>& function) {
  return function ? &*function : nullptr;
}

// f(Law()) for each of them, in the order of Force::law
template <class Function>
void for_each_described_force(const Function& f) {
  using Laws = decltype(Force::law);
  const auto visit = [&]<std::size_t k>() {
    using Law = std::variant_alternative_t<k, Laws>;
    if constexpr (DescribedForce<Law>) f(Law());
  };
  [&]<std::size_t... k>(std::index_sequence<k...>) { (visit.template operator()<k>(), ...); }
  (std::make_index_sequence<std::variant_size_v<Laws>>());
}

}  // namespace trammel
