// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Model: the mechanism as a person writes it, by name, editable. The first station of the path
//
//   model file ─read─▶ Model ─compile─▶ System ─simulate─▶ Results
//
// SI units, radians. Plain structs with defaults; fill them by hand or with `read_model`.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "trammel/event.hpp"
#include "trammel/function.hpp"
#include "trammel/joint_kind.hpp"
#include "trammel/options.hpp"
#include "trammel/shape.hpp"
#include "trammel/types.hpp"

namespace trammel {

// ---- bodies

// Where a body starts, when that is not where it was drawn: joints placed in the world (`at`, `axis`)
// still refer to the drawing.
struct InitialState {
  Vec3 position{};  // as in Body
  EulerParameters orientation{1, 0, 0, 0};
  Vec3 velocity{};
  Vec3 angular_velocity{};
};

// A point with axes that is fixed in a body (or on the ground): origin and axes in the body's frame.
// A frame of a body called `name` is "body.name" in model files; what is made from frames (joints,
// placements) is given the frame itself, so that the name is for people and may be empty.
struct NamedFrame {
  std::string name;
  Vec3 position{};                          // m, in the body
  EulerParameters orientation{1, 0, 0, 0};  // axes of the frame to those of the body
};

// A body has a frame of its own; all its points (joints, forces, shapes, …) are given in that frame, and
// its position and velocity, given and recorded, are those of the frame's origin. The centre of mass
// is wherever it is.
struct Body {
  std::string name;
  std::optional<double> mass;   // kg; without it: from the densities of the shapes
  std::optional<Mat3> inertia;  // kg m², about the centre of mass, body axes; without it: from the
                                // shapes (scaled to `mass` when that is given)
  Vec3 position{};              // m, origin of the body's frame in the world, at t = 0
  EulerParameters orientation{1, 0, 0, 0};  // body frame to world, at t = 0
  Vec3 velocity{};                          // m/s, of the frame's origin, world frame
  Vec3 angular_velocity{};                  // rad/s, body frame
  std::vector<Shape> shapes;

  std::optional<InitialState> initial;  // without it: as above

  // In the assembly, which moves bodies until the joints close:
  bool hold_position = false;     // stays where it is
  bool hold_orientation = false;  // does not turn
  double assembly_weight = 1.0;   // moves less the larger this is

