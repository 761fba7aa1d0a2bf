// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "native/evaluation_code.hpp"

#include <stdexcept>
#include <vector>

#include "kernel/kernel.hpp"
//
#include "kernel/evaluation.hpp"

namespace trammel {

namespace {

// Rows beyond which the code outgrows the caches (measured: docs/performance.md).
constexpr int most_rows = 200;

enum Array { state, derivative, factor_values, factor_inverse, outcome };

// ---- parameters as constants of the trace

Traced trace(double x) { return Traced(x); }
Vector3<Traced> trace(const Vector3<double>& v) { return {trace(v.x), trace(v.y), trace(v.z)}; }
Vector2<Traced> trace(const Vector2<double>& v) { return {trace(v.x), trace(v.y)}; }
Vector1<Traced> trace(const Vector1<double>& v) { return {trace(v.z)}; }

template <class Space>
struct TracedParameters {
  std::vector<BodyParameters<Traced, Space>> bodies;
  std::vector<JointParameters<Traced, Space>> joints, basics;
  std::vector<ConstantLoad<Traced, Space>> loads;
  std::vector<SpringDamperParameters<Traced, Space>> springs;
  std::vector<RotationalDamperParameters<Traced, Space>> dampers;
  ParameterArrays<Traced, Space> arrays;

  explicit TracedParameters(const Parameters<double, Space>& of) {
    for (const auto& b : of.bodies) {
      bodies.push_back(
          {trace(b.mass), trace(b.inverse_mass), trace(b.inertia), trace(b.inverse_inertia)});
    }
    const auto trace_joint = [](const JointParameters<double, Space>& j) {
      return JointParameters<Traced, Space>{
          trace(j.point_i),
          trace(j.point_j),
          {trace(j.vector_i[0]), trace(j.vector_i[1])},
          {trace(j.vector_j[0]), trace(j.vector_j[1])},
          {trace(j.offset[0]), trace(j.offset[1])},
          trace(j.length),
          j.curve};
    };
    for (const auto& j : of.joints) joints.push_back(trace_joint(j));
    for (const auto& j : of.basics) basics.push_back(trace_joint(j));
    for (const auto& l : of.loads) {
      loads.push_back({l.body, trace(l.point), trace(l.force_W), trace(l.torque_W),
                       trace(l.force_B), trace(l.torque_B)});
    }
    for (const auto& s : of.springs) {
      springs.push_back({s.body_i, s.body_j, trace(s.point_i), trace(s.point_j),
                         trace(s.stiffness), trace(s.damping), trace(s.free_length)});
    }
    for (const auto& d : of.dampers) {
      dampers.push_back({d.body_i, d.body_j, trace(d.axis_j), trace(d.damping)});
    }
    arrays = {trace(of.gravity),
              bodies.data(),
              joints.data(),
              basics.data(),
              loads.data(),
              static_cast<int>(loads.size()),
              springs.data(),
              static_cast<int>(springs.size()),
              dampers.data(),
              static_cast<int>(dampers.size())};
  }
};

}  // namespace

template <class Space>
std::unique_ptr<EvaluationCode<Space>> EvaluationCode<Space>::make(const SystemIn<Space>& system,
                                                                   double drop_tolerance) {
  const Topology& topology = system.topology;
  if (!MachineCode::is_possible() || topology.n_rows > most_rows || topology.n_rows == 0) {
    return nullptr;
  }
  Trace written;
  const TracedParameters<Space> parameters(system.parameters);
  Workspace<Traced, Space> ws(topology);
  const int n = topology.layout.size();
  std::vector<Traced> z(n), rate(n);
  for (int k = 0; k < n; ++k) z[k] = written.input(state, k);
  const auto result = trammel::evaluate<Traced, Space>(ws.arrays, parameters.arrays,
                                                       Traced(drop_tolerance), z.data(), rate.data());
  for (int k = 0; k < n; ++k) written.output(rate[k], derivative, k);
  for (std::size_t k = 0; k < ws.values.size(); ++k) {
    written.output(ws.values[k], factor_values, static_cast<int>(k));
  }
  for (int r = 0; r < topology.n_rows; ++r) written.output(ws.inverse[r], factor_inverse, r);
  written.output(written.margin(), outcome, 0);
  written.output(result.not_finite, outcome, 1);
  try {
    return std::unique_ptr<EvaluationCode>(new EvaluationCode(written));
  } catch (const std::runtime_error&) {
    return nullptr;  // memory that may be executed is not to be had
  }
}

template class EvaluationCode<Spatial>;
template class EvaluationCode<Planar>;

}  // namespace trammel
