// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The layout of an HDF5 results file (docs/reference/results.md): the names of datasets and attributes, and
// how Results become them. Few datasets, whatever the size of the model.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "format/hdf5.hpp"
#include "format/implicit_counts.hpp"
#include "trammel/results.hpp"

namespace trammel {

inline constexpr const char* results_format = "trammel results";
// 1 had texts of variable length; 2 no loads of force elements, and springs in place of all forces
inline constexpr int results_format_version = 4;

// The name of a dataset: "violation_position" for the quantity "violation.position".
std::string dataset_name(const char* quantity);

// Everything but rows, steps and state: texts, names, units, empty tables.
void write_frame(hid_t file, const Results& results);

// Rows and steps that the file does not have yet.
void append_new_rows(hid_t file, const Results& results);

// What changes in a run: status, statistics, warnings; the final state once there is one.
void write_state(hid_t file, const Results& results);

// The picture's part (scene_file.cpp).
void write_scene(hid_t file, const Scene& scene);
Scene read_scene(hid_t file, const Results& results);
// Of its bodies (shape_file.cpp).
void write_shapes(hid_t group, const Scene& scene);
void read_shapes(hid_t group, Scene& scene);

// Throws hdf5::Failure where tables do not fit together (check_results.cpp).
void check_consistency(const Results& results);

// ---- numbers of Results and their names as attributes, for both directions

template <class R, class Visit>
void visit_statistics(R& results, Visit visit) {
  visit("steps_accepted", results.counts.accepted);
  visit("steps_rejected", results.counts.rejected);
  visit("accelerations", results.counts.accelerations);
  visit("projection", results.counts.projection);
  visit("iterations", results.counts.iterations);
  visit("iterations_max", results.counts.iterations_max);
  visit("dg", results.counts.dg);
  visit("d2g", results.counts.d2g);
  visit("d3g", results.counts.d3g);
  visit("df_inv", results.counts.df_inv);
  visit("evaluations_by_code", results.counts.evaluations_by_code);
  visit("steps_by_code", results.counts.steps_by_code);
  visit("evaluations_in_lanes", results.counts.evaluations_in_lanes);
  visit("steps_in_lanes", results.counts.steps_in_lanes);
  visit("d2f_inv", results.counts.d2f_inv);
  visit("cpu_seconds_total", results.cpu_seconds.total);
  visit("cpu_seconds_stages", results.cpu_seconds.stages);
  visit("cpu_seconds_projection", results.cpu_seconds.projection);
  visit("violation_position", results.violation.position);
  visit("violation_velocity", results.violation.velocity);
  visit("violation_euler_parameters", results.violation.euler_parameters);
  visit("violation_position_row", results.violation.position_row);
  visit("violation_velocity_row", results.violation.velocity_row);
  visit("smallest_pivot", results.conditioning.smallest_pivot);
  visit("smallest_pivot_t", results.conditioning.t);
  visit("smallest_pivot_row", results.conditioning.row);
  visit("singular_passages", results.conditioning.passages);
  // files of explicit runs have none of these
  if (uses_implicit_steps(results.options.method)) {
    visit_implicit_counts(results.counts.implicit, visit);
    visit("operations", results.counts.operations);
    visit("method_choice", results.method_choice);
  }
  if (!results.event_names.empty()) {
    visit("event_attempts", results.counts.event_attempts);
    visit("corners", results.counts.corners);
  }
  visit("schur_solves", results.counts.schur_solves);
  visit("schur_iterations", results.counts.schur_iterations);
  visit("worst_projection_t", results.worst_projection.t);
  visit("worst_projection_residual_in", results.worst_projection.residual_in);
  visit("worst_projection_residual_out", results.worst_projection.residual_out);
  visit("worst_projection_iterations", results.worst_projection.iterations);
  visit("worst_projection_row", results.worst_projection.row);
  visit("kinetic_energy", results.energy.kinetic);
  visit("potential_energy", results.energy.potential);
  visit("external_work", results.energy.external_work);
  visit("energy_balance_error", results.energy.balance_error);
  visit("energy_balance_error_max", results.energy.balance_error_max);
  visit("kinetic_energy_max", results.energy.kinetic_max);
}

// The tables of the group `steps`: name, unit, member of StepRecord.
template <class Visit>
void visit_step_tables(Visit visit) {
  visit("t", "s", &StepRecord::t);
  visit("h", "s", &StepRecord::h);
  visit("error", "1", &StepRecord::error);
  visit("iterations", "1", &StepRecord::iterations);
  visit("accepted", "1", &StepRecord::accepted);
  visit("residual_in", "1", &StepRecord::residual_in);
  visit("residual_out", "1", &StepRecord::residual_out);
  visit("worst_row", "1", &StepRecord::worst_row);
}

template <class C, class Visit>
void visit_check(C& check, Visit visit) {
  visit("rows", check.rows);
  visit("rank", check.rank);
  visit("rank_at_start", check.rank_at_start);
  visit("drivers", check.drivers);
  visit("degrees_of_freedom", check.dof);
  visit("components", check.components);
  visit("smallest_pivot", check.smallest_pivot);
  visit("smallest_pivot_row", check.smallest_pivot_row);
  visit("assembly_converged", check.assembly.converged);
  visit("assembly_iterations", check.assembly.iterations);
  visit("assembly_residual_before", check.assembly.residual_before);
  visit("assembly_residual_after", check.assembly.residual_after);
  visit("assembly_worst_row", check.assembly.worst_row);
  visit("assembly_velocity_residual_before", check.assembly.velocity_residual_before);
  visit("assembly_velocity_change", check.assembly.velocity_change);
  visit("warnings", check.warnings);
}

}  // namespace trammel
