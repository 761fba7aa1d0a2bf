// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/check_outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/check_geometry.hpp"
#include "model/magnitude.hpp"
#include "model/solids.hpp"

namespace trammel {
namespace {

using Corner = std::array<double, 2>;
using Loop = Extrusion::Loop;

std::string name_of(std::size_t loop) {
  return loop == 0 ? "outline" : fmt::format("holes[{}]", loop - 1);
}

std::optional<OutlineProblem> find_corner_problem(const Extrusion& extrusion) {
  std::size_t count = 0;
  for (std::size_t l = 0; l < extrusion.loops.size(); ++l) {
    const Loop& loop = extrusion.loops[l];
    if (loop.size() < 3) {
      return OutlineProblem{name_of(l),
                            fmt::format("needs 3 corners or more, got {}", loop.size())};
    }
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::string field = fmt::format("{}[{}]", name_of(l), k);
      if (const std::string problem = find_problem(loop[k]); !problem.empty()) {
        return OutlineProblem{field, problem};
      }
      if (loop[k] == loop[(k + 1) % loop.size()]) {
        return OutlineProblem{field,
                              "is the same point as the next corner; the last corner is joined "
                              "to the first without repeating it"};
      }
    }
    if ((count += loop.size()) > max_corners) {
      return OutlineProblem{name_of(l), fmt::format("gives more than {} corners", max_corners)};
    }
  }
  return std::nullopt;
}

// > 0: c is to the left of the line from a to b.
double calc_side(const Corner& a, const Corner& b, const Corner& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

bool is_between(const Corner& a, const Corner& b, const Corner& c) {
  return std::min(a[0], b[0]) <= c[0] && c[0] <= std::max(a[0], b[0]) &&
         std::min(a[1], b[1]) <= c[1] && c[1] <= std::max(a[1], b[1]);
}

// Crossing or touching.
bool do_meet(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
  const double c_side = calc_side(a, b, c), d_side = calc_side(a, b, d);
  const double a_side = calc_side(c, d, a), b_side = calc_side(c, d, b);
  const auto differ = [](double x, double y) { return (x > 0 && y < 0) || (x < 0 && y > 0); };
  if (differ(c_side, d_side) && differ(a_side, b_side)) return true;
  return (c_side == 0 && is_between(a, b, c)) || (d_side == 0 && is_between(a, b, d)) ||
         (a_side == 0 && is_between(c, d, a)) || (b_side == 0 && is_between(c, d, b));
}

struct Edge {
  std::size_t loop, index, next;  // corners of the loop
  Corner from, to;
};

// Neighbours share a corner: they overlap where the second goes back along the first.
bool is_bad(const Edge& a, const Edge& b) {
  if (a.loop == b.loop && (a.next == b.index || b.next == a.index)) {
    const Edge &first = a.next == b.index ? a : b, &second = a.next == b.index ? b : a;
    const bool back = (first.to[0] - first.from[0]) * (second.to[0] - second.from[0]) +
                          (first.to[1] - first.from[1]) * (second.to[1] - second.from[1]) <
                      0;
    return back && calc_side(first.from, first.to, second.to) == 0;
  }
  return do_meet(a.from, a.to, b.from, b.to);
}

std::optional<OutlineProblem> find_crossing(const Extrusion& extrusion) {
  std::vector<Edge> edges;
  for (std::size_t l = 0; l < extrusion.loops.size(); ++l) {
    const Loop& loop = extrusion.loops[l];
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::size_t next = (k + 1) % loop.size();
      edges.push_back({l, k, next, loop[k], loop[next]});
    }
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!is_bad(edges[j], edges[i])) continue;
      const auto describe = [](const Edge& edge) {
        return fmt::format("{}[{}] to {}[{}]", name_of(edge.loop), edge.index, name_of(edge.loop),
                           edge.next);
      };
      return OutlineProblem{name_of(edges[i].loop),
                            fmt::format("the edges from {} and from {} cross or touch",
                                        describe(edges[j]), describe(edges[i]))};
    }
  }
  return std::nullopt;
}

bool is_inside(const Corner& point, const Loop& loop) {
  bool inside = false;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Corner &a = loop[k], &b = loop[(k + 1) % loop.size()];
    if ((a[1] > point[1]) == (b[1] > point[1])) continue;
    if (point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) inside = !inside;
  }
  return inside;
}

}  // namespace

std::optional<OutlineProblem> find_outline_problem(const Extrusion& extrusion) {
  if (extrusion.loops.empty()) return OutlineProblem{"outline", "is missing"};
  if (auto problem = find_corner_problem(extrusion)) return problem;
  if (auto problem = find_crossing(extrusion)) return problem;
  const auto& loops = extrusion.loops;
  for (std::size_t l = 1; l < loops.size(); ++l) {
    if (!is_inside(loops[l][0], loops[0])) {
      return OutlineProblem{name_of(l), "is outside of the outline"};
    }
    for (std::size_t other = 1; other < loops.size(); ++other) {
      if (other != l && is_inside(loops[l][0], loops[other])) {
        return OutlineProblem{name_of(l), fmt::format("is inside {}", name_of(other))};
      }
    }
  }
  return std::nullopt;
}

}  // namespace trammel
