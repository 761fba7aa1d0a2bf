// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// MuJoCo: a tree of joints, the loop closed by an equality `connect` at the stiffest setting it
// allows (impedance 0.9999, time constant twice the step), Runge–Kutta of order 4 with steps of one
// size. Its constraints are soft by design: the errors it cannot go below are a choice, not a
// defect. Arm and tree have no loop to close, and hinges, which its RK4 integrates to order 4.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "cpu_clock.hpp"
#include "peer_bench.hpp"

using namespace trammel::bench;

namespace {

std::string to_text(const Vector3d& v) {
  return fmt::format("{:.17g} {:.17g} {:.17g}", v[0], v[1], v[2]);
}

std::string to_text(const Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

class Simulation {
 public:
  explicit Simulation(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    const char* name = "model.xml";
    if (mj_makeEmptyFileVFS(files.get(), name, static_cast<int>(xml.size()) + 1) != 0) {
      throw std::runtime_error("MuJoCo has no room for the model");
    }
    std::memcpy(files->filedata[0], xml.c_str(), xml.size() + 1);
    char error[500] = "";
    model = mj_loadXML(name, files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (model == nullptr) throw std::runtime_error(error);
    data = mj_makeData(model);
  }
  ~Simulation() {
    mj_deleteData(data);
    mj_deleteModel(model);
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  mjModel* model;
  mjData* data;
};

constexpr const char* head =
    "<mujoco><compiler angle='radian' inertiafromgeom='false' boundmass='0' boundinertia='0'/>"
    "<option gravity='0 -9.81 0'><flag contact='disable'/></option><worldbody>";

std::string open_body(int index, const PeerBody& body, const Vector3d& r, const Matrix3d& R) {
  return fmt::format(
      "<body name='b{}' pos='{}' quat='{}'><inertial pos='0 0 0' mass='{:.17g}' diaginertia='{}'/>",
      index, to_text(r), to_text(R), body.mass, to_text(body.inertia));
}

std::string make_joint(const char* type, const char* point, const char* axis) {
  return fmt::format("<joint type='{}' pos='{}' axis='{}'/>", type, point, axis);
}

// Body k of a tree with all that hangs on it.
std::string make_branch(const PeerMechanism& of, int k) {
  const TreeJoint& joint = of.tree[k];
  const PeerBody& body = of.bodies[k];
  const bool on_ground = joint.parent < 0;
  const Matrix3d R = on_ground ? Matrix3d::Identity() : of.bodies[joint.parent].R;
  const Vector3d r = on_ground ? Vector3d::Zero() : of.bodies[joint.parent].r;
  std::string xml =
      open_body(k, body, R.transpose() * (body.r - r), R.transpose() * body.R) +
      make_joint("hinge", to_text(joint.p_child).c_str(), to_text(joint.axis_child).c_str());
  for (std::size_t child = 0; child < of.tree.size(); ++child) {
    if (of.tree[child].parent == k) xml += make_branch(of, static_cast<int>(child));
  }
  return xml + "</body>";
}

// The loop is cut at the spherical joint between bodies 0 and 1; body 1 hangs on body 2.
std::string make_xml(const PeerMechanism& of) {
  if (of.kind == PeerMechanism::Kind::tree) {
    return head + make_branch(of, 0) + "</worldbody></mujoco>";
  }
  const PeerBody& first = of.bodies[0];
  std::string xml = head + open_body(0, first, first.r, first.R);
  if (of.kind == PeerMechanism::Kind::pendulum) {
    return xml + make_joint("ball", "-0.765 0 0", "1 0 0") + "</body></worldbody></mujoco>";
  }
  const bool quadrangle = of.kind == PeerMechanism::Kind::quadrangle;
  const PeerBody &second = of.bodies[1], &third = of.bodies[2];
  xml += make_joint("hinge", quadrangle ? "-1 0 0" : "-0.25 0 0", "0 0 1") + "</body>";
  xml += open_body(2, third, third.r, third.R);
  xml +=
      quadrangle ? make_joint("hinge", "-2 0 0", "0 0 1") : make_joint("slide", "0 0 0", "1 0 0");
  xml += open_body(1, second, third.R.transpose() * (second.r - third.r),
                   third.R.transpose() * second.R);
  xml += quadrangle
             ? make_joint("slide", "0 0 0", "0 0 1") + make_joint("hinge", "2 0 0", "0 0 1")
             : make_joint("hinge", "0.9 0 0", "0 0 1") + make_joint("hinge", "0.9 0 0", "0 1 0");
  return xml + "</body></body></worldbody><equality><connect body1='b0' body2='b1' anchor='" +
         (quadrangle ? "1 0 0" : "0.25 0 0") + "'/></equality></mujoco>";
}

class Mechanism {
 public:
  explicit Mechanism(const PeerMechanism& of)
      : of_(of), simulation_(make_xml(of)), m_(simulation_.model), d_(simulation_.data) {
    for (std::size_t b = 0; b < of.bodies.size(); ++b) {
      index_.push_back(mj_name2id(m_, mjOBJ_BODY, fmt::format("b{}", b).c_str()));
    }
    m_->opt.integrator = mjINT_RK4;
    m_->opt.solver = mjSOL_NEWTON;
    m_->opt.tolerance = 1e-15;
    m_->opt.iterations = 50;
    m_->opt.disableflags |= mjDSBL_REFSAFE;
    speeds_ = find_speeds(of, m_->nv, [&](const Eigen::VectorXd& u) {
      mj_resetData(m_, d_);
      std::copy(u.begin(), u.end(), d_->qvel);
      return calc_velocities();
    });
  }

  PeerRun run(double h, const Observer& observer) {
    m_->opt.timestep = h;
    if (m_->neq > 0) {
      const double stiff[] = {0.9999, 0.9999, 0.001, 0.5, 2.0};
      m_->eq_solref[0] = 2.0 * h;
      m_->eq_solref[1] = 1.0;
      std::copy(std::begin(stiff), std::end(stiff), m_->eq_solimp);
    }
    const FixedStepProgram program{[&] { put_start(); }, [&] { mj_step(m_, d_); },
                                   [&] { return make_poses(); }};
    return run_fixed_steps(program, of_.t_end, h, 4.0, observer);
  }

 private:
  void put_start() {
    mj_resetData(m_, d_);
    std::copy(speeds_.begin(), speeds_.end(), d_->qvel);
    if (of_.torque != 0.0) d_->qfrc_applied[0] = of_.torque;
    mj_forward(m_, d_);
  }

  Eigen::VectorXd calc_velocities() {
    mj_kinematics(m_, d_);
    mj_comPos(m_, d_);
    mj_comVel(m_, d_);
    Eigen::VectorXd velocities(6 * index_.size());
    for (std::size_t b = 0; b < index_.size(); ++b) {
      mjtNum turn_and_move[6];
      mj_objectVelocity(m_, d_, mjOBJ_XBODY, index_[b], turn_and_move, 0);
      for (int k = 0; k < 6; ++k) velocities[6 * b + k] = turn_and_move[(k + 3) % 6];
    }
    return velocities;
  }

  std::vector<Pose> make_poses() {
    mj_kinematics(m_, d_);
    std::vector<Pose> poses;
    for (const int body : index_) {
      using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
      poses.push_back(
          {Vector3d(d_->xpos + 3 * body), Eigen::Map<const RowMajor>(d_->xmat + 9 * body)});
    }
    return poses;
  }

  const PeerMechanism& of_;
  Simulation simulation_;
  mjModel* m_;
  mjData* d_;
  std::vector<int> index_;
  Eigen::VectorXd speeds_;
};

std::vector<PeerLine> make_lines(const PeerMechanism& of) {
  if (!of.springs.empty())
    return {};  // the governor: no stiff integrator for dampers between points
  const auto mechanism = std::make_shared<Mechanism>(of);
  return {
      {"MuJoCo",
       "RK4",
       {2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6},
       [mechanism](double h, const Observer& observer) { return mechanism->run(h, observer); },
       of.kind == PeerMechanism::Kind::pendulum || of.kind == PeerMechanism::Kind::tree ? 20 : 3}};
}

std::string make_chain_xml(int bodies) {
  std::string xml = head;
  for (int k = 0; k < bodies; ++k) {
    xml += fmt::format(
        "<body pos='{} 0 0'><joint type='ball'/><inertial pos='0.5 0 0' mass='1' "
        "diaginertia='0.00125 0.0839583333 0.0839583333'/>",
        k == 0 ? 0 : 1);
  }
  for (int k = 0; k < bodies; ++k) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

double time_forward(const Simulation& simulation) {
  mjModel* m = simulation.model;
  mjData* d = simulation.data;
  for (int k = 0; k < m->nv; ++k) d->qvel[k] = 0.01 * ((7 * k) % 5 - 2);
  // many at once: the clock itself takes longer than a short one
  const int many = std::max(1, 1000 / m->nv);
  const auto forward = [&] {
    for (int k = 0; k < many; ++k) mj_forward(m, d);
  };
  return find_least_cpu(forward, 2, 200, 0.3) / many;
}

double time_chain(int bodies) { return time_forward(Simulation(make_chain_xml(bodies))); }
void build_chain(int bodies) { const Simulation simulation(make_chain_xml(bodies)); }
double time_evaluation(const PeerMechanism& of) { return time_forward(Simulation(make_xml(of))); }
void build(const PeerMechanism& of) { const Simulation simulation(make_xml(of)); }

}  // namespace

int main(int argc, char** argv) {
  return run_peer(argc, argv, make_lines,
                  {"MuJoCo tree", time_chain, build_chain, build, time_evaluation});
}
