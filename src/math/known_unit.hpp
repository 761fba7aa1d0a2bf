// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is known about the unit of an expression, found while it is parsed. A number without a unit is
// accepted wherever a quantity is, in SI; so only what follows from units that were written is
// checked:
//
//   25 mm + 3 s        error                      sum of unlike units
//   25 mm + 0.1        error                      a number in a sum needs a unit, unless it is 0
//   25 mm + half       m                          a name without a unit is in SI
//   2*25 mm            m                          in products a number is a number
//   half*25 mm         loose: m times what half may have; not checked against the key
//
// Angles are numbers: rad is not compared, and may be added to numbers.
#pragma once

#include <cstddef>
#include <string_view>

#include "math/units.hpp"

namespace trammel {

struct KnownUnit {
  enum class Kind : unsigned char {
    zero,    // written 0: fits everything
    number,  // made of numbers only
    plain,   // made of names without units, too
    loose,   // `dimension` times the unknown unit of plain names
    lost,    // not known
    known    // `dimension`
  };
  Kind kind = Kind::number;
  Dimension dimension;
  bool is_vector = false;

  bool has_unit() const { return kind == Kind::known || kind == Kind::loose || kind == Kind::lost; }
  friend bool operator==(const KnownUnit&, const KnownUnit&) = default;
};

KnownUnit with_dimension(const Dimension& dimension);  // known, or a number

// Rules of operations; they throw ExpressionError at `offset`. `explicit_lengths`: the file has a unit
// of length other than m, so names without a unit cannot be added to lengths.
KnownUnit add_quantities(const KnownUnit& a, const KnownUnit& b, std::size_t offset,
                         bool explicit_lengths);
KnownUnit multiply_quantities(const KnownUnit& a, const KnownUnit& b, int sign, std::size_t offset);
KnownUnit raise_quantity(const KnownUnit& base, const KnownUnit& exponent, const double* value,
                         std::size_t offset);
// Of sin, exp, floor …: a number without a unit, or an angle.
void expect_number(const KnownUnit& a, std::string_view function, std::size_t offset);
void expect_scalar(const KnownUnit& a, std::string_view function, std::size_t offset);

}  // namespace trammel
