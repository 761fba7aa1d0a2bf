// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Simbody in its two forms: a tree of mobilizers with the loop closed by a Ball constraint, which
// is how it is meant to be used, and free bodies with the paper's conditions as constraints. Arm,
// tree and governor are trees without loops.
//
// Debian builds Simbody with assertions, and a program must be compiled the same way
// (CMakeLists.txt): its own release build may be faster.
#include <Simbody.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cpu_clock.hpp"
#include "peer_bench.hpp"

using namespace trammel::bench;
using SimTK::MobilizedBody;
using SimTK::Transform;
using SimTK::Vec3;

namespace {

Vec3 to_simbody(const Vector3d& v) { return {v[0], v[1], v[2]}; }
Vector3d to_eigen(const Vec3& v) { return {v[0], v[1], v[2]}; }

SimTK::Rotation to_simbody(const Matrix3d& R) {
  SimTK::Mat33 m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = R(i, j);
  }
  return SimTK::Rotation(m);
}

SimTK::Body::Rigid make_body(const PeerBody& body) {
  const Vector3d& I = body.inertia;
  return SimTK::Body::Rigid(
      SimTK::MassProperties(body.mass, Vec3(0), SimTK::Inertia(I[0], I[1], I[2])));
}

enum class Form { tree, absolute };

// A mechanism as Simbody holds it, with its state at t = 0.
class Mechanism {
 public:
  Mechanism(const PeerMechanism& of, Form form)
      : matter_(system), forces_(system), bodies_(of.bodies.size()) {
    matter_.setShowDefaultGeometry(false);
    SimTK::Force::UniformGravity(forces_, matter_, to_simbody(of.gravity));
    if (form == Form::absolute) {
      add_free_bodies(of);
    } else if (of.kind == PeerMechanism::Kind::tree) {
      add_open_tree(of);
    } else {
      add_tree(of);
    }
    add_springs(of);
    // body 0 turns about its own e₃, whose direction in space stays
    if (of.torque != 0.0) {
      const Vector3d torque = of.bodies[0].R * Vector3d(0, 0, of.torque);
      SimTK::Force::ConstantTorque(forces_, bodies_[0], to_simbody(torque));
    }
    start = system.realizeTopology();
    system.realizeModel(start);
  }

  // Reactions of all mobilizers, and of the loop's joint.
  double calc_reactions(const SimTK::State& state) {
    matter_.calcMobilizerReactionForces(state, reactions_);
    double sum = reactions_[1][1][0];  // read, so that nothing is left out
    for (SimTK::ConstraintIndex c(0); c < matter_.getNumConstraints(); ++c) {
      sum += matter_.getConstraint(c).getMultipliersAsVector(state)[0];
    }
    return sum;
  }

  void put_start(const PeerMechanism& of) {
    put_positions(of);
    put_speeds(of);
  }

