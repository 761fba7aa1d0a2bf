// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "property/model_maker.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "support/linkages.hpp"

namespace trammel::test {
namespace {

bool happens(Random& random, double probability) { return random.uniform(0, 1) < probability; }
std::size_t choose(Random& random, std::size_t n) {
  return std::min(n - 1, static_cast<std::size_t>(random.uniform(0, static_cast<double>(n))));
}
// Evenly in the logarithm.
double spread(Random& random, double factor) {
  return std::pow(10.0, random.uniform(-1.0, 1.0) * std::log10(factor));
}

Vec3 plus(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 times(double f, const Vec3& v) { return {f * v[0], f * v[1], f * v[2]}; }

// ---- random topologies

// Bodies hang on each other by joints at points between them, each of its own size and mass.
class RandomMechanism {
 public:
  explicit RandomMechanism(Random& random) : random_(random) {
    planar_ = happens(random, 0.3);
    model_.dimension = planar_ ? 2 : 3;
    sizes_ = happens(random, 0.5) ? 1.0 : spread(random, 1e4);
    masses_ = happens(random, 0.5) ? 1.0 : spread(random, 1e8);
    model_.gravity = flat(times(9.81, random.vector()));
  }

  Model make() {
    const std::size_t n = 1 + choose(random_, 6);
    for (std::size_t b = 0; b < n; ++b) add_body(b);
    const std::size_t extra = choose(random_, 3);
    for (std::size_t k = 0; k < extra; ++k) add_loop_joint();
    if (happens(random_, 0.4)) add_repeated_joint();
    if (happens(random_, 0.3)) add_driver();
    if (happens(random_, 0.3)) add_coupler();
    if (happens(random_, 0.5)) add_spring();
    return std::move(model_);
  }

 private:
  Vec3 flat(const Vec3& v) const { return planar_ ? in_plane(v) : v; }

  void add_body(std::size_t b) {
    Body body = planar_ ? make_random_planar_body(random_, "b" + std::to_string(b))
                        : make_random_body(random_, "b" + std::to_string(b));
    const double size = sizes_ == 1.0 ? 1.0 : std::pow(sizes_, random_.uniform(-1, 1));
    const double mass = masses_ == 1.0 ? 1.0 : std::pow(masses_, random_.uniform(-1, 1));
    body.mass = *body.mass * mass;
    const double round = happens(random_, 0.2) ? spread(random_, 1e3) : 1.0;
    for (Vec3& row : *body.inertia) row = times(mass * size * size * round, row);
    // hangs on a body before it, or on the ground
    const std::size_t parent = choose(random_, b + 1);
    const std::string on = parent == b ? ground : model_.bodies[parent].name;
    const double reach = parent == b ? size : size_of_[parent];
    const Vec3 from = parent == b ? Vec3{} : model_.bodies[parent].position;
    const Vec3 point = plus(from, times(reach, flat(random_.vector())));
    body.position = plus(point, times(size, flat(random_.vector())));
    if (happens(random_, 0.7)) body.velocity = body.angular_velocity = {};
    if (happens(random_, 0.04)) body.mass = 0.0;
    if (happens(random_, 0.06)) body.inertia = Mat3{};
    model_.bodies.push_back(body);
    size_of_.push_back(size);
    if (happens(random_, 0.1)) return;  // a free body
    const auto kinds = joint_kinds_in(planar_);
    JointKind kind = kinds[choose(random_, kinds.size())];
    if (happens(random_, 0.5)) kind = JointKind::revolute;
    model_.joints.push_back(make_joint(kind, on, body.name, point, size));
  }

  // A joint of this kind near a point in the world that holds as drawn.
  Joint make_joint(JointKind kind, const std::string& i, const std::string& j, const Vec3& at,
                   double size) {
    const std::string name = "j" + std::to_string(model_.joints.size());
    if (kind == JointKind::generic || kind == JointKind::point_on_curve) {
      kind = planar_ ? JointKind::revolute : JointKind::spherical;
    }
    if (planar_) {
      WorldPlacement placement{at, {}, {}};
      const bool line = kind == JointKind::translational || kind == JointKind::point_on_line;
      const double angle = random_.uniform(0, 6.28);
      if (line) placement.axis = Vec3{std::cos(angle), std::sin(angle), 0};
      if (kind == JointKind::distance)
        placement.point_j = plus(at, times(size, flat(random_.vector())));
      if (kind == JointKind::orientation) placement.point = {};
      return {name, kind, i, j, placement};
    }
    Joint joint = make_fitting_joint(random_, name, kind, i, j);
    auto& placement = std::get<WorldPlacement>(joint.placement);
    if (placement.point_j) {
      const Vec3 apart = plus(*placement.point_j, times(-1.0, placement.point));
      placement.point_j = plus(at, times(size, apart));
    }
    placement.point = at;
    if (rules_of(kind, false).points == 0) placement.point = {};
    return joint;
  }

  const Body& any_body() { return model_.bodies[choose(random_, model_.bodies.size())]; }

  void add_loop_joint() {
    const Body &a = any_body(), &b = any_body();
    if (a.name == b.name) return;
    constexpr JointKind light[] = {JointKind::distance,       JointKind::distance,
                                   JointKind::point_in_plane, JointKind::perpendicular,
                                   JointKind::spherical,      JointKind::revolute};
    const JointKind kind = planar_
                               ? (happens(random_, 0.7) ? JointKind::distance : JointKind::revolute)
                               : light[choose(random_, std::size(light))];
    const Vec3 middle = times(0.5, plus(a.position, b.position));
    model_.joints.push_back(make_joint(kind, a.name, b.name, middle, 1.0));
  }

  // The same hinge again: exactly, farther along its axis, or slightly out of line.
  void add_repeated_joint() {
    if (model_.joints.empty()) return;
    Joint copy = model_.joints[choose(random_, model_.joints.size())];
    copy.name = "again";
    auto& placement = std::get<WorldPlacement>(copy.placement);
    if (placement.axis && rules_of(copy.kind, planar_).points == 1 && !planar_ &&
        !placement.axis_j) {
      if (happens(random_, 0.5)) {
        placement.point = plus(placement.point, times(random_.uniform(-1, 1), *placement.axis));
      }
      if (happens(random_, 0.4)) {
        const double error = std::pow(10.0, random_.uniform(-12.0, -3.0));
        placement.axis = plus(*placement.axis, times(error, random_.vector()));
      }
    } else if (happens(random_, 0.3) && rules_of(copy.kind, planar_).points > 0) {
      const double error = std::pow(10.0, random_.uniform(-12.0, -3.0));
      placement.point = plus(placement.point, times(error, flat(random_.vector())));
    }
    model_.joints.push_back(copy);
  }

  // Hinges and slides, by index.
  std::vector<std::size_t> list_moving(bool turning) const {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < model_.joints.size(); ++k) {
      const JointKind kind = model_.joints[k].kind;
      const bool turns = kind == JointKind::revolute || kind == JointKind::cylindrical;
      if (turning ? turns : kind == JointKind::translational) found.push_back(k);
    }
    return found;
  }

  void add_driver() {
    const bool turning = happens(random_, 0.7);
    const auto joints = list_moving(turning);
    if (joints.empty()) return;
    const Joint& joint = model_.joints[joints[choose(random_, joints.size())]];
    Formula law{"amount*(1 - cos(pace*t))",
                {{"amount", turning ? random_.uniform(-2, 2) : 0.3 * random_.uniform(-1, 1)},
                 {"pace", random_.uniform(1, 8)}}};
    model_.drivers.push_back(
        {"drive",
         JointDriver{joint.name, turning ? JointCoordinate::angle : JointCoordinate::travel, law}});
  }

  void add_coupler() {
    const auto joints = list_moving(true);
    if (joints.size() < 2) return;
    const std::size_t first = choose(random_, joints.size() - 1);
    LinearCoupler coupler;
    coupler.terms = {
        {model_.joints[joints[first]].name, JointCoordinate::angle, 1.0},
        {model_.joints[joints[first + 1]].name, JointCoordinate::angle, random_.uniform(-3, 3)}};
    model_.couplers.push_back({"couple", coupler});
  }

  void add_spring() {
    const Body& a = any_body();
    model_.forces.push_back(
        {"spring", SpringDamper{ground, a.name, flat(random_.vector()), flat(random_.vector(0.1)),
                                *a.mass * spread(random_, 100.0), 0.0, random_.uniform(0, 1)}});
  }

  Random& random_;
  bool planar_ = false;
  double sizes_ = 1.0, masses_ = 1.0;  // largest factors
  Model model_;
  std::vector<double> size_of_;  // [bodies] m
};

// ---- linkages

void tilt_axes(Random& random, Model& model) {
  const double error = std::pow(10.0, random.uniform(-13.0, -3.0));
  for (Joint& joint : model.joints) {
    auto* world = std::get_if<WorldPlacement>(&joint.placement);
    if (world == nullptr || !world->axis || world->axis_j || !happens(random, 0.3)) continue;
    world->axis = plus(*world->axis, times(error, random.vector()));
  }
}

Model make_linkage(Random& random) {
  const auto seed = static_cast<unsigned>(choose(random, 100000));
  const Carrier carrier = all_carriers[choose(random, std::size(all_carriers))];
  Linkage linkage;
  switch (choose(random, 8)) {
    case 0: linkage = make_bennett(seed, carrier); break;
    case 1: linkage = make_goldberg(seed); break;
    case 2: linkage = make_myard(seed); break;
    case 3: linkage = make_sarrus(seed); break;
    case 4: linkage = make_slider_crank(seed, happens(random, 0.5)); break;
    case 5: linkage = make_turntable(seed, 1 + static_cast<int>(choose(random, 4))); break;
    case 6: linkage = make_spherical_four_bar(seed, carrier); break;
    default: linkage = make_planar_four_bar(seed, carrier);
  }
  Model model = std::move(linkage.model);
  if (happens(random, 0.5)) tilt_axes(random, model);
  if (happens(random, 0.4)) {
    for (Body& body : model.bodies) {
      const double mass = happens(random, 0.1) ? 0.0 : spread(random, 1e6);
      const double round = spread(random, 1e2);
      body.mass = *body.mass * mass;
      for (Vec3& row : *body.inertia) row = times(mass * round, row);
    }
  }
  return model;
}

// ---- model files with changes

template <class Placement, class Change>
void change_placement(Placement& placement, Change change) {
  if (auto* local = std::get_if<LocalPlacement>(&placement)) {
    change(local->point_i);
    change(local->point_j);
    for (auto* v : {&local->a_i, &local->b_i, &local->a_j, &local->b_j}) {
      if (*v) change(**v);
    }
  } else if (auto* world = std::get_if<WorldPlacement>(&placement)) {
    change(world->point);
    if (world->point_j) change(*world->point_j);
    if (world->axis) change(*world->axis);
    if (world->axis_j) change(*world->axis_j);
  }
}

// One number: scaled, moved a little, moved by much, zeroed, negated, doubled.
void change_number(Random& random, double& x) {
  switch (choose(random, 7)) {
    case 0: x *= spread(random, 1e6); break;
    case 1: x *= 1.0 + random.uniform(-1, 1) * std::pow(10.0, random.uniform(-13, -2)); break;
    case 2: x += random.uniform(-1, 1) * std::pow(10.0, random.uniform(-13, 0)); break;
    case 3: x = 0.0; break;
    case 4: x = -x; break;
    default: x *= random.uniform(0.5, 2.0);
  }
}

void change_vector(Random& random, Vec3& v) { change_number(random, v[choose(random, 3)]); }

void change_body(Random& random, Body& body) {
  switch (choose(random, 6)) {
    case 0:
      if (body.mass) change_number(random, *body.mass);
      break;
    case 1: {
      if (!body.inertia) break;
      const double factor = spread(random, 1e9);
      for (Vec3& row : *body.inertia) row = times(factor, row);
      break;
    }
    case 2: change_vector(random, body.velocity); break;
    case 3: change_vector(random, body.angular_velocity); break;
    case 4: {
      const double factor = spread(random, 1e9);
      if (body.mass) *body.mass *= factor;
      if (!body.inertia) break;
      for (Vec3& row : *body.inertia) row = times(factor, row);
      break;
    }
    default: change_vector(random, body.position);
  }
}

void change_joint(Random& random, Model& model) {
  Joint& joint = model.joints[choose(random, model.joints.size())];
  const bool planar = model.dimension == 2;
  switch (choose(random, 3)) {
    case 0: {  // another kind with the same vectors
      const auto kinds = joint_kinds_in(planar);
      const JointKind kind = kinds[choose(random, kinds.size())];
      const JointRules &is = rules_of(joint.kind, planar), &may = rules_of(kind, planar);
      const bool fits =
          is.vectors == may.vectors || std::holds_alternative<WorldPlacement>(joint.placement);
      if (fits && is.points == may.points && joint.constraints.empty() && !joint.curve &&
          !joint.pitch) {
        joint.kind = kind;
      }
      break;
    }
    case 1: {  // once more, perhaps not quite
      Joint copy = joint;
      copy.name += "_again";
      if (happens(random, 0.7)) {
        const double error = std::pow(10.0, random.uniform(-13.0, -3.0));
        change_placement(copy.placement,
                         [&](Vec3& v) { v = plus(v, times(error, random.vector())); });
        if (planar) change_placement(copy.placement, [](Vec3& v) { v[2] = 0.0; });
      }
      model.joints.push_back(copy);
      break;
    }
    default: {
      const int which = static_cast<int>(choose(random, 6));
      int k = 0;
      change_placement(joint.placement, [&](Vec3& v) {
        if (k++ == which) change_vector(random, v);
      });
      if (joint.length && happens(random, 0.5)) change_number(random, *joint.length);
    }
  }
}

Model make_mutant(Random& random, Model model) {
  const std::size_t changes = 1 + choose(random, 3);
  for (std::size_t k = 0; k < changes; ++k) {
    if (happens(random, 0.5) && !model.joints.empty()) {
      change_joint(random, model);
    } else {
      change_body(random, model.bodies[choose(random, model.bodies.size())]);
    }
  }
  model.file.clear();
  return model;
}

}  // namespace

ModelMaker::ModelMaker(const std::string& models_folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models_folder)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    Model model = read_model(path);
    if (model.bodies.size() <= 60) files_.push_back(std::move(model));
  }
}

Model ModelMaker::make(unsigned seed, unsigned number) const {
  Random random(seed * 2654435761u + number);
  Model model;
  const double sort = random.uniform(0, 1);
  if (sort < 0.45) {
    model = RandomMechanism(random).make();
  } else if (sort < 0.65) {
    model = make_linkage(random);
  } else {
    model = make_mutant(random, files_[choose(random, files_.size())]);
  }
  model.name = "model " + std::to_string(seed) + "/" + std::to_string(number);
  SimulationOptions options;
  options.rtol = options.atol = std::pow(10.0, -random.uniform(3.0, 13.0));
  options.t_end = random.uniform(0.05, 0.6);
  options.output_interval = options.t_end / 10;
  options.max_steps = 400;
  options.record.reactions = false;
  model.simulation = options;
  return model;
}

}  // namespace trammel::test