  // m, centre of mass in the body's frame; without it: that of the shapes where mass or inertia
  // comes from them, else the origin.
  std::optional<Vec3> com = {};
  std::vector<NamedFrame> frames = {};
};

inline constexpr const char* ground = "ground";       // the body that does not move
inline constexpr const char* center_of_mass = "com";  // the frame of that name that every body has

// ---- joints

// rad or m; ∓infinity: open on that side.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

// As in the paper: data in the frames of both bodies. docs/reference/joints says which vectors each kind needs
// and what they are.
//
// a_i, b_i: normal to the joint's axis, in body i; a_j: along the axis, in body j;
// b_j: parallel to b_i, in body j. Universal: a_i and a_j are the two axes of the cross.
// Which are needed: spherical none; universal a_i, a_j; revolute and cylindrical a_i, b_i, a_j;
// translational all four; fixed all four, or none (then the attitude at t = 0 is kept).
// In a planar model: point_on_line a_i, normal to the line; translational a_i and a_j, normal to
// the line and along it; fixed both, at right angles, or none; revolute and distance none.
struct LocalPlacement {
  Vec3 point_i{};  // m, in body i
  Vec3 point_j{};  // m, in body j
  std::optional<Vec3> a_i, b_i, a_j, b_j;
};

// Point and axis in the world, at the initial configuration; the rest is derived.
struct WorldPlacement {
  Vec3 point{};                // m
  std::optional<Vec3> axis;    // revolute, cylindrical, translational; universal: axis fixed in i;
                               // planar: direction of the line (translational, point_on_line)
  std::optional<Vec3> axis_j;  // universal: axis fixed in j, normal to `axis`
  std::optional<Vec3> point_j = {};  // m, of joints with two ends: `point` is the end on body i
};

// Two frames, one fixed in each body, at rest relative to each other or not: they define the joint
// whatever the initial configuration is, which the assembly then moves until the joint closes. The axis is z
// of both frames; an angle is 0 where the x axes are parallel, a travel where the origins are level along the
// axis. A universal joint turns about x of frame i and y of frame j, the slot of a revolute_translational
// joint is along x of frame i, and lines of a planar model are along x. A joint between two frames of one
// body is left out, with a warning.
struct FramePlacement {
  NamedFrame frame_i, frame_j;
};

// A curve that is fixed in body i, through given points: a spline, twice continuously
// differentiable. A closed curve goes back to its first point, which is not repeated.
struct Curve {
  std::vector<Vec3>
      points;  // m, from point_i; of a joint placed in the world in the frame of body i, of one
               // placed by frames in frame i
  bool closed = false;
};

// One constraint of a generic joint. C needs points; SO and A a_i, a_j; O and R points and a_i; D
// points; X points, a_i and a_j; CV a_i, b_i, a_j, b_j.
struct BasicConstraint {
  BasicKind kind = BasicKind::coincidence;
  std::variant<LocalPlacement, WorldPlacement> placement;
  std::optional<double> length = {};  // m, of D, R and X; without it: that of t = 0
  std::optional<double> angle = {};   // rad, of A; without it: that of t = 0
  std::optional<double> offset = {};  // m, of O, along a_i; without it: 0
};

struct Joint {
  std::string name;
  JointKind kind = JointKind::spherical;
  std::string body_i;
  std::string body_j;
  std::variant<LocalPlacement, WorldPlacement, FramePlacement> placement;
  std::optional<double> length = {};  // m, of joints with two ends; without it: that of t = 0
  std::vector<BasicConstraint> constraints = {};  // of a generic joint, which has no placement
  std::optional<Curve> curve = {};                // of a point_on_curve joint
  std::optional<double> pitch = {};               // m per turn, of a screw; negative: left-handed
  // The values of the joint's coordinates at the configuration given by the bodies (rad, m); not with
  // frames, which define the zero.
  std::optional<double> start_angle = {};
  std::optional<double> start_travel = {};

  // Where several joints carry the same load, it is shared so that Σ c_F|F|² + c_M|M|² is least. By
  // default c_F = 1 and c_M = 1/L², L the length of the mechanism, for every joint.
  struct Compliance {
    double force = 1.0;   // m/N
    double moment = 1.0;  // rad/(N m)
  };
  std::optional<Compliance> compliance = {};

  std::optional<double> angle = {};   // rad, of an angle joint; without it: that of t = 0
  std::optional<double> offset = {};  // m, of the plane along its normal, in joints with a plane

  // A number of each coordinate of a joint, or of its only one (without a name).
  struct Limits {
    std::optional<JointCoordinate> coordinate = {};
    double least = 0.0, most = 0.0;  // rad or m; ∓infinity: no limit on that side
  };
  struct Armature {
    std::optional<JointCoordinate> coordinate = {};
    double inertia = 0.0;  // kg m² or kg
  };
  // Of the assembled configuration; a run may leave them unless an EndStop holds the joint there.
  std::vector<Limits> limits = {};
  std::vector<Armature> armature = {};  // adds ½ inertia q̇² to the kinetic energy

