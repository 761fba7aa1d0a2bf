// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The `simulation` section.
#include <algorithm>

#include "format/read_sections.hpp"

namespace trammel {
namespace {

using Kind = YamlNode::Kind;

const std::vector<std::string_view> simulation_keys = {"t_end",
                                                       "rtol",
                                                       "atol",
                                                       "method",
                                                       "projection",
                                                       "project_stages",
                                                       "kinematics",
                                                       "invariants",
                                                       "step_control",
                                                       "initial_step",
                                                       "max_step",
                                                       "fixed_step",
                                                       "max_steps",
                                                       "threads",
                                                       "max_growth",
                                                       "energy_correction",
                                                       "work_quadrature",
                                                       "schur",
                                                       "kernel",
                                                       "newton_tolerance",
                                                       "energy_scale",
                                                       "newton_forcing",
                                                       "raw_error",
                                                       "output_interval",
                                                       "output_at_steps",
                                                       "record",
                                                       "reaction_frame"};

const std::vector<std::pair<std::string_view, Method>> methods = {{"dopri5", Method::dopri5},
                                                                  {"dop853", Method::dop853}};
const std::vector<std::pair<std::string_view, Projection>> projections = {
    {"mass", Projection::mass},
    {"none", Projection::none},
    {"quasi_orthogonal", Projection::quasi_orthogonal},
    {"orthogonal", Projection::orthogonal}};
const std::vector<std::pair<std::string_view, WorkQuadrature>> quadratures = {
    {"runge_kutta", WorkQuadrature::runge_kutta}, {"trapezoidal", WorkQuadrature::trapezoidal}};
const std::vector<std::pair<std::string_view, SchurSolver>> solvers = {
    {"direct", SchurSolver::direct}, {"iterative", SchurSolver::iterative}};
const std::vector<std::pair<std::string_view, KernelChoice>> kernels = {
    {"auto", KernelChoice::automatic}, {"loops", KernelChoice::loops}};
const std::vector<std::pair<std::string_view, ReactionFrame>> reaction_frames = {
    {"world", ReactionFrame::world}, {"body", ReactionFrame::body}};
const std::vector<std::pair<std::string_view, EnergyCorrection>> corrections = {
    {"scaling", EnergyCorrection::scaling},
    {"combined", EnergyCorrection::combined},
    {"embedded", EnergyCorrection::embedded},
    {"relaxation", EnergyCorrection::relaxation}};

// A word of `invariants` and the flag it sets; `none` sets nothing and stands alone.
using Flag = bool SimulationOptions::*;
const std::vector<std::pair<std::string_view, Flag>> invariants = {
    {"energy", &SimulationOptions::hold_energy},
    {"linear_momentum", &SimulationOptions::hold_linear_momentum},
    {"angular_momentum", &SimulationOptions::hold_angular_momentum}};
const std::vector<std::pair<std::string_view, StepControl>> controls = {
    {"pi", StepControl::pi}, {"classical", StepControl::classical}};

const std::vector<std::pair<std::string_view, Kinematics>> kinematics = {
    {"auto", Kinematics::automatic}, {"off", Kinematics::off}};

using Kept = bool Recorded::*;
const std::vector<std::pair<std::string_view, Kept>> recorded = {
    {"positions", &Recorded::positions},   {"velocities", &Recorded::velocities},
    {"reactions", &Recorded::reactions},   {"energies", &Recorded::energies},
    {"violations", &Recorded::violations}, {"steps", &Recorded::steps}};

// `all`, one word, or a list of words; what is not named is not kept.
void read_record(Reader& reader, NodeId id, Recorded& record) {
  if (reader.tree()[id].kind != Kind::list) {
    auto words = recorded;
    words.emplace_back("all", nullptr);
    const Kept kept = reader.choice(id, words);
    for (const auto& [word, flag] : recorded) record.*flag = kept == nullptr || flag == kept;
    return;
  }
  for (const auto& [word, flag] : recorded) record.*flag = false;
  for (const NodeId child : reader.children(id)) record.*reader.choice(child, recorded) = true;
}

// One word, `none`, or a list of words.
void read_invariants(Reader& reader, NodeId id, SimulationOptions& options) {
  for (const auto& [word, flag] : invariants) options.*flag = false;
  const auto set = [&](Flag flag) {
    if (flag != nullptr) options.*flag = true;
  };
  if (reader.tree()[id].kind != Kind::list) {
    auto words = invariants;
    words.emplace_back("none", nullptr);
    set(reader.choice(id, words));
    return;
  }
  for (const NodeId child : reader.children(id)) set(reader.choice(child, invariants));
}

}  // namespace

void read_simulation(Reader& reader, NodeId section, SimulationOptions& options) {
  if (reader.tree()[section].kind == Kind::null) return;
  if (!reader.expect_map(section)) return;
  reader.check_keys(section, simulation_keys);
  const auto with = [&](std::string_view key, auto use) {
    if (const NodeId id = reader.find(section, key); id != no_node) use(id);
  };
  const auto read_number = [&](std::string_view key, double& value) {
    with(key, [&](NodeId id) { value = reader.number(id); });
  };
  const auto read_flag = [&](std::string_view key, bool& value) {
    with(key, [&](NodeId id) { value = reader.flag(id); });
  };
  const auto read_choice = [&](std::string_view key, auto& value, const auto& words) {
    with(key, [&](NodeId id) { value = reader.choice(id, words); });
  };

  read_number("t_end", options.t_end);
  read_number("rtol", options.rtol);
  read_number("atol", options.atol);
  read_choice("method", options.method, methods);
  read_choice("projection", options.projection, projections);
  read_flag("project_stages", options.project_stages);
  read_choice("kinematics", options.kinematics, kinematics);
  with("invariants", [&](NodeId id) { read_invariants(reader, id, options); });
  read_choice("energy_correction", options.energy_correction, corrections);
  read_choice("step_control", options.step_control, controls);
  read_number("initial_step", options.initial_step);
  read_number("max_step", options.max_step);
  read_number("fixed_step", options.fixed_step);
  with("max_steps",
       [&](NodeId id) { options.max_steps = static_cast<std::int64_t>(reader.integer(id)); });
  with("threads", [&](NodeId id) { 
    options.threads = static_cast<int>(std::clamp(reader.integer(id), -1e9, 1e9));
  });
  read_number("max_growth", options.max_growth);
  read_choice("work_quadrature", options.work_quadrature, quadratures);
  read_choice("schur", options.schur, solvers);
  read_choice("kernel", options.kernel, kernels);
  read_choice("reaction_frame", options.reaction_frame, reaction_frames);
  read_number("newton_tolerance", options.newton_tolerance);
  read_number("energy_scale", options.energy_scale);
  read_number("newton_forcing", options.newton_forcing);
  read_flag("raw_error", options.raw_error);
  read_number("output_interval", options.output_interval);
  read_flag("output_at_steps", options.output_at_steps);
  with("record", [&](NodeId id) { read_record(reader, id, options.record); });
}

}  // namespace trammel
