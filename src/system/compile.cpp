// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// compile: Model → System. The only file right of the Model that sees it: names become indices,
// frames become principal axes, placements become points and vectors in both bodies.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "model/mass_properties.hpp"
#include "system/compile_coordinates.hpp"
#include "system/compile_elements.hpp"
#include "system/frames.hpp"
#include "system/joint_table.hpp"
#include "system/picture.hpp"
#include "system/principal_axes.hpp"
#include "system/system.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

using V = Vector3<double>;

V load(const Vec3& v) { return V::load(v.data()); }
double length_of(const V& v) { return std::sqrt(dot(v, v)); }
V normalised(const V& v) { return (1.0 / length_of(v)) * v; }

// A unit vector normal to the unit vector n. In the plane: n turned by a right angle. In space:
// from the coordinate axis least aligned with it.
template <class Space>
V make_normal(const V& n) {
  if (Space::dimension == 2) return {-n.y, n.x, 0.0};
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  const V e = x <= y && x <= z ? V{1, 0, 0} : y <= z ? V{0, 1, 0} : V{0, 0, 1};
  return normalised(cross(n, e));
}

// Geometry is done in three dimensions, as the Model has it; what goes into the System is reduced
// to the vectors of the space.
template <class Space>
class Compiler {
 public:
  explicit Compiler(const Model& model)
      : model_(model), system_(std::make_shared<SystemIn<Space>>()) {}

  System compile() {
    system_->planar = Space::dimension == 2;
    for (const Joint& joint : model_.joints) {
      joint_index_.emplace(joint.name, static_cast<int>(joint_index_.size()));
    }
    compile_bodies();
    choose_origin();
    const CoordinateCompiler<Space> coordinates(
        model_, [this](const std::string& name) { return body_index(name); });
    system_->topology = make_topology(n_bodies(), list_joints(), list_force_links(),
                                      coordinates.list_coordinates(), coordinates.list_rows(),
                                      list_followed(coordinates));
    system_->topology.layout =
        make_layout<Space>(n_bodies(), system_->topology.n_components(),
                           static_cast<int>(system_->topology.references.size()));
    system_->topology.coincident = is_coincident(system_->topology);
    compile_joints();
    compile_forces();
    compile_scales();
    compile_assembly();
    compile_initial_state();
    compile_names();
    coordinates.compile(*system_);
    compile_scene();
    return System(system_);
  }

 private:
  using Position = Linear<double, Space>;
  using Spin = Angular<double, Space>;
  using JointData = JointParameters<double, Space>;

  int n_bodies() const { return static_cast<int>(model_.bodies.size()); }
  int body_index(const std::string& name) const {
    return name == ground ? n_bodies() : body_index_.at(name);
  }

  // ---- frames at the initial configuration: world ↔ body axes of the model ↔ principal axes

  V position(int body) const {
    return body == n_bodies() ? V::zero() : load(model_.bodies[body].position);
  }
  Matrix3<double> rotation(int body) const {
    return body == n_bodies() ? Matrix3<double>::identity()
                              : calc_rotation(model_.bodies[body].orientation.data());
  }
  // a vector in the axes of the model → principal axes
  V to_inside(int body, const V& vector_B) const {
    if (body == n_bodies()) return vector_B;
    return transposed_times(calc_rotation(system_->principal[body].data()), vector_B);
  }
  // a point in the axes of the model → inside; the ground's points are measured from the origin
  V point_to_inside(int body, const V& point_B) const {
    return body == n_bodies() ? point_B - system_->origin : to_inside(body, point_B);
  }
  Position from_world(int body, const V& vector_W) const {
    return Space::import_linear(to_inside(body, transposed_times(rotation(body), vector_W)));
  }
  Position point_from_world(int body, const V& point_W) const {
    return import_point(body, transposed_times(rotation(body), point_W - position(body)));
  }
  Position import_point(int body, const V& point_B) const {
    return Space::import_linear(point_to_inside(body, point_B));
  }

  // ---- bodies

