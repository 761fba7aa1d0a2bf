// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Simulator: a PreparedRun whose loop is driven from outside. An input is a number of z that is constant
// within steps; where it was changed, ż is evaluated anew before the next step, as after a sample.
#include "trammel/simulator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "analyses/checkpoint.hpp"
#include "analyses/methods.hpp"
#include "math/flushed_subnormals.hpp"
#include "math/thread_pool.hpp"
#include "record/channels.hpp"
#include "system/frames.hpp"

namespace trammel {

namespace {

// A method with its loop.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual double time() const = 0;
  virtual void set_goal(double t) = 0;
  virtual void renew() = 0;
  virtual bool attempt_step() = 0;  // false: the run is over
  virtual Stop stop() const = 0;
  virtual void write_counts() = 0;
};

template <class Space, class Method>
class EngineOf final : public Engine {
 public:
  EngineOf(PreparedRun<Space>& run, const SimulationOptions& options, double t)
      : run_(run),
        method_(run, options),
        loop_(run.make_loop_settings(), method_.stepper(), run.recorder()) {
    loop_.start(options.t_end, run.z().data(), run.rate().data(), t);
  }
  double time() const override { return loop_.time(); }
  void set_goal(double t) override { loop_.set_goal(t); }
  void renew() override { loop_.renew(); }
  bool attempt_step() override {
    if (!loop_.choose_step()) return false;
    loop_.make_step();
    return true;
  }
  Stop stop() const override { return loop_.stop(); }
  void write_counts() override { method_.write_counts(run_); }

 private:
  using Stepper = std::remove_reference_t<decltype(std::declval<Method&>().stepper())>;
  PreparedRun<Space>& run_;
  Method method_;
  Loop<Stepper, Recorder<Space>> loop_;
};

SimulationOptions make_options(SimulationOptions options) {
  options.output_at_steps = true;
  options.kinematics = Kinematics::off;
  return options;
}

}  // namespace

class Simulator::Base {
 public:
  virtual ~Base() = default;
  virtual bool attempt_step() = 0;
  virtual void set_goal(double t) = 0;
  virtual double time() const = 0;
  virtual std::vector<BodyState> state() const = 0;
  virtual double* z() = 0;
  virtual const Results& recorded() const = 0;
  virtual Results copy_results() = 0;
  virtual RunStart make_start(const SystemData& other) = 0;

  void list_inputs(const SystemData& data) {
    for (std::size_t k = 0; k < data.states.size(); ++k) {
      if (!is_input(static_cast<int>(k))) continue;
      input_names.push_back(data.states[k].name);
      input_places.push_back(data.topology.layout.state(static_cast<int>(k)));
    }
  }
  virtual bool is_input(int state) const = 0;

  std::size_t find_input(const std::string& name) const {
    const auto at = std::find(input_names.begin(), input_names.end(), name);
    if (at != input_names.end()) return static_cast<std::size_t>(at - input_names.begin());
    const std::string hint = suggest_channel(name, input_names);
    throw std::invalid_argument(
        "no input is called '" + name + "'" +
        (hint.empty() ? " (an input is a state of the model whose rate is 0)" : " (" + hint + ")"));
  }
  void set_input(std::size_t k, double value) {
    z()[input_places[k]] = value;
    inputs_changed = true;
    done.actions.push_back({Action::Kind::input, static_cast<std::uint32_t>(k), value});
  }
  // One step, or steps until t.
  bool go(double goal, bool only_one) {
    set_goal(goal);
    const double begin = time();
    while (!is_over && (only_one ? time() == begin : time() < goal)) is_over = !attempt_step();
    return !is_over;
  }
  bool step() {
    if (is_over) return false;
    if (done.actions.empty() || done.actions.back().kind != Action::Kind::steps ||
        done.actions.back().index == std::numeric_limits<std::uint32_t>::max()) {
      done.actions.push_back({Action::Kind::steps, 0, 0.0});
    }
    ++done.actions.back().index;
    return go(std::numeric_limits<double>::infinity(), true);
  }
  bool advance_to(double t) {
    if (is_over) return false;
    done.actions.push_back({Action::Kind::advance, 0, t});
    return go(t, false);
  }
  double value(const std::string& name) {
    const auto known = channels.find(name);
    const Channel& channel =
        known != channels.end()
            ? known->second
            : channels.emplace(name, find_channel(recorded(), name)).first->second;
    return channel.value(recorded().time.size() - 1);
  }