  // Where a coordinate starts, and how fast: the assembly moves the bodies there.
  struct Start {
    JointCoordinate coordinate = JointCoordinate::angle;
    std::optional<double> value = {}, rate = {};  // rad or m, rad/s or m/s
  };
  std::vector<Start> starts = {};
};

// ---- couplers: constraints between the coordinates of joints, or of frames

// Two frames without a joint between them: each has its own bearings, wherever those are.
struct CoupledFrames {
  std::string body_i, body_j;
  NamedFrame frame_i, frame_j;
};

// Two wheels in mesh, or z_1 α_1 ± z_2 α_2 = const. α is the angle of a wheel against the body that
// both joints have in common (the carrier), about the axis of its joint; + for an external mesh.
// With frames on the axes of the wheels, α is the angle of a wheel about z of its frame against the line
// from its origin to that of the other.
struct Gear {
  std::string joint_1, joint_2;
  double teeth_1 = 1.0, teeth_2 = 1.0;  // or radii: only their ratio counts
  bool internal = false;
  std::optional<CoupledFrames> frames = {};  // of wheel 1 and wheel 2, instead of joints
};

// x − radius·α = const; x the travel of the rack, α the angle of the pinion, both against the body
// that the two joints have in common. With frames: the rack moves along x of its frame against the
// origin of the pinion's, α is the angle of the pinion against the rack about z.
struct RackAndPinion {
  std::string hinge, slide;
  double radius = 0.0;  // m; negative: a positive angle moves the rack against its axis
  std::optional<CoupledFrames> frames = {};  // of pinion and rack, instead of joints
};

// A belt or chain that does not slip or stretch: r_1 α_1 ∓ r_2 α_2 = const, + where it is crossed.
struct Belt {
  std::string joint_1, joint_2;
  double radius_1 = 0.0, radius_2 = 0.0;  // m
  bool crossed = false;
  std::optional<CoupledFrames> frames = {};  // of pulley 1 and pulley 2, as of gears
};

// A thread without bearings: travel − pitch/2π·angle = const, both of frame j against frame i, along and
// about z of frame i.
struct Thread {
  CoupledFrames frames;
  double pitch = 0.0;  // m per revolution; negative: left-handed
};

// Σ coefficient·q = value, or with functions Σ coefficient·f(q) = value. Angles in rad, travels in m.
struct LinearCoupler {
  struct Term {
    std::string joint;
    JointCoordinate coordinate = JointCoordinate::angle;
    double coefficient = 1.0;
    std::optional<Function> function = {};  // of the coordinate, by its name; twice differentiable
  };
  std::vector<Term> terms;
  std::optional<double> value = {};  // without it: that of the configuration given by the bodies
};

struct Coupler {
  std::string name;
  std::variant<Gear, RackAndPinion, Belt, LinearCoupler, Thread> law;
};

// ---- drivers: motions given as functions of time, or by their rates

// A coordinate of a joint: rad or m, with is_rate rad/s or m/s.
struct JointDriver {
  std::string joint;
  JointCoordinate coordinate = JointCoordinate::angle;
  Function value = 0.0;  // of t
  bool is_rate = false;  // the motion starts where the bodies are and follows the rate
};

// The distance of two points.
struct DistanceDriver {
  std::string body_i;
  std::string body_j;
  Vec3 point_i{};        // m, in body i
  Vec3 point_j{};        // m, in body j
  Function value = 0.0;  // m, greater than 0; with is_rate m/s
  bool is_rate = false;
};

// A point of a body in the world: the components that are given.
struct PointDriver {
  std::string body;
  Vec3 point{};                                       // m, in the body
  std::array<std::optional<Function>, 3> value = {};  // m, world; with is_rate m/s
  bool is_rate = false;
};

// A frame of body j against one of body i or the ground: the components of its origin along the axes of
// frame i, and its attitude as three angles, about the axes of frame i in the given order, each as the one
// before has turned them. The second angle stays within a right angle. In a planar model: one angle, about z.
struct FrameDriver {
  CoupledFrames frames;
  std::array<std::optional<Function>, 3> position = {};     // m
  std::optional<std::array<Function, 3>> orientation = {};  // rad, in that order
  std::array<int, 3> order = {0, 1, 2};                     // x, y, z as 0, 1, 2
};

struct Driver {
  std::string name;
  std::variant<JointDriver, DistanceDriver, PointDriver, FrameDriver> law;
};

// ---- forces

enum class Frame { world, body };

// A force made of bodies, points and numbers says how model files write it: `kind`, the word after
// `kind:`, and `fields`, which shows every member once, with key, unit or meaning and whether it must be
// given, to a visitor. Reader, editor schema, checks and compile are such visitors:
//
//   body(field, name)                       a body that moves
//   bodies(field, name_i, name_j, BodyJ)    two bodies; one may be ground, body j unless BodyJ::moves
//   points(field, point_i, point_j)         one in each body's frame
//   point(field, p)                         in the frame of the body, or of the first of two
//   vector(field, v)                        of the plane, in a planar model
//   size(field, x)                          a number ≥ 0, or an optional one
//   positive(field, x)                      a number > 0, or an optional one
//   number(field, x)
//   range(field, range)                     two numbers, one of them may be left open
//   choice(field, words, x)                 the second of two words: true
//   joint(name, coordinate)                 a coordinate of a joint
//   along(path)                             a coordinate of a joint, or the distance of two points
//   load(field, function)                   of the state, of the coordinate or length of the force, and its rate
//   energy(field, function)                 of that coordinate or length
//
// Of a force on a coordinate, units are given for lengths and for angles: "N/m or N m/rad".
struct ForceKeyword {
  std::string_view word, meaning;
};
struct ForceField {
  std::string_view key, meaning;
  bool needed = false;
};
enum class BodyJ { any, moves };

// Constant force on a body, components in the world or turning with the body.
struct PointForce {
  std::string body;
  Frame frame = Frame::world;
  Vec3 value{};  // N
  Vec3 point{};  // m, where it acts, body frame
};

// Constant torque on a body.
struct Torque {
  std::string body;
  Frame frame = Frame::world;
  Vec3 value{};  // N m
};

// Tension f = stiffness·(length − free_length) + damping·(d length/dt) along the line of two points.
struct SpringDamper {
  std::string body_i;
  std::string body_j;
  Vec3 point_i{};            // m, in body i
  Vec3 point_j{};            // m, in body j
  double stiffness = 0.0;    // N/m
  double damping = 0.0;      // N s/m
  double free_length = 0.0;  // m

