// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "peer_bench.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cpu_clock.hpp"
#include "math/flushed_subnormals.hpp"
#include "precision_problems.hpp"

namespace trammel::bench {

namespace {

// No target is finer than 1e-8 m: below this a line has nothing more to show.
constexpr double fine_enough = 2e-9;  // m
constexpr double long_enough = 0.3;   // s
constexpr double too_long = 8.0;  // s, a finer run would take longer still (curves.py knows it too)
constexpr double stopped_after = 30.0;         // s of CPU: the process of the run is ended
constexpr double costs_stopped_after = 600.0;  // DART takes long to build a chain of 1,000
constexpr double no_start_after = 240.0;       // s: on a model, the next start is left out

Vector3d to_vector(const Vec3& v) { return {v[0], v[1], v[2]}; }

int find_body(const Model& model, const std::string& name) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (model.bodies[b].name == name) return static_cast<int>(b);
  }
  return -1;
}

// Data of a joint that is placed in the world, in the frames of its bodies.
LocalPlacement make_local(const Model& model, const Joint& joint) {
  if (const auto* local = std::get_if<LocalPlacement>(&joint.placement)) return *local;
  const auto& world = std::get<WorldPlacement>(joint.placement);
  const Vector3d axis = world.axis ? to_vector(*world.axis).normalized() : Vector3d::UnitZ();
  const Vector3d across = axis.unitOrthogonal(), third = axis.cross(across);
  const auto to_body = [&](const std::string& name, const Vector3d& v, bool is_point) {
    const int b = find_body(model, name);
    if (b < 0) return Vec3{v[0], v[1], v[2]};
    const Body& body = model.bodies[b];
    const auto& q = body.orientation;
    const Vector3d local = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).conjugate() *
                           (is_point ? Vector3d(v - to_vector(body.position)) : v);
    return Vec3{local[0], local[1], local[2]};
  };
  LocalPlacement at;
  at.point_i = to_body(joint.body_i, to_vector(world.point), true);
  at.point_j = to_body(joint.body_j, to_vector(world.point), true);
  at.a_i = to_body(joint.body_i, across, false);
  at.b_i = to_body(joint.body_i, third, false);
  at.a_j = to_body(joint.body_j, axis, false);
  at.b_j = to_body(joint.body_j, third, false);
  return at;
}

// The joint table of the paper: which joint is which conditions.
void add_conditions(const Model& model, const Joint& joint, std::vector<Condition>& out) {
  using Kind = Condition::Kind;
  const LocalPlacement at = make_local(model, joint);
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

// Joint k of the model holds body k, as the models of Kind::tree are written.
void add_tree_joint(const Model& model, std::size_t k, PeerMechanism& mechanism) {
  const Joint& joint = model.joints[k];
  const LocalPlacement at = make_local(model, joint);
  const int parent = find_body(model, joint.body_i);
  const Vector3d axis = to_vector(*at.a_j);
  const Matrix3d R = parent < 0 ? Matrix3d::Identity() : mechanism.bodies[parent].R;
  mechanism.tree.push_back({joint.kind == JointKind::translational, parent, to_vector(at.point_i),
                            to_vector(at.point_j), R.transpose() * mechanism.bodies[k].R * axis,
                            axis});
}

PeerMechanism make_mechanism(const PrecisionProblem& problem, const PrecisionStart& start) {
  using Kind = PeerMechanism::Kind;
  PeerMechanism mechanism;
  mechanism.kind = problem.name == "pendulum"     ? Kind::pendulum
                   : problem.name == "quadrangle" ? Kind::quadrangle
                   : problem.name == "crank"      ? Kind::crank
                                                  : Kind::tree;
  mechanism.name = problem.name;
  mechanism.start = &start;
  mechanism.t_end = start.model.simulation.t_end;
  mechanism.gravity = to_vector(start.model.gravity);
  mechanism.torque = 0.0;
  for (const Force& force : start.model.forces) {
    if (const auto* torque = std::get_if<Torque>(&force.law)) mechanism.torque = torque->value[2];
    if (const auto* spring = std::get_if<SpringDamper>(&force.law)) {
      mechanism.springs.push_back({find_body(start.model, spring->body_i),
                                   find_body(start.model, spring->body_j),
                                   to_vector(spring->point_i), to_vector(spring->point_j),
                                   spring->stiffness, spring->damping, spring->free_length});
    }
  }
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
  if (mechanism.kind == Kind::tree) {
    for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
      add_tree_joint(start.model, k, mechanism);
    }
  }
  return mechanism;
}

