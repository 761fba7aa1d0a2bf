// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The command line: an argument per line. The program works in a temporary folder that holds a model
// and a results file; arguments that could lead out of it, or make it work for long, are left alone.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "folder.hpp"
#include "program.hpp"
#include "trammel/trammel.hpp"

namespace {

using namespace trammel;

constexpr const char* model_text = R"(trammel: 1
gravity: [0, -9.81, 0]
parameters: {length: 0.5, spin: 1}
bodies:
  bob: {mass: 2, inertia: [0.1, 0.2, 0.2], position: [length, 0, 0], angular_velocity: [spin, 0, 0]}
joints:
  pivot: {kind: spherical, bodies: [ground, bob], points: [[0, 0, 0], [-length, 0, 0]]}
simulation: {t_end: 0.1, max_steps: 5}
)";

// A folder with nothing but the two files, as the current one.
void prepare() {
  static const fuzz::Folder folder;
  static const bool made = [] {
    folder.write("model.yaml", model_text);
    const Model model = read_model_text(model_text, "model");
    write_hdf5(simulate(compile(model), model.simulation), folder.file("run.h5"));
    std::filesystem::current_path(folder.path());
    return true;
  }();
  if (!made) std::abort();
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (name != "model.yaml" && name != "run.h5") std::filesystem::remove_all(entry.path());
  }
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> arguments = {"trammel"};
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    arguments.push_back(line.substr(0, line.find('\0')));
  }
  return arguments;
}

// Other folders; pipes and devices; all runs of the paper; more than a few steps or output points.
bool is_harmless(const std::vector<std::string>& arguments) {
  if (arguments.size() > 40) return false;
  for (std::size_t k = 1; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    if (argument.find('/') != std::string::npos || argument.size() > 200) return false;
    if (argument == "paper" || argument.find("model.yaml=") != std::string::npos) return false;
    for (const std::string_view word : {"--max-steps", "--output-interval", "--threads"}) {
      if (argument.substr(0, word.size()) != word) continue;
      const std::string value = argument.size() > word.size() ? argument.substr(word.size() + 1)
                                : k + 1 < arguments.size()    ? arguments[k + 1]
                                                              : "";
      const double number = std::strtod(value.c_str(), nullptr);
      const bool small = word == "--output-interval" ? number == 0 || number > 1e-3 : number < 20;
      if (!small) return false;
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::string> arguments =
      split(std::string(reinterpret_cast<const char*>(data), size));
  if (!is_harmless(arguments)) return 0;
  prepare();
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  cli::run_program(static_cast<int>(pointers.size()), pointers.data());
  return 0;
}