  System system = System(nullptr);
  SimulationOptions options;
  std::vector<std::string> input_names;
  std::vector<int> input_places;  // in z
  bool inputs_changed = false;
  bool is_over = false;
  Checkpoint done;  // start and actions; the rest is filled in where it is saved
  std::unordered_map<std::string, Channel> channels;
};

template <class Space>
class Simulator::In final : public Simulator::Base {
 public:
  In(const System& handle, const SystemIn<Space>& data, const SimulationOptions& given,
     const RunStart* start)
      : run_(data, make_options(given), progress_, nullptr, start), data_(data) {
    system = handle;
    options = given;
    if (start != nullptr) done.start = *start;
    if (uses_jets(given.projection)) run_.refuse("a simulator needs projection mass or none");
    run_.describe();
    list_inputs(data);
    if (!run_.is_started()) {
      final_ = run_.finish();
      throw std::invalid_argument(final_->status.message);
    }
    run_.begin_loop();
    engine_ = with_method(run_, run_.options(), [&]<class Method>(std::in_place_type_t<Method>) {
      return std::unique_ptr<Engine>(
          new EngineOf<Space, Method>(run_, run_.options(), start != nullptr ? start->t : 0.0));
    });
  }

  bool is_input(int state) const override {
    const StateParameters<double>& of = data_.parameters.states[state];
    return !of.is_sampled() && of.rate.expression() == nullptr && of.rate.spline() == nullptr &&
           of.rate.evaluate(std::span<const double>()) == 0.0;
  }
  void set_goal(double t) override { engine_->set_goal(t); }
  double time() const override { return engine_->time(); }
  double* z() override { return run_.z().data(); }
  bool attempt_step() override {
    if (inputs_changed) engine_->renew();
    inputs_changed = false;
    if (engine_->attempt_step() && engine_->time() < options.t_end) return true;
    // the end of the time is found by the loop; whatever else ends the run, too
    while (engine_->attempt_step()) {
    }
    channels.clear();
    engine_->write_counts();
    final_ = run_.finish(engine_->stop(), run_.problem().point().failure);
    return false;
  }
  std::vector<BodyState> state() const override {
    std::vector<BodyState> bodies;
    auto& run = const_cast<PreparedRun<Space>&>(run_);
    for (int b = 0; b < data_.topology.n_bodies; ++b) {
      bodies.push_back(export_body(data_, run.z().data(), b));
    }
    return bodies;
  }
  const Results& recorded() const override { return final_ ? *final_ : run_.results(); }
  Results copy_results() override { return final_ ? *final_ : run_.copy_results(); }

  RunStart make_start(const SystemData& other) override {
    const SystemData& mine = data_;
    const auto same_states = [](const NamedState& a, const NamedState& b) {
      return a.name == b.name;
    };
    if (other.planar != mine.planar || other.body_names != mine.body_names ||
        other.joint_names != mine.joint_names || other.coordinate_names != mine.coordinate_names ||
        other.topology.layout.size() != mine.topology.layout.size() ||
        !std::equal(other.states.begin(), other.states.end(), mine.states.begin(),
                    mine.states.end(), same_states)) {
      throw std::invalid_argument(
          "a simulator goes on with a system that has the same bodies, joints and states");
    }
    RunStart start{time(), run_.z(), run_.recorder().coordinates()};
    import_state(static_cast<const SystemIn<Space>&>(other), state(), start.z.data());
    return start;
  }

 private:
  ProgressCallback progress_;
  PreparedRun<Space> run_;
  const SystemIn<Space>& data_;
  std::unique_ptr<Engine> engine_;
  std::optional<Results> final_;
};

namespace {

// What the engine expects of the thread that calls it.
struct CallGuard {
  explicit CallGuard(const SimulationOptions& options) : threads(options.threads) {}
  FlushedSubnormals flushed;
  UsedThreads threads;
};

}  // namespace