  std::vector<Pose> make_poses(const SimTK::State& state) const {
    std::vector<Pose> poses;
    for (const MobilizedBody& body : bodies_) {
      const Transform& X = body.getBodyTransform(state);
      Pose pose{to_eigen(X.p()), {}};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) pose.R(i, j) = X.R().asMat33()(i, j);
      }
      poses.push_back(pose);
    }
    return poses;
  }

  SimTK::MultibodySystem system;
  SimTK::State start;

 private:
  // The loop is cut at the spherical joint between bodies 0 and 1; body 1 hangs on body 2.
  void add_tree(const PeerMechanism& of) {
    using Kind = PeerMechanism::Kind;
    MobilizedBody& ground = matter_.Ground();
    const auto body = [&](int b) { return make_body(of.bodies[b]); };
    auto& b = bodies_;
    if (of.kind == Kind::pendulum) {
      b[0] = MobilizedBody::Ball(ground, Transform(), body(0), Transform(Vec3(-0.765, 0, 0)));
    } else if (of.kind == Kind::quadrangle) {
      b[0] = MobilizedBody::Pin(ground, Transform(), body(0), Transform(Vec3(-1, 0, 0)));
      b[2] = MobilizedBody::Pin(ground, Transform(Vec3(2.5, 0, 0)), body(2),
                                Transform(Vec3(-2, 0, 0)));
      b[1] = MobilizedBody::Cylinder(b[2], Transform(Vec3(2, 0, 0)), body(1),
                                     Transform(Vec3(2, 0, 0)));
      SimTK::Constraint::Ball(b[0], Vec3(1, 0, 0), b[1], Vec3(-2, 0, 0));
    } else {
      const SimTK::Rotation z_along_x(SimTK::Pi / 2, SimTK::YAxis);
      b[0] =
          MobilizedBody::Pin(ground, Transform(z_along_x), body(0), Transform(Vec3(-0.25, 0, 0)));
      b[2] = MobilizedBody::Slider(ground, Transform(Vec3(0, 0, -0.5)), body(2), Transform());
      SimTK::Mat33 axes(0);  // x = e₃, y = e₂, z = −e₁: the cross turns about its x and y
      axes(2, 0) = axes(1, 1) = 1;
      axes(0, 2) = -1;
      const SimTK::Rotation cross(axes);
      b[1] = MobilizedBody::Universal(b[2], Transform(cross), body(1),
                                      Transform(cross, Vec3(0.9, 0, 0)));
      SimTK::Constraint::Ball(b[0], Vec3(0.25, 0, 0), b[1], Vec3(-0.9, 0, 0));
    }
  }

  void add_free_bodies(const PeerMechanism& of) {
    for (std::size_t k = 0; k < of.bodies.size(); ++k) {
      bodies_[k] =
          MobilizedBody::Free(matter_.Ground(), Transform(), make_body(of.bodies[k]), Transform());
    }
    for (const Condition& c : of.conditions) {
      MobilizedBody& i = c.i < 0 ? matter_.updGround() : bodies_[c.i];
      MobilizedBody& j = c.j < 0 ? matter_.updGround() : bodies_[c.j];
      const Vec3 a = to_simbody(c.a);
      if (c.kind == Condition::Kind::C) {
        SimTK::Constraint::Ball(i, to_simbody(c.p_i), j, to_simbody(c.p_j));
      } else if (c.kind == Condition::Kind::SO) {
        SimTK::Constraint::ConstantAngle(i, SimTK::UnitVec3(a), j,
                                         SimTK::UnitVec3(to_simbody(c.b)));
      } else {
        SimTK::Constraint::PointInPlane(i, SimTK::UnitVec3(a), c.a.dot(c.p_i), j,
                                        to_simbody(c.p_j));
      }
    }
  }

  // z of the frames of a pin, x of those of a slider, is along the axis; both coincide at the
  // start.
  void add_open_tree(const PeerMechanism& of) {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const TreeJoint& joint = of.tree[k];
      const PeerBody& body = of.bodies[k];
      MobilizedBody& on = joint.parent < 0 ? matter_.updGround() : bodies_[joint.parent];
      const Matrix3d R = joint.parent < 0 ? Matrix3d::Identity() : of.bodies[joint.parent].R;
      const SimTK::CoordinateAxis along(joint.slides ? 0 : 2);
      const SimTK::Rotation frame(SimTK::UnitVec3(to_simbody(joint.axis_child)), along);
      const Transform inboard(to_simbody(Matrix3d(R.transpose() * body.R)) * frame,
                              to_simbody(joint.p_parent));
      const Transform outboard(frame, to_simbody(joint.p_child));
      if (joint.slides) {
        bodies_[k] = MobilizedBody::Slider(on, inboard, make_body(body), outboard);
      } else {
        bodies_[k] = MobilizedBody::Pin(on, inboard, make_body(body), outboard);
      }
    }
  }

  void add_springs(const PeerMechanism& of) {
    for (const PeerSpring& spring : of.springs) {
      const MobilizedBody &i = bodies_[spring.i], &j = bodies_[spring.j];
      const Vec3 p_i = to_simbody(spring.p_i), p_j = to_simbody(spring.p_j);
      SimTK::Force::TwoPointLinearSpring(forces_, i, p_i, j, p_j, spring.stiffness,
                                         spring.free_length);
      SimTK::Force::TwoPointLinearDamper(forces_, i, p_i, j, p_j, spring.damping);
    }
  }

  void put_positions(const PeerMechanism& of) {
    if (of.kind == PeerMechanism::Kind::tree) return;  // coordinates are 0
    for (const std::size_t k : {0, 2, 1}) {            // parents first
      if (k >= bodies_.size()) continue;
      const MobilizedBody& body = bodies_[k];
      const Transform X(to_simbody(of.bodies[k].R), to_simbody(of.bodies[k].r));
      system.realize(start, SimTK::Stage::Position);
      const Transform inboard =
          body.getParentMobilizedBody().getBodyTransform(start) * body.getDefaultInboardFrame();
      body.setQToFitTransform(start, ~inboard * X * body.getDefaultOutboardFrame());
    }
  }

  void put_speeds(const PeerMechanism& of) {
    const auto calc = [&](const Eigen::VectorXd& u) {
      for (int k = 0; k < u.size(); ++k) start.updU()[k] = u[k];
      system.realize(start, SimTK::Stage::Velocity);
      Eigen::VectorXd velocities(6 * bodies_.size());
      for (std::size_t k = 0; k < bodies_.size(); ++k) {
        velocities.segment<3>(6 * k) = to_eigen(bodies_[k].getBodyOriginVelocity(start));
        velocities.segment<3>(6 * k + 3) = to_eigen(bodies_[k].getBodyAngularVelocity(start));
      }
      return velocities;
    };
    const Eigen::VectorXd u = find_speeds(of, start.getNU(), calc);
    for (int k = 0; k < u.size(); ++k) start.updU()[k] = u[k];
  }

  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<MobilizedBody> bodies_;
  SimTK::Vector_<SimTK::SpatialVec> reactions_;
};

