// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Closed linkages of hinges that move although a count of their equations says they should not, each
// built in a closed configuration by construction, with velocities that fit, and where there is one
// with a twin: the same motion by joints none of which is redundant.
//
//   planar four-bar      twin R S C R         spherical four-bar   twin R R P R, P: parallel axes
//   Bennett, Goldberg, Myard, Sarrus          slider-crank         twin R C S T
//
// Velocities: with the screws $_k = (n_k, p_k × n_k) of the joints of a loop, the rates q̇ solve
// Σ q̇_k $_k = 0; link k moves with the carrier's twist plus the first k terms.
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <trammel/trammel.hpp>
#include <vector>

#include "support/random_model.hpp"

namespace trammel::test {

using Vector = Eigen::Vector3d;
using Twist = Eigen::Matrix<double, 6, 1>;  // angular velocity; velocity of the point at the origin

Vector to_vector(const Vec3& v);
Vec3 to_array(const Vector& v);
Vector any_direction(Random& random);
Eigen::Matrix3d any_frame(Random& random);

// redundant: all hinges. twin: the same motion without redundancy.
enum class Joints { redundant, twin };

struct LoopJoint {
  JointKind kind = JointKind::revolute;  // revolute or translational
  JointKind twin = JointKind::revolute;
  Vector at = Vector::Zero();
  Vector axis = Vector::UnitZ();
};

Twist make_screw(const LoopJoint& joint);

struct Linkage {
  Model model;
  int dof = 0;                                  // by construction; drivers count as equations
  int redundant = 0;                            // rows that repeat others, by construction
  std::vector<std::vector<std::string>> loops;  // names of the joints of each
};

// Links of a loop, joints, carriers. Masses and moments are random, sizes follow the points.
class LinkageBuilder {
 public:
  LinkageBuilder(unsigned seed, Joints joints);

  Random& random() { return random_; }
  Linkage take(int dof);

  // A body through these points, that moves with `twist`; returns its name.
  std::string add_body(const std::string& name, const std::vector<Vector>& points,
                       const Twist& twist = Twist::Zero());
  void add_joint(const std::string& name, JointKind kind, const std::string& body_i,
                 const std::string& body_j, const Vector& at, const Vector& axis);
  void add_driver(const std::string& name, const std::string& joint, JointCoordinate coordinate,
                  const std::string& law);
  // Joint k joins link k − 1 and link k; the first and the last link are the carrier. The largest
  // rate of a joint is `rate`. Returns the names of the links between. first_joint: the first joint
  // and the first link are there already.
  std::vector<std::string> add_loop(const std::string& name, const std::string& carrier,
                                    const std::vector<LoopJoint>& joints, double rate,
                                    const std::vector<std::string>& link_names = {},
                                    const std::string& first_joint = {});

 private:
  double scale_of(const std::vector<Vector>& points) const;

  Random random_;
  Joints joints_;
  Linkage linkage_;
  std::map<std::string, Twist> twists_;
};

// The linkage as it is in a recorded row is far from singular where this is not small: of the screws
// of each loop, scaled to its size, the singular value at the loop's rank relative to the largest.
double calc_regularity(const Linkage& linkage, const Results& results, std::size_t row);

// What the linkages stand on.
enum class Carrier { ground, free_body, hinge, driven_hinge, slider, driven_slider };
inline constexpr Carrier all_carriers[] = {Carrier::ground, Carrier::free_body,
                                           Carrier::hinge,  Carrier::driven_hinge,
                                           Carrier::slider, Carrier::driven_slider};

// ---- the families; `seed` chooses a member

Linkage make_planar_four_bar(unsigned seed, Carrier carrier, Joints joints = Joints::redundant);
Linkage make_spherical_four_bar(unsigned seed, Carrier carrier, Joints joints = Joints::redundant);
Linkage make_bennett(unsigned seed, Carrier carrier = Carrier::ground);
Linkage make_goldberg(unsigned seed);
Linkage make_myard(unsigned seed);
Linkage make_sarrus(unsigned seed);
Linkage make_slider_crank(unsigned seed, bool driven, Joints joints = Joints::redundant);

// n planar four-bars with different planes on a table that is driven by 90 degrees and back.
Linkage make_turntable(unsigned seed, int n, Joints joints = Joints::redundant);

// Base, boom, stick, bucket, and a payload that swings. The base is driven by 90 degrees and back.
// cylinders: boom, stick and bucket are moved by hydraulic cylinders (hinge, slide, hinge), driven;
// else by driven cranks of four-bars.
Linkage make_excavator(bool cylinders, Joints joints = Joints::redundant);

// ---- of a Bennett linkage

// Lengths and twists of the links, from joints as placed: a/sin α = b/sin β; inner angles of the
// corners.
struct BennettNumbers {
  double a, b, alpha, beta;
  double inner[4];
};
BennettNumbers calc_bennett_numbers(const Linkage& linkage);

}  // namespace trammel::test