Simulator::Simulator(const System& system, const SimulationOptions& options) {
  const CallGuard guard(options);
  visit_space(system.data(), [&]<class Space>(const SystemIn<Space>& data) {
    in_ = std::make_unique<In<Space>>(system, data, options, nullptr);
  });
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

bool Simulator::step() {
  const CallGuard guard(in_->options);
  return in_->step();
}

bool Simulator::advance(double dt) { return advance_to(time() + dt); }

bool Simulator::advance_to(double t) {
  if (in_->is_over) return false;
  const double t_end = in_->options.t_end;
  // k·dt may be t_end but for rounding
  if (std::abs(t - t_end) <= 1e-12 * t_end) t = t_end;
  if (!(t > time()) || t > t_end) {
    throw std::invalid_argument(fmt::format(
        "a simulator at t = {:g} s cannot advance to {:g} s: it goes forward, up to t_end = {:g} s",
        time(), t, t_end));
  }
  const CallGuard guard(in_->options);
  return in_->advance_to(t);
}

double Simulator::time() const { return in_->time(); }
bool Simulator::is_over() const { return in_->is_over; }

Status Simulator::status() const {
  if (in_->is_over) return in_->recorded().status;
  return {Outcome::running, time(), fmt::format("at t = {:.6g} s", time())};
}

std::vector<BodyState> Simulator::state() const { return in_->state(); }
const std::vector<std::string>& Simulator::body_names() const {
  return in_->system.data().body_names;
}
double Simulator::value(const std::string& channel) { return in_->value(channel); }

const std::vector<std::string>& Simulator::input_names() const { return in_->input_names; }
double Simulator::input(const std::string& name) const {
  return in_->z()[in_->input_places[in_->find_input(name)]];
}
void Simulator::set_input(const std::string& name, double value) {
  const std::size_t k = in_->find_input(name);
  if (!std::isfinite(value)) {
    throw std::invalid_argument(
        fmt::format("input '{}' must be a finite number, got {}", name, value));
  }
  if (in_->is_over) throw std::invalid_argument("the run is over: " + status().message);
  in_->set_input(k, value);
}

void Simulator::change(const System& system) {
  if (in_->is_over) throw std::invalid_argument("the run is over: " + status().message);
  const CallGuard guard(in_->options);
  const RunStart start = in_->make_start(system.data());
  visit_space(system.data(), [&]<class Space>(const SystemIn<Space>& data) {
    in_ = std::make_unique<In<Space>>(system, data, in_->options, &start);
  });
}

Results Simulator::results() { return in_->copy_results(); }

std::string Simulator::save() const {
  Checkpoint checkpoint = in_->done;
  checkpoint.t = time();
  checkpoint.z.assign(in_->z(), in_->z() + in_->system.data().topology.layout.size());
  return to_bytes(checkpoint);
}

void Simulator::restore(const std::string& saved) {
  const Checkpoint checkpoint = read_checkpoint(saved);
  const char* const other = "the checkpoint is of another model or other options";
  const auto size = static_cast<std::size_t>(in_->system.data().topology.layout.size());
  if (checkpoint.z.size() != size ||
      (!checkpoint.start.z.empty() && checkpoint.start.z.size() != size) ||
      (!checkpoint.start.z.empty() &&
       checkpoint.start.coordinates.size() != in_->system.data().coordinate_names.size())) {
    throw std::invalid_argument(other);
  }
  const CallGuard guard(in_->options);
  std::unique_ptr<Base> made;
  visit_space(in_->system.data(), [&]<class Space>(const SystemIn<Space>& data) {
    made = std::make_unique<In<Space>>(in_->system, data, in_->options,
                                       checkpoint.start.z.empty() ? nullptr : &checkpoint.start);
  });
  for (const Action& action : checkpoint.actions) {
    switch (action.kind) {
      case Action::Kind::steps:
        for (std::uint32_t k = 0; k < action.index && !made->is_over; ++k) made->step();
        break;
      case Action::Kind::advance: made->advance_to(action.value); break;
      case Action::Kind::input:
        if (action.index >= made->input_names.size()) throw std::invalid_argument(other);
        made->set_input(action.index, action.value);
        break;
      default: throw std::invalid_argument("the checkpoint is damaged");
    }
  }
  if (made->time() != checkpoint.t ||
      !std::equal(checkpoint.z.begin(), checkpoint.z.end(), made->z())) {
    throw std::invalid_argument(other);
  }
  in_ = std::move(made);
}

}  // namespace trammel
