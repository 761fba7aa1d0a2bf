// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// DART: skeletons in minimal coordinates, the loop closed by a BallJointConstraint, semi-implicit
// Euler, which is the only scheme of World::step. The sliding hinge of the quadrangle is a plain
// hinge here: DART has none, and the motion does not slide.
#include <dart/dart.hpp>

#include <memory>
#include <stdexcept>

#include "cpu_clock.hpp"
#include "peer_bench.hpp"

using namespace trammel::bench;
namespace dynamics = dart::dynamics;

namespace {

using dynamics::BodyNode;

BodyNode::Properties make_body(const std::string& name, double mass, const Vector3d& inertia) {
  BodyNode::Properties properties;
  properties.mName = name;
  properties.mInertia = dynamics::Inertia(mass, Vector3d::Zero(), Matrix3d(inertia.asDiagonal()));
  return properties;
}

Eigen::Isometry3d make_frame(const Vector3d& p, const Matrix3d& R = Matrix3d::Identity()) {
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.translation() = p;
  frame.linear() = R;
  return frame;
}

// A joint of this kind at `child` in the new body, which starts with attitude R and the joint's
// point at `parent` in the body it hangs on.
template <class Joint, class Axes>
BodyNode* add_body(const dynamics::SkeletonPtr& skeleton, BodyNode* on, const std::string& name,
                   const PeerBody& body, const Vector3d& parent, const Matrix3d& R,
                   const Vector3d& child, Axes&& set_axes) {
  typename Joint::Properties joint;
  joint.mName = "joint of " + name;
  joint.mT_ParentBodyToJoint = make_frame(parent, R);
  joint.mT_ChildBodyToJoint = make_frame(child);
  set_axes(joint);
  return skeleton
      ->createJointAndBodyNodePair<Joint>(on, joint, make_body(name, body.mass, body.inertia))
      .second;
}

class Mechanism {
 public:
  explicit Mechanism(const PeerMechanism& of) : of_(of), bodies_(of.bodies.size()) {
    using Kind = PeerMechanism::Kind;
    if (of.kind == Kind::pendulum) {
      add_pendulum();
    } else if (of.kind == Kind::tree) {
      add_tree();
    } else {
      add_loop(of.kind == Kind::quadrangle);
    }
    for (const auto& skeleton : skeletons_) speeds_ += static_cast<int>(skeleton->getNumDofs());
  }

  void find_start() {
    start_ = find_speeds(of_, speeds_, [&](const Eigen::VectorXd& u) {
      put_speeds(u);
      Eigen::VectorXd velocities(6 * bodies_.size());
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        velocities.segment<3>(6 * b) = bodies_[b]->getLinearVelocity();
        velocities.segment<3>(6 * b + 3) = bodies_[b]->getAngularVelocity();
      }
      return velocities;
    });
  }

  PeerRun run(double h, const Observer& observer) {
    world_->setTimeStep(h);
    const FixedStepProgram program{[&] { put_start(); }, [&] { world_->step(false); },
                                   [&] { return make_poses(); }};
    return run_fixed_steps(program, of_.t_end, h, 1.0, observer);
  }

  const dynamics::SkeletonPtr& skeleton() const { return skeletons_[0]; }

