// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of the Model that describe themselves (trammel/model.hpp, `kind` and `fields`).
#pragma once

#include <cstddef>
#include <utility>
#include <variant>

#include "trammel/model.hpp"

namespace trammel {

template <class Law>
concept DescribedForce = requires {
  Law::kind.word;
};

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