  void compile_bodies() {
    SystemIn<Space>& s = *system_;
    s.parameters.gravity = Space::import_linear(load(model_.gravity));
    for (const Body& body : model_.bodies) {
      body_index_.emplace(body.name, static_cast<int>(body_index_.size()));
      const MassProperties properties = calc_mass_properties(body);
      const PrincipalAxes axes = find_principal_axes(properties.inertia);
      s.principal.push_back(axes.orientation);
      const V& I = axes.inertia;
      s.parameters.bodies.push_back({properties.mass, 1.0 / properties.mass,
                                     Space::import_angular(I),
                                     Space::import_angular({1.0 / I.x, 1.0 / I.y, 1.0 / I.z})});
    }
    s.parameters.bodies.push_back({0.0, 0.0, Spin::zero(), Spin::zero()});  // the ground
  }

  // In the plane only the moment about z takes part, and any axes will do.
  static PrincipalAxes find_principal_axes(const Mat3& inertia) {
    if (Space::dimension == 2) return {V::filled(inertia[2][2]), {1.0, 0.0, 0.0, 0.0}};
    return calc_principal_axes(inertia);
  }

  // The zero of r inside: near the mechanism, so that a model far from the world's origin loses
  // no digits. A multiple of a power of two well above its size: 0 for a model near the origin.
  void choose_origin() {
    V centre = V::zero();
    for (const Body& body : model_.bodies) centre += load(body.position);
    centre = (1.0 / n_bodies()) * centre;
    double extent = 0.0;
    for (int b = 0; b < n_bodies(); ++b) {
      extent = std::max(extent, length_of(position(b) - centre) + gyration_radius(b));
    }
    const double grid = std::exp2(std::ceil(std::log2(16.0 * extent)));
    const auto round = [&](double x) { return grid * std::round(x / grid); };
    system_->origin = {round(centre.x), round(centre.y), round(centre.z)};
    double mass = 0.0;
    for (int b = 0; b < n_bodies(); ++b) mass += system_->parameters.bodies[b].mass;
    system_->potential_of_origin = -mass * dot(load(model_.gravity), system_->origin);
  }

  double gyration_radius(int body) const {
    const BodyParameters<double, Space>& p = system_->parameters.bodies[body];
    const V inertia = Space::export_angular(p.inertia);
    return std::sqrt(std::max({inertia.x, inertia.y, inertia.z}) * p.inverse_mass);
  }

  // ---- joints

  std::vector<JointTopology> list_joints() const {
    std::vector<JointTopology> joints;
    for (const Joint& joint : model_.joints) {
      joints.push_back({joint.kind, body_index(joint.body_i), body_index(joint.body_j),
                        layout_of<Space>(joint.kind).rows()});
    }
    return joints;
  }

  static bool is_coincident(const Topology& topology) {
    const auto is_only_c = [](const JointTopology& joint) {
      return layout_of<Space>(joint.kind).n_coincidence == joint.n_rows;
    };
    return topology.n_rows == Space::dimension * topology.n_joints &&
           std::all_of(topology.joints.begin(), topology.joints.end(), is_only_c);
  }

  void compile_joints() {
    for (int k = 0; k < system_->topology.n_joints; ++k) {
      const Joint& joint = model_.joints[k];
      const JointTopology& at = system_->topology.joints[k];
      const auto* local = std::get_if<LocalPlacement>(&joint.placement);
      JointData data{};
      if (local != nullptr) {
        data = place_locally(*local, at);
        data.length = joint.length ? *joint.length : calc_distance(*local, at);
      } else {
        data = place_in_world(std::get<WorldPlacement>(joint.placement), at);
      }
      for (int v = 0; v < 2; ++v) data.offset[v] = dot(data.vector_i[v], data.point_i);
      system_->parameters.joints.push_back(data);
    }
  }