  static constexpr ForceKeyword kind{"spring_damper",
                                     "linear spring and damper between two points"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.bodies({"bodies", "names of two bodies; one may be ground", true}, law.body_i,
                 law.body_j);
    visit.points({"points", "one in each body's frame, m", true}, law.point_i, law.point_j);
    visit.size({"stiffness", "N/m"}, law.stiffness);
    visit.size({"damping", "N s/m"}, law.damping);
    visit.size({"free_length", "m"}, law.free_length);
  }
  bool is_dissipative() const { return damping > 0.0; }
};

// Torque −damping·⟨ω_j − ω_i, n⟩ n about the axis n of a revolute or cylindrical joint.
struct RotationalDamper {
  std::string joint;
  double damping = 0.0;  // N m s/rad
};

// A force or torque on a body whose components change: numbers, formulas of the time t and of the
// state (crank.position.x, crank.velocity.y, crank.angular_velocity.z, pin.angle, pin.angle_rate,
// guide.travel), or tables of time.
struct VariableForce {
  std::string body;
  Frame frame = Frame::world;
  std::array<Function, 3> value{};  // N
  Vec3 point{};                     // m, where it acts, body frame
};
struct VariableTorque {
  std::string body;
  Frame frame = Frame::world;
  std::array<Function, 3> value{};  // N m
};

// A spring along the line of two points with a law of its own, one of the two: the tension (N), a
// formula of length, rate and all that a VariableForce knows, or a table of length; or the energy
// (J), a formula or table of length. A table and the energy give a potential.
struct NonlinearSpring {
  std::string body_i;
  std::string body_j;
  Vec3 point_i{};  // m, in body i
  Vec3 point_j{};  // m, in body j
  std::optional<Function> tension = {};
  std::optional<Function> energy = {};
  double damping = 0.0;  // N s/m
};

// A spring, a damper and a load along a coordinate q of a joint: a torque about a hinge, whose angle
// is counted over turns, a force along a slide.
//   −stiffness·(q − free) − damping·q̇ + load        positive: it makes q grow
struct JointSpringDamper {
  std::string joint;
  std::optional<JointCoordinate> coordinate = {};  // without it: the joint's only one
  double stiffness = 0.0;                          // N m/rad or N/m
  double damping = 0.0;                            // N m s/rad or N s/m
  double free = 0.0;                               // rad or m
  // One of the two or none. N m or N: a formula of the coordinate (angle, travel), rate and all that
  // a VariableForce knows, or a table of the coordinate, which gives a potential.
  std::optional<Function> load = {};
  std::optional<Function> energy = {};  // J, of the coordinate; the load is −dU/dq

