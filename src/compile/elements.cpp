// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "compile/elements.hpp"

#include <algorithm>
#include <unordered_map>

#include "compile/force_places.hpp"
#include "model/coordinates.hpp"
#include "model/described_force.hpp"
#include "model/law_problems.hpp"
#include "model/state_names.hpp"

namespace trammel {

namespace {

V make_axis(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

template <class Law, class... Laws>
constexpr bool is_one_of(const std::tuple<Laws...>*) {
  return (std::is_same_v<Law, Laws> || ...);
}
template <class Element, class Law>
constexpr bool is_made_from_any() {
  if constexpr (requires { typename Element::Laws; }) {
    return is_one_of<Law>(static_cast<const typename Element::Laws*>(nullptr));
  } else if constexpr (requires { typename Element::Law; }) {
    return std::is_same_v<typename Element::Law, Law>;
  } else {
    return false;
  }
}
template <class Element, class Law>
constexpr bool is_made_from = is_made_from_any<Element, Law>();

template <class Space>
class ElementCompiler {
 public:
  ElementCompiler(const BodyFrames<Space>& frames, const CoordinateIndex& find,
                  SystemIn<Space>& system)
      : frames_(frames),
        find_(find),
        system_(system),
        forces_(system.parameters.forces),
        signals_(system.parameters.signals),
        parameters_(make_constant_table(frames.model())),
        reference_of_(system.topology.coordinates.size(), -1) {
    for (const FollowedCoordinate& at : system.topology.followed) {
      reference_of_[at.coordinate] = at.reference;
    }
  }

  void compile() {
    const std::vector<Force>& forces = frames_.model().forces;
    for (std::size_t k = 0; k < forces.size(); ++k) {
      const auto before = count_forces(forces_);
      name_ = forces[k].name;
      std::visit([&](const auto& law) { add(law); }, forces[k].law);
      note_force(forces_, before, system_.forces[k]);
      place_corners(system_.forces[k].list, system_.forces[k].first);
    }
    for (const StateVariable& state : frames_.model().states) {
      const bool is_held = state.is_switch || state.period.has_value();
      system_.parameters.states.push_back(
          {make_function(state.rate), state.scale, is_held ? 1 : 0, state.period.value_or(0.0)});
    }
    place_corners(-1, 0);
    for (const Event& event : frames_.model().events) compile_event(event);
    add_branches();
    system_.topology.n_slots = first_signal_slot + static_cast<int>(signals_.size());
  }

 private:
  friend ForcePlaces<Space, ElementCompiler>;
  using Position = Linear<double, Space>;
  using Spin = Angular<double, Space>;
  using AxesRotation = Rotation<double, Space>;

  // The matrix whose columns are world vectors, as one to the axes inside a body.
  AxesRotation axes_from_world(int body, const V (&columns)[3]) const {
    AxesRotation axes = AxesRotation::identity();
    const AxesRotation unit = AxesRotation::identity();
    Position inside[3];
    for (int k = 0; k < 3; ++k) inside[k] = frames_.from_world(body, columns[k]);
    for (int r = 0; r < Space::dimension; ++r) {
      // row r: the component r of each column
      double row[3];
      for (int c = 0; c < Space::dimension; ++c) row[c] = dot(unit.row[r], inside[c]);
      axes.row[r] = Position::load(row);
    }
    return axes;
  }

  // ---- events and corners

  void compile_event(const Event& event) {
    EventParameters made{make_plain_function(event.when),
                         event.direction == EventDirection::rising    ? 1
                         : event.direction == EventDirection::falling ? -1
                                                                      : 0,
                         event.record,
                         event.stop,
                         {}};
    for (const Event::Change& change : event.set) {
      made.set.push_back(
          {find_own_state(frames_.model(), change.state), make_plain_function(change.value)});
    }
    system_.events.push_back(std::move(made));
    system_.event_names.push_back(event.name);
  }

  // The corners of the formulas made last are those of this element, −1: of the rate of a state.
  void place_corners(int list, int index) {
    std::vector<CornerParameters>& corners = system_.corners;
    for (; n_placed_ < corners.size(); ++n_placed_) {
      corners[n_placed_].list = list;
      corners[n_placed_].index = index;
    }
  }

  // Branches are states that nothing but corners change.
  void add_branches() {
    StateLayout& layout = system_.topology.layout;
    layout.n_states += static_cast<int>(system_.corners.size());
    for (std::size_t k = 0; k < system_.corners.size(); ++k) {
      system_.parameters.states.push_back({StateFunction(), 1.0, 1, 0.0});
    }
  }

  int add_state_slot(int state) {
    Signal<double, Space> signal{};
    signal.kind = SignalKind::own;
    signal.body = state;
    signals_.push_back(signal);
    return first_signal_slot + static_cast<int>(signals_.size()) - 1;
  }

  // ---- functions

  // The slot of a number of the state, made where it is new.
  int find_slot(const std::string& name) {
    if (name == "t") return time_slot;
    const auto known = slots_.find(name);
    if (known != slots_.end()) return known->second;
    if (const int own = find_own_state(frames_.model(), name); own >= 0) {
      const int slot = add_state_slot(own);
      slots_.emplace(name, slot);
      return slot;
    }
    const StateName state = *find_state_name(name);
    const int slot = first_signal_slot + static_cast<int>(signals_.size());
    slots_.emplace(name, slot);
    if (is_of_joint(state.quantity)) {
      Signal<double, Space> signal{};
      signal.kind = state.quantity == StateQuantity::coordinate ? SignalKind::coordinate
                                                                : SignalKind::coordinate_rate;
      signal.body = find_(state.part, state.coordinate);
      signal.reference = reference_of_[signal.body];
      signals_.push_back(signal);
      return slot;
    }
    signals_.push_back(make_signal(state));
    return slot;
  }

  // Of a body: of its frame's origin, of its centre of mass ("rod.com") or of one of its frames.
  Signal<double, Space> make_signal(const StateName& state) const {
    const PointOfBody at =
        *find_point_of_body(frames_.model(), frames_.names().bodies(), state.part);
    const V axis = make_axis(state.axis);
    const V point = (at.is_com ? frames_.com(at.body) : load(at.point)) - frames_.com(at.body);
    const bool off_center = dot(point, point) > 0.0;
    Signal<double, Space> signal{};
    signal.body = at.body;
    signal.linear = Space::import_linear(axis);
    signal.angular = Space::import_angular(frames_.to_inside(at.body, axis));
    signal.point = Space::import_linear(frames_.to_inside(at.body, point));
    switch (state.quantity) {
      case StateQuantity::position:
        signal.kind = off_center ? SignalKind::point_position : SignalKind::position;
        signal.offset = dot(axis, system_.origin);
        break;
      case StateQuantity::velocity:
        signal.kind = off_center ? SignalKind::point_velocity : SignalKind::velocity;
        break;
      default: signal.kind = SignalKind::spin; break;
    }
    return signal;
  }

  // `own`: names of the slots own_slot and rate_slot, for springs. Its corners are added to those of the system.
  StateFunction make_function(const Function& function, const std::vector<std::string>& own = {}) {
    StateFunction made = make_plain_function(function, own);
    if (made.expression() == nullptr) return made;
    Expression expression = *made.expression();
    std::vector<CornerParameters>& corners = system_.corners;
    const int first = static_cast<int>(frames_.model().states.size() + corners.size());
    int state = first;
    auto found = expression.add_branches(time_slot, [&] { return add_state_slot(state++); });
    for (std::size_t k = 0; k < found.size(); ++k) {
      corners.push_back({std::move(found[k]), first + static_cast<int>(k), -1, 0});
    }
    return StateFunction(std::move(expression));
  }
  // The same without branches.
  StateFunction make_plain_function(const Function& function,
                                    const std::vector<std::string>& own = {}) {
    if (const double* value = std::get_if<double>(&function.form)) return StateFunction(*value);
    if (const auto* table = std::get_if<std::shared_ptr<const DataTable>>(&function.form)) {
      return StateFunction(std::make_shared<const Spline>(**table, Interpolation::pchip));
    }
    const Formula& formula = std::get<Formula>(function.form);
    VariableNames names;
    std::vector<int> slots;
    const auto add = [&](const std::string& name, int slot) {
      names.add(name);
      slots.push_back(slot);
    };
    for (std::size_t k = 0; k < own.size(); ++k) add(own[k], own_slot + static_cast<int>(k));
    for (const auto& [view, offset] : list_names(formula.text)) {
      const std::string name(view);
      if (names.find(name) >= 0) continue;
      const bool is_state =
          name.find('.') != std::string::npos || find_own_state(frames_.model(), name) >= 0;
      if (name == "t" || is_state) add(name, find_slot(name));
    }
    Expression expression = compile_formula(formula, names, parameters_);
    expression.renumber(slots);
    return StateFunction(std::move(expression));
  }

  // ---- elements

  template <class Law>
  void add(const Law&) {}  // those of compile.cpp

  // Forces that describe themselves become the element with this `Law`.
  template <DescribedForce Law>
  void add(const Law& law) {
    const auto add_to = [&]<class Element>(const std::vector<Element>&) {
      if constexpr (is_made_from<Element, Law>) {
        forces_.add(Element::make(
            law, ForcePlaces<Space, ElementCompiler>{frames_, system_, *this, name_}));
      }
    };
    const auto add_one = [&]<class... Element>(const std::vector<Element>&... list) {
      static_assert((is_made_from<Element, Law> + ...) == 1, "one kind in elements/forces");
      (add_to(list), ...);
    };
    std::apply(add_one, forces_.lists);
  }

  ForcePath<double, Space> make_path(const std::string& joint, JointCoordinate coordinate) const {
    const int index = find_(joint, coordinate);
    const CoordinateTopology& of = system_.topology.coordinates[index];
    return {
        index, reference_of_[index], {of.body_i, of.body_j, Position::zero(), Position::zero()}};
  }

  static bool is_zero(const Function& function) {
    const double* value = std::get_if<double>(&function.form);
    return value != nullptr && *value == 0.0;
  }

  void add(const VariableForce& law) {
    const int body = frames_.body_index(law.body);
    for (int k = 0; k < 3; ++k) {
      if (is_zero(law.value[k])) continue;
      ScaledLoad<double, Space> one = make_load(body, law.value[k]);
      one.point = frames_.import_point(body, load(law.point));
      if (law.frame == Frame::world) {
        one.force_W = Space::import_linear(make_axis(k));
      } else {
        one.force_B = Space::import_linear(frames_.to_inside(body, make_axis(k)));
        one.torque_B = cross(one.point, one.force_B);
      }
      forces_.add(std::move(one));
    }
  }

  void add(const VariableTorque& law) {
    const int body = frames_.body_index(law.body);
    for (int k = 0; k < 3; ++k) {
      if (is_zero(law.value[k])) continue;
      ScaledLoad<double, Space> one = make_load(body, law.value[k]);
      if (law.frame == Frame::world) {
        one.torque_W = Space::import_angular(make_axis(k));
      } else {
        one.torque_B = Space::import_angular(frames_.to_inside(body, make_axis(k)));
      }
      forces_.add(std::move(one));
    }
  }

  ScaledLoad<double, Space> make_load(int body, const Function& value) {
    return {body,         Position::zero(),    Position::zero(), Spin::zero(), Position::zero(),
            Spin::zero(), make_function(value)};
  }

  void add(const NonlinearSpring& law) {
    const int i = frames_.body_index(law.body_i), j = frames_.body_index(law.body_j);
    const Position point_i = frames_.import_point(i, load(law.point_i));
    const Position point_j = frames_.import_point(j, load(law.point_j));
    SpringLaw tension;
    if (law.energy) {
      tension = SpringLaw(CompiledFunction(*law.energy, "length", parameters_));
    } else if (const auto* table =
                   std::get_if<std::shared_ptr<const DataTable>>(&law.tension->form)) {
      tension = SpringLaw(std::make_shared<const Spline>(**table, Interpolation::pchip));
    } else {
      tension = SpringLaw(make_function(*law.tension, {"length", "rate"}));
    }
    forces_.add(NonlinearSpringForce<double, Space>{
        {i, j, point_i, point_j}, std::move(tension), law.damping});
  }

  void add(const Bushing& law) {
    BushingForce<double, Space> bushing{};
    const int i = bushing.body_i = frames_.body_index(law.body_i);
    const int j = bushing.body_j = frames_.body_index(law.body_j);
    if (law.at) {
      bushing.point_i = frames_.point_from_world(i, load(*law.at));
      bushing.point_j = frames_.point_from_world(j, load(*law.at));
    } else {
      bushing.point_i = frames_.import_point(i, load(law.point_i));
      bushing.point_j = frames_.import_point(j, load(law.point_j));
    }
    // the bushing's axes in the world at t = 0
    const Matrix3<double> A = calc_rotation(law.orientation.data());
    V columns[3];
    for (int k = 0; k < 3; ++k) {
      columns[k] = A * make_axis(k);
      if (!law.at) columns[k] = frames_.rotation(i) * columns[k];
    }
    bushing.axes_i = axes_from_world(i, columns);
    bushing.axes_j = axes_from_world(j, columns);
    static constexpr int planar_index[] = {0, 1, 5};
    const auto at = [](int k) { return Space::dimension == 2 ? planar_index[k] : k; };
    for (int r = 0; r < Space::n_u; ++r) {
      for (int c = 0; c < Space::n_u; ++c) {
        bushing.stiffness[r][c] = 0.5 * (law.stiffness[at(r)][at(c)] + law.stiffness[at(c)][at(r)]);
        bushing.damping[r][c] = 0.5 * (law.damping[at(r)][at(c)] + law.damping[at(c)][at(r)]);
      }
    }
    forces_.add(bushing);
  }

  void add(const JointSpringDamper& law) {
    const JointCoordinate coordinate = find_coordinate(frames_.names(), law.joint, law.coordinate);
    const std::string word = to_word(coordinate);
    CoordinateSpringForce<double, Space> spring{};
    const ForcePath<double, Space> path = make_path(law.joint, coordinate);
    spring.coordinate = path.coordinate;
    spring.body_i = path.line.body_i;
    spring.body_j = path.line.body_j;
    spring.reference = path.reference;
    spring.stiffness = law.stiffness;
    spring.damping = law.damping;
    spring.free = law.free;
    if (law.energy) {
      spring.law = SpringLaw(CompiledFunction(*law.energy, word, parameters_));
    } else if (law.load) {
      const auto* table = std::get_if<std::shared_ptr<const DataTable>>(&law.load->form);
      if (table != nullptr)
        spring.law = SpringLaw(std::make_shared<const Spline>(**table, Interpolation::pchip));
      else
        spring.law = SpringLaw(make_function(*law.load, {word, "rate"}));
    }
    forces_.add(std::move(spring));
  }

  const BodyFrames<Space>& frames_;
  const CoordinateIndex& find_;
  SystemIn<Space>& system_;
  Forces<double, Space>& forces_;
  std::vector<Signal<double, Space>>& signals_;
  ConstantTable parameters_;
  std::vector<int> reference_of_;  // [coordinates], −1: not counted, or not followed
  std::unordered_map<std::string, int> slots_;
  std::string name_;          // of the force that is being added
  std::size_t n_placed_ = 0;  // corners whose element is known
};

}  // namespace

template <class Space>
void compile_elements(const BodyFrames<Space>& frames, const CoordinateIndex& find,
                      SystemIn<Space>& system) {
  ElementCompiler<Space>(frames, find, system).compile();
}

template void compile_elements(const BodyFrames<Spatial>&, const CoordinateIndex&,
                               SystemIn<Spatial>&);
template void compile_elements(const BodyFrames<Planar>&, const CoordinateIndex&,
                               SystemIn<Planar>&);

}  // namespace trammel
