// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One function per section of a model file; src/format/read_model.cpp calls them in order.
#pragma once

#include <vector>

#include "format/places.hpp"
#include "format/reader.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

// Evaluates the parameters, in any order of reference, and puts them into the reader's scope.
// `section` may be no_node.
void read_parameters(Reader& reader, NodeId section, const ParameterOverrides& overrides,
                     Model& model);

void read_units(Reader& reader, NodeId section);  // before anything else

// `entries` gets, for every part, the node it was read from.
void read_bodies(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);
void read_initial(Reader& reader, NodeId section, Model& model);  // after the bodies
void read_joints(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);
void read_couplers(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);
void read_drivers(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);
void read_forces(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);

// Before what uses them.
void read_tables(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);

void read_states(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);

void read_switches(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);
void read_events(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);

void read_points(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);
void read_outputs(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries);

void read_simulation(Reader& reader, NodeId section, SimulationOptions& options);

// A table where a function is expected, without a name, or an entry of the section `tables`.
std::shared_ptr<const DataTable> read_table(Reader& reader, NodeId id, const std::string& name);

// A number, an expression or {table: …}. A formula is not parsed here: check_function does that.
Function read_function(Reader& reader, NodeId id);

// [least, most]; the word free instead of a number: no limit.
Range read_range(Reader& reader, NodeId id);

// [crank.tip, rod.big_end]: two frames with their bodies.
CoupledFrames read_frame_pair(Reader& reader, NodeId list);

// One shape or a list of shapes; density, colour and opacity are those of the body for shapes without
// their own. `in`: the body.
std::vector<Shape> read_shapes(Reader& reader, NodeId id, const Shape& of_body, const Basis& in);
// `color` and `opacity` of a shape or a body.
void read_looks(Reader& reader, NodeId entry, Shape& shape);

// Shapes, centre of mass and inertia of a body; after its mass.
void read_mass_of(Reader& reader, NodeId entry, const Basis& in, Body& body);

}  // namespace trammel
