// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "support/joint_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "support/joint_conditions.hpp"
#include "support/model_geometry.hpp"

namespace trammel::test {
namespace {

// The recorded coordinate; empty where it is not recorded.
std::optional<Number> find_coordinate(const Results& results, std::size_t row,
                                      const std::string& name) {
  const auto& names = results.coordinate_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end() || results.coordinate.empty()) return {};
  const std::size_t k = row * names.size() + static_cast<std::size_t>(found - names.begin());
  return Number{results.coordinate[k], results.coordinate_rate[k]};
}

const char* word_of(JointCoordinate coordinate) {
  constexpr const char* words[] = {".angle", ".travel", ".angle_i", ".angle_j"};
  return words[static_cast<int>(coordinate)];
}

// ---- joints

// Angle and travel as recorded, less those seen: whole turns, and nothing.
void add_recorded(const ModelGeometry& in, const Joint& joint, const JointPair& at,
                  const Results& results, std::size_t row, GapRows& rows) {
  const auto angle = find_coordinate(results, row, joint.name + ".angle");
  const auto travel = find_coordinate(results, row, joint.name + ".travel");
  const Vector n = in.axis_j(joint, at.g);
  if (n.norm() > 0) {
    const Moving axis = at.j.direction(n);
    const Moving zero = at.i.direction(at.g.zero_i), now = at.j.direction(at.g.zero_j);
    const double seen =
        std::atan2(axis.value.dot(zero.value.cross(now.value)), zero.value.dot(now.value));
    if (angle) {
      const double off = angle->value - at.g.start_angle - seen;
      rows.add({std::remainder(off, 2 * M_PI), 0.0}, false);
    }
    if (travel) {
      const double seen_travel = axis.value.dot(at.apart().value) - at.g.travel_of_start;
      rows.add({travel->value - at.g.start_travel - seen_travel, 0.0}, true);
    }
  }
  if (joint.kind == JointKind::screw && angle && travel) {
    const double lead = *joint.pitch / (2 * M_PI);
    rows.add({travel->value - at.g.start_travel - lead * (angle->value - at.g.start_angle),
              travel->rate - lead * angle->rate},
             true);
  }
}

Gap calc_joint_gap(const ModelGeometry& in, std::size_t k, const Results& results,
                   std::size_t row) {
  const Joint& joint = in.model().joints[k];
  const MovingFrame i = in.frame_of(joint.body_i, results, row);
  const MovingFrame j = in.frame_of(joint.body_j, results, row);
  const JointPair at{in.joint(k), i, j};
  GapRows rows;
  if (in.model().dimension == 2) {
    add_planar_conditions(joint.kind, at, rows);
  } else {
    add_spatial_conditions(joint.kind, at, rows);
  }
  for (std::size_t c = 0; c < in.constraints(k).size(); ++c) {
    add_basic_conditions(joint.constraints[c].kind, {in.constraints(k)[c], i, j}, rows);
  }
  if (joint.curve) {
    const Vector q = i.R.transpose() * (j.point(at.g.point_j).value - i.r);
    rows.add({in.curve(joint.name).calc(q), 0.0}, true);
  }
  add_recorded(in, joint, at, results, row, rows);
  return {joint.name, in.size_of_joint(joint), std::move(rows.list)};
}

// ---- couplers and drivers

struct Term {
  std::string joint;
  JointCoordinate coordinate;
  double coefficient;
};

const Joint& joint_of(const Model& model, const std::string& name) {
  return *std::find_if(model.joints.begin(), model.joints.end(),
                       [&](const Joint& joint) { return joint.name == name; });
}

// +1 where the body that both joints share is the first of joint a.
double sign_of(const Model& model, const std::string& a, const std::string& b) {
  const Joint &of = joint_of(model, a), &other = joint_of(model, b);
  const bool first = of.body_i == other.body_i || of.body_i == other.body_j;
  return first ? 1.0 : -1.0;
}

std::vector<Term> list_terms(const Model& model, const Coupler& coupler) {
  const auto angle = JointCoordinate::angle;
  if (const auto* gear = std::get_if<Gear>(&coupler.law)) {
    return {{gear->joint_1, angle, sign_of(model, gear->joint_1, gear->joint_2)},
            {gear->joint_2, angle,
             (gear->internal ? -1 : 1) * gear->teeth_2 / gear->teeth_1 *
                 sign_of(model, gear->joint_2, gear->joint_1)}};
  }
  if (const auto* rack = std::get_if<RackAndPinion>(&coupler.law)) {
    return {{rack->slide, JointCoordinate::travel, sign_of(model, rack->slide, rack->hinge)},
            {rack->hinge, angle, -rack->radius * sign_of(model, rack->hinge, rack->slide)}};
  }
  if (const auto* belt = std::get_if<Belt>(&coupler.law)) {
    return {
        {belt->joint_1, angle, belt->radius_1 * sign_of(model, belt->joint_1, belt->joint_2)},
        {belt->joint_2, angle,
         (belt->crossed ? 1 : -1) * belt->radius_2 * sign_of(model, belt->joint_2, belt->joint_1)}};
  }
  std::vector<Term> terms;
  for (const auto& term : std::get<LinearCoupler>(coupler.law).terms) {
    terms.push_back({term.joint, term.coordinate, term.coefficient});
  }
  return terms;
}

// Rather than between frames, and linear.
bool is_between_joints(const Coupler& coupler) {
  if (const auto* gear = std::get_if<Gear>(&coupler.law)) return !gear->frames;
  if (const auto* rack = std::get_if<RackAndPinion>(&coupler.law)) return !rack->frames;
  if (const auto* belt = std::get_if<Belt>(&coupler.law)) return !belt->frames;
  const auto* linear = std::get_if<LinearCoupler>(&coupler.law);
  return linear != nullptr &&
         std::none_of(linear->terms.begin(), linear->terms.end(),
                      [](const auto& term) { return term.function.has_value(); });
}

// Empty where a coordinate of it is not recorded, and of couplers that are not judged here.
std::optional<Gap> calc_coupler_gap(const ModelGeometry& in, const Coupler& coupler,
                                    const Results& results, std::size_t row) {
  const auto* linear = std::get_if<LinearCoupler>(&coupler.law);
  if (!is_between_joints(coupler)) return {};
  double sum = 0.0, rate = 0.0, largest = 0.0, size = std::numeric_limits<double>::infinity();
  bool is_length = false;
  for (const Term& term : list_terms(in.model(), coupler)) {
    const auto q = find_coordinate(results, row, term.joint + word_of(term.coordinate));
    if (!q) return {};
    const JointGeometry& g = in.joint(term.joint);
    const bool travels = term.coordinate == JointCoordinate::travel;
    const double start = travels                                     ? g.start_travel
                         : term.coordinate == JointCoordinate::angle ? g.start_angle
                                                                     : 0.0;
    sum += term.coefficient * (linear != nullptr && linear->value ? q->value : q->value - start);
    rate += term.coefficient * q->rate;
    largest = std::max(largest, std::abs(term.coefficient));
    is_length = is_length || travels;
    size = std::min(size, in.size_of_joint(term.joint));
  }
  if (linear != nullptr && linear->value) sum -= *linear->value;
  size = std::max(size, largest);  // or the radius of a pinion
  return Gap{coupler.name, size, {{sum / largest, rate / largest, is_length}}};
}

// Empty where its law is not known: a table, or a rate.
std::optional<Gap> calc_driver_gap(const ModelGeometry& in, const Driver& driver,
                                   const Results& results, std::size_t row) {
  const double t = results.time[row];
  if (const auto* law = std::get_if<JointDriver>(&driver.law)) {
    const double f = law->is_rate ? NAN : calc_value(law->value, in.model(), t);
    const auto q = find_coordinate(results, row, law->joint + word_of(law->coordinate));
    if (!q || std::isnan(f)) return {};
    return Gap{driver.name,
               in.size_of_joint(law->joint),
               {{q->value - f, 0.0, law->coordinate == JointCoordinate::travel}}};
  }
  if (const auto* law = std::get_if<DistanceDriver>(&driver.law)) {
    const double f = law->is_rate ? NAN : calc_value(law->value, in.model(), t);
    if (std::isnan(f)) return {};
    const MovingFrame i = in.frame_of(law->body_i, results, row);
    const MovingFrame j = in.frame_of(law->body_j, results, row);
    const Moving d = j.point(to_vector(law->point_j)) - i.point(to_vector(law->point_i));
    return Gap{driver.name, std::max(f, 1e-300), {{norm(d).value - f, 0.0, true}}};
  }
  return {};
}

}  // namespace

