// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The module trammel._core: the C++ library as the package python/trammel uses it. What users see is there; here
// are only types and functions that it needs, each file with its own.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <string>
#include <vector>

#include <trammel/trammel.hpp>

namespace nb = nanobind;

namespace trammel::python {

// A model as read, and its system.
struct Compiled {
  Model model;
  System system;
};

// Options by the words of model files over those of the model. Throws ModelError.
SimulationOptions make_options(const SimulationOptions& base, const nb::dict& values);

// An array that owns a copy of the numbers, read-only.
using Array = nb::ndarray<nb::numpy, const double>;
Array make_array(std::vector<double> numbers, std::vector<std::size_t> shape);

// Progress of a run for Python: signals (Ctrl-C), and a function that is called about ten times per second with
// t and t_end and ends the run by returning False. The GIL is taken for these only.
ProgressCallback make_progress(nb::object function, std::atomic<bool>& interrupted);

void bind_errors(nb::module_& module);
void bind_model(nb::module_& module);
void bind_results(nb::module_& module);
void bind_simulator(nb::module_& module);
void bind_evaluator(nb::module_& module);

}  // namespace trammel::python
