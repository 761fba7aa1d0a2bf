// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Simbody in its two forms: a tree of mobilizers with the loop closed by a Ball constraint, which
// is how it is meant to be used, and free bodies with the paper's conditions as constraints.
//
// Debian builds Simbody with assertions, and a program must be compiled the same way
// (CMakeLists.txt): its own release build may be faster.
#include <Simbody.h>

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
  Mechanism(const PaperMechanism& of, Form form)
      : matter_(system), forces_(system), bodies_(of.bodies.size()) {
    matter_.setShowDefaultGeometry(false);
    SimTK::Force::UniformGravity(forces_, matter_, Vec3(0, -9.81, 0));
    if (form == Form::tree) {
      add_tree(of);
    } else {
      add_free_bodies(of);
    }
    // body 0 turns about its own e₃, whose direction in space stays
    if (of.torque != 0.0) {
      const Vector3d torque = of.bodies[0].R * Vector3d(0, 0, of.torque);
      SimTK::Force::ConstantTorque(forces_, bodies_[0], to_simbody(torque));
    }
    start = system.realizeTopology();
    system.realizeModel(start);
    put_start(of);
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
  void add_tree(const PaperMechanism& of) {
    using Kind = PaperMechanism::Kind;
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

  void add_free_bodies(const PaperMechanism& of) {
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

  void put_start(const PaperMechanism& of) {
    for (const std::size_t k : {0, 2, 1}) {  // parents first
      if (k >= bodies_.size()) continue;
      const MobilizedBody& body = bodies_[k];
      const Transform X(to_simbody(of.bodies[k].R), to_simbody(of.bodies[k].r));
      system.realize(start, SimTK::Stage::Position);
      const Transform inboard =
          body.getParentMobilizedBody().getBodyTransform(start) * body.getDefaultInboardFrame();
      body.setQToFitTransform(start, ~inboard * X * body.getDefaultOutboardFrame());
    }
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

std::vector<PeerLine> make_lines(const PaperMechanism& of) {
  const auto tree = std::make_shared<Mechanism>(of, Form::tree);
  const auto absolute = std::make_shared<Mechanism>(of, Form::absolute);
  const bool loop = of.kind != PaperMechanism::Kind::pendulum;
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
  // CPodes' BDF was tried: behind these at every error
  return {line("Simbody tree", "Merson 4(3)", tree, merson, 3),
          line("Simbody tree", "Fehlberg 5(4)", tree, fehlberg, 1),
          line("Simbody absolute", "Merson 4(3)", absolute, merson, 1)};
}

// ---- a chain of rods as a tree: one realisation of the accelerations

double time_chain(int bodies) {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  matter.setShowDefaultGeometry(false);
  SimTK::Force::UniformGravity(forces, matter, Vec3(0, -9.81, 0));
  const SimTK::Body::Rigid rod(
      SimTK::MassProperties(1.0, Vec3(0), SimTK::Inertia(0.00125, 0.0839583333, 0.0839583333)));
  MobilizedBody last = matter.Ground();
  for (int k = 0; k < bodies; ++k) {
    last = MobilizedBody::Ball(last, Transform(Vec3(k == 0 ? 0.0 : 0.5, 0, 0)), rod,
                               Transform(Vec3(-0.5, 0, 0)));
  }
  SimTK::State state = system.realizeTopology();
  system.realizeModel(state);
  int turn = 0;
  const double seconds = find_least_seconds(
      [&] {
        for (int k = 0; k < state.getNU(); ++k) state.updU()[k] = 0.01 * ((7 * k + turn) % 5 - 2);
        ++turn;
        state.updQ();  // positions are to be computed anew too
        const double begin = cpu_now();
        system.realize(state, SimTK::Stage::Acceleration);
        return cpu_now() - begin;
      },
      2, 200, 0.3);
  return 1e6 * seconds / bodies;
}

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv, make_lines, {{"Simbody tree", time_chain}});
}
