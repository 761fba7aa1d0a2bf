// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The checks behind check_model, part by part. A finding names its part by section and index, so
// that the reader of model files can tell where in the file the part came from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trammel/model.hpp"

namespace trammel {

inline constexpr std::size_t most_mistakes = 1000;  // where looking for more of them ends

enum class Section {
  model,
  bodies,
  joints,
  couplers,
  drivers,
  forces,
  tables,
  states,
  events,
  points,
  outputs,
  simulation
};

struct Finding {
  Section section = Section::model;
  std::size_t index = 0;  // of the body, joint or force
  std::string field;      // within the part, as a model file spells it: "points[0]"; may be empty
  std::string reason;
  std::string hint = {};
  bool about_reference = false;  // names a part that is not there
  std::ptrdiff_t joint = -1;     // whose kind it follows from; −1: none
  std::size_t offset = 0;        // bytes into the text of the field, where it is a formula
};

// "bodies.crank.mass"
std::string calc_path(const Model& model, const Finding& finding);

// Everything that is wrong, in the order of the model; the list ends after `most` findings.
std::vector<Finding> check_parts(const Model& model, std::size_t most);

// The same for options alone, wherever they come from; `section` is Section::simulation.
std::vector<Finding> check_options(const SimulationOptions& options);

// ---- one function per kind of part; they append to `findings`

class NameTable;       // src/model/name_table.hpp
struct ConstantTable;  // src/math/compiled_function.hpp

void check_body(const Model& model, std::size_t index, std::vector<Finding>& findings);
// `where`: the part, with what the names of the frames follow in the field.
void check_frame_list(const std::vector<NamedFrame>& frames, bool planar, const Finding& where,
                      std::vector<Finding>& findings);
std::string find_problem(const NamedFrame& frame, bool planar);  // empty: none
void check_joint(const Model& model, std::size_t index, const NameTable& bodies,
                 std::vector<Finding>& findings);
// pitch, start_angle, start_travel
void check_coordinates_of_joint(const Model& model, std::size_t index,
                                std::vector<Finding>& findings);
void check_coupler(const Model& model, std::size_t index, const NameTable& bodies,
                   const NameTable& joints, const ConstantTable& parameters,
                   std::vector<Finding>& findings);
// Two frames of a coupler or a driver, in the field `frames` of the part.
void check_coupled_frames(const Model& model, const CoupledFrames& frames, const NameTable& bodies,
                          const Finding& part, std::vector<Finding>& findings);
void check_drivers(const Model& model, const NameTable& bodies, const NameTable& joints,
                   std::size_t most, std::vector<Finding>& findings);
void check_force(const Model& model, std::size_t index, const NameTable& bodies,
                 const NameTable& joints, const ConstantTable& parameters,
                 std::vector<Finding>& findings);
void check_states(const Model& model, const NameTable& bodies, const NameTable& joints,
                  const ConstantTable& parameters, std::vector<Finding>& findings);
void check_events(const Model& model, const NameTable& bodies, const NameTable& joints,
                  const ConstantTable& parameters, std::vector<Finding>& findings);
void check_tables(const Model& model, std::vector<Finding>& findings);
void check_points(const Model& model, const NameTable& bodies, std::vector<Finding>& findings);
// Form and constants of the formulas; whether there are such channels is known once it is compiled.
void check_outputs(const Model& model, const ConstantTable& parameters,
                   std::vector<Finding>& findings);
// Why a joint does not have a coordinate: "the joint 'pin' has no travel, but angle"; or empty.
std::string calc_coordinate_problem(const Model& model, const Joint& joint,
                                    JointCoordinate coordinate);
// What lies outside of the plane in a planar model; the list ends after `most` findings.
void check_planar(const Model& model, std::size_t most, std::vector<Finding>& findings);

}  // namespace trammel
