// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
// Which light bodies the joints determine, and the correction of their accelerations.
#include "manifold/light_bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "evaluate/accelerations.hpp"
#include "evaluate/joint_rows.hpp"
#include "manifold/rank.hpp"

namespace trammel {

namespace {

// A coordinate with more than this part in the kernel is not determined.
constexpr double determined_below = 1e-6;
// Squares: where the iteration ends, and where it has failed.
constexpr double converged2 = 1e-32, stalled2 = 1e-20;
constexpr int most_iterations = 200;
// With more light bodies than this the iteration takes long: those that have a mass keep it, and the
// digits they cost are got back by refinement where they are recorded.
constexpr std::size_t most_light = 20;

template <class Space>
constexpr int n_angular = Space::n_u - Space::dimension;

// Which light coordinates may move while everything else rests.
enum class MayMove { light, massless };

// M⁻¹ → the kinematic metric for the coordinates that may move, 0 for all others.
template <class Space>
Parameters<double, Space> make_light_metric(const SystemIn<Space>& system, MayMove which) {
  Parameters<double, Space> metric = make_kinematic_metric(system, true);
  const auto may_move = [which](double extra, double own) {
    return extra > 0.0 && (which == MayMove::light || own == 0.0);
  };
  std::vector<char> linear(system.topology.n_bodies, 0);
  std::vector<Angular<double, Space>> angular(system.topology.n_bodies,
                                              Angular<double, Space>::zero());
  for (const LightBody<Space>& light : system.light_candidates) {
    const BodyParameters<double, Space>& body = system.parameters.bodies[light.body];
    linear[light.body] = may_move(light.extra_mass, body.mass);
    std::array<double, n_angular<Space>> extra, moments, scale;
    light.extra_inertia.store(extra.data());
    body.inertia.store(moments.data());
    metric.bodies[light.body].inverse_inertia.store(scale.data());
    for (int k = 0; k < n_angular<Space>; ++k) {
      if (!may_move(extra[k], moments[k])) scale[k] = 0.0;
    }
    angular[light.body] = Angular<double, Space>::load(scale.data());
  }
  for (int b = 0; b < system.topology.n_bodies; ++b) {
    if (!linear[b]) metric.bodies[b].inverse_mass = 0.0;
    metric.bodies[b].inverse_inertia = angular[b];
  }
  return metric;
}

// The part of a unit motion along one coordinate that is in the kernel of the columns that may move.
template <class Space>
class KernelFinder {
 public:
  KernelFinder(const SystemIn<Space>& system, MayMove which, const double* z, double t)
      : system_(system),
        metric_(make_light_metric(system, which)),
        ws_(system.topology),
        w_(system.topology.n_bodies + 1, Twist<double, Space>::zero()) {
    ws_.time = t;
    calc_positions(system.topology, z, ws_);
    calc_rows(system.topology, metric_, ws_);
    calc_factor(system.topology, metric_, ws_, 1e-10);
  }

  // coordinate: of the body, first the linear ones
  double find_part(int body, int coordinate) {
    // e − A⁻¹ Jᵀ S⁻¹ J e with A of the coordinates that may move: the part of e in the kernel
    std::array<double, Space::n_u> unit{};
    unit[coordinate] = 1.0;
    set(body, unit);
    calc_j_times(system_.topology, ws_, w_.data(), ws_.mu.data());
    solve(system_.topology.program, ws_.factor(), ws_.mu.data());
    calc_mass_step(system_.topology, metric_, ws_, ws_.mu.data());
    std::array<double, Space::n_u> image;
    ws_.twist[body].linear.store(image.data());
    ws_.twist[body].angular.store(image.data() + Space::dimension);
    unit.fill(0.0);
    set(body, unit);
    return std::abs(1.0 - image[coordinate]);
  }

 private:
  void set(int body, const std::array<double, Space::n_u>& values) {
    w_[body] = {Linear<double, Space>::load(values.data()),
                Angular<double, Space>::load(values.data() + Space::dimension)};
  }

