// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "compile/scales.hpp"
#include "math/arctangent.hpp"
#include "model/check_function.hpp"
#include "model/frame_axes.hpp"
#include "system/state.hpp"

namespace trammel {

namespace {

// The part of v normal to the unit vector n, as a unit vector; any normal where there is none.
V make_normal_part(const V& v, const V& n) {
  const V part = v - dot(v, n) * n;
  const double length = length_of(part);
  if (length > 1e-6) return (1.0 / length) * part;
  const V e = std::abs(n.x) < 0.9 ? V{1, 0, 0} : V{0, 1, 0};
  const V normal = cross(n, e);
  return (1.0 / length_of(normal)) * normal;
}

// The axis of a joint in the world, as body i carries it and as body j does.
struct Axis {
  V of_i, of_j;
};

template <class Space>
Axis find_axis(const BodyFrames<Space>& frames, const JointTopology& at,
               const JointParameters<double, Space>& data) {
  const V a = frames.vector_to_world(at.body_i, data.vector_i[0]);
  const V b = frames.vector_to_world(at.body_i, data.vector_i[1]);
  const V given = frames.vector_to_world(at.body_j, data.vector_j[0]);
  if constexpr (Space::dimension == 2) {
    // the line lies in the plane, normal to a_i; a turn is about z
    if (at.kind == JointKind::revolute) return {{0, 0, 1}, {0, 0, 1}};
    const V along{a.y, -a.x, 0.0};
    if (at.kind == JointKind::point_on_line) return {along, along};
    return {dot(along, given) < 0.0 ? -along : along, given};
  }
  const V normal = cross(a, b);
  return {dot(normal, given) < 0.0 ? -normal : normal, given};
}

}  // namespace

template <class Space>
CoordinateCompiler<Space>::CoordinateCompiler(const BodyFrames<Space>& frames)
    : frames_(frames), model_(frames.model()) {
  list_joints();
  add_screws();
  add_couplers();
  add_drivers();
}

// ---- what there is

template <class Space>
void CoordinateCompiler<Space>::list_joints() {
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    first_of_joint_.push_back(static_cast<int>(listed_.size()));
    for (JointCoordinate c :
         trammel::list_coordinates(model_.joints[k].kind, Space::dimension == 2)) {
      listed_.push_back({static_cast<int>(k), c, -1, -1});
    }
  }
  first_of_joint_.push_back(static_cast<int>(listed_.size()));
}

template <class Space>
int CoordinateCompiler<Space>::find(const std::string& joint, JointCoordinate coordinate) const {
  int c = first_of_joint_[frames_.names().joint(joint)];
  while (listed_[c].coordinate != coordinate) ++c;
  return c;
}

// travel − pitch/2π · angle
template <class Space>
void CoordinateCompiler<Space>::add_screws() {
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    if (joint.kind != JointKind::screw) continue;
    const int angle = find(joint.name, JointCoordinate::angle);
    const int travel = find(joint.name, JointCoordinate::travel);
    Row& row = rows_.emplace_back();
    row.name = joint.name + ".thread";
    row.request.joint = static_cast<int>(k);
    row.add(travel, 1.0);
    row.add(angle, -*joint.pitch / full_turn);
  }
}

template <class Space>
void CoordinateCompiler<Space>::add_couplers() {
  for (const Coupler& coupler : model_.couplers) {
    const CouplerSum sum = make_sum(frames_.names(), coupler);
    Row& row = rows_.emplace_back();
    row.name = coupler.name + ".coupling";
    row.load = coupler.name + '.';
    row.factor = sum.factor;
    row.value = sum.value;
    for (const CouplerSum::Term& term : sum.terms) {
      if (const auto* frames = std::get_if<FrameCoordinate>(&term.of)) {
        FramePair pair =
            make_pair(frames->kind == FrameCoordinate::Kind::wheel ? CoordinateKind::bearing
                      : frames->is_angle()                         ? CoordinateKind::angle
                                                                   : CoordinateKind::travel,
                      *frames);
        pair.name = row.load + frames->moving + (frames->is_angle() ? ".angle" : ".travel");
        pair.of = row.load + frames->moving + '.';
        pair.power = frames->is_angle() ? "torque_power" : "force_power";
        row.add(add_pair(std::move(pair)), term.coefficient);
        continue;
      }
      const auto& of_joint = std::get<LinearCoupler::Term>(term.of);
      row.add(find(of_joint.joint, of_joint.coordinate), term.coefficient);
      if (!of_joint.function) continue;
      row.request.functions.back() = static_cast<int>(functions_.size());
      functions_.emplace_back(*of_joint.function, to_word(of_joint.coordinate));
    }
  }
}

