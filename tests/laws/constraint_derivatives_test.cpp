// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// J and γ of every joint against central differences of g, at random states off the manifold.
#include <doctest/doctest.h>

#include "evaluate/joint_rows.hpp"
#include "support/random_model.hpp"
#include "system/joint_table.hpp"
#include "system/system.hpp"

using namespace trammel;
using test::Random;

namespace {

template <class Space>
struct Rig {
  using V = Linear<double, Space>;
  using A = Angular<double, Space>;

  explicit Rig(const SystemIn<Space>& of) : system(of), ws(system.topology), z(system.initial) {}
  void evaluate(const std::vector<double>& state) {
    calc_positions(system.topology, state.data(), ws);
    calc_velocities(system.topology, state.data(), ws);
    calc_rows_and_gamma(system.topology, system.parameters, ws);
  }
  // J u of the rows in ws for the velocities of `state`.
  std::vector<double> rates(const std::vector<double>& state) const {
    std::vector<double> result;
    for (int k = 0; k < system.topology.n_joints; ++k) {
      const JointTopology& joint = system.topology.joints[k];
      const auto u = [&](int body) { return state.data() + system.topology.layout.u(body); };
      const auto is_ground = [&](int body) { return body == system.topology.ground(); };
      const auto linear = [&](int body) { return is_ground(body) ? V::zero() : V::load(u(body)); };
      const auto angular = [&](int body) {
        return is_ground(body) ? A::zero() : ws.pose[body].R * A::load(u(body) + Space::dimension);
      };
      const V dv = linear(joint.body_j) - linear(joint.body_i);
      for (int r = 0; r < joint.n_rows; ++r) {
        const Row<double, Space> row = get_row(system.topology, ws, k, r);
        result.push_back(dot(row.linear, dv) + dot(row.alpha_j, angular(joint.body_j)) -
                         dot(row.alpha_i, angular(joint.body_i)));
      }
    }
    return result;
  }
  // z moved along its own velocities for the time e, velocities kept.
  std::vector<double> moved(double e) const {
    std::vector<double> state = z;
    for (int b = 0; b < system.topology.n_bodies; ++b) {
      const double* u = z.data() + system.topology.layout.u(b);
      Space::retract(state.data() + system.topology.layout.y(b), e * V::load(u),
                     e * A::load(u + Space::dimension));
    }
    return state;
  }

  const SystemIn<Space>& system;
  Workspace<double, Space> ws;
  std::vector<double> z;
};

Model make_pair(Random& random, JointKind kind, bool ground_i, bool ground_j) {
  Model model;
  model.bodies = {test::make_random_body(random, "a"), test::make_random_body(random, "b")};
  model.joints = {test::make_random_joint(random, "joint", kind, ground_i ? "ground" : "a",
                                          ground_j ? "ground" : "b")};
  return model;
}

Model make_planar_pair(Random& random, JointKind kind, bool ground_i, bool ground_j) {
  Model model;
  model.dimension = 2;
  model.bodies = {test::make_random_planar_body(random, "a"),
                  test::make_random_planar_body(random, "b")};
  model.joints = {test::make_random_joint(random, "joint", kind, ground_i ? "ground" : "a",
                                          ground_j ? "ground" : "b", true)};
  return model;
}

template <class Space>
void check_derivatives(const SystemIn<Space>& system) {
  const double e = 1e-5;
  Rig<Space> rig(system);
  rig.evaluate(rig.z);
  const std::vector<double> rate = rig.rates(rig.z);
  const auto gamma = rig.ws.gamma;

  const std::vector<double> ahead = rig.moved(e), behind = rig.moved(-e);
  rig.evaluate(ahead);
  const auto g_ahead = rig.ws.g;
  const std::vector<double> rate_ahead = rig.rates(ahead);
  rig.evaluate(behind);
  const auto g_behind = rig.ws.g;
  const std::vector<double> rate_behind = rig.rates(behind);
  REQUIRE(rate.size() == g_ahead.size());
  for (std::size_t r = 0; r < rate.size(); ++r) {
    // ġ = J u and, for constant u, g̈ = γ; error terms e² u³ and rounding/e
    CHECK((g_ahead[r] - g_behind[r]) / (2 * e) == doctest::Approx(rate[r]).epsilon(1e-7));
    CHECK((rate_ahead[r] - rate_behind[r]) / (2 * e) == doctest::Approx(gamma[r]).epsilon(1e-7));
  }
}

}  // namespace

