// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Formats that are trees with loops added are drawn with all joint coordinates at 0, where the loops may be
// wide open: farther than an assembly of bodies finds its way. Here they are closed in the coordinates of a
// spanning tree, by damped least squares (Levenberg, Marquardt), from 0 and then from other starts.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <deque>

#include "import/mechanism.hpp"

namespace trammel::import {
namespace {

constexpr double closed = 1e-11;  // of the residual, lengths relative to the mechanism
constexpr int most_iterations = 200;
constexpr int most_starts = 60;
constexpr std::size_t most_coordinates = 300;

// The rotation vector of R, from its Euler parameters.
Vec3 calc_rotation_vector(const Mat3& r) {
  const EulerParameters q = to_quaternion(r);
  const Vec3 v{q[1], q[2], q[3]};
  const double sine = length(v);
  if (sine < 1e-12) return 2.0 * v;
  return (2.0 * std::atan2(sine, q[0]) / sine) * v;
}

// The rotation that brings z to the vector, which has no z component.
Vec3 calc_tilt(const Vec3& z) {
  const double sine = std::hypot(z[0], z[1]);
  if (sine < 1e-12) return z[2] > 0 ? Vec3{-z[1], z[0], 0} : Vec3{M_PI, 0, 0};
  const double angle = std::atan2(sine, z[2]);
  return {-z[1] * angle / sine, z[0] * angle / sine, 0};
}

// The movements that a joint permits, in the axes of its first frame: rotation or translation along an axis.
struct Motion {
  bool turns;
  int axis;
};
std::vector<Motion> list_motions(JointKind kind) {
  switch (kind) {
    case JointKind::revolute: return {{true, 2}};
    case JointKind::translational: return {{false, 2}};
    case JointKind::cylindrical: return {{true, 2}, {false, 2}};
    case JointKind::spherical: return {{true, 0}, {true, 1}, {true, 2}};
    case JointKind::planar: return {{true, 2}, {false, 0}, {false, 1}};
    default: return {};
  }
}

class LoopCloser {
 public:
  explicit LoopCloser(ImportedMechanism& mechanism) : mechanism_(mechanism) {
    make_tree();
    for (const ImportedJoint& joint : mechanism.joints) {
      if (!joint.is_gone) {
        size_ = std::max({size_, length(joint.frame_i.at), length(joint.frame_j.at)});
      }
    }
    if (size_ == 0.0) size_ = 1.0;
  }

  // True where the places were changed.
  bool run() {
    if (loops_.empty() || coordinates_.empty() || coordinates_.size() > most_coordinates) {
      return false;
    }
    Eigen::VectorXd q = Eigen::VectorXd::Zero(static_cast<int>(coordinates_.size()));
    if (calc_residual(q).cwiseAbs().maxCoeff() < 1e-9) return false;
    for (int start = 0; start < most_starts; ++start) {
      const double reach = start == 0 ? 0.0 : 0.1 + 0.05 * start;
      for (int k = 0; k < q.size(); ++k) {
        q[k] = reach * next_random() *
               (coordinates_[static_cast<std::size_t>(k)].motion.turns ? 1.0 : size_);
      }
      if (!solve(q)) continue;
      place_bodies(q);
      for (std::size_t b = 0; b < places_.size(); ++b) mechanism_.bodies[b].place = places_[b];
      return true;
    }
    return false;
  }

 private:
  struct Branch {
    int joint;
    bool reversed;  // from its second body to its first
    int from, to;
    int first_coordinate;
  };
  struct Coordinate {
    Motion motion;
  };

