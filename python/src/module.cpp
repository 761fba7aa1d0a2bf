// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
#include <program.hpp>
#include "core.hpp"

namespace trammel::python {

// ModelError and FileError become the exceptions of the package, which lists the errors in `mistakes`.
void bind_errors(nb::module_& module) {
  nb::class_<Mistake>(module, "Mistake", "One error of a model, with its place.")
      .def_ro("file", &Mistake::file, "Empty where the model is not from a file.")
      .def_ro("line", &Mistake::line, "From 1; 0: unknown.")
      .def_ro("column", &Mistake::column, "From 1; 0: unknown.")
      .def_ro("path", &Mistake::path, "Where in the model: 'bodies.crank.mass'.")
      .def_ro("reason", &Mistake::reason, "What is wrong.")
      .def_ro("hint", &Mistake::hint, "What to do about it; may be empty.")
      .def("__repr__", [](const Mistake& mistake) { return to_string(mistake); });
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    const auto raise = [](const char* name, const nb::object& argument) {
      const nb::object type = nb::module_::import_("trammel.errors").attr(name);
      PyErr_SetObject(type.ptr(), type(argument).ptr());
    };
    try {
      std::rethrow_exception(thrown);
    } catch (const ModelError& error) {
      raise("ModelError", nb::cast(error.mistakes()));
    } catch (const FileError& error) {
      raise("FileError", nb::cast(std::string(error.what())));
    }
  });
}

}  // namespace trammel::python

NB_MODULE(_core, module) {
  using namespace trammel::python;
  module.doc() = "The C++ library under the package trammel.";
  nb::set_leak_warnings(false);  // an exception may keep objects alive until the interpreter ends
  bind_errors(module);
  bind_model(module);
  bind_results(module);
  bind_simulator(module);
  bind_evaluator(module);
  module.def("version", &trammel::version, "'0.1.0'");
  module.def(
      "run_program",
      [](const std::vector<std::string>& arguments) {
        std::vector<const char*> list;
        for (const std::string& argument : arguments) list.push_back(argument.c_str());
        nb::gil_scoped_release release;
        return trammel::cli::run_program(static_cast<int>(list.size()), list.data());
      },
      nb::arg("arguments"), "The program `trammel`; returns its exit status.");
}
