// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <memory>

#include <trammel/channels.hpp>
#include <trammel/interpolate.hpp>
#include <trammel/page.hpp>
#include <trammel/picture.hpp>

#include "core.hpp"

namespace trammel::python {

namespace {

// A view of the numbers in the results, which it keeps alive, or a copy of what is calculated.
Array find_column(nb::handle self, const std::string& name) {
  const auto& results = nb::cast<const Results&>(self);
  if (const auto stored = find_stored(results, name)) {
    const auto stride = static_cast<std::int64_t>(stored->stride);
    if (stored->columns == 1) {
      const std::size_t shape[] = {stored->rows};
      const std::int64_t strides[] = {stride};
      return {stored->first, 1, shape, self, strides};
    }
    const std::size_t shape[] = {stored->rows, stored->columns};
    const std::int64_t strides[] = {stride, 1};
    return {stored->first, 2, shape, self, strides};
  }
  std::vector<double> numbers = column(results, name);
  const std::size_t rows = numbers.size();
  return make_array(std::move(numbers), {rows});
}

const char* outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished: return "finished";
    case Outcome::interrupted: return "interrupted";
    case Outcome::step_too_small: return "step_too_small";
    case Outcome::too_many_steps: return "too_many_steps";
    case Outcome::running: return "running";
    case Outcome::open_joint: return "open_joint";
  }
  return "";
}

// An interpolator and the results that it reads.
struct Between {
  nb::object results;
  Interpolator interpolator;
};

}  // namespace

Array make_array(std::vector<double> numbers, std::vector<std::size_t> shape) {
  auto* const kept = new std::vector<double>(std::move(numbers));
  const nb::capsule owner(kept,
                          [](void* of) noexcept { delete static_cast<std::vector<double>*>(of); });
  return {kept->data(), shape.size(), shape.data(), owner};
}

ProgressCallback make_progress(nb::object function, std::atomic<bool>& interrupted) {
  using Clock = std::chrono::steady_clock;
  // the last copy of the callback may go while the GIL is released
  struct Held {
    explicit Held(nb::object of) : function(std::move(of)) {}
    ~Held() {
      nb::gil_scoped_acquire acquire;
      function = nb::object();
    }
    nb::object function;
  };
  auto held = std::make_shared<Held>(std::move(function));
  return [held, &interrupted,
          next = Clock::now() + std::chrono::milliseconds(50)](const Progress& at) mutable {
    if (interrupted) return false;
    const auto now = Clock::now();
    if (now < next) return true;
    next = now + std::chrono::milliseconds(100);
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) {
      // Ctrl-C ends the run, which keeps what there is; other handlers' exceptions are passed on
      if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0) PyErr_Clear();
      interrupted = true;
      return false;
    }
    if (held->function.is_none()) return true;
    const nb::object answer =
        nb::steal(PyObject_CallFunction(held->function.ptr(), "dd", at.t, at.t_end));
    if (!answer.is_valid()) {
      interrupted = true;  // the exception is thrown where the run returns
      return false;
    }
    return answer.ptr() != Py_False;
  };
}

void bind_results(nb::module_& module) {
  nb::class_<BodyState>(module, "BodyState", "A body at one time: m, m/s, rad/s; SI units.")
      .def(nb::init<>())
      .def_rw("position", &BodyState::position, "m, of the body's frame, world axes.")
      .def_rw("orientation", &BodyState::orientation, "Euler parameters, scalar first.")
      .def_rw("velocity", &BodyState::velocity, "m/s, of the same, world axes.")
      .def_rw("angular_velocity", &BodyState::angular_velocity, "rad/s, body axes.");

  nb::class_<Results>(module, "Results", "The columns of a run.")
      .def_prop_ro("outcome", [](const Results& of) { return outcome_word(of.status.outcome); })
      .def_prop_ro("message", [](const Results& of) { return of.status.message; })
      .def_prop_ro("t", [](const Results& of) { return of.status.t; })
      .def_ro("model_name", &Results::model_name)
      .def_ro("model_text", &Results::model_text)
      .def_ro("body_names", &Results::body_names)
      .def_ro("joint_names", &Results::joint_names)
      .def_ro("warnings", &Results::warnings)
      .def_ro("final", &Results::final)
      .def("channels",
           [](const Results& of) {
             std::vector<std::pair<std::string, std::string>> list;
             for (const ChannelName& one : list_channels(of)) list.emplace_back(one.name, one.unit);
             return list;
           })
      .def(
          "column",
          [](nb::handle self, const std::string& name) { return find_column(self, name); },
          nb::arg("name"))
      .def("brief_report", &brief_report)
      .def("full_report", &full_report)
      .def("to_json", [](const Results& of) { return to_json(of); })
      .def("write_json", &write_json, nb::arg("path"))
      .def("write_csv", &write_csv, nb::arg("path"))
      .def("write_hdf5", &write_hdf5, nb::arg("path"))
      .def(
          "write_page", [](const Results& of, const std::string& path) { write_page(of, path); },
          nb::arg("path"))
      .def(
          "write_picture",
          [](const Results& of, const std::string& path, std::optional<double> t, int width) {
            PictureOptions options;
            options.t = t;
            options.width = width;
            return write_picture(of, path, options);
          },
          nb::arg("path"), nb::arg("t").none(), nb::arg("width"))
      .def(
          "draw_svg",
          [](const Results& of, std::optional<double> t, int width, double trail) {
            PictureOptions options;
            options.t = t;
            options.width = width;
            options.trail = trail;
            return draw_svg(of, options);
          },
          nb::arg("t").none(), nb::arg("width"), nb::arg("trail"));

  nb::class_<Between>(module, "Interpolator", "States between the output times.")
      .def(
          "at", [](Between& of, double t) { return of.interpolator.at(t); }, nb::arg("t"))
      .def_prop_ro("why_open", [](const Between& of) { return of.interpolator.why_open(); });
  module.def(
      "make_interpolator",
      [](const nb::object& results) {
        return Between{results, Interpolator(nb::cast<const Results&>(results))};
      },
      nb::arg("results"));
  module.def("read_results", &read_results, nb::arg("path"));
  module.def("has_page", &has_page);
  module.def(
      "write_comparison",
      [](const std::vector<const Results*>& runs, const std::string& path,
         const std::vector<std::string>& labels) {
        std::vector<Results> copies;
        for (const Results* one : runs) copies.push_back(*one);
        write_page(copies, path, labels);
      },
      nb::arg("runs"), nb::arg("path"), nb::arg("labels"));
}

}  // namespace trammel::python