  // Of the joint's two points, at the initial configuration.
  double calc_distance(const LocalPlacement& local, const JointTopology& at) const {
    const V x_i = position(at.body_i) + rotation(at.body_i) * load(local.point_i);
    const V x_j = position(at.body_j) + rotation(at.body_j) * load(local.point_j);
    return length_of(x_j - x_i);
  }

  JointData place_locally(const LocalPlacement& local, const JointTopology& at) const {
    JointData data{};
    if (at.kind == JointKind::fixed && !local.a_i) set_attitude_of_start(at, data);
    data.point_i = import_point(at.body_i, load(local.point_i));
    data.point_j = import_point(at.body_j, load(local.point_j));
    const auto set = [&](Position& vector, int body, const std::optional<Vec3>& given) {
      if (given) vector = Space::import_linear(to_inside(body, normalised(load(*given))));
    };
    set(data.vector_i[0], at.body_i, local.a_i);
    set(data.vector_i[1], at.body_i, local.b_i);
    set(data.vector_j[0], at.body_j, local.a_j);
    set(data.vector_j[1], at.body_j, local.b_j);
    return data;
  }

  // Both bodies see the same world vectors: a, b normal to the axis n.
  void set_vectors_from_world(const JointTopology& at, const V& a, const V& b, const V& n,
                              JointData& data) const {
    data.vector_i[0] = from_world(at.body_i, a);
    data.vector_i[1] = from_world(at.body_i, b);
    data.vector_j[0] = from_world(at.body_j, n);
    data.vector_j[1] = from_world(at.body_j, b);
  }