double calc_violation(const PeerMechanism& mechanism, const std::vector<Pose>& poses) {
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

Measurement make_measurement(const PeerMechanism& mechanism, const PeerLine& line, double setting) {
  const std::string model = mechanism.name + (line.reactions ? " with reactions" : "");
  return {model, line.program, line.method, setting, mechanism.start->index};
}

// One setting: a run that is watched, then runs against the clock.
Measurement measure(const PeerMechanism& mechanism, const PeerLine& line, double setting) {
  Measurement measured = make_measurement(mechanism, line, setting);
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

// The numbers of a measurement, as they come back from the process that took them.
struct Numbers {
  double error, cpu, evaluations, violation;
  bool gave_up;  // the peer threw: as if it had never reached its error
};

// Waits for a value; ends the process when it has used its time. Watched from outside, since a
// limit set by the process on itself would make its clock count in ticks of 4 ms. Ten times as long
// by the wall for a process that waits for something.
bool hear(pid_t child, int from, double seconds, void* value, std::size_t size) {
  clockid_t clock{};
  const bool has_clock = clock_getcpuclockid(child, &clock) == 0;
  const auto begin = std::chrono::steady_clock::now();
  pollfd waiting{from, POLLIN, 0};
  while (poll(&waiting, 1, 200) == 0) {
    timespec used{};
    if (has_clock) clock_gettime(clock, &used);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    if (static_cast<double>(used.tv_sec) < seconds && wall.count() < 10 * seconds) continue;
    kill(child, SIGKILL);
    return false;
  }
  return read(from, value, size) == static_cast<ssize_t>(size);
}

// calc() in a process of its own, which ends without any clean-up; nothing where it was stopped or
// crashed. `what` is for the message.
template <class Value, class Calc>
std::optional<Value> calc_apart(const std::string& what, double seconds, const Calc& calc) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    const Value value = calc();
    _exit(write(ends[1], &value, sizeof value) == sizeof value ? 0 : 1);
  }
  close(ends[1]);
  Value value{};
  const bool heard = hear(child, ends[0], seconds, &value, sizeof value);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (heard) return value;
  const bool stopped = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  fmt::print(stderr, "{}: {}\n", what, stopped ? "stopped, too long" : "crashed");
  return std::nullopt;
}

Numbers measure_or_give_up(const PeerMechanism& mechanism, const PeerLine& line, double setting) {
  try {
    const Measurement m = measure(mechanism, line, setting);
    return {m.error, m.cpu, m.evaluations, m.violation, false};
  } catch (const std::exception& error) {
    fmt::print(stderr, "{} {} {} {:.0e}: {:.100}\n", mechanism.name, line.program, line.method,
               setting, error.what());
    return {1e3, 0.0, 0.0, 0.0, true};
  }
}

// Returns whether a finer setting is worth trying.
bool measure_apart(const PeerMechanism& mechanism, const PeerLine& line, double setting,
                   MeasurementFile& file) {
  Measurement measured = make_measurement(mechanism, line, setting);
  const auto numbers = calc_apart<Numbers>(
      fmt::format("{} {} {} {:.0e}", measured.model, line.program, line.method, setting),
      stopped_after, [&] { return measure_or_give_up(mechanism, line, setting); });
  if (numbers && numbers->gave_up) return true;
  // stopped or crashed: never at its error, after all the time it was given
  const Numbers got = numbers.value_or(Numbers{1e3, stopped_after, 0.0, 0.0, false});
  measured.error = got.error;
  measured.cpu = got.cpu;
  measured.evaluations = got.evaluations;
  measured.violation = got.violation;
  file.add(measured);
  return measured.error >= fine_enough && measured.cpu <= too_long;
}