TEST_CASE("J and gamma of every joint agree with differences at random states") {
  Random random(1);
  const std::vector<JointKind> kinds = test::joint_kinds_in(false);
  REQUIRE(kinds.size() >= 25);
  for (int trial = 0; trial < 170 * static_cast<int>(kinds.size()); ++trial) {
    const JointKind kind = kinds[trial % kinds.size()];
    CAPTURE(to_word(kind));
    const Model model = make_pair(random, kind, trial % 5 == 3, trial % 5 == 4);
    const System handle = compile(model);
    check_derivatives(as_spatial(handle.data()));
  }
}

TEST_CASE("J and gamma of every planar joint agree with differences at random states") {
  Random random(8);
  const std::vector<JointKind> kinds = test::joint_kinds_in(true);
  REQUIRE(kinds.size() >= 8);
  for (int trial = 0; trial < 200 * static_cast<int>(kinds.size()); ++trial) {
    const JointKind kind = kinds[trial % kinds.size()];
    CAPTURE(to_word(kind));
    const Model model = make_planar_pair(random, kind, trial % 9 == 3, trial % 9 == 4);
    const System handle = compile(model);
    check_derivatives(as_planar(handle.data()));
  }
}

namespace {

// The constraints of a joint as the table lists them, with the joint's points and vectors.
Joint list_constraints(const Joint& joint, const JointLayout& layout) {
  const auto& place = std::get<LocalPlacement>(joint.placement);
  const std::optional<Vec3> of_i[] = {place.a_i, place.b_i}, of_j[] = {place.a_j, place.b_j};
  const auto points = LocalPlacement{place.point_i, place.point_j, {}, {}, {}, {}};
  Joint list{joint.name, JointKind::generic, joint.body_i, joint.body_j, {}};
  const auto add = [&](BasicKind kind, const LocalPlacement& at) {
    const bool is_link = kind == BasicKind::distance || kind == BasicKind::radial_distance ||
                         kind == BasicKind::axis_distance;
    list.constraints.push_back({kind, at, is_link ? joint.length : std::nullopt,
                                kind == BasicKind::angle ? joint.angle : std::nullopt,
                                kind == BasicKind::orthogonality ? joint.offset : std::nullopt});
  };
  if (layout.n_coincidence > 0) add(BasicKind::coincidence, points);
  for (int k = 0; k < layout.n_symmetric; ++k) {
    LocalPlacement at;
    at.a_i = of_i[layout.pair[k].i];
    at.a_j = of_j[layout.pair[k].j];
    add(BasicKind::symmetric_orthogonality, at);
  }
  for (int k = 0; k < layout.n_orthogonality; ++k) {
    LocalPlacement at = points;
    at.a_i = of_i[k];
    add(BasicKind::orthogonality, at);
  }
  if (layout.n_distance > 0) add(BasicKind::distance, points);
  if (layout.n_constant_velocity > 0) add(BasicKind::constant_velocity, place);
  LocalPlacement axes = points;
  axes.a_i = place.a_i;
  if (layout.n_radial > 0) add(BasicKind::radial_distance, axes);
  axes.a_j = place.a_j;
  if (layout.n_angle > 0) add(BasicKind::angle, axes);
  if (layout.n_axis_distance > 0) add(BasicKind::axis_distance, axes);
  return list;
}

template <class Space>
void check_same_rows(const SystemIn<Space>& named, const SystemIn<Space>& listed) {
  Rig<Space> a(named), b(listed);
  a.evaluate(a.z);
  b.evaluate(b.z);
  REQUIRE(a.ws.g.size() == b.ws.g.size());
  const auto difference = [](const auto& x, const auto& y) { return dot(x - y, x - y); };
  for (std::size_t r = 0; r < a.ws.g.size(); ++r) {
    CHECK(a.ws.g[r] == doctest::Approx(b.ws.g[r]).epsilon(1e-14));
    CHECK(a.ws.gamma[r] == doctest::Approx(b.ws.gamma[r]).epsilon(1e-13));
    CHECK(named.row_scale[r] == doctest::Approx(listed.row_scale[r]).epsilon(1e-14));
    CHECK(named.row_reach[r] == listed.row_reach[r]);
  }
  for (int k = 0; k < named.topology.n_joints; ++k) {
    const JointTopology& joint = named.topology.joints[k];
    for (int r = 0; r < joint.n_rows; ++r) {
      const Row<double, Space> of_a = get_row(named.topology, a.ws, k, r);
      const Row<double, Space> of_b = get_row(listed.topology, b.ws, k, r);
      CHECK(difference(of_a.linear, of_b.linear) <= 1e-28);
      if (joint.moving != Moving::only_j) CHECK(difference(of_a.alpha_i, of_b.alpha_i) <= 1e-28);
      if (joint.moving != Moving::only_i) CHECK(difference(of_a.alpha_j, of_b.alpha_j) <= 1e-28);
    }
  }
}

}  // namespace