  // Any right-handed axes; in the plane a and n span it.
  void set_attitude_of_start(const JointTopology& at, JointData& data) const {
    if (Space::dimension == 2) {
      set_vectors_from_world(at, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}, data);
    } else {
      set_vectors_from_world(at, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, data);
    }
  }

  JointData place_in_world(const WorldPlacement& world, const JointTopology& at) const {
    JointData data{};
    data.point_i = point_from_world(at.body_i, load(world.point));
    data.point_j = point_from_world(at.body_j, load(world.point));
    if (at.kind == JointKind::fixed) {
      set_attitude_of_start(at, data);
    } else if (at.kind == JointKind::universal) {
      data.vector_i[0] = from_world(at.body_i, normalised(load(*world.axis)));
      data.vector_j[0] = from_world(at.body_j, normalised(load(*world.axis_j)));
    } else if (world.axis) {
      const V n = normalised(load(*world.axis));
      const V a = make_normal<Space>(n);
      set_vectors_from_world(at, a, cross(n, a), n, data);
    }
    return data;
  }

  // ---- forces

  std::vector<ForceLink> list_force_links() const {
    std::vector<ForceLink> links;
    for (const Force& force : model_.forces) {
      if (const auto* spring = std::get_if<SpringDamper>(&force.law)) {
        links.push_back(
            {body_index(spring->body_i), body_index(spring->body_j), spring->damping > 0.0});
      } else if (const auto* damper = std::get_if<RotationalDamper>(&force.law)) {
        const Joint& joint = model_.joints[joint_index_.at(damper->joint)];
        links.push_back({body_index(joint.body_i), body_index(joint.body_j), damper->damping > 0.0});
      }
    }
    for (const ForceLink& link : list_element_links(model_, body_index_of())) {
      links.push_back(link);
    }
    return links;
  }

  std::vector<int> list_followed(const CoordinateCompiler<Space>& coordinates) {
    find_coordinate_ = [&coordinates](const std::string& joint, JointCoordinate coordinate) {
      return coordinates.find(joint, coordinate);
    };
    return list_element_coordinates(model_, find_coordinate_);
  }

  BodyIndex body_index_of() const {
    return [this](const std::string& name) { return body_index(name); };
  }

  void compile_forces() {
    for (const Force& force : model_.forces) {
      std::visit([&](const auto& law) { add_force(law); }, force.law);
    }
    compile_elements(model_, body_index_of(), find_coordinate_, *system_);
  }

  template <class Law>
  void add_force(const Law&) {}  // those of compile_elements.cpp

  void add_force(const PointForce& law) {
    ConstantLoad<double, Space> load_of_body{};
    load_of_body.body = body_index(law.body);
    load_of_body.point = Space::import_linear(to_inside(load_of_body.body, load(law.point)));
    if (law.frame == Frame::world) {
      load_of_body.force_W = Space::import_linear(load(law.value));
    } else {
      load_of_body.force_B = Space::import_linear(to_inside(load_of_body.body, load(law.value)));
      load_of_body.torque_B = cross(load_of_body.point, load_of_body.force_B);
    }
    system_->parameters.loads.push_back(load_of_body);
  }

  void add_force(const Torque& law) {
    ConstantLoad<double, Space> load_of_body{};
    load_of_body.body = body_index(law.body);
    if (law.frame == Frame::world) {
      load_of_body.torque_W = Space::import_angular(load(law.value));
    } else {
      load_of_body.torque_B = Space::import_angular(to_inside(load_of_body.body, load(law.value)));
    }
    system_->parameters.loads.push_back(load_of_body);
  }

  void add_force(const SpringDamper& law) {
    const int i = body_index(law.body_i);
    const int j = body_index(law.body_j);
    system_->parameters.springs.push_back({i, j, import_point(i, load(law.point_i)),
                                           import_point(j, load(law.point_j)), law.stiffness,
                                           law.damping, law.free_length});
  }

  void add_force(const RotationalDamper& law) {
    const int k = joint_index_.at(law.joint);
    const JointTopology& at = system_->topology.joints[k];
    Spin axis = Spin::filled(1.0);  // in the plane: z
    if constexpr (Space::dimension == 3) axis = system_->parameters.joints[k].vector_j[0];
    system_->parameters.dampers.push_back({at.body_i, at.body_j, axis, law.damping});
  }

  // ---- scales

  // The length of a mechanism: the mean distance of its joint points from the centres of mass, or
  // the largest radius of gyration where that is longer.
  void compile_scales() {
    const Topology& topology = system_->topology;
    std::vector<double> sum(topology.n_components(), 0.0), largest(topology.n_components(), 0.0);
    std::vector<int> count(topology.n_components(), 0);
    const auto add = [&](int body, const Position& point) {
      if (body == n_bodies()) return;
      sum[topology.component_of[body]] += std::sqrt(dot(point, point));
      ++count[topology.component_of[body]];
    };
    for (int k = 0; k < topology.n_joints; ++k) {
      add(topology.joints[k].body_i, system_->parameters.joints[k].point_i);
      add(topology.joints[k].body_j, system_->parameters.joints[k].point_j);
    }
    for (int b = 0; b < n_bodies(); ++b) {
      double& radius = largest[topology.component_of[b]];
      radius = std::max(radius, gyration_radius(b));
    }
    for (int b = 0; b < n_bodies(); ++b) {
      const int c = topology.component_of[b];
      const double mean = count[c] > 0 ? sum[c] / count[c] : 0.0;
      system_->length.push_back(std::max(mean, largest[c]));
    }
    // C, O and D rows are lengths, SO rows are cosines
    for (const JointTopology& joint : topology.joints) {
      const JointLayout& layout = layout_of<Space>(joint.kind);
      const double length = system_->length[joint.body_i == n_bodies() ? joint.body_j : joint.body_i];
      auto& scale = system_->row_scale;
      scale.insert(scale.end(), layout.n_coincidence, length);
      scale.insert(scale.end(), layout.n_symmetric, 1.0);
      scale.insert(scale.end(), layout.n_orthogonality + layout.n_distance, length);
      auto& reach = system_->row_reach;
      reach.insert(reach.end(), layout.n_coincidence, 1.0);
      reach.insert(reach.end(), layout.n_symmetric, 0.0);
      reach.insert(reach.end(), layout.n_orthogonality + layout.n_distance, 1.0);
      const int moving = joint.body_i == n_bodies() ? joint.body_j : joint.body_i;
      system_->row_component.insert(system_->row_component.end(), layout.rows(),
                                    topology.component_of[moving]);
    }
  }

  // ---- assembly, and how reactions are shared

  void compile_assembly() {
    system_->redundancy_tolerance = model_.redundancy_tolerance;
    for (const Body& body : model_.bodies) {
      const double mobility = 1.0 / body.assembly_weight;
      system_->placement.push_back(
          {body.hold_position ? 0.0 : mobility, body.hold_orientation ? 0.0 : mobility});
    }
    for (int k = 0; k < system_->topology.n_joints; ++k) {
      const JointTopology& at = system_->topology.joints[k];
      const double length = system_->length[at.body_i == n_bodies() ? at.body_j : at.body_i];
      const auto& given = model_.joints[k].compliance;
      system_->compliance.push_back(given ? given->force : 1.0);
      system_->compliance.push_back(given ? given->moment : 1.0 / (length * length));
    }
  }

  // ---- state and names

  void compile_initial_state() {
    std::vector<BodyState> states;
    for (const Body& body : model_.bodies) {
      const InitialState start = body.initial.value_or(InitialState{
          body.position, body.orientation, body.velocity, body.angular_velocity});
      states.push_back({start.position, start.orientation, start.velocity, start.angular_velocity});
    }
    system_->initial.assign(system_->topology.layout.size(), 0.0);
    import_state(*system_, states, system_->initial.data());
  }

  void compile_names() {
    SystemData& s = *system_;
    s.model_name = model_.name;
    s.model_text = model_.text;
    for (const Body& body : model_.bodies) s.body_names.push_back(body.name);
    static constexpr const char* coincidence_rows[] = {".C.x", ".C.y", ".C.z"};
    static constexpr const char* symmetric_rows[] = {".SO(a,a)", ".SO(b,a)", ".SO(a,b)"};
    static constexpr const char* orthogonality_rows[] = {".O(a)", ".O(b)"};
    static constexpr const char* distance_rows[] = {".D"};
    for (const Joint& joint : model_.joints) {
      s.joint_names.push_back(joint.name);
      const JointLayout& layout = layout_of<Space>(joint.kind);
      const auto add = [&](const char* const* rows, int count) {
        for (int r = 0; r < count; ++r) s.row_names.push_back(joint.name + rows[r]);
      };
      add(coincidence_rows, layout.n_coincidence);
      add(symmetric_rows, layout.n_symmetric);
      add(orthogonality_rows, layout.n_orthogonality);
      add(distance_rows, layout.n_distance);
    }
  }

  void compile_scene() {
    Scene& scene = system_->scene;
    scene.gravity = model_.gravity;
    for (const Body& body : model_.bodies) {
      const MassProperties properties = calc_mass_properties(body);
      scene.bodies.push_back(
          {body.name, properties.mass, properties.inertia, body.shapes, body.shapes.empty()});
    }
    for (const Joint& joint : model_.joints) {
      SceneJoint drawn;
      drawn.name = joint.name;
      drawn.kind = to_word(joint.kind);
      scene.joints.push_back(drawn);
    }
    for (const Force& force : model_.forces) {
      if (const auto* spring = std::get_if<SpringDamper>(&force.law)) {
        const auto index = [&](const std::string& name) {
          return name == ground ? ground_index : body_index_.at(name);
        };
        scene.springs.push_back({force.name, index(spring->body_i), index(spring->body_j),
                                 spring->point_i, spring->point_j, spring->free_length});
      }
    }
    complete_scene(*system_);
  }

  const Model& model_;
  std::shared_ptr<SystemIn<Space>> system_;
  std::unordered_map<std::string, int> body_index_;
  std::unordered_map<std::string, int> joint_index_;
  CoordinateIndex find_coordinate_;
};

}  // namespace

System compile(const Model& model) {
  std::vector<Mistake> mistakes = check_model(model);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  if (model.dimension == 2) return Compiler<Planar>(model).compile();
  return Compiler<Spatial>(model).compile();
}

}  // namespace trammel
