// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Runs that go on: where one begins that goes on from another, and what there is of one that has not ended.
#include <fmt/format.h>

#include "analyses/prepared_run.hpp"
#include "system/frames.hpp"

namespace trammel {

template <class Space>
bool PreparedRun<Space>::begin(const RunStart& start) {
  if (!start.z.empty()) {
    z_ = start.z;
    // onto the joints, which may have moved
    if (!problem_->start(z_.data(), rate_.data(), start.t)) return false;
    if (!problem_->finish_output(start.t, 0.0, z_.data())) return false;
    return problem_->start(z_.data(), rate_.data(), start.t);
  }
  if (!problem_->start(z_.data(), rate_.data())) return false;
  // the first samples are taken at t = 0
  return !problem_->sample(0.0, z_.data()) || problem_->start(z_.data(), rate_.data());
}

template <class Space>
Results PreparedRun<Space>::copy_results() {
  recorder_->write_counts();
  describe();
  Results copy = results_;
  const double t = recorder_->time_reached();
  copy.status = {Outcome::running, t, fmt::format("at t = {:.6g} s", t)};
  for (int b = 0; b < system_.topology.n_bodies; ++b) {
    copy.final.push_back(export_body(system_, z_.data(), b));
  }
  if (!copy.kinetic.empty()) {
    copy.energy.kinetic = copy.kinetic.back();
    copy.energy.potential = copy.potential.back();
    copy.energy.external_work = copy.external_work.back();
    copy.energy.balance_error = copy.balance_error.back();
  }
  return copy;
}

template bool PreparedRun<Spatial>::begin(const RunStart&);
template bool PreparedRun<Planar>::begin(const RunStart&);
template Results PreparedRun<Spatial>::copy_results();
template Results PreparedRun<Planar>::copy_results();

}  // namespace trammel