  static constexpr ForceKeyword kind{"joint_spring_damper",
                                     "spring, damper and load along a coordinate of a joint"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.joint(law.joint, law.coordinate);
    visit.size({"stiffness", "N/m or N m/rad"}, law.stiffness);
    visit.size({"damping", "N s/m or N m s/rad"}, law.damping);
    visit.number({"free", "coordinate at which the spring is relaxed, m or rad"}, law.free);
    visit.load({"load", "N or N m"}, law.load);
    visit.energy({"energy", "of the coordinate, J"}, law.energy);
  }
  bool is_dissipative() const { return damping > 0.0; }
};

using Mat6 = std::array<std::array<double, 6>, 6>;

// A spring and damper in all six directions between a frame in body i and one in body j, unloaded
// where they are the same: force and moment −K e − C ė with e = (translation in the axes of frame i,
// rotation vector). The axes of the two frames are parallel at t = 0.
struct Bushing {
  std::string body_i;
  std::string body_j;
  std::optional<Vec3> at = {};              // m, in the world at t = 0: both points; or
  Vec3 point_i{};                           // m, in body i
  Vec3 point_j{};                           // m, in body j
  EulerParameters orientation{1, 0, 0, 0};  // bushing axes to the world at t = 0, with `at`; else
                                            // to body i
  Mat6 stiffness{};                         // N/m, N m/rad; symmetric, no negative eigenvalue
  Mat6 damping{};                           // N s/m, N m s/rad; likewise
};

// Force −linear·v at the centre of mass, v its velocity, and torque −angular·ω.
struct Drag {
  std::string body;
  double linear = 0.0;   // N s/m
  double angular = 0.0;  // N m s/rad

  static constexpr ForceKeyword kind{"drag", "linear drag on a body"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.body({"body", "name of a body", true}, law.body);
    visit.size({"linear", "N s/m"}, law.linear);
    visit.size({"angular", "N m s/rad"}, law.angular);
  }
  bool is_dissipative() const { return linear > 0.0 || angular > 0.0; }
};

// Aerodynamic drag at a point of a body: −½ density·drag_coefficient·area·|w| w, w the velocity of the
// point relative to the air.
struct AerodynamicDrag {
  std::string body;
  double drag_coefficient = 0.0;
  double area = 0.0;       // m², that drag_coefficient refers to
  double density = 1.225;  // kg/m³; air at 15 °C and 101,325 Pa
  Vec3 point{};            // m, body frame
  Vec3 wind{};             // m/s, velocity of the air, world frame

  static constexpr ForceKeyword kind{"aerodynamic_drag",
                                     "drag quadratic in speed at a point of a body"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.body({"body", "name of a body", true}, law.body);
    visit.size({"drag_coefficient", "c_d, without a unit", true}, law.drag_coefficient);
    visit.size({"area", "m², that the drag coefficient refers to", true}, law.area);
    visit.size({"density", "of the air, kg/m³; by default 1.225"}, law.density);
    visit.point({"point", "in the body's frame, m; by default its origin"}, law.point);
    visit.vector({"wind", "velocity of the air in the world, m/s"}, law.wind);
  }
  bool is_dissipative() const { return drag_coefficient > 0.0 && area > 0.0 && density > 0.0; }
};

// Newton's law: the centre of mass of body j is attracted by a point of body i (or of the ground)
// with m_j·gravitational_parameter/distance², and that point by it.
struct Gravitation {
  std::string body_i;
  std::string body_j;
  Vec3 point_i{};                        // m, in body i
  double gravitational_parameter = 0.0;  // m³/s², of body i