  const SystemIn<Space>& system_;
  Parameters<double, Space> metric_;
  Workspace<double, Space> ws_;
  LargeVector<Twist<double, Space>> w_;
};

// No mass, or no moment of inertia about some axis.
template <class Space>
bool is_massless(const BodyParameters<double, Space>& body) {
  std::array<double, n_angular<Space>> moments;
  body.inertia.store(moments.data());
  return body.mass == 0.0 || std::find(moments.begin(), moments.end(), 0.0) != moments.end();
}
template <class Space>
bool has_massless(const SystemIn<Space>& system) {
  return std::any_of(system.light_candidates.begin(), system.light_candidates.end(),
                     [&](const LightBody<Space>& light) {
                       return is_massless<Space>(system.parameters.bodies[light.body]);
                     });
}

}  // namespace

template <class Space>
ResolvedLight<Space> resolve_light_bodies(const SystemIn<Space>& system, const double* z,
                                          double t) {
  ResolvedLight<Space> result;
  if (system.light_candidates.empty()) return result;
  const bool many = system.light_candidates.size() > most_light;
  // What has no mass is determined by joints to what has some, however light; what has some keeps it
  // unless it is determined by bodies that are not light.
  std::optional<KernelFinder<Space>> of_light, of_massless;
  if (!many) of_light.emplace(system, MayMove::light, z, t);
  if (has_massless(system)) of_massless.emplace(system, MayMove::massless, z, t);
  const auto is_determined = [&](int body, int coordinate, double own) {
    auto& kernel = own == 0.0 ? of_massless : of_light;
    return kernel && kernel->find_part(body, coordinate) < determined_below;
  };
  for (const LightBody<Space>& candidate : system.light_candidates) {
    const int b = candidate.body;
    const BodyParameters<double, Space>& body = system.parameters.bodies[b];
    LightBody<Space> light = candidate;
    bool without = false;
    // extra mass only where all directions of its motion are determined
    for (int k = 0; k < Space::dimension && light.extra_mass > 0.0; ++k) {
      if (is_determined(b, k, body.mass)) continue;
      light.extra_mass = 0.0;
      without = body.mass == 0.0;
    }
    std::array<double, n_angular<Space>> extra, moments;
    light.extra_inertia.store(extra.data());
    body.inertia.store(moments.data());
    for (int k = 0; k < n_angular<Space>; ++k) {
      if (extra[k] <= 0.0 || is_determined(b, Space::dimension + k, moments[k])) continue;
      extra[k] = 0.0;
      without = without || moments[k] == 0.0;
    }
    light.extra_inertia = Angular<double, Space>::load(extra.data());
    if (without) result.undetermined.push_back(b);
    const bool any = light.extra_mass > 0.0 ||
                     std::any_of(extra.begin(), extra.end(), [](double x) { return x > 0.0; });
    if (any) result.light.push_back(light);
  }
  return result;
}

template <class Space>
std::unique_ptr<SystemIn<Space>> make_lightened(const SystemIn<Space>& system, const double* z,
                                                double t) {
  ResolvedLight<Space> resolved = resolve_light_bodies(system, z, t);
  if (resolved.light.empty()) return nullptr;
  auto copy = std::make_unique<SystemIn<Space>>(system);
  copy->light = std::move(resolved.light);
  for (const LightBody<Space>& light : copy->light) {
    // M̃⁻¹ = (M + ΔM)⁻¹
    BodyParameters<double, Space>& body = copy->parameters.bodies[light.body];
    body.inverse_mass = 1.0 / (body.mass + light.extra_mass);
    std::array<double, n_angular<Space>> moments, extra;
    body.inertia.store(moments.data());
    light.extra_inertia.store(extra.data());
    for (int k = 0; k < n_angular<Space>; ++k) moments[k] = 1.0 / (moments[k] + extra[k]);
    body.inverse_inertia = Angular<double, Space>::load(moments.data());
  }
  return copy;
}

template <class Space>
LightCorrection<Space>::LightCorrection(const SystemIn<Space>& system) : system_(system) {
  for (Twists* twists : {&x_, &r_, &p_, &image_, &start_}) {
    twists->assign(system.topology.n_bodies + 1, Twist<double, Space>::zero());
  }
}

// image ← B w, with its multipliers in ws.mu; w and image are none of the scratch in ws
template <class Space>
void LightCorrection<Space>::apply(const Twists& w, Twists& image,
                                   Workspace<double, Space>& ws) const {
  const Topology& topology = system_.topology;
  const auto& bodies = system_.parameters.bodies;
  // v = M̃⁻¹ ΔM w
  std::fill(image.begin(), image.end(), Twist<double, Space>::zero());
  for (const LightBody<Space>& light : system_.light) {
    const BodyParameters<double, Space>& body = bodies[light.body];
    image[light.body] = {
        body.inverse_mass * light.extra_mass * w[light.body].linear,
        scaled(body.inverse_inertia, scaled(light.extra_inertia, w[light.body].angular))};
  }
  // v − M̃⁻¹ Jᵀ μ,  S̃ μ = J v
  calc_j_times(topology, ws, image.data(), ws.mu.data());
  solve_schur(topology, system_.parameters, ws, ws.mu.data());
  calc_mass_step(topology, system_.parameters, ws, ws.mu.data());
  for (int b = 0; b < topology.n_bodies; ++b) {
    image[b].linear -= ws.twist[b].linear;
    image[b].angular -= ws.twist[b].angular;
  }
}

// aᵀ M̃ b
template <class Space>
double LightCorrection<Space>::dot_in_metric(const Twists& a, const Twists& b) const {
  double sum = 0.0;
  for (int k = 0; k < system_.topology.n_bodies; ++k) {
    const BodyParameters<double, Space>& body = system_.parameters.bodies[k];
    std::array<double, n_angular<Space>> inverse, left, right;
    body.inverse_inertia.store(inverse.data());
    a[k].angular.store(left.data());
    b[k].angular.store(right.data());
    sum += dot(a[k].linear, b[k].linear) / body.inverse_mass;
    for (int i = 0; i < n_angular<Space>; ++i) sum += left[i] * right[i] / inverse[i];
  }
  return sum;
}

template <class Space>
bool LightCorrection<Space>::correct(Workspace<double, Space>& ws) {
  const int n = system_.topology.n_bodies;
  const auto add = [n](Twists& to, double factor, const Twists& from) {
    for (int b = 0; b < n; ++b) {
      to[b].linear += factor * from[b].linear;
      to[b].angular += factor * from[b].angular;
    }
  };
  // r = B (u̇₀ − g)
  std::copy(ws.twist.begin(), ws.twist.end(), start_.begin());
  p_ = start_;
  for (int b = 0; b < n; ++b) p_[b].linear -= system_.parameters.gravity;
  const double whole = dot_in_metric(p_, p_);
  apply(p_, r_, ws);
  // p₀ = r₀, x = 0
  p_ = r_;
  std::fill(x_.begin(), x_.end(), Twist<double, Space>::zero());
  double rr = dot_in_metric(r_, r_);
  for (int k = 0; k < most_iterations && rr > converged2 * whole; ++k) {
    // (1 − B) p
    apply(p_, image_, ws);
    for (int b = 0; b < n; ++b) {
      image_[b].linear = p_[b].linear - image_[b].linear;
      image_[b].angular = p_[b].angular - image_[b].angular;
    }
    const double curvature = dot_in_metric(p_, image_);
    if (!(curvature > 0.0)) break;
    // α = ⟨r, r⟩/⟨p, (1 − B) p⟩; x ← x + α p, r ← r − α (1 − B) p
    const double alpha = rr / curvature;
    add(x_, alpha, p_);
    add(r_, -alpha, image_);
    const double last = rr;
    rr = dot_in_metric(r_, r_);
    // β = ⟨r, r⟩ of the new over that of the old residual; p ← r + β p
    const double beta = rr / last;
    for (int b = 0; b < n; ++b) {
      p_[b].linear = r_[b].linear + beta * p_[b].linear;
      p_[b].angular = r_[b].angular + beta * p_[b].angular;
    }
  }
  if (!(rr <= stalled2 * whole)) return false;
  // u̇ = u̇₀ + B (u̇₀ + x − g), with its multipliers
  add(x_, 1.0, start_);
  for (int b = 0; b < n; ++b) x_[b].linear -= system_.parameters.gravity;
  apply(x_, image_, ws);
  for (int b = 0; b < n; ++b) {
    ws.twist[b].linear = start_[b].linear + image_[b].linear;
    ws.twist[b].angular = start_[b].angular + image_[b].angular;
  }
  // λ = λ₀ + μ, and the power of drivers −λ J u with it
  for (int r = 0; r < system_.topology.n_rows; ++r) ws.lambda[r] += ws.mu[r];
  for (std::size_t k = 0; k < system_.topology.drivers.size(); ++k) {
    const DriverTopology& driver = system_.topology.drivers[k];
    const int row = system_.topology.coordinate_rows[driver.coordinate_row].row;
    ws.power[driver.component] -= ws.mu[row] * ws.drive[k].first;
  }
  return true;
}

template struct ResolvedLight<Spatial>;
template struct ResolvedLight<Planar>;
template ResolvedLight<Spatial> resolve_light_bodies(const SystemIn<Spatial>&, const double*,
                                                     double);
template ResolvedLight<Planar> resolve_light_bodies(const SystemIn<Planar>&, const double*, double);
template std::unique_ptr<SystemIn<Spatial>> make_lightened(const SystemIn<Spatial>&, const double*,
                                                           double);
template std::unique_ptr<SystemIn<Planar>> make_lightened(const SystemIn<Planar>&, const double*,
                                                          double);
template class LightCorrection<Spatial>;
template class LightCorrection<Planar>;

}  // namespace trammel