TEST_CASE("a joint and the generic joint that lists its constraints have the same rows") {
  Random random(21);
  for (const bool planar : {false, true}) {
    for (const JointKind kind : test::joint_kinds_in(planar)) {
      if (kind == JointKind::generic || kind == JointKind::point_on_curve) continue;
      CAPTURE(to_word(kind));
      Model named = planar ? make_planar_pair(random, kind, false, false)
                           : make_pair(random, kind, false, false);
      Model listed = named;
      listed.joints[0] = list_constraints(
          named.joints[0], planar ? layout_of<Planar>(kind) : layout_of<Spatial>(kind));
      const System a = compile(named), b = compile(listed);
      if (planar) check_same_rows(as_planar(a.data()), as_planar(b.data()));
      if (!planar) check_same_rows(as_spatial(a.data()), as_spatial(b.data()));
    }
  }
}

TEST_CASE("vectors that a model file needs are those that the equations use") {
  for (const bool planar : {false, true}) {
    const auto check = [&](const JointRules& rules, const JointLayout& layout) {
      CHECK(rules.vectors ==
            (layout.uses_i(0) * vector_bit::a_i | layout.uses_i(1) * vector_bit::b_i |
             layout.uses_j(0) * vector_bit::a_j | layout.uses_j(1) * vector_bit::b_j));
      const int links = layout.n_distance + layout.n_radial + layout.n_axis_distance;
      CHECK((rules.points == 2) == (links > 0));
      CHECK(rules.has_angle == (layout.n_angle > 0));
      const int lengths = layout.n_coincidence + layout.n_orthogonality + links;
      CHECK((rules.points == 0) == (lengths == 0));
    };
    for (const JointKind kind : test::joint_kinds_in(planar)) {
      CAPTURE(to_word(kind));
      CHECK(joint_rules::joints[static_cast<int>(kind)].kind == kind);
      if (kind == JointKind::generic || kind == JointKind::point_on_curve) continue;
      check(rules_of(kind, planar), planar ? layout_of<Planar>(kind) : layout_of<Spatial>(kind));
    }
    for (const BasicWord& entry : joint_rules::basic_constraints) {
      CAPTURE(entry.word);
      if (!rules_of(entry.kind, planar).exists) continue;
      check(rules_of(entry.kind, planar),
            planar ? layout_of<Planar>(entry.kind) : layout_of<Spatial>(entry.kind));
    }
  }
}