  static constexpr ForceKeyword kind{
      "gravitation", "Newton's law between a point of the first body and the second"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.bodies({"bodies", "names of two bodies; one may be ground", true}, law.body_i, law.body_j,
                 BodyJ::moves);
    visit.point({"point", "in the first body's frame, m"}, law.point_i);
    visit.size({"gravitational_parameter", "m³/s²", true}, law.gravitational_parameter);
  }
  bool is_dissipative() const { return false; }
};

// What a force acts along: a coordinate of a joint, or the distance of two points.
struct Along {
  std::string joint;                               // empty: two points
  std::optional<JointCoordinate> coordinate = {};  // without it: the joint's only one
  std::string body_i = {};
  std::string body_j = {};
  Vec3 point_i{};  // m, in body i
  Vec3 point_j{};  // m, in body j
};

// What a stop is made of. At depth x it pushes with F(x)·max(1 + dissipation·ẋ, 0): F a linear spring of
// this stiffness, but for a smooth beginning over the depth `entry`.
struct StopMaterial {
  double stiffness = 0.0;            // N m/rad or N/m
  double dissipation = 0.0;          // s/rad or s/m
  std::optional<double> entry = {};  // rad or m; without it: a tenth of a degree or of a millimetre
};

// Stops at the ends of a range.
struct EndStop {
  Along along;
  std::optional<Range> limits = {};  // without them: those of the joint
  StopMaterial material = {};

  static constexpr ForceKeyword kind{"stop", "stops at the limits of a joint or of a distance"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.along(law.along);
    visit.range({"limits", "m or rad; 'free' is no limit; default: those of the joint"},
                law.limits);
    visit.positive({"stiffness", "N/m or N m/rad", true}, law.material.stiffness);
    visit.size({"dissipation", "s/m or s/rad"}, law.material.dissipation);
    visit.size({"entry", "depth over which the stiffness grows, m or rad"}, law.material.entry);
  }
  bool is_dissipative() const { return material.dissipation > 0.0; }
};

// Play: no load while the coordinate is within half of `gap` of `middle`, stops at both ends of that.
struct Backlash {
  Along along;
  double gap = 0.0;     // rad or m, the whole play
  double middle = 0.0;  // rad or m
  StopMaterial material = {};

  static constexpr ForceKeyword kind{"backlash", "play between two smooth contacts"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.along(law.along);
    visit.positive({"gap", "the whole play, m or rad", true}, law.gap);
    visit.number({"middle", "coordinate or length in the middle of the play, m or rad"},
                 law.middle);
    visit.positive({"stiffness", "N/m or N m/rad", true}, law.material.stiffness);
    visit.size({"dissipation", "s/m or s/rad"}, law.material.dissipation);
    visit.size({"entry", "depth over which the stiffness grows, m or rad"}, law.material.entry);
  }
  bool is_dissipative() const { return material.dissipation > 0.0; }
};

// A spring that acts on one side of `free` only: in tension, like a cable, where the coordinate is above it; in
// compression, like a buffer, where it is below.
struct OneSidedSpring {
  Along along;
  bool in_compression = false;
  double free = 0.0;  // rad or m
  StopMaterial material = {};

  static constexpr ForceKeyword kind{"one_sided_spring",
                                     "spring in tension only, or in compression only"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.along(law.along);
    visit.choice({"acts", "above or below the free length or coordinate", true},
                 std::array<std::string_view, 2>{"tension", "compression"}, law.in_compression);
    visit.number({"free", "length or coordinate at which it is relaxed, m or rad", true}, law.free);
    visit.positive({"stiffness", "N/m or N m/rad", true}, law.material.stiffness);
    visit.size({"dissipation", "s/m or s/rad"}, law.material.dissipation);
    visit.size({"entry", "stretch over which the stiffness grows, m or rad"}, law.material.entry);
  }
  bool is_dissipative() const { return material.dissipation > 0.0; }
};

// Dry friction with a given normal load, and viscous friction; regularised, so that a joint at rest creeps at
// less than `velocity`:
//   −preload·(μ + (μ_s − μ)/(1 + (q̇/v_s)²))·q̇/√(q̇² + velocity²) − viscous·q̇
struct Friction {
  Along along;
  double preload = 0.0;                           // N, or N m about an axis: times the radius
  double coefficient = 1.0;                       // μ, of sliding
  std::optional<double> static_coefficient = {};  // μ_s ≥ μ, of breaking away; without it: μ
  std::optional<double> stribeck_velocity = {};   // v_s, rad/s or m/s
  double viscous = 0.0;                           // N m s/rad or N s/m
  double velocity = 0.0;                          // rad/s or m/s

