// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "peer_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>

#include "cpu_clock.hpp"
#include "math/flushed_subnormals.hpp"
#include "precision_problems.hpp"

namespace trammel::bench {

namespace {

// No target is finer than 1e-8 m: below this a line has nothing more to show.
constexpr double fine_enough = 2e-9;  // m
constexpr double long_enough = 0.3;   // s
constexpr double too_long = 8.0;  // s, a finer run would take longer still (curves.py knows it too)

Vector3d to_vector(const Vec3& v) { return {v[0], v[1], v[2]}; }

int find_body(const Model& model, const std::string& name) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].name == name) return static_cast<int>(b);
  }
  return -1;
}

// The joint table of the paper: which joint is which conditions.
void add_conditions(const Model& model, const Joint& joint, std::vector<Condition>& out) {
  using Kind = Condition::Kind;
  const auto& at = std::get<LocalPlacement>(joint.placement);
  const Vector3d zero = Vector3d::Zero();
  const auto vector = [&](const std::optional<Vec3>& v) { return v ? to_vector(*v) : zero; };
  const Vector3d a_i = vector(at.a_i), b_i = vector(at.b_i), a_j = vector(at.a_j);
  const auto add = [&](Kind kind, const Vector3d& a, const Vector3d& b) {
    out.push_back({kind, find_body(model, joint.body_i), find_body(model, joint.body_j), a, b,
                   to_vector(at.point_i), to_vector(at.point_j)});
  };
  const bool slides =
      joint.kind == JointKind::cylindrical || joint.kind == JointKind::translational;
  if (!slides) add(Kind::C, zero, zero);
  if (joint.kind != JointKind::spherical) add(Kind::SO, a_i, a_j);
  if (joint.kind == JointKind::revolute || slides) add(Kind::SO, b_i, a_j);
  if (joint.kind == JointKind::translational) add(Kind::SO, a_i, vector(at.b_j));
  if (slides) {
    add(Kind::O, a_i, zero);
    add(Kind::O, b_i, zero);
  }
}

PaperMechanism make_mechanism(const PrecisionProblem& problem, const PrecisionStart& start) {
  using Kind = PaperMechanism::Kind;
  PaperMechanism mechanism;
  mechanism.kind = problem.name == "pendulum"     ? Kind::pendulum
                   : problem.name == "quadrangle" ? Kind::quadrangle
                                                  : Kind::crank;
  mechanism.name = problem.name;
  mechanism.start = &start;
  mechanism.t_end = start.model.simulation.t_end;
  mechanism.torque =
      start.model.forces.empty() ? 0.0 : std::get<Torque>(start.model.forces.front().law).value[2];
  for (std::size_t b = 0; b < start.bodies.size(); ++b) {
    const Body& body = start.model.bodies[b];
    const BodyState& state = start.bodies[b];
    const auto& q = state.orientation;
    const Mat3& inertia = *body.inertia;
    mechanism.bodies.push_back({*body.mass,
                                {inertia[0][0], inertia[1][1], inertia[2][2]},
                                to_vector(state.position),
                                Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix(),
                                to_vector(state.velocity),
                                to_vector(state.angular_velocity)});
  }
  for (const Joint& joint : start.model.joints) {
    add_conditions(start.model, joint, mechanism.conditions);
  }
  return mechanism;
}

double calc_violation(const PaperMechanism& mechanism, const std::vector<Pose>& poses) {
  const Pose ground{Vector3d::Zero(), Matrix3d::Identity()};
  double largest = 0.0;
  for (const Condition& condition : mechanism.conditions) {
    const Pose& i = condition.i < 0 ? ground : poses[condition.i];
    const Pose& j = condition.j < 0 ? ground : poses[condition.j];
    const Vector3d d = j.r + j.R * condition.p_j - i.r - i.R * condition.p_i;
    const Vector3d a = i.R * condition.a;
    const double g = condition.kind == Condition::Kind::C    ? d.norm()
                     : condition.kind == Condition::Kind::SO ? a.dot(j.R * condition.b)
                                                             : a.dot(d);
    largest = std::max(largest, std::abs(g));
  }
  return largest;
}

