// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// .asmt: curves, and the contact of two of them. A curve is the periodic spline of degree 5 through its points at
// even parameters,
//
//   c(s) = Σ b_k N(s − k),   N(−2 … 2) = (1, 26, 66, 26, 1)/120
//
// Where one of two curves in contact is a circle, its centre is at a constant distance from the other: it follows the
// parallel curve of that, on the side on which it is drawn. The force of the contact is normal to both, and so goes
// through the centre: the motion and the force are the same.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "import/asmt.hpp"

namespace trammel::import {
namespace {

constexpr std::size_t most_points = 300;
constexpr double circle_tolerance = 1e-4;  // of the radius
constexpr int points_per_span = 24;        // of the parallel curve

// Solves the system of the periodic spline; its matrix is diagonally dominant.
std::vector<Vec3> find_control_points(const std::vector<Vec3>& points) {
  const std::size_t n = points.size();
  std::vector<std::vector<double>> matrix(n, std::vector<double>(n, 0.0));
  constexpr double weights[] = {1.0 / 120, 26.0 / 120, 66.0 / 120, 26.0 / 120, 1.0 / 120};
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t k = 0; k < 5; ++k) matrix[r][(r + n + k - 2) % n] += weights[k];
  }
  std::vector<Vec3> b = points;
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = matrix[r][c] / matrix[c][c];
      if (factor == 0.0) continue;
      for (std::size_t k = c; k < n; ++k) matrix[r][k] -= factor * matrix[c][k];
      b[r] = b[r] - factor * b[c];
    }
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) b[r] = b[r] - matrix[r][k] * b[k];
    b[r] = (1.0 / matrix[r][r]) * b[r];
  }
  return b;
}

// N and N' of degree 5 at the six control points that reach the place x in [0, 1) of a span, by de Boor's recursion.
void calc_weights(double x, double value[6], double slope[6]) {
  double lower[6] = {1, 0, 0, 0, 0, 0};
  for (int degree = 1; degree <= 5; ++degree) {
    double next[6] = {};
    for (int k = 0; k < degree; ++k) {
      const double share = (x + (degree - 1 - k)) / degree;
      next[k] += (1 - share) * lower[k];
      next[k + 1] += share * lower[k];
    }
    if (degree == 5) {
      for (int k = 0; k < 6; ++k)
        slope[k] = (k > 0 ? lower[k - 1] : 0.0) - (k < 5 ? lower[k] : 0.0);
    }
    std::copy(next, next + 6, lower);
  }
  std::copy(lower, lower + 6, value);
}

struct CurvePoint {
  Vec3 at{}, along{};
};

class QuinticCurve {
 public:
  explicit QuinticCurve(const std::vector<Vec3>& points) : b_(find_control_points(points)) {}

  // s in spans
  CurvePoint evaluate(std::size_t span, double x) const {
    double value[6], slope[6];
    calc_weights(x, value, slope);
    CurvePoint point;
    const std::size_t n = b_.size();
    for (std::size_t k = 0; k < 6; ++k) {
      const Vec3& b = b_[(span + n + k - 2) % n];
      point.at = point.at + value[k] * b;
      point.along = point.along + slope[k] * b;
    }
    return point;
  }
  std::size_t spans() const { return b_.size(); }

 private:
  std::vector<Vec3> b_;
};

// The centre of a circle through the points; none where they are on none.
std::optional<std::pair<Vec3, double>> find_circle(const std::vector<Vec3>& points) {
  Vec3 center{};
  for (const Vec3& p : points) center = center + (1.0 / static_cast<double>(points.size())) * p;
  const QuinticCurve curve(points);
  double least = length(points[0] - center), most = least;
  for (std::size_t span = 0; span < curve.spans(); ++span) {
    for (int k = 0; k < 4; ++k) {
      const double r = length(curve.evaluate(span, 0.25 * k).at - center);
      least = std::min(least, r);
      most = std::max(most, r);
    }
  }
  if (!(most - least <= circle_tolerance * most)) return std::nullopt;
  return std::pair(center, 0.5 * (least + most));
}

