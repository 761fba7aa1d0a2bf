// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The tables. Where a word has several meanings, the first that exists at that place counts.
#include "format/other_names.hpp"

#include <algorithm>
#include <cctype>
#include <span>

#include "math/nearest_word.hpp"
#include "model/joint_rules.hpp"

namespace trammel {
namespace {

struct OtherName {
  std::string_view other;
  std::string_view ours;         // must be known at the place; empty: no such condition
  std::string_view advice = {};  // instead of "did you mean 'ours'?"
};

constexpr std::string_view motor_joint =
    "a motor is a driver (prescribed motion) or a force of kind joint_spring_damper with 'load' "
    "(prescribed torque)";
constexpr std::string_view motor_force =
    "use joint_spring_damper with 'load' for a torque or force, dc_motor or linear_actuator for "
    "one "
    "by its data sheet, or the section drivers for a prescribed motion";
constexpr std::string_view no_contact = "contact is not supported";
constexpr std::string_view a_force = "give it in the section forces";
constexpr std::string_view a_coupler =
    "it connects joints, not bodies: give it in the section couplers";
constexpr std::string_view free_body = "a body without joints moves freely: leave the joint out";
constexpr std::string_view both_bodies = "give both as bodies: [first, second]";
constexpr std::string_view fixed_body = "to fix a body, join it to ground with a fixed joint";
constexpr std::string_view driver_kind =
    "a driver has no kind; it is given by what it prescribes: {joint: hinge, angle_rate: 2}";

constexpr OtherName joint_names[] = {
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"rotational", "revolute"},
    {"rotation", "revolute"},
    {"rotary", "revolute"},
    {"continuous", "revolute"},
    {"pivot", "revolute"},
    {"prismatic", "translational"},
    {"slider", "translational"},
    {"slide", "translational"},
    {"sliding", "translational"},
    {"linear", "translational"},
    {"translation", "translational"},
    {"ball", "spherical"},
    {"ball_and_socket", "spherical"},
    {"ball_socket", "spherical"},
    {"gimbal", "spherical"},
    {"ball", "revolute"},  // in the plane
    {"atpoint", "spherical"},
    {"point_to_point", "spherical"},
    {"weld", "fixed"},
    {"welded", "fixed"},
    {"rigid", "fixed"},
    {"lock", "fixed"},
    {"locked", "fixed"},
    {"clamp", "fixed"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"u", "universal"},
    {"coaxial", "cylindrical"},
    {"cylinder", "cylindrical"},
    {"helical", "screw"},
    {"helix", "screw"},
    {"lead_screw", "screw"},
    {"convel", "constant_velocity"},
    {"cv", "constant_velocity"},
    {"homokinetic", "constant_velocity"},
    {"pin_slot", "revolute_translational"},
    {"pin_slot", "point_on_line"},  // in the plane
    {"slot", "point_on_line"},
    {"inline", "point_on_line"},
    {"in_line", "point_on_line"},
    {"point_line", "point_on_line"},
    {"inplane", "point_in_plane"},
    {"in_plane", "point_in_plane"},
    {"point_plane", "point_in_plane"},
    {"ptcv", "point_on_curve"},
    {"point_spline", "point_on_curve"},
    {"point_curve", "point_on_curve"},
    {"parallel", "parallel_axes"},
    {"perpend", "perpendicular"},
    {"orthogonal", "perpendicular"},
    {"align", "orientation"},
    {"angular", "angle"},
    {"angle_between_axes", "angle"},
    {"axis_angle", "angle"},
    {"line_plane", "line_in_plane"},
    {"sph_sph", "universal_spherical"},
    {"sphsph", "universal_spherical"},
    {"rev_sph", "revolute_spherical"},
    {"cyl_sph", "cylindrical_spherical"},
    {"cylsph", "cylindrical_spherical"},
    {"point_axis_distance", "cylindrical_spherical"},
    {"rev_cyl", "revolute_cylindrical"},
    {"revcyl", "revolute_cylindrical"},
    {"parallel_axes_distance", "revolute_cylindrical"},
    {"rev_rev", "revolute_revolute"},
    {"revrev", "revolute_revolute"},
    {"axis_axis_distance", "axis_distance"},
    {"link", "distance"},
    {"rod", "distance"},
    {"massless_link", "distance"},
    {"gcon", "generic"},
    {"custom", "generic"},
    {"free", "", free_body},
    {"floating", "", free_body},
    {"6dof", "", free_body},
    {"gear", "", a_coupler},
    {"rack_and_pinion", "", a_coupler},
    {"rackpin", "", a_coupler},
    {"belt", "", a_coupler},
    {"pulley", "", a_coupler},
    {"coupler", "", a_coupler},
    {"motor", "", motor_joint},
    {"motion", "", motor_joint},
    {"actuator", "", motor_joint},
    {"driver", "", "give it in the section drivers"},
    {"bushing", "", a_force},
    {"spring", "", a_force},
    {"damper", "", a_force},
    {"contact", "", no_contact},
    {"collision", "", no_contact},
};

static_assert(
    [] {
      for (const OtherName& name : joint_names) {
        bool exists = name.ours.empty();
        for (const JointWord& entry : joint_rules::joints) exists |= entry.word == name.ours;
        if (!exists) return false;
      }
      return true;
    }(),
    "a joint of that kind exists");

constexpr OtherName coupler_names[] = {
    {"gears", "gear"},
    {"spur_gear", "gear"},
    {"rack", "rack_and_pinion"},
    {"rack_pinion", "rack_and_pinion"},
    {"rackpin", "rack_and_pinion"},
    {"pulley", "belt"},
    {"chain", "belt"},
    {"planetary", "coupler"},
    {"differential", "coupler"},
    {"linear", "coupler"},
    {"screw", "", "a screw is a joint: give it in the section joints"},
    {"motion", "", "give it in the section drivers"},
};

constexpr OtherName force_names[] = {
    {"spring", "spring_damper"},
    {"springdamper", "spring_damper"},
    {"linear_spring", "spring_damper"},
    {"tsda", "spring_damper"},
    {"damper", "spring_damper"},
    {"dashpot", "spring_damper"},
    {"shock_absorber", "spring_damper"},
    {"gas_spring", "gas_strut"},
    {"sforce", "nonlinear_spring"},
    {"torsion_spring", "joint_spring_damper"},
    {"torsional_spring", "joint_spring_damper"},
    {"rotational_spring", "joint_spring_damper"},
    {"joint_spring", "joint_spring_damper"},
    {"rsda", "joint_spring_damper"},
    {"vforce", "force"},
    {"gforce", "force"},
    {"point_force", "force"},
    {"external_force", "force"},
    {"load", "force"},
    {"vtorque", "torque"},
    {"moment", "torque"},
    {"couple", "torque"},
    {"field", "bushing"},
    {"6dof_spring", "bushing"},
    {"viscous", "drag"},
    {"air_drag", "aerodynamic_drag"},
    {"wind", "aerodynamic_drag"},
    {"attraction", "gravitation"},
    {"gravity", "", "gravity is a key of the model: gravity: [0, 0, -9.81]"},
    {"motor", "joint_spring_damper", motor_force},
    {"servo", "joint_spring_damper", motor_force},
    {"actuator", "joint_spring_damper", motor_force},
    {"joint_torque", "joint_spring_damper", motor_force},
    {"joint_force", "joint_spring_damper", motor_force},
    {"motion", "joint_spring_damper", motor_force},
    {"bistop", "stop"},
    {"end_stop", "stop"},
    {"hard_stop", "stop"},
    {"joint_stop", "stop"},
    {"limit", "stop"},
    {"limits", "stop"},
    {"bumper", "stop"},
    {"play", "backlash"},
    {"clearance", "backlash"},
    {"cable", "one_sided_spring"},
    {"rope", "one_sided_spring"},
    {"buffer", "one_sided_spring"},
    {"coulomb", "friction"},
    {"dry_friction", "friction"},
    {"frictionloss", "friction"},
    {"electric_motor", "dc_motor"},
    {"dcmotor", "dc_motor"},
    {"electric_cylinder", "linear_actuator"},
    {"contact", "", no_contact},
    {"collision", "", no_contact},
    {"impact", "", no_contact},
};

constexpr OtherName key_names[] = {
    // sections
    {"links", "bodies"},
    {"parts", "bodies"},
    {"rigid_bodies", "bodies"},
    {"constraints", "joints"},
    {"connections", "joints"},
    {"gears", "couplers"},
    {"motions", "drivers"},
    {"motors", "drivers"},
    {"actuators", "drivers"},
    {"loads", "forces"},
    {"springs", "forces"},
    {"dampers", "forces"},
    {"markers", "points"},
    {"sensors", "outputs"},
    {"measures", "outputs"},
    {"requests", "outputs"},
    {"constants", "parameters"},
    {"variables", "parameters"},
    {"params", "parameters"},
    {"settings", "simulation"},
    {"options", "simulation"},
    {"solver", "simulation"},
    {"title", "name"},
    {"version", "trammel"},
    {"units", "gravity", "all values are in SI units"},
    // an entry
    {"type", "kind"},
    {"kind", "angle_rate", driver_kind},
    {"type", "angle_rate", driver_kind},
    {"parent", "bodies", both_bodies},
    {"child", "bodies", both_bodies},
    {"body", "bodies", both_bodies},
    {"body_1", "bodies", both_bodies},
    {"body_2", "bodies", both_bodies},
    {"body1", "bodies", both_bodies},
    {"body2", "bodies", both_bodies},
    {"body_i", "bodies", both_bodies},
    {"body_j", "bodies", both_bodies},
    {"origin", "at"},
    {"location", "at"},
    {"anchor", "at"},
    {"position", "at"},
    {"direction", "axis"},
    {"normal", "axis"},
    {"lead", "pitch"},
    // bodies
    {"inertia_tensor", "inertia"},
    {"moment_of_inertia", "inertia"},
    {"pos", "position"},
    {"com", "position"},
    {"origin", "position"},
    {"rotation", "orientation"},
    {"quat", "euler_parameters"},
    {"quaternion", "euler_parameters"},
    {"quat", "orientation"},
    {"quaternion", "orientation"},
    {"rpy", "orientation"},
    {"vel", "velocity"},
    {"omega", "angular_velocity"},
    {"geometry", "shape"},
    {"geom", "shape"},
    {"visual", "shape"},
    {"rho", "density"},
    {"ball", "sphere"},
    {"cube", "box"},
    {"cuboid", "box"},
    {"fixed", "assembly_weight", fixed_body},
    {"static", "assembly_weight", fixed_body},
    // drivers and forces
    {"theta", "angle"},
    {"speed", "angle_rate"},
    {"omega", "angle_rate"},
    {"displacement", "travel"},
    {"stroke", "travel"},
    {"velocity", "travel_rate"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"rest_length", "free_length"},
    {"natural_length", "free_length"},
    {"l0", "free_length"},
    {"rest_angle", "free"},
    {"rest_position", "free"},
    {"torque", "load"},
    {"force", "load"},
    {"torque", "value"},
    {"force", "value"},
    {"force", "tension"},
    {"at", "point"},
    // simulation
    {"duration", "t_end"},
    {"end_time", "t_end"},
    {"stop_time", "t_end"},
    {"t_stop", "t_end"},
    {"t_final", "t_end"},
    {"end", "t_end"},
    {"time", "t_end"},
    {"dt", "fixed_step"},
    {"step", "fixed_step"},
    {"step_size", "fixed_step"},
    {"time_step", "fixed_step"},
    {"timestep", "fixed_step"},
    {"tol", "rtol"},
    {"tolerance", "rtol"},
    {"rel_tol", "rtol"},
    {"reltol", "rtol"},
    {"abs_tol", "atol"},
    {"abstol", "atol"},
    {"integrator", "method"},
    {"solver", "method"},
    {"hmax", "max_step"},
    {"output_step", "output_interval"},
    {"sample_time", "output_interval"},
};

bool has(const std::vector<std::string_view>& known, std::string_view word) {
  return std::find(known.begin(), known.end(), word) != known.end();
}

// "Hinge-Joint" → "hinge_joint"
std::string normalise(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    c = c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string ask(std::string_view word) { return "did you mean '" + std::string(word) + "'?"; }

std::string find_hint(std::span<const OtherName> names, std::string_view wanted,
                      const std::vector<std::string_view>& known) {
  for (const OtherName& name : names) {
    if (name.other != wanted || !(name.ours.empty() || has(known, name.ours))) continue;
    return name.advice.empty() ? ask(name.ours) : std::string(name.advice);
  }
  return "";
}

}  // namespace

std::string hint_for_kind(KindOf what, std::string_view wanted,
                          const std::vector<std::string_view>& known) {
  constexpr std::span<const OtherName> tables[] = {joint_names, coupler_names, force_names};
  const auto table = tables[static_cast<int>(what)];
  std::string word = normalise(wanted);
  if (word != wanted && has(known, word)) return ask(word);
  if (std::string hint = find_hint(table, word, known); !hint.empty()) return hint;
  // revolute_joint, LockRevolute
  if (what == KindOf::joint && word.ends_with("joint")) word.resize(word.size() - 5);
  if (word.ends_with('_')) word.pop_back();
  if (word.starts_with("lock") || word.starts_with("mate")) word.erase(0, 4);
  if (word != wanted && has(known, word)) return ask(word);
  return find_hint(table, word, known);
}

std::string hint_for_key(std::string_view wanted, const std::vector<std::string_view>& known) {
  const std::string word = normalise(wanted);
  std::string hint = has(known, word) ? ask(word) : find_hint(key_names, word, known);
  return hint.empty() ? hint_for(wanted, known) : hint;
}

}  // namespace trammel