  static constexpr ForceKeyword kind{"friction", "dry and viscous friction, regularised"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.along(law.along);
    visit.size({"preload", "normal load, N or N m", true}, law.preload);
    visit.size({"coefficient", "of sliding friction; default 1"}, law.coefficient);
    visit.size({"static_coefficient", "of breaking away"}, law.static_coefficient);
    visit.positive({"stribeck_velocity", "at which half of the excess is left, m/s or rad/s"},
                   law.stribeck_velocity);
    visit.size({"viscous", "N s/m or N m s/rad"}, law.viscous);
    visit.positive({"velocity", "of the regularisation, m/s or rad/s", true}, law.velocity);
  }
  bool is_dissipative() const { return true; }
};

// A gas strut by its data sheet: it pushes with force_extended at extended_length, with force_compressed at
// `stroke` less, and between the two as gas at constant temperature.
struct GasStrut {
  Along along;
  double extended_length = 0.0;   // m
  double stroke = 0.0;            // m
  double force_extended = 0.0;    // N, F1
  double force_compressed = 0.0;  // N, F2
  double damping = 0.0;           // N s/m
  StopMaterial end_stops = {};    // at both ends of the stroke

  static constexpr ForceKeyword kind{"gas_strut", "gas strut by its data sheet"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.along(law.along);
    visit.positive({"extended_length", "m", true}, law.extended_length);
    visit.positive({"stroke", "m", true}, law.stroke);
    visit.positive({"force_extended", "F1 of the data sheet, N", true}, law.force_extended);
    visit.positive({"force_compressed", "F2 of the data sheet, N", true}, law.force_compressed);
    visit.size({"damping", "N s/m"}, law.damping);
    visit.positive({"stop_stiffness", "of the ends of the stroke, N/m", true},
                   law.end_stops.stiffness);
    visit.size({"stop_dissipation", "s/m"}, law.end_stops.dissipation);
    visit.size({"stop_entry", "depth over which the stiffness grows, m"}, law.end_stops.entry);
  }
  bool is_dissipative() const { return damping > 0.0 || end_stops.dissipation > 0.0; }
};

// A linear actuator by its force-speed line: max_force·(command − q̇/max_speed), the command between −1 and 1;
// end stops keep it within its stroke.
struct LinearActuator {
  Along along;
  Function command = 1.0;
  double max_force = 0.0;                       // N, at which it stalls
  double max_speed = 0.0;                       // m/s, without load
  std::optional<double> retracted_length = {};  // m; without it and the stroke: no end stops
  std::optional<double> stroke = {};            // m
  StopMaterial end_stops = {};

  static constexpr ForceKeyword kind{"linear_actuator", "linear actuator by its force-speed line"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.along(law.along);
    visit.load({"command", "between -1 and 1; default 1"}, law.command);
    visit.positive({"max_force", "at standstill, N", true}, law.max_force);
    visit.positive({"max_speed", "without load, m/s", true}, law.max_speed);
    visit.positive({"retracted_length", "at the beginning of the stroke, m"}, law.retracted_length);
    visit.positive({"stroke", "m"}, law.stroke);
    visit.size({"stop_stiffness", "of the ends of the stroke, N/m"}, law.end_stops.stiffness);
    visit.size({"stop_dissipation", "s/m"}, law.end_stops.dissipation);
    visit.size({"stop_entry", "depth over which the stiffness grows, m"}, law.end_stops.entry);
  }
  bool is_dissipative() const { return true; }
};

// A DC motor with permanent magnets behind a gear. Either resistance and torque_constant, or nominal_voltage,
// stall_torque and no_load_speed, of the rotor. With an inductance the current is a state, `name.current`.
struct DcMotor {
  Along along;
  std::optional<Function> voltage = {};  // V; or
  std::optional<Function> speed =
      {};  // rad/s of the joint: the voltage is the back-EMF at that speed
  std::optional<double> resistance = {};       // ohm
  std::optional<double> torque_constant = {};  // N m/A, and V s/rad
  std::optional<double> nominal_voltage = {};  // V
  std::optional<double> stall_torque = {};     // N m, at that voltage
  std::optional<double> no_load_speed = {};    // rad/s, at that voltage
  double inductance = 0.0;                     // H
  double gear_ratio = 1.0;  // revolutions of the rotor per revolution of the joint
  double viscous = 0.0;     // N m s/rad, of the rotor