template <class Space>
int CoordinateCompiler<Space>::add_coordinate(int driver, int component) {
  listed_.push_back({-1, JointCoordinate::travel, driver, component});
  return static_cast<int>(listed_.size()) - 1;
}

// q = f(t)
template <class Space>
void CoordinateCompiler<Space>::add_driven_row(int driver, int coordinate, const std::string& name,
                                               const Function& value, bool is_rate) {
  Row& row = rows_.emplace_back();
  row.name = name + ".drive";
  row.load = model_.drivers[driver].name + '.';
  row.drive = value;
  row.request.driven = true;
  row.request.by_rate = is_rate;
  row.add(coordinate, 1.0);
}

template <class Space>
void CoordinateCompiler<Space>::add_drivers() {
  static constexpr const char* axes[] = {".x", ".y", ".z"};
  for (std::size_t k = 0; k < model_.drivers.size(); ++k) {
    const std::string& name = model_.drivers[k].name;
    const int driver = static_cast<int>(k);
    const auto& law = model_.drivers[k].law;
    if (const auto* joint = std::get_if<JointDriver>(&law)) {
      add_driven_row(driver, find(joint->joint, joint->coordinate), name, joint->value,
                     joint->is_rate);
    } else if (const auto* distance = std::get_if<DistanceDriver>(&law)) {
      add_driven_row(driver, add_coordinate(driver, -1), name, distance->value, distance->is_rate);
    } else if (const auto* point = std::get_if<PointDriver>(&law)) {
      for (int c = 0; c < Space::dimension; ++c) {
        if (!point->value[c]) continue;
        add_driven_row(driver, add_coordinate(driver, c), name + axes[c], *point->value[c],
                       point->is_rate);
      }
    } else if (const auto* frames = std::get_if<FrameDriver>(&law)) {
      add_frame_driver(driver, name, *frames);
    }
  }
}

template <class Space>
std::vector<CoordinateTopology> CoordinateCompiler<Space>::list_coordinates() const {
  std::vector<CoordinateTopology> result;
  for (const Listed& of : listed_) {
    if (of.pair >= 0) {
      const FramePair& pair = pairs_[of.pair];
      result.push_back({pair.kind, pair.body_i, pair.body_j});
      continue;
    }
    if (of.driver >= 0) {
      const auto& law = model_.drivers[of.driver].law;
      if (const auto* distance = std::get_if<DistanceDriver>(&law)) {
        result.push_back({CoordinateKind::distance, frames_.body_index(distance->body_i),
                          frames_.body_index(distance->body_j)});
      } else {
        result.push_back({CoordinateKind::travel, frames_.body_index(ground),
                          frames_.body_index(std::get<PointDriver>(law).body)});
      }
      continue;
    }
    const Joint& joint = model_.joints[of.joint];
    result.push_back({is_angle(of.coordinate) ? CoordinateKind::angle : CoordinateKind::travel,
                      frames_.body_index(joint.body_i), frames_.body_index(joint.body_j)});
  }
  return result;
}

template <class Space>
std::vector<CoordinateRowRequest> CoordinateCompiler<Space>::list_rows() const {
  std::vector<CoordinateRowRequest> result;
  for (const Row& row : rows_) result.push_back(row.request);
  return result;
}

// ---- numbers

template <class Space>
double CoordinateCompiler<Space>::calc_start(const Listed& of) const {
  const Joint& joint = model_.joints[of.joint];
  if (of.coordinate == JointCoordinate::angle) return joint.start_angle.value_or(0.0);
  return of.coordinate == JointCoordinate::travel ? joint.start_travel.value_or(0.0) : 0.0;
}