void measure_line(const PeerMechanism& mechanism, const PeerLine& line, MeasurementFile& file) {
  for (const double setting : line.settings) {
    if (!measure_apart(mechanism, line, setting, file)) return;
  }
}

// ---- what is not a curve: evaluations and set-up

class CostFile {
 public:
  CostFile(const std::string& path, const std::string& program)
      : file_(std::fopen(path.c_str(), "w"), &std::fclose), program_(program) {
    if (!file_) throw std::runtime_error("cannot write " + path);
    fmt::print(file_.get(), "family,bodies,program,quantity,value\n");
  }

  // value(): may throw, where the program cannot
  void add(const std::string& family, int bodies, const char* quantity,
           const std::function<double()>& value) {
    const std::string what = fmt::format("{}: {} of {}, {}", program_, family, bodies, quantity);
    const auto found = calc_apart<double>(what, costs_stopped_after, [&] {
      try {
        return value();
      } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {:.80}\n", what, error.what());
        return 0.0;
      }
    });
    if (!found || *found == 0.0) return;
    fmt::print(file_.get(), "\"{}\",{},\"{}\",\"{}\",{:.5g}\n", family, bodies, program_, quantity,
               *found);
    std::fflush(file_.get());
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string program_;
};

void measure_mechanism_costs(const PeerCosts& costs, const PeerMechanism& mechanism,
                             CostFile& file) {
  const int n = static_cast<int>(mechanism.bodies.size());
  if (costs.time_evaluation) {
    file.add(mechanism.name, n, "evaluation, us",
             [&] { return 1e6 * costs.time_evaluation(mechanism); });
  }
  if (costs.build) {
    file.add(mechanism.name, n, "set-up, ms",
             [&] { return 1e3 * find_least_cpu([&] { costs.build(mechanism); }, 3, 50, 0.3); });
  }
}

void measure_chain_costs(const PeerCosts& costs, CostFile& file) {
  for (const int n : {10, 100, 1000}) {
    if (costs.time_chain) {
      file.add("chain", n, "evaluation, us/body", [&] { return 1e6 * costs.time_chain(n) / n; });
    }
    if (costs.build_chain) {
      file.add("chain", n, "set-up, ms",
               [&] { return 1e3 * find_least_cpu([&] { costs.build_chain(n); }, 1, 20, 0.3); });
    }
  }
}

}  // namespace

Eigen::VectorXd find_speeds(const PeerMechanism& mechanism, int n,
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

int run_peer(int argc, char** argv, const MakeLines& make_lines, const PeerCosts& costs) {
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
  CostFile cost_file(out.substr(0, out.rfind('.')) + "_chain.csv", costs.program);
  for (const PrecisionProblem& problem : make_peer_problems()) {
    if (!only.empty() && problem.name != only) continue;
    const auto begin = std::chrono::steady_clock::now();
    const auto calc_elapsed = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    for (int k = 0; k < std::min(starts, problem.most_starts); ++k) {
      if (calc_elapsed() > no_start_after) break;
      const PrecisionStart start = make_start(problem, k);
      const PeerMechanism mechanism = make_mechanism(problem, start);
      const std::vector<PeerLine> lines = make_lines(mechanism);
      if (lines.empty()) break;
      for (const PeerLine& line : lines) {
        if (k < line.most_starts) measure_line(mechanism, line, file);
      }
      if (k == 0) measure_mechanism_costs(costs, mechanism, cost_file);
    }
    fmt::print(stderr, "{}: {} {:.0f} s\n", out, problem.name, calc_elapsed());
  }
  if (only.empty() || only == "chain") measure_chain_costs(costs, cost_file);
  return 0;
}

}  // namespace trammel::bench