double calc_value(const Function& function, const Model& model, double t) {
  if (const auto* number = std::get_if<double>(&function.form)) return *number;
  const auto* formula = std::get_if<Formula>(&function.form);
  if (formula == nullptr) return std::numeric_limits<double>::quiet_NaN();
  // a model file evaluates its parameters: t becomes one of them
  const auto print = [](double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return std::string(text);
  };
  std::string text = "trammel: 1\nparameters:\n  t: " + print(t) + "\n";
  for (const auto& [name, value] : formula->constants)
    text += "  " + name + ": " + print(value) + "\n";
  for (const auto& [name, value] : model.parameters) {
    const auto has = [&wanted = name](const auto& entry) { return entry.first == wanted; };
    if (std::none_of(formula->constants.begin(), formula->constants.end(), has)) {
      text += "  " + name + ": " + print(value) + "\n";
    }
  }
  text += "  value_at_t: \"" + formula->text + "\"\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n";
  try {
    for (const auto& [name, value] : read_model_text(text, "formula").parameters) {
      if (name == "value_at_t") return value;
    }
  } catch (const ModelError&) {
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// ---- all of them

JointGaps::JointGaps(const Model& model) : geometry_(std::make_unique<ModelGeometry>(model)) {}
JointGaps::~JointGaps() = default;

double JointGaps::size_of(const std::string& body) const { return geometry_->size_of_body(body); }

std::vector<Gap> JointGaps::calc(const Results& results, std::size_t row) const {
  const Model& model = geometry_->model();
  std::vector<Gap> gaps;
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    gaps.push_back(calc_joint_gap(*geometry_, k, results, row));
  }
  for (const Coupler& coupler : model.couplers) {
    if (auto gap = calc_coupler_gap(*geometry_, coupler, results, row)) gaps.push_back(*gap);
  }
  for (const Driver& driver : model.drivers) {
    if (auto gap = calc_driver_gap(*geometry_, driver, results, row)) gaps.push_back(*gap);
  }
  return gaps;
}

double Gap::position() const {
  double largest = 0.0;
  for (const GapRow& row : rows) {
    if (!(std::abs(row.value) <= largest)) largest = std::abs(row.value);
  }
  return largest;
}
double Gap::velocity() const {
  double largest = 0.0;
  for (const GapRow& row : rows) {
    if (!(std::abs(row.rate) <= largest)) largest = std::abs(row.rate);
  }
  return largest;
}
double Gap::relative() const {
  double largest = 0.0;
  for (const GapRow& row : rows) {
    const double part = row.value == 0.0 ? 0.0 : std::abs(row.value) / (row.is_length ? size : 1.0);
    if (!(part <= largest)) largest = part;
  }
  return largest;
}

WorstGap find_worst_gap(const Model& model, const Results& results, std::size_t stride) {
  const JointGaps gaps(model);
  WorstGap worst;
  const std::size_t n = results.time.size();
  for (std::size_t row = 0; row < n; row = row + 1 < n ? std::min(row + stride, n - 1) : n) {
    for (const Gap& gap : gaps.calc(results, row)) {
      worst.position = std::max(worst.position, gap.position());
      worst.velocity = std::max(worst.velocity, gap.velocity());
      const double relative = gap.relative();
      if (!(relative <= worst.relative)) {
        worst.relative = relative;
        worst.name = gap.name;
        worst.t = results.time[row];
      }
    }
  }
  return worst;
}

}  // namespace trammel::test