template <class Space>
void CoordinateCompiler<Space>::compile_coordinate(const Listed& of,
                                                   SystemIn<Space>& system) const {
  const auto& placement = model_.joints[static_cast<std::size_t>(of.joint)].placement;
  if (const auto* frames = std::get_if<FramePlacement>(&placement)) {
    return compile_framed(of, *frames, system);
  }
  const JointTopology& at = system.topology.joints[of.joint];
  const JointParameters<double, Space>& joint = system.parameters.joints[of.joint];
  CoordinateParameters<double, Space> data{};
  data.point_i = joint.point_i;
  data.point_j = joint.point_j;
  data.start = calc_start(of);
  const auto set = [&](const V& s, const V& s1, const V& t, const V& t1) {
    data.vector_i[0] = frames_.from_world(at.body_i, s);
    data.vector_i[1] = frames_.from_world(at.body_i, s1);
    data.vector_j[0] = frames_.from_world(at.body_j, t);
    data.vector_j[1] = frames_.from_world(at.body_j, t1);
  };
  if (of.coordinate == JointCoordinate::angle) {
    // the direction t of body j is at the start angle from the direction s of body i
    const Axis axis = find_axis(frames_, at, joint);
    const V s = make_normal_part({1, 0, 0}, axis.of_i);
    const V u = make_normal_part(s, axis.of_j);
    const V t = std::cos(data.start) * u + std::sin(data.start) * cross(axis.of_j, u);
    set(s, cross(axis.of_i, s), t, t);
  } else if (of.coordinate == JointCoordinate::travel) {
    const V n = find_axis(frames_, at, joint).of_i;
    set(n, n, n, n);
    const V d = frames_.point_from_origin(at.body_j, joint.point_j) -
                frames_.point_from_origin(at.body_i, Linear<double, Space>::zero());  // r_i
    data.offset = dot(n, d) - data.start;
  } else {
    const V cross_i = frames_.vector_to_world(at.body_i, joint.vector_i[0]);
    const V cross_j = frames_.vector_to_world(at.body_j, joint.vector_j[0]);
    if (of.coordinate == JointCoordinate::angle_i) {
      const V s = make_normal_part(cross_j, cross_i);
      set(s, cross(cross_i, s), cross_j, cross_j);
    } else {
      const V t = make_normal_part(cross_i, cross_j);
      set(cross_i, cross_i, t, cross(t, cross_j));
    }
  }
  system.parameters.coordinates.push_back(data);
}

template <class Space>
void CoordinateCompiler<Space>::compile_row(std::size_t index, SystemIn<Space>& system) const {
  const Row& row = rows_[index];
  const Topology& topology = system.topology;
  const CoordinateRow& at = topology.coordinate_rows[index];
  double start = 0.0, scale = 0.0, size = 0.0, reach = 0.0;
  int moving = topology.ground();
  for (int t = at.term_begin; t < at.term_end; ++t) {
    const int c = topology.terms[t].coordinate;
    const CoordinateTopology& of = topology.coordinates[c];
    moving = of.body_i == topology.ground() ? of.body_j : of.body_i;
    const bool angle = trammel::is_angle(of.kind);
    double coefficient = row.coefficients[t - at.term_begin];
    double drawn = system.parameters.coordinates[c].start;
    system.parameters.coefficients.push_back(coefficient);
    if (const int f = topology.terms[t].function; f >= 0) {
      const Jet value = system.parameters.term_functions[f]->evaluate(drawn);
      start += coefficient * value.value;
      // f is known to its own rounding, too
      scale += std::abs(row.factor * coefficient * value.value);
      coefficient *= value.first;
    } else {
      start += coefficient * drawn;
    }
    // a length is known to the rounding of its own size: a winch with a long rope
    scale += std::abs(row.factor * coefficient) *
             (angle ? 1.0 : std::max(system.length[moving], std::abs(drawn)));
    size += std::abs(row.factor * coefficient) *
            (angle ? 1.0 : calc_joined_size(system, of.body_i, of.body_j));
    if (!angle) reach = std::max(reach, std::abs(row.factor * coefficient));
  }
  system.parameters.coordinate_rows.push_back({row.factor, row.value.value_or(start)});
  system.row_scale.push_back(scale);
  system.row_size.push_back(size);
  system.row_reach.push_back(reach);
  system.row_component.push_back(topology.component_of[moving]);
  system.coordinate_row_names.push_back(row.name);
}

// The coordinate that a driver made for itself: a distance, or a position in the world.
template <class Space>
void CoordinateCompiler<Space>::compile_own(const Listed& of, SystemIn<Space>& system) const {
  CoordinateParameters<double, Space> data{};
  const auto& law = model_.drivers[of.driver].law;
  if (const auto* distance = std::get_if<DistanceDriver>(&law)) {
    const int i = frames_.body_index(distance->body_i), j = frames_.body_index(distance->body_j);
    data.point_i = frames_.import_point(i, load(distance->point_i));
    data.point_j = frames_.import_point(j, load(distance->point_j));
    data.start = length_of(frames_.point_from_origin(j, data.point_j) -
                           frames_.point_from_origin(i, data.point_i));
  } else {
    const auto& point = std::get<PointDriver>(law);
    const int j = frames_.body_index(point.body);
    V axis = V::zero();
    (of.component == 0 ? axis.x : of.component == 1 ? axis.y : axis.z) = 1.0;
    data.point_j = frames_.import_point(j, load(point.point));
    data.vector_i[0] = Space::import_linear(axis);
    data.offset = -dot(axis, system.origin);
    data.start = dot(axis, frames_.point_from_origin(j, data.point_j)) - data.offset;
  }
  system.parameters.coordinates.push_back(data);
}