// ---- runs

using MakeIntegrator = std::unique_ptr<SimTK::Integrator> (*)(const SimTK::System&);

template <class Integrator>
std::unique_ptr<SimTK::Integrator> make_integrator(const SimTK::System& system) {
  return std::make_unique<Integrator>(system);
}

PeerRun run(const Mechanism& mechanism, MakeIntegrator make, double t_end, double accuracy,
            const Observer& observer) {
  const auto integrator = make(mechanism.system);
  integrator->setAccuracy(accuracy);
  integrator->setFinalTime(t_end);
  integrator->setReturnEveryInternalStep(static_cast<bool>(observer));
  integrator->initialize(mechanism.start);
  const SimTK::MultibodySystem& system = mechanism.system;
  const auto count = [&] {
    return system.getNumRealizationsOfThisStage(SimTK::Stage::Acceleration);
  };
  const int before = count();
  const double begin = cpu_now();
  while (integrator->getTime() < t_end) {
    if (integrator->stepTo(t_end) == SimTK::Integrator::EndOfSimulation) break;
    if (!observer) continue;
    const SimTK::State& state = integrator->getState();
    system.realize(state, SimTK::Stage::Position);
    observer(state.getTime(), mechanism.make_poses(state));
  }
  return {true, cpu_now() - begin, static_cast<double>(count() - before)};
}

// The same with output every 0.01 s and all reactions there.
PeerRun run_with_reactions(Mechanism& mechanism, MakeIntegrator make, double t_end, double accuracy,
                           const Observer& observer) {
  const auto integrator = make(mechanism.system);
  integrator->setAccuracy(accuracy);
  integrator->setFinalTime(t_end);
  integrator->initialize(mechanism.start);
  const SimTK::MultibodySystem& system = mechanism.system;
  const auto count = [&] {
    return system.getNumRealizationsOfThisStage(SimTK::Stage::Acceleration);
  };
  const int before = count();
  double sum = 0.0;
  const double begin = cpu_now();
  for (int k = 1; integrator->getTime() < t_end; ++k) {
    const double t = std::min(0.01 * k, t_end);
    while (integrator->getTime() < t) integrator->stepTo(t);
    const SimTK::State& state = integrator->getState();
    system.realize(state, SimTK::Stage::Acceleration);
    sum += mechanism.calc_reactions(state);
    if (observer) observer(state.getTime(), mechanism.make_poses(state));
  }
  return {std::isfinite(sum), cpu_now() - begin, static_cast<double>(count() - before)};
}