// At a distance from the curve, to the right of its direction, seen along the normal of its plane. Empty where the
// curve bends more tightly than that, and the parallel curve turns back.
std::vector<Vec3> make_parallel(const QuinticCurve& curve, const Vec3& normal, double distance) {
  std::vector<Vec3> points;
  Vec3 before{};
  for (std::size_t span = 0; span < curve.spans(); ++span) {
    for (int k = 0; k < points_per_span; ++k) {
      const CurvePoint point = curve.evaluate(span, static_cast<double>(k) / points_per_span);
      const Vec3 aside = normalised(cross(point.along, normal));
      points.push_back(point.at + distance * aside);
      const Vec3 step = points.size() > 1 ? points.back() - before : point.along;
      if (!(dot(step, point.along) > 0.0)) return {};
      before = points.back();
    }
  }
  return points;
}

double calc_nearest_distance(const std::vector<Vec3>& points, const Vec3& to) {
  double nearest = INFINITY;
  for (const Vec3& p : points) nearest = std::min(nearest, length(p - to));
  return nearest;
}

}  // namespace

void read_asmt_contact(AsmtAssembly& assembly, int entry) {
  AsmtTree& tree = assembly.tree;
  const AsmtCurve *path = assembly.find_curve(entry, "MarkerI"),
                  *round = assembly.find_curve(entry, "MarkerJ");
  if (path == nullptr || round == nullptr) return;
  auto circle = find_circle(round->points);
  if (!circle) {
    circle = find_circle(path->points);
    std::swap(path, round);
  }
  if (!circle) {
    tree.report(entry, "of two curves in contact one must be a circle");
    return;
  }
  const auto [center, radius] = *circle;
  const Place at_path = assembly.mechanism.place_of(path->body) * path->place;
  const Place at_round = assembly.mechanism.place_of(round->body) * round->place;
  const Vec3 drawn = inverse(at_path) * (at_round * center);
  const QuinticCurve curve(path->points);
  std::vector<Vec3> best;
  for (const double side : {1.0, -1.0}) {
    auto points = make_parallel(curve, {0, 0, 1}, side * radius);
    if (points.empty()) continue;
    if (best.empty() || calc_nearest_distance(points, drawn) < calc_nearest_distance(best, drawn)) {
      best = std::move(points);
    }
  }
  if (best.empty()) {
    tree.report(entry, "the curve bends more tightly than the circle that it touches");
    return;
  }
  ImportedJoint joint;
  joint.name = assembly.make_name(entry, "contact");
  joint.source = tree.source(entry);
  joint.kind = JointKind::point_on_curve;
  joint.body_i = path->body;
  joint.body_j = round->body;
  joint.frame_i = path->place;
  joint.frame_j = round->place * Place{identity, center};
  joint.curve = std::move(best);
  joint.is_in_tree = false;
  assembly.log.change("contact of a curve with a circle", joint.name,
                      "the centre of the circle follows the parallel curve");
  assembly.mechanism.joints.push_back(std::move(joint));
}

// The points of a spline, without the last, which repeats the first.
std::vector<Vec3> read_asmt_points(AsmtTree& tree, int spline) {
  std::vector<Vec3> points;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string label(1, static_cast<char>('x' + axis));
    const int row = tree.find_row(spline, label);
    const auto values = row < 0 ? std::nullopt : tree.cells(row);
    if (!values || values->size() < 7 || values->size() > most_points ||
        (axis > 0 && values->size() != points.size())) {
      tree.report(row < 0 ? spline : row,
                  "must be between 7 and 300 numbers, as many for x, y and z");
      return {};
    }
    points.resize(values->size());
    for (std::size_t k = 0; k < values->size(); ++k) points[k][axis] = (*values)[k];
  }
  if (length(points.back() - points.front()) >
      1e-6 * length(points[points.size() / 2] - points[0])) {
    tree.report(spline, "must be a closed curve: its last point must repeat the first");
    return {};
  }
  points.pop_back();
  return points;
}

}  // namespace trammel::import