  static constexpr ForceKeyword kind{"dc_motor", "DC motor by its data sheet"};
  template <class Self, class Visitor>
  static void fields(Self& law, Visitor&& visit) {
    visit.along(law.along);
    visit.load({"voltage", "V"}, law.voltage);
    visit.load({"speed", "of the joint without load, rad/s; sets the voltage"}, law.speed);
    visit.positive({"resistance", "ohm"}, law.resistance);
    visit.positive({"torque_constant", "and back-EMF constant, N m/A or V s/rad"},
                   law.torque_constant);
    visit.positive({"nominal_voltage", "V"}, law.nominal_voltage);
    visit.positive({"stall_torque", "of the rotor at the nominal voltage, N m"}, law.stall_torque);
    visit.positive({"no_load_speed", "of the rotor at the nominal voltage, rad/s"},
                   law.no_load_speed);
    visit.size({"inductance", "H; the current becomes a state"}, law.inductance);
    visit.number({"gear_ratio", "revolutions of the rotor per revolution of the joint; default 1"},
                 law.gear_ratio);
    visit.size({"viscous", "of the rotor, N m s/rad"}, law.viscous);
  }
  bool is_dissipative() const { return true; }
};

struct Force {
  std::string name;
  std::variant<PointForce, Torque, SpringDamper, RotationalDamper, VariableForce, VariableTorque,
               NonlinearSpring, Bushing, Drag, AerodynamicDrag, Gravitation, JointSpringDamper,
               EndStop, Backlash, OneSidedSpring, Friction, GasStrut, LinearActuator, DcMotor>
      law;
};

// ---- tables and states

// A function of one variable, or of two, that formulas call by its name: exactly one of the two.
struct NamedTable {
  std::string name;
  std::shared_ptr<const DataTable> table = {};
  std::shared_ptr<const DataMap> map = {};
};

// A number that is integrated together with the motion, x(0) = initial and ẋ = rate, where `rate`
// is a formula of the time, the state and all such numbers; the output of a filter, the integral
// of a controller, the current of a motor. With a period it changes at t = 0, period, 2·period, …
// only, to the value of the formula just before, and is constant in between. Events may set it, but not one
// with a period.
struct StateVariable {
  std::string name;
  double initial = 0.0;
  Function rate = 0.0;                // per second; with a period, the next value
  std::optional<double> period = {};  // s
  double scale = 1.0;                 // of its error: the tolerance is scale·atol + rtol·|x|
  std::string unit = {};              // for reports only
  bool is_switch = false;             // of the section `switches`: constant but for events
};

// ---- results

// A point of a body whose position, velocity and acceleration are recorded: "tip.position.x".
struct NamedPoint {
  std::string name;
  std::string body;
  Vec3 point{};  // m, body frame
};

// A result by formula over the channels of a run, of the time t and of the parameters.
struct Output {
  std::string name;
  Formula formula;
  std::string unit = {};  // for reports only
};

// ---- the whole

struct Model {
  std::string name;
  int dimension = 3;  // 2: a planar model. Everything lies in the plane z = 0, turns are about z,
                      // of an inertia only the moment about z is used
  Vec3 gravity{};     // m/s²
  // How far redundant joints may contradict each other (axes out of line, points apart), in radians
  // or parts of the mechanism's length: within it one of them stays open, with a warning.
  double redundancy_tolerance = 1e-3;
  std::vector<Body> bodies;
  std::vector<NamedFrame> ground_frames;  // in the world
  std::vector<Joint> joints;
  std::vector<Coupler> couplers;
  std::vector<Driver> drivers;
  std::vector<Force> forces;
  std::vector<NamedTable> tables;
  std::vector<StateVariable> states;
  std::vector<Event> events;
  std::vector<NamedPoint> points;
  std::vector<Output> outputs;
  SimulationOptions simulation;
  std::vector<std::pair<std::string, double>> parameters;  // as evaluated, in the order of the file
  std::string file;  // where it was read from; empty for a model made in memory
  std::string text;  // the file's text, kept for reports
};

}  // namespace trammel