  void make_tree() {
    const std::size_t n = mechanism_.bodies.size();
    std::vector<std::vector<int>> at(n + 1);
    const auto slot = [&](int body) {
      return body == ground_body ? n : static_cast<std::size_t>(body);
    };
    for (std::size_t k = 0; k < mechanism_.joints.size(); ++k) {
      const ImportedJoint& joint = mechanism_.joints[k];
      if (joint.is_gone) continue;
      at[slot(joint.body_i)].push_back(static_cast<int>(k));
      at[slot(joint.body_j)].push_back(static_cast<int>(k));
    }
    std::vector<bool> reached(n + 1, false), used(mechanism_.joints.size(), false);
    const auto visit = [&](int root) {
      std::deque<int> queue{root};
      reached[slot(root)] = true;
      while (!queue.empty()) {
        const int from = queue.front();
        queue.pop_front();
        for (const int k : at[slot(from)]) {
          const ImportedJoint& joint = mechanism_.joints[static_cast<std::size_t>(k)];
          const int to = joint.body_i == from ? joint.body_j : joint.body_i;
          if (!joint.is_in_tree || to == ground_body || reached[slot(to)]) continue;
          if (list_motions(joint.kind).empty() && joint.kind != JointKind::fixed) continue;
          reached[slot(to)] = true;
          used[static_cast<std::size_t>(k)] = true;
          branches_.push_back(
              {k, joint.body_i != from, from, to, static_cast<int>(coordinates_.size())});
          for (const Motion& motion : list_motions(joint.kind)) coordinates_.push_back({motion});
          queue.push_back(to);
        }
      }
    };
    visit(ground_body);
    for (std::size_t b = 0; b < n; ++b) {
      if (!reached[b] && !mechanism_.bodies[b].is_gone) visit(static_cast<int>(b));
    }
    for (std::size_t k = 0; k < used.size(); ++k) {
      if (!used[k] && !mechanism_.joints[k].is_gone) loops_.push_back(static_cast<int>(k));
    }
    for (const ImportedBody& body : mechanism_.bodies) drawn_.push_back(body.place);
    // the place of each body in the frames of its joint, as drawn
    for (const Branch& branch : branches_) {
      const ImportedJoint& joint = mechanism_.joints[static_cast<std::size_t>(branch.joint)];
      const Place& out = branch.reversed ? joint.frame_j : joint.frame_i;
      const Place& in = branch.reversed ? joint.frame_i : joint.frame_j;
      between_.push_back(inverse(mechanism_.place_of(branch.from) * out) *
                         (mechanism_.place_of(branch.to) * in));
    }
  }

  void place_bodies(const Eigen::VectorXd& q) {
    places_ = drawn_;
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      const Branch& branch = branches_[k];
      const ImportedJoint& joint = mechanism_.joints[static_cast<std::size_t>(branch.joint)];
      const Place& out = branch.reversed ? joint.frame_j : joint.frame_i;
      const Place& in = branch.reversed ? joint.frame_i : joint.frame_j;
      Place moved;
      Vec3 turn{};
      int c = branch.first_coordinate;
      for (const Motion& motion : list_motions(joint.kind)) {
        (motion.turns ? turn : moved.at)[static_cast<std::size_t>(motion.axis)] += q[c++];
      }
      const double angle = length(turn);
      if (angle > 0.0) moved.turn = make_rotation((1 / angle) * turn, angle);
      const Place from =
          branch.from == ground_body ? Place{} : places_[static_cast<std::size_t>(branch.from)];
      places_[static_cast<std::size_t>(branch.to)] = from * out * moved * between_[k] * inverse(in);
    }
  }

  Place place_of(int body) const {
    return body == ground_body ? Place{} : places_[static_cast<std::size_t>(body)];
  }

  Eigen::VectorXd calc_residual(const Eigen::VectorXd& q) {
    place_bodies(q);
    std::vector<double> values;
    for (const int k : loops_) {
      const ImportedJoint& joint = mechanism_.joints[static_cast<std::size_t>(k)];
      add_gaps(joint,
               inverse(place_of(joint.body_i) * joint.frame_i) *
                   (place_of(joint.body_j) * joint.frame_j),
               values);
    }
    return Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<int>(values.size()));
  }