template <class Space>
std::string CoordinateCompiler<Space>::make_name(const Listed& of) const {
  static constexpr const char* positions[] = {".distance", ".position.x", ".position.y",
                                              ".position.z"};
  if (of.pair >= 0) return pairs_[of.pair].name;
  if (of.driver >= 0) return model_.drivers[of.driver].name + positions[of.component + 1];
  return model_.joints[of.joint].name + '.' + to_word(of.coordinate);
}

// The load and power of a coupler on each of its coordinates, of a driver on what it drives, and the
// coordinate that it drives.
template <class Space>
void CoordinateCompiler<Space>::compile_loads(SystemIn<Space>& system) const {
  static constexpr const char* axes[] = {"", ".x", ".y", ".z"};
  int driver = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    if (row.load.empty()) continue;
    const CoordinateRow& at = system.topology.coordinate_rows[k];
    for (int t = at.term_begin; t < at.term_end; ++t) {
      const Listed& of = listed_[system.topology.terms[t].coordinate];
      const bool angle = of.pair >= 0 ? trammel::is_angle(pairs_[of.pair].kind) : of.is_angle();
      const double weight = row.factor * row.coefficients[t - at.term_begin];
      const std::string where = row.drive || of.pair >= 0 ? "" : model_.joints[of.joint].name + '.';
      const char* axis = axes[of.component + 1];
      const int coordinate = system.topology.terms[t].coordinate;
      using Kind = LoadChannel::Kind;
      const int function = system.topology.terms[t].function;
      const auto add = [&](const std::string& name, const char* unit, Kind kind, int index) {
        const std::string whole = of.pair >= 0 ? pairs_[of.pair].of + name + pairs_[of.pair].axis
                                               : row.load + where + name + axis;
        system.loads.push_back({whole, unit, kind, at.row, weight, index, function});
      };
      const std::string power = of.pair >= 0 ? pairs_[of.pair].power : "power";
      add(angle ? "torque" : "force", angle ? "N m" : "N", Kind::load, coordinate);
      if (row.drive) {
        add(power, "W", Kind::driver_power, driver++);
      } else {
        add(power, "W", Kind::power, coordinate);
      }
      // what a driver has of its own is a coordinate already
      if (!row.drive || of.joint < 0) continue;
      const std::string word = to_word(of.coordinate);
      if (row.load + word == make_name(of)) continue;  // the driver has the joint's name
      add(word, angle ? "rad" : "m", Kind::value, coordinate);
      add(word + "_rate", angle ? "rad/s" : "m/s", Kind::rate, coordinate);
    }
  }
}

// Where a coordinate starts: as drawn, or where the joint says.
template <class Space>
double CoordinateCompiler<Space>::find_near(const Listed& of, double drawn) const {
  if (of.joint < 0) return drawn;
  for (const Joint::Start& start : model_.joints[of.joint].starts) {
    if (start.coordinate == of.coordinate && start.value) return *start.value;
  }
  return drawn;
}

// ρ at t = 0. Where a rate is given, that is where the motion starts.
template <class Space>
void CoordinateCompiler<Space>::compile_references(SystemIn<Space>& system) const {
  const Topology& topology = system.topology;
  const State<Space> initial(topology.layout, system.initial.data());
  const auto set = [&](int reference, int coordinate) {
    initial.reference(reference) = system.coordinate_near[coordinate];
  };
  for (std::size_t r = 0; r < topology.references.size(); ++r) {
    const int c = topology.references[r].coordinate;
    if (c >= 0) set(static_cast<int>(r), c);
  }
  for (const DriverTopology& driver : topology.drivers) {
    if (driver.reference < 0) continue;
    const CoordinateRow& row = topology.coordinate_rows[driver.coordinate_row];
    set(driver.reference, topology.terms[row.term_begin].coordinate);
  }
}

template <class Space>
void CoordinateCompiler<Space>::compile(SystemIn<Space>& system) const {
  const ConstantTable parameters = make_constant_table(model_);
  for (const auto& [function, name] : functions_) {
    system.parameters.term_functions.push_back(
        std::make_shared<const CompiledFunction>(function, name, parameters));
  }
  for (const Listed& of : listed_) {
    if (of.pair >= 0) {
      compile_pair(pairs_[of.pair], system);
    } else if (of.driver >= 0) {
      compile_own(of, system);
    } else {
      compile_coordinate(of, system);
    }
    system.coordinate_names.push_back(make_name(of));
    system.coordinate_near.push_back(find_near(of, system.parameters.coordinates.back().start));
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    compile_row(k, system);
    if (rows_[k].drive) system.parameters.drivers.emplace_back(*rows_[k].drive, "t", parameters);
  }
  compile_loads(system);
  compile_references(system);
}

template class CoordinateCompiler<Spatial>;
template class CoordinateCompiler<Planar>;

}  // namespace trammel
