// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The text of a C function as printed by print_c, compiled and loaded.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "generate/machine_code.hpp"

namespace trammel::test {

class CompiledC {
 public:
  // options: of the compiler, besides those that bits need
  CompiledC(const std::string& text, const std::string& name,
            const std::vector<TracedFunction>& functions, const std::string& options = "-O1") {
    for (const TracedFunction& function : functions) {
      calc_.push_back(function.calc);
      data_.push_back(function.data);
    }
    std::string folder = (std::filesystem::temp_directory_path() / "trammel_c_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    const std::string source = folder + "/code.c", object = folder + "/code.so";
    std::ofstream(source) << text;
    const std::string command = std::string(TRAMMEL_CXX_COMPILER) +
                                " -x c -std=c99 -Wall -Werror -ffp-contract=off -fPIC -shared " +
                                options + " -o " + object + " " + source + " -lm";
    const int status = std::system(command.c_str());
    if (status == 0) library_ = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    std::filesystem::remove_all(folder);
    if (library_ == nullptr) throw std::runtime_error("cannot compile or load: " + command);
    entry_ = reinterpret_cast<Entry>(dlsym(library_, name.c_str()));
    if (entry_ == nullptr) throw std::runtime_error("no function " + name);
  }
  ~CompiledC() {
    if (library_ != nullptr) dlclose(library_);
  }
  CompiledC(const CompiledC&) = delete;
  CompiledC& operator=(const CompiledC&) = delete;

  void run(double* const (&arrays)[MachineCode::n_arrays]) const {
    entry_(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], calc_.data(), data_.data());
  }

 private:
  using Calc = double (*)(const void*, double, double, double);
  using Entry = void (*)(double*, double*, double*, double*, double*, const Calc*,
                         const void* const*);
  std::vector<Calc> calc_;
  std::vector<const void*> data_;
  void* library_ = nullptr;
  Entry entry_ = nullptr;
};

}  // namespace trammel::test