  void add_gaps(const ImportedJoint& joint, const Place& gap, std::vector<double>& values) const {
    const Vec3 z = column(gap.turn, 2);
    const auto add_point = [&](std::initializer_list<int> axes) {
      for (const int axis : axes) values.push_back(gap.at[static_cast<std::size_t>(axis)] / size_);
    };
    const auto add_tilt = [&] {
      const Vec3 tilt = calc_tilt(z);
      values.insert(values.end(), {tilt[0], tilt[1]});
    };
    const auto add_rotation = [&] {
      const Vec3 rotation = calc_rotation_vector(gap.turn);
      values.insert(values.end(), rotation.begin(), rotation.end());
    };
    switch (joint.kind) {
      case JointKind::spherical: add_point({0, 1, 2}); break;
      case JointKind::revolute: add_point({0, 1, 2}), add_tilt(); break;
      case JointKind::fixed: add_point({0, 1, 2}), add_rotation(); break;
      case JointKind::universal: add_point({0, 1, 2}), values.push_back(z[2]); break;
      case JointKind::cylindrical: add_point({0, 1}), add_tilt(); break;
      case JointKind::translational: add_point({0, 1}), add_rotation(); break;
      case JointKind::planar: add_point({2}), add_tilt(); break;
      default: break;
    }
  }

  bool solve(Eigen::VectorXd& q) {
    double damping = 1e-3;
    Eigen::VectorXd g = calc_residual(q);
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (g.cwiseAbs().maxCoeff() < closed) return true;
      const Eigen::MatrixXd jacobian = calc_jacobian(q);
      const Eigen::MatrixXd square = jacobian.transpose() * jacobian;
      const Eigen::VectorXd slope = jacobian.transpose() * g;
      bool better = false;
      for (int attempt = 0; attempt < 12 && !better; ++attempt) {
        Eigen::MatrixXd damped = square;
        damped.diagonal().array() += damping * (1e-12 + square.diagonal().maxCoeff());
        const Eigen::VectorXd trial = q - damped.ldlt().solve(slope);
        const Eigen::VectorXd residual = calc_residual(trial);
        better = residual.squaredNorm() < g.squaredNorm();
        if (better) {
          q = trial;
          g = residual;
        }
        damping = better ? std::max(damping * 0.1, 1e-16) : damping * 10;
      }
      if (!better) break;
    }
    return g.cwiseAbs().maxCoeff() < 1e-9;  // the assembly does the rest
  }

  Eigen::MatrixXd calc_jacobian(const Eigen::VectorXd& q) {
    Eigen::MatrixXd jacobian;
    Eigen::VectorXd moved = q;
    for (int k = 0; k < q.size(); ++k) {
      const bool turns = coordinates_[static_cast<std::size_t>(k)].motion.turns;
      const double h = 1e-6 * (turns ? 1.0 : size_);
      moved[k] = q[k] + h;
      const Eigen::VectorXd high = calc_residual(moved);
      moved[k] = q[k] - h;
      const Eigen::VectorXd low = calc_residual(moved);
      moved[k] = q[k];
      if (k == 0) jacobian.resize(high.size(), q.size());
      jacobian.col(k) = (high - low) / (2 * h);
    }
    return jacobian;
  }

  // In (−1, 1), the same for every run.
  double next_random() {
    seed_ = seed_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(seed_ >> 11) / 4503599627370496.0 - 1.0;
  }

  ImportedMechanism& mechanism_;
  std::vector<Branch> branches_;
  std::vector<Coordinate> coordinates_;
  std::vector<int> loops_;
  std::vector<Place> drawn_, between_, places_;
  double size_ = 0.0;
  unsigned long long seed_ = 1;
};

}  // namespace

bool close_loops(ImportedMechanism& mechanism) { return LoopCloser(mechanism).run(); }

}  // namespace trammel::import