// One setting: a run that is watched, then runs against the clock.
Measurement measure(const PaperMechanism& mechanism, const PeerLine& line, double setting) {
  Measurement measured{mechanism.name, line.program, line.method, setting, mechanism.start->index};
  const ReferenceMotion& reference = mechanism.start->reference;
  const PeerRun watched = line.run(setting, [&](double t, const std::vector<Pose>& poses) {
    const auto position = [&](int b) {
      const Vector3d& r = poses[b].r;
      return Vec3{r[0], r[1], r[2]};
    };
    const double error = reference.calc_error(std::min(t, mechanism.t_end), position);
    if (!(error <= measured.error)) measured.error = error;
    measured.violation = std::max(measured.violation, calc_violation(mechanism, poses));
  });
  if (!watched.finished || !(measured.error < 1e2)) {
    measured.error = 1e3;  // failed or ran away
    measured.cpu = watched.cpu;
    return measured;
  }
  measured.cpu = watched.cpu;
  measured.evaluations = watched.evaluations;
  // watching costs a long run next to nothing: it is not repeated
  if (watched.cpu > long_enough) return measured;
  measured.cpu = find_least_seconds([&] { return line.run(setting, {}).cpu; });
  return measured;
}

void measure_line(const PaperMechanism& mechanism, const PeerLine& line, MeasurementFile& file) {
  for (const double setting : line.settings) {
    try {
      const Measurement measured = measure(mechanism, line, setting);
      file.add(measured);
      if (measured.error < fine_enough || measured.cpu > too_long) return;
    } catch (const std::exception& error) {
      // a peer that gives up at a setting is as if it had never reached its error
      fmt::print(stderr, "{} {} {} {:.0e}: {:.100}\n", mechanism.name, line.program, line.method,
                 setting, error.what());
    }
  }
}

void measure_chains(const std::vector<PeerChain>& chains, const std::string& path) {
  if (chains.empty()) return;
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return;
  fmt::print(file, "family,bodies,program,quantity,value\n");
  for (const PeerChain& chain : chains) {
    for (const int bodies : {10, 100, 1000}) {
      try {
        fmt::print(file, "\"chain\",{},\"{}\",\"evaluation, us/body\",{:.5g}\n", bodies,
                   chain.program, chain.time(bodies));
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}: no chain of {}: {:.80}\n", chain.program, bodies, error.what());
      }
    }
  }
  std::fclose(file);
}

}  // namespace

Eigen::VectorXd find_speeds(const PaperMechanism& mechanism, int n,
                            const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& calc) {
  const auto rows = static_cast<Eigen::Index>(6 * mechanism.bodies.size());
  Eigen::MatrixXd jacobian(rows, n);
  Eigen::VectorXd target(rows);
  for (int k = 0; k < n; ++k) jacobian.col(k) = calc(Eigen::VectorXd::Unit(n, k));
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const PeerBody& body = mechanism.bodies[b];
    target.segment<3>(6 * static_cast<Eigen::Index>(b)) = body.v;
    target.segment<3>(6 * static_cast<Eigen::Index>(b) + 3) = body.R * body.Omega;
  }
  return jacobian.colPivHouseholderQr().solve(target);
}

PeerRun run_fixed_steps(const FixedStepProgram& program, double t_end, double h,
                        double evaluations_per_step, const Observer& observer) {
  const long steps = std::lround(t_end / h), every = std::max(1L, std::lround(0.01 / h));
  program.put_start();
  PeerRun run;
  const double begin = cpu_now();
  for (long k = 1; k <= steps; ++k) {
    program.step();
    if (!observer || k % every != 0) continue;
    const std::vector<Pose> poses = program.make_poses();
    if (!poses[0].r.allFinite()) return run;
    observer(static_cast<double>(k) * h, poses);
  }
  run.cpu = cpu_now() - begin;
  run.evaluations = evaluations_per_step * static_cast<double>(steps);
  run.finished = true;
  return run;
}

std::vector<double> make_tolerances() {
  return {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
}

int run_peer(int argc, char** argv, const MakeLines& make_lines,
             const std::vector<PeerChain>& chains) {
  if (argc < 2) {
    fmt::print(stderr, "usage: {} OUT.csv [STARTS] [MODEL]\n", argv[0]);
    return 3;
  }
  const std::string out = argv[1];
  const int starts = argc > 2 ? std::max(1, std::atoi(argv[2])) : 20;
  const std::string only = argc > 3 ? argv[3] : "";
  // without subnormal numbers throughout, as our own runs
  const FlushedSubnormals flushed;
  MeasurementFile file(out);
  for (const PrecisionProblem& problem : make_paper_problems()) {
    if (!only.empty() && problem.name != only) continue;
    const double begin = cpu_now();
    for (int k = 0; k < starts; ++k) {
      const PrecisionStart start = make_start(problem, k);
      const PaperMechanism mechanism = make_mechanism(problem, start);
      for (const PeerLine& line : make_lines(mechanism)) {
        if (k < line.most_starts) measure_line(mechanism, line, file);
      }
    }
    fmt::print(stderr, "{}: {} {:.0f} s\n", out, problem.name, cpu_now() - begin);
  }
  measure_chains(chains, out.substr(0, out.rfind('.')) + "_chain.csv");
  return 0;
}

}  // namespace trammel::bench
