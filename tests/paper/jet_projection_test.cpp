// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's projections: project∘project = project, M stays, and the move is normal to M where it
// claims to be.
#include <doctest/doctest.h>

#include "manifold/assembly.hpp"
#include "paper/jet_problem.hpp"
#include "support/random_model.hpp"
#include "support/reference.hpp"

using namespace trammel;
using namespace trammel::paper;

namespace {

struct Rig {
  Rig(const char* name, Projection projection)
      : handle(compile(test::read_repository_model(name))),
        constraints(as_spatial(handle.data())),
        energy(as_spatial(handle.data())) {
    options.projection = projection;
    options.newton_tolerance = 1e-12;
    options.energy_scale = 1e4;
    JetProblem problem(as_spatial(handle.data()), options);
    const AssembledState state = assemble(as_spatial(handle.data()));
    std::vector<double> jet(problem.dimension());
    std::vector<double> z = state.z;
    problem.import_state(z.data(), jet.data());
    const int n = constraints.n();
    y = VectorX::Map(jet.data(), n);
    y1 = VectorX::Map(jet.data() + n, n);
  }
  System handle;
  JetConstraints constraints;
  JetEnergy energy;
  JetOptions options;
  VectorX y, y1;
};

VectorX noise(test::Random& random, Eigen::Index n, double size) {
  VectorX v(n);
  for (Eigen::Index k = 0; k < n; ++k) v[k] = random.uniform(-size, size);
  return v;
}

constexpr const char* models[] = {"paper/pendulum.yaml", "paper/quadrangle.yaml",
                                  "paper/crank.yaml"};

}  // namespace

TEST_CASE("both projections are projections, and leave points of M where they are") {
  test::Random random(13);
  for (Projection projection : {Projection::quasi_orthogonal, Projection::orthogonal}) {
    for (const char* name : models) {
      CAPTURE(name);
      Rig rig(name, projection);
      JetProjector projector(rig.constraints, rig.energy, rig.options);
      for (bool held : {false, true}) {
        EnergyTarget target;
        if (held) target = {true, rig.energy.calc_potential(rig.y), 0.0};
        VectorX y = rig.y, y1 = rig.y1;
        REQUIRE(projector.project(y, y1, target).converged);
        CHECK((y - rig.y).norm() + (y1 - rig.y1).norm() < 1e-11);
        y += noise(random, y.size(), 1e-3);
        y1 += noise(random, y.size(), 1e-2);
        const VectorX off = y;
        // with energy the paper's alternation needs many rounds at this tolerance
        if (held && projection == Projection::quasi_orthogonal) continue;
        const ProjectionReport report = projector.project(y, y1, target);
        REQUIRE(report.converged);
        CHECK(report.newton > 0);
        CHECK((y - off).norm() > 1e-6);
        CHECK(projector.calc_residual(y, y1, target) < 3e-12);
        const VectorX once = y, once1 = y1;
        REQUIRE(projector.project(y, y1, target).converged);
        CHECK((y - once).norm() + (y1 - once1).norm() < 1e-11);
      }
    }
  }
}

// The normal space of M at (y, y₁) is spanned by the columns of [d²g(y₁,·)ᵀ dgᵀ; dgᵀ 0] with the rows
// |θ|² − 1 among g. Returns the part of the displacement outside of it, relative to its size.
namespace {

double tangent_share(Rig& rig, const VectorX& y, const VectorX& y1, const VectorX& dy,
                     const VectorX& dy1) {
  const int n = rig.constraints.n(), rows = rig.constraints.rows(), bodies = n / 7;
  MatrixX dg = MatrixX::Zero(rows + bodies, n), d2 = dg;
  dg.topRows(rows) = rig.constraints.calc_dg(y);
  const VectorX zero = VectorX::Zero(rows);
  d2.topRows(rows) = rig.constraints.calc_second(y, y1, zero, zero).d2g_v;
  for (int b = 0; b < bodies; ++b) {
    dg.block<1, 4>(rows + b, 7 * b + 3) = 2 * y.segment<4>(7 * b + 3).transpose();
    d2.block<1, 4>(rows + b, 7 * b + 3) = 2 * y1.segment<4>(7 * b + 3).transpose();
  }
  MatrixX normal = MatrixX::Zero(2 * n, 2 * (rows + bodies));
  normal.topLeftCorner(n, rows + bodies) = d2.transpose();
  normal.topRightCorner(n, rows + bodies) = dg.transpose();
  normal.bottomLeftCorner(n, rows + bodies) = dg.transpose();
  VectorX move(2 * n);
  move << dy, dy1;
  const VectorX x = normal.completeOrthogonalDecomposition().solve(move);
  return (normal * x - move).norm() / move.norm();
}

}  // namespace

TEST_CASE(
    "the orthogonal projection moves along the normal of M exactly, the quasi-orthogonal nearly") {
  test::Random random(14);
  for (const char* name : models) {
    CAPTURE(name);
    Rig rig(name, Projection::orthogonal);
    // a moving point of M, so that d²g(y₁, ·) matters
    VectorX y = rig.y, y1 = noise(random, rig.y.size(), 1.0);
    JetProjector onto(rig.constraints, rig.energy, rig.options);
    REQUIRE(onto.project(y, y1, {}).converged);
    const VectorX off = y + noise(random, y.size(), 1e-3),
                  off1 = y1 + noise(random, y.size(), 1e-3);
    VectorX p = off, p1 = off1;
    REQUIRE(onto.project(p, p1, {}).converged);
    CHECK(tangent_share(rig, p, p1, off - p, off1 - p1) < 1e-8);

    Rig quasi(name, Projection::quasi_orthogonal);
    JetProjector nearly(quasi.constraints, quasi.energy, quasi.options);
    VectorX q = off, q1 = off1;
    REQUIRE(nearly.project(q, q1, {}).converged);
    // the term d²gᵀ(y₁, ·)α is left out: of the order of the move times |y₁|
    const double share = tangent_share(quasi, q, q1, off - q, off1 - q1);
    CHECK(share > 1e-8);
    CHECK(share < 1.0);
    CHECK((q - p).norm() < 0.02);
  }
}