 private:
  void add_tree() {
    const auto skeleton = dynamics::Skeleton::create("tree");
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const TreeJoint& joint = of_.tree[k];
      BodyNode* on = joint.parent < 0 ? nullptr : bodies_[joint.parent];
      const Matrix3d R = on == nullptr ? Matrix3d::Identity() : of_.bodies[joint.parent].R;
      bodies_[k] = add_body<dynamics::RevoluteJoint>(
          skeleton, on, "b" + std::to_string(k), of_.bodies[k], joint.p_parent,
          R.transpose() * of_.bodies[k].R, joint.p_child,
          [&](auto& properties) { properties.mAxis = joint.axis_child; });
    }
    add_to_world({skeleton});
  }

  void add_pendulum() {
    const auto skeleton = dynamics::Skeleton::create("pendulum");
    bodies_[0] =
        add_body<dynamics::BallJoint>(skeleton, nullptr, "b0", of_.bodies[0], Vector3d::Zero(),
                                      of_.bodies[0].R, {-0.765, 0, 0}, [](auto&) {});
    add_to_world({skeleton});
  }

  // The loop is cut at the spherical joint between bodies 0 and 1; body 1 hangs on body 2.
  void add_loop(bool quadrangle) {
    const auto crank = dynamics::Skeleton::create("crank"),
               rest = dynamics::Skeleton::create("rest");
    const PeerBody &first = of_.bodies[0], &second = of_.bodies[1], &third = of_.bodies[2];
    const double half = quadrangle ? 1.0 : 0.25;
    const Vector3d e1(1, 0, 0), e2(0, 1, 0), e3(0, 0, 1);
    const Matrix3d relative = third.R.transpose() * second.R;
    const auto about_e3 = [&](auto& joint) { joint.mAxis = e3; };
    using dynamics::RevoluteJoint;
    bodies_[0] = add_body<RevoluteJoint>(crank, nullptr, "b0", first, Vector3d::Zero(), first.R,
                                         {-half, 0, 0}, about_e3);
    if (quadrangle) {
      bodies_[2] = add_body<RevoluteJoint>(rest, nullptr, "b2", third, {2.5, 0, 0}, third.R,
                                           {-2, 0, 0}, about_e3);
      bodies_[1] = add_body<RevoluteJoint>(rest, bodies_[2], "b1", second, {2, 0, 0}, relative,
                                           {2, 0, 0}, about_e3);
    } else {
      bodies_[2] = add_body<dynamics::PrismaticJoint>(rest, nullptr, "b2", third, third.r, third.R,
                                                      Vector3d::Zero(),
                                                      [&](auto& joint) { joint.mAxis = e1; });
      bodies_[1] =
          add_body<dynamics::UniversalJoint>(rest, bodies_[2], "b1", second, Vector3d::Zero(),
                                             relative, {0.9, 0, 0}, [&](auto& joint) {
                                               joint.mAxis[0] = e3;
                                               joint.mAxis[1] = e2;
                                             });
    }
    add_to_world({crank, rest});
    using dart::constraint::JointConstraint;
    JointConstraint::setErrorReductionParameter(0.2);
    JointConstraint::setConstraintForceMixing(1e-9);
    JointConstraint::setMaxErrorReductionVelocity(1e3);
    world_->getConstraintSolver()->addConstraint(
        std::make_shared<dart::constraint::BallJointConstraint>(
            bodies_[0], bodies_[1], first.r + first.R * Vector3d(half, 0, 0)));
  }

  void add_to_world(const std::vector<dynamics::SkeletonPtr>& skeletons) {
    skeletons_ = skeletons;
    world_->setGravity(Vector3d(0, -9.81, 0));
    for (const auto& skeleton : skeletons_) world_->addSkeleton(skeleton);
  }

  void put_speeds(const Eigen::VectorXd& u) {
    Eigen::Index at = 0;
    for (const auto& skeleton : skeletons_) {
      const auto n = static_cast<Eigen::Index>(skeleton->getNumDofs());
      skeleton->setVelocities(u.segment(at, n));
      at += n;
    }
  }

  void put_start() {
    world_->reset();
    for (const auto& skeleton : skeletons_) skeleton->resetPositions();
    put_speeds(start_);
    if (of_.torque != 0.0) skeletons_[0]->getDof(0)->setForce(of_.torque);
  }

  std::vector<Pose> make_poses() const {
    std::vector<Pose> poses;
    for (const BodyNode* body : bodies_) {
      const Eigen::Isometry3d& X = body->getWorldTransform();
      poses.push_back({X.translation(), X.linear()});
    }
    return poses;
  }

  const PeerMechanism& of_;
  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  std::vector<dynamics::SkeletonPtr> skeletons_;
  std::vector<BodyNode*> bodies_;
  int speeds_ = 0;
  Eigen::VectorXd start_;
};

std::vector<PeerLine> make_lines(const PeerMechanism& of) {
  if (!of.springs.empty())
    return {};  // the governor: order 1 and explicit forces, as on the others
  const auto mechanism = std::make_shared<Mechanism>(of);
  mechanism->find_start();
  return {{"DART",
           "semi-implicit Euler",
           {1e-2, 1e-3, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6, 5e-7},
           [mechanism](double h, const Observer& observer) { return mechanism->run(h, observer); },
           1}};
}

// Forward dynamics by articulated bodies; positions are computed anew, as in our evaluation.
double time_forward(const dynamics::SkeletonPtr& skeleton) {
  skeleton->setGravity(Vector3d(0, -9.81, 0));
  const Eigen::VectorXd q = skeleton->getPositions();
  Eigen::VectorXd u(q.size());
  int turn = 0;
  return find_least_seconds(
      [&] {
        for (int k = 0; k < u.size(); ++k) u[k] = 0.01 * ((7 * k + turn) % 5 - 2);
        ++turn;
        skeleton->setPositions(q);
        skeleton->setVelocities(u);
        const double begin = cpu_now();
        skeleton->computeForwardDynamics();
        return cpu_now() - begin;
      },
      2, 200, 0.3);
}

dynamics::SkeletonPtr make_chain(int bodies) {
  const auto skeleton = dynamics::Skeleton::create("chain");
  const PeerBody rod{1.0, Vector3d(0.00125, 0.0839583333, 0.0839583333), {}, {}, {}, {}};
  BodyNode* last = nullptr;
  for (int k = 0; k < bodies; ++k) {
    last = add_body<dynamics::BallJoint>(skeleton, last, "b" + std::to_string(k), rod,
                                         {k == 0 ? 0.0 : 0.5, 0, 0}, Matrix3d::Identity(),
                                         {-0.5, 0, 0}, [](auto&) {});
  }
  return skeleton;
}

double time_chain(int bodies) { return time_forward(make_chain(bodies)); }
void build_chain(int bodies) { make_chain(bodies); }
void build(const PeerMechanism& of) { const Mechanism mechanism(of); }

// Only of one skeleton: a loop is no part of it.
double time_evaluation(const PeerMechanism& of) {
  if (of.kind != PeerMechanism::Kind::tree && of.kind != PeerMechanism::Kind::pendulum) {
    throw std::runtime_error("forward dynamics leaves the loop out");
  }
  const Mechanism mechanism(of);
  return time_forward(mechanism.skeleton());
}

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv, make_lines,
                  {"DART tree", time_chain, build_chain, build, time_evaluation});
}
