// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/stl/map.h>

#include <trammel/simulator.hpp>

#include "core.hpp"

namespace trammel::python {

namespace {

// A simulator that refuses a second thread while one is in it.
class Guarded {
 public:
  Guarded(const Compiled& of, const nb::dict& options)
      : system_(of.system), simulator_(make(of, options)) {}

  template <class Use>
  decltype(auto) with(Use&& use) {
    const Lock lock(busy_);
    nb::gil_scoped_release release;
    return use(simulator_);
  }
  void change(const Compiled& of) {
    with([&](Simulator& sim) { sim.change(of.system); });
  }

 private:
  struct Lock {
    explicit Lock(std::atomic_flag& of) : flag(of) {
      if (flag.test_and_set()) {
        throw std::runtime_error("this simulator is in use by another thread");
      }
    }
    ~Lock() { flag.clear(); }
    std::atomic_flag& flag;
  };
  static Simulator make(const Compiled& of, const nb::dict& options) {
    const SimulationOptions all = make_options(of.model.simulation, options);
    nb::gil_scoped_release release;
    return {of.system, all};
  }

  System system_;
  Simulator simulator_;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

}  // namespace

void bind_simulator(nb::module_& module) {
  nb::class_<Guarded>(module, "Simulator", "A run that the caller drives.")
      .def(nb::init<const Compiled&, const nb::dict&>(), nb::arg("compiled"), nb::arg("options"))
      .def("step", [](Guarded& of) { return of.with([](Simulator& s) { return s.step(); }); })
      .def(
          "advance",
          [](Guarded& of, double dt) {
            return of.with([&](Simulator& s) { return s.advance(dt); });
          },
          nb::arg("dt"))
      .def(
          "advance_to",
          [](Guarded& of, double t) {
            return of.with([&](Simulator& s) { return s.advance_to(t); });
          },
          nb::arg("t"))
      .def_prop_ro("time",
                   [](Guarded& of) { return of.with([](Simulator& s) { return s.time(); }); })
      .def_prop_ro("is_over",
                   [](Guarded& of) { return of.with([](Simulator& s) { return s.is_over(); }); })
      .def_prop_ro(
          "message",
          [](Guarded& of) { return of.with([](Simulator& s) { return s.status().message; }); })
      .def("state", [](Guarded& of) { return of.with([](Simulator& s) { return s.state(); }); })
      .def("body_names",
           [](Guarded& of) { return of.with([](Simulator& s) { return s.body_names(); }); })
      .def(
          "value",
          [](Guarded& of, const std::string& channel) {
            return of.with([&](Simulator& s) { return s.value(channel); });
          },
          nb::arg("channel"))
      .def("input_names",
           [](Guarded& of) { return of.with([](Simulator& s) { return s.input_names(); }); })
      .def(
          "input",
          [](Guarded& of, const std::string& name) {
            return of.with([&](Simulator& s) { return s.input(name); });
          },
          nb::arg("name"))
      .def(
          "set_input",
          [](Guarded& of, const std::string& name, double value) {
            of.with([&](Simulator& s) { s.set_input(name, value); });
          },
          nb::arg("name"), nb::arg("value"))
      .def("change", &Guarded::change, nb::arg("compiled"))
      .def("results", [](Guarded& of) { return of.with([](Simulator& s) { return s.results(); }); })
      .def("save",
           [](Guarded& of) {
             const std::string bytes = of.with([](Simulator& s) { return s.save(); });
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def(
          "restore",
          [](Guarded& of, const nb::bytes& saved) {
            const std::string bytes(saved.c_str(), saved.size());
            of.with([&](Simulator& s) { s.restore(bytes); });
          },
          nb::arg("saved"));
}

}  // namespace trammel::python
