// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/known_unit.hpp"

#include <algorithm>
#include <string>

#include "math/expression.hpp"

namespace trammel {
namespace {

using Kind = KnownUnit::Kind;

bool is_bare(const KnownUnit& a) { return a.kind <= Kind::plain; }

KnownUnit with_kind(Kind kind, const Dimension& dimension, bool is_vector) {
  KnownUnit result;
  result.kind = kind;
  result.dimension = dimension;
  result.is_vector = is_vector;
  return result;
}

[[noreturn]] void fail_unlike(const KnownUnit& a, const KnownUnit& b, std::size_t offset) {
  throw UnitError(offset, "a quantity in " + to_text(a.dimension) + " and one in " +
                              to_text(b.dimension) + " cannot be added or compared");
}

// One with a unit and one without.
KnownUnit add_bare(const KnownUnit& a, const KnownUnit& bare, std::size_t offset,
                   bool explicit_lengths) {
  const bool is_angle = a.dimension.is_angle();
  if (a.kind == Kind::known && bare.kind == Kind::number && !is_angle) {
    throw UnitError(offset,
                    "a number without a unit and a quantity in " + to_text(a.dimension) +
                        " cannot be added or compared",
                    "give both a unit");
  }
  if (explicit_lengths && a.kind != Kind::lost && a.dimension.has_length()) {
    throw UnitError(offset,
                    "a value without a unit and a quantity in " + to_text(a.dimension) +
                        " cannot be added or compared",
                    "give both a unit");
  }
  return a;
}

}  // namespace

KnownUnit with_dimension(const Dimension& dimension) {
  const bool is_number = dimension == Dimension();
  return with_kind(is_number ? Kind::number : Kind::known, dimension, false);
}

KnownUnit add_quantities(const KnownUnit& a, const KnownUnit& b, std::size_t offset,
                         bool explicit_lengths) {
  if (a.is_vector != b.is_vector) {
    throw UnitError(offset, "a vector and a number cannot be added");
  }
  if (a.kind == Kind::zero) return b;
  if (b.kind == Kind::zero) return a;
  if (is_bare(a) && is_bare(b)) return a.kind > b.kind ? a : b;
  if (is_bare(b)) return add_bare(a, b, offset, explicit_lengths);
  if (is_bare(a)) return add_bare(b, a, offset, explicit_lengths);
  if (a.kind == Kind::known && b.kind == Kind::known) {
    if (!is_same(a.dimension, b.dimension)) fail_unlike(a, b, offset);
    return a;
  }
  if (a.kind == Kind::known || b.kind == Kind::known) return a.kind == Kind::known ? a : b;
  const bool alike =
      a.kind == Kind::loose && b.kind == Kind::loose && is_same(a.dimension, b.dimension);
  return alike ? a : with_kind(Kind::lost, {}, a.is_vector);
}

KnownUnit multiply_quantities(const KnownUnit& a, const KnownUnit& b, int sign,
                              std::size_t offset) {
  if (a.is_vector && b.is_vector) {
    throw UnitError(offset, "two vectors cannot be multiplied", "use dot(a, b) or cross(a, b)");
  }
  if (sign < 0 && b.is_vector) throw UnitError(offset, "cannot divide by a vector");
  const bool is_vector = a.is_vector || b.is_vector;
  if (is_bare(a) && is_bare(b)) {
    return with_kind(std::max({a.kind, b.kind, Kind::number}), {}, is_vector);
  }
  const auto dimension = product(a.dimension, b.dimension, sign);
  if (a.kind == Kind::lost || b.kind == Kind::lost || !dimension) {
    return with_kind(Kind::lost, {}, is_vector);
  }
  const auto is_loose = [](const KnownUnit& x) {
    return x.kind == Kind::plain || x.kind == Kind::loose;
  };
  // a length times an angle in radians: 0.1*(30 deg) is a length where 0.1 is one
  const bool is_arc =
      (is_bare(a) && b.dimension.is_angle()) || (is_bare(b) && a.dimension.is_angle());
  if (is_loose(a) || is_loose(b) || is_arc) return with_kind(Kind::loose, *dimension, is_vector);
  KnownUnit result = with_dimension(*dimension);
  result.is_vector = is_vector;
  return result;
}

KnownUnit raise_quantity(const KnownUnit& base, const KnownUnit& exponent, const double* value,
                         std::size_t offset) {
  expect_scalar(base, "^", offset);
  expect_number(exponent, "an exponent", offset);
  if (is_bare(base)) {
    return with_kind(std::max({base.kind, std::min(exponent.kind, Kind::plain), Kind::number}), {},
                     false);
  }
  const auto dimension = value == nullptr ? std::nullopt : power(base.dimension, *value);
  if (base.kind == Kind::lost || !dimension) return with_kind(Kind::lost, {}, false);
  return base.kind == Kind::loose ? with_kind(Kind::loose, *dimension, false)
                                  : with_dimension(*dimension);
}

void expect_number(const KnownUnit& a, std::string_view function, std::size_t offset) {
  expect_scalar(a, function, offset);
  if (a.kind != Kind::known || a.dimension.is_angle()) return;
  throw UnitError(offset,
                  "'" + std::string(function) + "' needs a number without a unit, got one in " +
                      to_text(a.dimension),
                  "divide by a quantity of the same unit");
}

void expect_scalar(const KnownUnit& a, std::string_view function, std::size_t offset) {
  if (!a.is_vector) return;
  throw UnitError(offset, "'" + std::string(function) + "' needs a number, got a vector",
                  "a component is written d.x");
}

}  // namespace trammel
