// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of an element, a body or a joint, one by one. A type lists its members once,
//
//   template <class Self> static auto members(Self& self) { return std::tie(self.body, self.point, …); }
//
// and everything that goes over them follows: copies with another kind of number (constants or inputs of a
// trace), the list of numbers in which runs of an ensemble differ, and whether two systems differ in
// anything else.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

#include "math/large_vector.hpp"
#include "math/vector2.hpp"
#include "math/vector3.hpp"

namespace trammel {

template <class Real>
auto members(Vector3<Real>& v) {
  return std::tie(v.x, v.y, v.z);
}
template <class Real>
auto members(const Vector3<Real>& v) {
  return std::tie(v.x, v.y, v.z);
}
template <class Real>
auto members(Vector2<Real>& v) {
  return std::tie(v.x, v.y);
}
template <class Real>
auto members(const Vector2<Real>& v) {
  return std::tie(v.x, v.y);
}
template <class Real>
auto members(Vector1<Real>& v) {
  return std::tie(v.z);
}
template <class Real>
auto members(const Vector1<Real>& v) {
  return std::tie(v.z);
}
template <class Real>
auto members(Matrix3<Real>& m) {
  return std::tie(m.row);
}
template <class Real>
auto members(const Matrix3<Real>& m) {
  return std::tie(m.row);
}
template <class Real>
auto members(Matrix2<Real>& m) {
  return std::tie(m.row);
}
template <class Real>
auto members(const Matrix2<Real>& m) {
  return std::tie(m.row);
}
template <class T>
requires requires(T& x) { std::remove_const_t<T>::members(x); }
auto members(T& x) { return std::remove_const_t<T>::members(x); }

// visitor.number(a, b) for each pair of numbers of two things of the same kind, visitor.other(a, b) for
// pairs of everything else (indices, kinds, laws), visitor.size(a, b) for two lists before their members;
// false from it: the lists are passed over.
template <class A, class B, class Visitor>
void visit_pairs(A& a, B& b, Visitor& visitor) {
  using Bare = std::remove_const_t<B>;
  // a type that lists its members: one by one
  if constexpr (requires { members(a); }) {
    auto of_a = members(a);
    auto of_b = members(b);
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      (visit_pairs(std::get<k>(of_a), std::get<k>(of_b), visitor), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(of_b)>>());
  } else if constexpr (
      requires { a.resize(1); } || requires { b.get_allocator(); }) {
    // a list
    if (!visitor.size(a, b)) return;
    for (std::size_t k = 0; k < b.size(); ++k) visit_pairs(a[k], b[k], visitor);
  } else if constexpr (std::is_array_v<Bare> || requires { std::tuple_size<Bare>::value; }) {
    for (std::size_t k = 0; k < std::size(b); ++k) visit_pairs(a[k], b[k], visitor);
  } else if constexpr (std::is_same_v<Bare, double>) {
    visitor.number(a, b);
  } else {
    visitor.other(a, b);
  }
}

// to ← from with the numbers make(x), in the order of the members; the rest is copied.
template <class Make>
struct NumberCopier {
  const Make& make;
  template <class To>
  void number(To& to, double from) const {
    to = make(from);
  }
  template <class T>
  void other(T& to, const T& from) const {
    to = from;
  }
  template <class To, class From>
  bool size(To& to, const From& from) const {
    if constexpr (std::is_same_v<To,
                                 From>) {  // laws and curves, which have no other kind of number
      to = from;
      return false;
    } else {
      to.resize(from.size());
      return true;
    }
  }
};
template <class To, class From, class Make>
void copy_numbers(To& to, const From& from, const Make& make) {
  NumberCopier<Make> copier{make};
  visit_pairs(to, from, copier);
}

// Whether two things differ in numbers only.
struct StructureComparison {
  bool same = true;
  void number(double, double) const {}
  template <class T>
  void other(const T& a, const T& b) {
    if constexpr (requires { *a == *b; }) {
      same = same && *a == *b;
    } else {
      same = same && a == b;
    }
  }
  template <class T>
  bool size(const T& a, const T& b) {
    same = same && a.size() == b.size();
    return same;
  }
};
template <class T>
bool has_same_structure(const T& a, const T& b) {
  StructureComparison comparison;
  visit_pairs(a, b, comparison);
  return comparison.same;
}

}  // namespace trammel
