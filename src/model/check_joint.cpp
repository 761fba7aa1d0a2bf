// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of one joint: its bodies, and the points and vectors its kind needs (joint_rules.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "math/euler_parameters.hpp"
#include "math/unit_vector.hpp"
#include "model/check_parts.hpp"
#include "model/coordinates.hpp"
#include "model/frame_axes.hpp"
#include "model/joint_rules.hpp"
#include "model/magnitude.hpp"
#include "model/name_table.hpp"

namespace trammel {
namespace {

constexpr double angle_tolerance = 1e-6;  // of a right angle, as a cosine
constexpr double straight_angle = 3.141592653589793;

double calc_length(const Vec3& v) { return std::hypot(v[0], v[1], v[2]); }

double calc_cosine(const Vec3& a, const Vec3& b) {
  const auto u = bring_into_range(Vector3<double>::load(a.data()));
  const auto v = bring_into_range(Vector3<double>::load(b.data()));
  return dot(u, v) / (std::hypot(u.x, u.y, u.z) * std::hypot(v.x, v.y, v.z));
}

Vec3 cross_of(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// As drawn, in the world; axes only where they are given and can be used.
struct Drawing {
  Vec3 span{};  // from the joint's point on body i to that on body j
  std::optional<Vec3> a_i, a_j;
};

Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

// "a revolute joint", "an SO constraint"
std::string with_article(std::string_view word, const char* noun) {
  constexpr std::string_view vowels = "aoAORSX";  // as they are read: an SO, an R, a revolute
  const bool vowel = vowels.find(word[0]) != std::string_view::npos;
  return fmt::format("{} {} {}", vowel ? "an" : "a", word, noun);
}

// Where findings go: the joint, and the field within it that all others start with.
struct Place {
  std::size_t index;
  std::string prefix;  // "", or "constraints[0].SO" of a generic joint
  std::vector<Finding>* findings;

  Finding at(const std::string& field) const {
    const bool both = !prefix.empty() && !field.empty();
    return {Section::joints, index, prefix + (both ? "." : "") + field, ""};
  }
  void add(const std::string& field, const std::string& reason,
           const std::string& hint = {}) const {
    Finding finding = at(field);
    finding.reason = reason;
    finding.hint = hint;
    findings->push_back(std::move(finding));
  }
};

// ---- points, vectors and length of a joint, or of a constraint of a generic joint

class PlacementCheck {
 public:
  // noun: "a revolute joint"
  PlacementCheck(const JointRules& rules, std::string noun, Place place)
      : rules_(rules), noun_(std::move(noun)), place_(std::move(place)) {}

  void check(const LocalPlacement& local) const {
    check_point("points[0]", local.point_i);
    check_point("points[1]", local.point_j);
    const std::array<const char*, 4> names = {"a_i", "b_i", "a_j", "b_j"};
    const std::array<const std::optional<Vec3>*, 4> vectors = {&local.a_i, &local.b_i, &local.a_j,
                                                               &local.b_j};
    const bool none = !local.a_i && !local.b_i && !local.a_j && !local.b_j;
    const unsigned needed = rules_.world == WorldVectors::attitude && none ? 0 : rules_.vectors;
    std::array<bool, 4> good{};
    for (std::size_t k = 0; k < 4; ++k) {
      good[k] = check_vector(names[k], *vectors[k], (needed >> k & 1) != 0);
    }
    if (good[0] && good[1]) check_right_angle("b_i", "a_i", *local.b_i, *local.a_i);
    if (good[2] && good[3]) check_right_angle("b_j", "a_j", *local.b_j, *local.a_j);
  }

  void check(const WorldPlacement& world) const {
    check_point(world.point_j ? "at[0]" : "at", world.point);
    if (world.point_j) check_point("at[1]", *world.point_j);
    if (rules_.points == 2 && !world.point_j) {
      return place_.add("at", fmt::format("{} has two points", noun_),
                        "give both, one for each body, or points in the bodies' frames");
    }
    if (rules_.points < 2 && world.point_j) {
      return place_.add("at", fmt::format("{} has one point", noun_));
    }
    const bool one = rules_.world == WorldVectors::around || rules_.world == WorldVectors::normal;
    const bool square = rules_.world == WorldVectors::cross || rules_.world == WorldVectors::slot;
    const bool two = square || rules_.world == WorldVectors::axes;
    const bool any = rules_.world == WorldVectors::shafts;
    if (two && !(world.axis && world.axis_j)) {
      return place_.add(
          "", fmt::format("{} needs 'axes'", noun_),
          square ? "one axis for each body, at right angles" : "one axis for each body");
    }
    if (!two && !any && world.axis_j) {
      return one ? place_.add("axes", fmt::format("{} has only one axis", noun_), "give axis")
                 : place_.add("axes", fmt::format("{} has no 'axes'", noun_));
    }
    const bool i = check_vector(world.axis_j ? "axes[0]" : "axis", world.axis, one || two || any);
    const bool j = check_vector("axes[1]", world.axis_j, two || (any && world.axis_j));
    if (i && j && square) check_right_angle("axes[1]", "axes[0]", *world.axis_j, *world.axis);
    if (i && j && any && calc_cosine(*world.axis, *world.axis_j) <= -1 + angle_tolerance) {
      place_.add("axes[1]", "is opposite to 'axes[0]': the shafts are folded onto each other",
                 "both axes point the same way through the joint");
    }
    if (i && one && rules_.is_level && world.point_j && *world.point_j != world.point) {
      check_right_angle("axis", "the line through the two points", *world.axis,
                        minus(*world.point_j, world.point));
    }
  }

  void check(const FramePlacement& frames, bool planar) const {
    const auto add = [&](const char* field, const NamedFrame& frame) {
      const std::string problem = find_problem(frame, planar);
      if (!problem.empty()) place_.add(field, problem);
    };
    add("frames[0]", frames.frame_i);
    add("frames[1]", frames.frame_j);
  }

  // The numbers of a joint or constraint: length, offset and angle.
  template <class Part>
  void check_numbers(const Part& part, const Drawing& drawn, bool local) const {
    if (rules_.points != 2) {
      if (part.length) place_.add("length", fmt::format("{} has no 'length'", noun_));
    } else if (rules_.length == LengthOf::of_axes) {
      check_axes(part.length, drawn, local);
    } else if (part.length) {
      add_problem("length", find_problem_of_positive(*part.length));
    } else if (calc_drawn_length(drawn) < smallest_magnitude) {
      const bool on_axis = rules_.length == LengthOf::from_axis;
      place_.add(local ? "points" : "at",
                 on_axis ? "the second point is on the axis at t = 0, so the length would be 0"
                         : "coincide at t = 0, so the length would be 0",
                 "give length");
    }
    if (part.offset && !rules_.has_offset) {
      place_.add("offset", fmt::format("{} has no 'offset'", noun_));
    } else if (part.offset) {
      add_problem("offset", find_problem(*part.offset));
    }
    check_angle(part.angle, drawn, local);
  }

 private:
  double calc_drawn_length(const Drawing& drawn) const {
    if (rules_.length == LengthOf::points) return calc_length(drawn.span);
    // an axis that cannot be used is reported already
    return drawn.a_i ? calc_length(cross_of(drawn.span, *drawn.a_i)) / calc_length(*drawn.a_i)
                     : 1.0;
  }

  static bool are_parallel(const Drawing& drawn) {
    return drawn.a_i && drawn.a_j &&
           1.0 - std::abs(calc_cosine(*drawn.a_i, *drawn.a_j)) <=
               0.5 * angle_tolerance * angle_tolerance;
  }

  void check_axes(const std::optional<double>& length, const Drawing& drawn, bool local) const {
    if (length) {
      std::string problem = find_problem(*length);
      if (problem.empty() && *length < 0.0) {
        problem = fmt::format("must not be negative, got {}; the side is as drawn", *length);
      }
      add_problem("length", problem);
    }
    if (!are_parallel(drawn)) return;
    place_.add(local ? "a_j" : "axes[1]", "the axes are parallel: they have no common normal",
               "use revolute_cylindrical for the distance of parallel axes");
  }

  void check_angle(const std::optional<double>& angle, const Drawing& drawn, bool local) const {
    if (!rules_.has_angle) {
      if (angle) place_.add("angle", fmt::format("{} has no 'angle'", noun_));
      return;
    }
    if (angle) {
      std::string problem = find_problem(*angle);
      if (problem.empty() && !(*angle > 0.0 && *angle < straight_angle)) {
        problem = fmt::format("must be between 0 and pi, got {:.6g}", *angle);
      } else if (problem.empty() && std::sin(*angle) <= angle_tolerance) {
        problem = fmt::format("is too close to {}: the axes would be parallel",
                              *angle < 1.0 ? "0" : "pi");
      }
      if (problem.empty()) return;
      return place_.add("angle", problem, "use parallel_axes for axes that stay parallel");
    }
    if (!are_parallel(drawn)) return;
    place_.add(local ? "a_j" : "axes[1]", "the axes are parallel at t = 0",
               "give angle, or use parallel_axes for axes that stay parallel");
  }

  void add_problem(const char* field, const std::string& problem) const {
    if (!problem.empty()) place_.add(field, problem);
  }

  void check_point(const char* field, const Vec3& point) const {
    if (const std::string problem = find_problem(point); !problem.empty()) {
      place_.add(field, problem);
    }
  }

  // True when the vector is needed, there, and usable.
  bool check_vector(const std::string& field, const std::optional<Vec3>& vector,
                    bool needed) const {
    if (!vector && needed) {
      place_.add("", fmt::format("{} needs '{}'", noun_, field));
    } else if (vector && !needed) {
      place_.add(field, fmt::format("{} has no '{}'", noun_, field));
    } else if (vector && !std::all_of(vector->begin(), vector->end(),
                                      [](double x) { return std::isfinite(x); })) {
      place_.add(field, "must be finite numbers");
    } else if (vector && *vector == Vec3{}) {
      place_.add(field, "must not be zero");
    } else {
      return vector.has_value();
    }
    return false;
  }

  void check_right_angle(const std::string& field, const std::string& other, const Vec3& a,
                         const Vec3& b) const {
    const double cosine = calc_cosine(a, b);
    if (std::abs(cosine) <= angle_tolerance) return;
    const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 57.29577951308232;
    const std::string quote = other.find(' ') == std::string::npos ? "'" : "";
    place_.add(field, fmt::format("must be at right angles to {}{}{}, the angle is {:.6g} degrees",
                                  quote, other, quote, degrees));
  }

  const JointRules& rules_;
  std::string noun_;
  Place place_;
};

// ---- the joint

class JointCheck {
 public:
  JointCheck(const Model& model, std::size_t index, const NameTable& bodies,
             std::vector<Finding>& findings)
      : model_(model),
        joint_(model.joints[index]),
        planar_(model.dimension == 2),
        bodies_(bodies),
        place_{index, "", &findings} {}

  void run() {
    connects_ = check_bodies();
    check_compliance();
    if (!check_kind()) return;
    check_limits();
    if (joint_.kind == JointKind::generic) {
      if (std::holds_alternative<FramePlacement>(joint_.placement)) {
        place_.add("frames", "a generic joint is placed by its constraints");
      }
      check_constraints();
      return;
    }
    if (!joint_.constraints.empty()) {
      place_.add("constraints", fmt::format("{} has no 'constraints'", noun()),
                 "they belong to a generic joint");
    }
    check_part(rules_of(joint_.kind, planar_), noun(), place_, joint_);
    check_curve();
    check_start();
  }

 private:
  void check_limits() {
    std::vector<JointCoordinate> known;
    for (const Joint::Limits& limits : joint_.limits) {
      const auto found = find_coordinate(joint_, planar_, limits.coordinate);
      const std::string field =
          limits.coordinate ? std::string("limits.") + to_word(*limits.coordinate) : "limits";
      if (!found) {
        const auto has = list_coordinates(joint_.kind, planar_);
        std::string problem =
            has.empty() ? fmt::format("the joint '{}' has no coordinate", joint_.name)
            : limits.coordinate
                ? calc_coordinate_problem(model_, joint_, *limits.coordinate)
                : fmt::format("the joint '{}' has more than one coordinate", joint_.name);
        const std::string hint =
            limits.coordinate || has.size() < 2
                ? std::string()
                : fmt::format("limits: {{{}: [least, most]}}", to_word(has[0]));
        place_.add(field, problem, hint);
        continue;
      }
      const std::string problem = find_problem_of_range(limits.least, limits.most);
      if (!problem.empty()) place_.add(field, problem);
      if (std::find(known.begin(), known.end(), *found) != known.end()) {
        place_.add(field, "limits this coordinate twice");
      }
      known.push_back(*found);
    }
  }

  void check_start() {
    if (!std::holds_alternative<FramePlacement>(joint_.placement)) return;
    const auto refuse = [&](const char* field, const std::optional<double>& start) {
      if (!start) return;
      place_.add(field, "the zero of a joint between frames is that of the frames",
                 "leave it out, or rotate or shift one of the frames");
    };
    refuse("start_angle", joint_.start_angle);
    refuse("start_travel", joint_.start_travel);
  }

  void check_curve() {
    const bool needed = joint_.kind == JointKind::point_on_curve;
    if (!joint_.curve && needed) place_.add("", fmt::format("{} needs 'curve'", noun()));
    if (joint_.curve && !needed) {
      place_.add("curve", fmt::format("{} has no 'curve'", noun()));
    }
    if (!joint_.curve || !needed) return;
    const auto& [points, closed] = *joint_.curve;
    const std::size_t fewest = closed ? 3 : 2;
    if (points.size() < fewest) {
      return place_.add("curve.points",
                        fmt::format("{} curve needs at least {} points, got {}",
                                    closed ? "a closed" : "an open", fewest, points.size()));
    }
    double along = 0.0;  // the curve's parameter: chords added up
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::string field = fmt::format("curve.points[{}]", k);
      if (const std::string problem = find_problem(points[k]); !problem.empty()) {
        return place_.add(field, problem);
      }
      if (k == 0) continue;
      const double chord = calc_length(minus(points[k], points[k - 1]));
      if (chord == 0.0) return place_.add(field, "is the same as the point before");
      if (chord < smallest_magnitude || along + chord == along) {
        return place_.add(field, "is too close to the point before");
      }
      along += chord;
    }
    if (closed && points.back() == points.front()) {
      place_.add(fmt::format("curve.points[{}]", points.size() - 1),
                 "repeats the first point, to which a closed curve returns by itself");
    }
  }

  std::string noun() const { return with_article(to_word(joint_.kind), "joint"); }

  // True when both are there and not the same.
  bool check_bodies() {
    const bool i =
        check_reference(joint_.body_i, bodies_, place_.at("bodies[0]"), *place_.findings);
    const bool j =
        check_reference(joint_.body_j, bodies_, place_.at("bodies[1]"), *place_.findings);
    if (!i || !j || joint_.body_i != joint_.body_j) return i && j;
    if (std::holds_alternative<FramePlacement>(joint_.placement)) return false;  // a warning
    place_.add("bodies", joint_.body_i == ground
                             ? "connects the ground to itself"
                             : "connects the body '" + joint_.body_i + "' to itself");
    return false;
  }

  void check_compliance() {
    if (!joint_.compliance) return;
    const auto check = [&](const char* field, double value) {
      const std::string problem = find_problem_of_positive(value);
      if (!problem.empty()) place_.add(field, problem);
    };
    check("compliance.force", joint_.compliance->force);
    check("compliance.moment", joint_.compliance->moment);
  }

  // False when there is nothing more to say of the joint.
  bool check_kind() {
    if (rules_of(joint_.kind, planar_).exists) return true;
    std::vector<std::string_view> words;
    for (const JointWord& entry : joint_rules::joints) {
      if (entry.in_plane.exists) words.push_back(entry.word);
    }
    const std::string_view last = words.back();
    words.pop_back();
    place_.add("kind", fmt::format("there is no {} joint in a planar model", to_word(joint_.kind)),
               fmt::format("use {} or {}", fmt::join(words, ", "), last));
    return false;
  }

  template <class Part>
  void check_part(const JointRules& rules, const std::string& noun, const Place& place,
                  const Part& part) const {
    const PlacementCheck check(rules, noun, place);
    std::visit(
        [&]<class Placement>(const Placement& placement) {
          if constexpr (std::is_same_v<Placement, FramePlacement>) {
            check.check(placement, planar_);
          } else {
            check.check(placement);
          }
          constexpr bool local = !std::is_same_v<Placement, WorldPlacement>;
          if (local && !connects_) return;
          check.check_numbers(part, draw(placement), local);
        },
        part.placement);
  }

  // Two bodies have at most as many relative degrees of freedom as one body has.
  void check_constraints() {
    if (joint_.constraints.empty()) {
      return place_.add("", "a generic joint needs 'constraints'",
                        "a list of C, SO, O, D, CV, A, R and X");
    }
    int rows = 0;
    for (std::size_t k = 0; k < joint_.constraints.size(); ++k) {
      const BasicConstraint& basic = joint_.constraints[k];
      const std::string word(to_word(basic.kind));
      const Place place{place_.index, fmt::format("constraints[{}].{}", k, word), place_.findings};
      if (!rules_of(basic.kind, planar_).exists) {
        place.add("", fmt::format("there is no {} in a planar model", word), "use C, SO, O or D");
        continue;
      }
      check_part(rules_of(basic.kind, planar_), with_article(word, "constraint"), place, basic);
      rows += basic.kind != BasicKind::coincidence ? 1 : planar_ ? 2 : 3;
    }
    const int most = planar_ ? 3 : 6;
    if (rows > most) {
      place_.add("constraints", fmt::format("{} equations, but two bodies have only {} relative "
                                            "degrees of freedom",
                                            rows, most));
    }
  }

  static std::optional<Vec3> find_usable(const std::optional<Vec3>& v) {
    const bool good = v && *v != Vec3{} && find_problem(*v).empty();
    return good ? v : std::nullopt;
  }
  Drawing draw(const WorldPlacement& world) const {
    return {world.point_j ? minus(*world.point_j, world.point) : Vec3{1, 0, 0},
            find_usable(world.axis), find_usable(world.axis_j)};
  }
  Drawing draw(const LocalPlacement& local) const {
    Drawing drawn{
        minus(calc_point(joint_.body_j, local.point_j), calc_point(joint_.body_i, local.point_i)),
        find_usable(local.a_i), find_usable(local.a_j)};
    const auto turn = [&](const std::string& body, std::optional<Vec3>& v) {
      if (v) v = minus(calc_point(body, *v), calc_point(body, Vec3{}));
    };
    turn(joint_.body_i, drawn.a_i);
    turn(joint_.body_j, drawn.a_j);
    return drawn;
  }
  Drawing draw(const FramePlacement& frames) const {
    return draw(make_local(joint_.kind, frames, planar_));
  }

  // A point of a body in the world, at t = 0.
  Vec3 calc_point(const std::string& name, const Vec3& point) const {
    const auto index = bodies_.find(name);
    if (index < 0) return point;  // the ground
    const Body& body = model_.bodies[static_cast<std::size_t>(index)];
    Vec3 result;
    (Vector3<double>::load(body.position.data()) +
     calc_rotation(body.orientation.data()) * Vector3<double>::load(point.data()))
        .store(result.data());
    return result;
  }

  const Model& model_;
  const Joint& joint_;
  bool planar_;
  const NameTable& bodies_;
  Place place_;
  bool connects_ = false;
};

}  // namespace

void check_joint(const Model& model, std::size_t index, const NameTable& bodies,
                 std::vector<Finding>& findings) {
  JointCheck(model, index, bodies, findings).run();
}

}  // namespace trammel