std::vector<PeerLine> make_lines(const PeerMechanism& of) {
  const bool open = of.kind == PeerMechanism::Kind::tree;
  const auto tree = std::make_shared<Mechanism>(of, Form::tree);
  tree->put_start(of);
  const bool loop = !open && of.kind != PeerMechanism::Kind::pendulum;
  const auto line = [&](const char* program, const char* method, const auto& mechanism,
                        MakeIntegrator make, int starts) {
    const double t_end = of.t_end;
    return PeerLine{program, method, make_tolerances(),
                    [mechanism, make, t_end](double accuracy, const Observer& observer) {
                      return run(*mechanism, make, t_end, accuracy, observer);
                    },
                    loop ? starts : 20};
  };
  const auto merson = make_integrator<SimTK::RungeKuttaMersonIntegrator>;
  const auto fehlberg = make_integrator<SimTK::RungeKuttaFeldbergIntegrator>;
  std::vector<PeerLine> lines = {line("Simbody tree", "Merson 4(3)", tree, merson, 3),
                                 line("Simbody tree", "Fehlberg 5(4)", tree, fehlberg, 1)};
  const double t_end = of.t_end;
  if (!of.springs.empty()) {
    // elsewhere CPodes' BDF was tried: behind these at every error
    lines.push_back(
        line("Simbody tree", "CPodes BDF", tree, make_integrator<SimTK::CPodesIntegrator>, 3));
  } else {
    lines.push_back({"Simbody tree", "Merson 4(3)", make_tolerances(),
                     [tree, merson, t_end](double accuracy, const Observer& observer) {
                       return run_with_reactions(*tree, merson, t_end, accuracy, observer);
                     },
                     loop ? 2 : 20, true});
  }
  if (!open) {
    const auto absolute = std::make_shared<Mechanism>(of, Form::absolute);
    absolute->put_start(of);
    lines.push_back(line("Simbody absolute", "Merson 4(3)", absolute, merson, 1));
  }
  return lines;
}

// ---- one realisation of the accelerations, and set-up

// Velocities change a little from one to the next, positions are taken as new.
double time_realization(const SimTK::MultibodySystem& system, SimTK::State state) {
  const SimTK::Vector u = state.getU();
  int turn = 0;
  return find_least_seconds(
      [&] {
        for (int k = 0; k < u.size(); ++k) {
          state.updU()[k] = u[k] + 0.01 * ((7 * k + turn) % 5 - 2);
        }
        ++turn;
        state.updQ();
        const double begin = cpu_now();
        system.realize(state, SimTK::Stage::Acceleration);
        return cpu_now() - begin;
      },
      2, 200, 0.3);
}

double time_evaluation(const PeerMechanism& of) {
  Mechanism mechanism(of, Form::tree);
  mechanism.put_start(of);
  return time_realization(mechanism.system, mechanism.start);
}

void build(const PeerMechanism& of) { const Mechanism mechanism(of, Form::tree); }

// A chain of rods as a tree.
class RodChain {
 public:
  explicit RodChain(int bodies) : matter_(system), forces_(system) {
    matter_.setShowDefaultGeometry(false);
    SimTK::Force::UniformGravity(forces_, matter_, Vec3(0, -9.81, 0));
    const SimTK::Body::Rigid rod(
        SimTK::MassProperties(1.0, Vec3(0), SimTK::Inertia(0.00125, 0.0839583333, 0.0839583333)));
    MobilizedBody last = matter_.Ground();
    for (int k = 0; k < bodies; ++k) {
      last = MobilizedBody::Ball(last, Transform(Vec3(k == 0 ? 0.0 : 0.5, 0, 0)), rod,
                                 Transform(Vec3(-0.5, 0, 0)));
    }
    start = system.realizeTopology();
    system.realizeModel(start);
  }

  SimTK::MultibodySystem system;
  SimTK::State start;

 private:
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
};

double time_chain(int bodies) {
  const RodChain chain(bodies);
  return time_realization(chain.system, chain.start);
}

void build_chain(int bodies) { const RodChain chain(bodies); }

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv, make_lines,
                  {"Simbody tree", time_chain, build_chain, build, time_evaluation});
}
