// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The whole public API: one type per station, one verb per arrow.
//
//   model file ─read─▶ Model ─compile─▶ System ─simulate─▶ Results ─write─▶ HDF5, CSV, JSON, text
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trammel/error.hpp"
#include "trammel/model.hpp"
#include "trammel/options.hpp"
#include "trammel/progress.hpp"
#include "trammel/results.hpp"
#include "trammel/sink.hpp"

namespace trammel {

// "0.1.0"
const char* version();

// ---- read

// A value in place of that of the file: a number in SI units, or a text as the file may have it,
// "45 deg" or "2*base". NOLINTBEGIN(google-explicit-constructor): both are values
struct ParameterValue {
  ParameterValue(double value) : form(value) {}
  ParameterValue(std::string text) : form(std::move(text)) {}
  template <std::size_t n>
  ParameterValue(const char (&text)[n]) : form(std::string(text)) {}
  // NOLINTEND(google-explicit-constructor)
  std::variant<double, std::string> form;
};

// Values that replace `parameters` of the model file.
using ParameterOverrides = std::vector<std::pair<std::string, ParameterValue>>;

struct ReadOptions {
  // Tables named by a model are read from its own folder only, unless this is set.
  bool allow_outside = false;
};

// Reads a model file (YAML or JSON). Throws ModelError with all mistakes, or FileError.
Model read_model(const std::string& path, const ParameterOverrides& overrides = {},
                 const ReadOptions& options = {});

// The same from text; `name` takes the place of the file in messages.
Model read_model_text(const std::string& text, const std::string& name,
                      const ParameterOverrides& overrides = {}, const ReadOptions& options = {});

// Everything that is wrong with a model, none of it = it compiles.
std::vector<Mistake> check_model(const Model& model);

// ---- compile

struct SystemData;  // src/system/system.hpp

// The mechanism as flat arrays: immutable, cheap to copy, safe to share between threads.
class System {
 public:
  explicit System(std::shared_ptr<const SystemData> data) : data_(std::move(data)) {}
  const SystemData& data() const { return *data_; }

 private:
  std::shared_ptr<const SystemData> data_;
};

// Throws ModelError.
System compile(const Model& model);

// ---- ask

// Degrees of freedom, assembly, dependent constraints. Does not throw for a model that compiles.
CheckReport check(const System& system);

// The start of a run: positions moved until the joints close, velocities until they agree with them.
struct AssembledStart {
  CheckReport report;  // report.assembly: what had to be moved; refused where !report.ok()
  std::vector<BodyState> bodies;  // [bodies] in the order of the model
};
AssembledStart assemble(const System& system);

// The text of the model's file with this start as its section `initial`; all else, comments too, as it
// is. Throws ModelError where the file's form does not allow that.
std::string to_text(const Model& model, const std::vector<BodyState>& start);
void write_model(const Model& model, const std::vector<BodyState>& start, const std::string& path);

struct Accelerations {
  std::vector<Vec3> linear;         // [bodies] m/s², of the bodies' origins, world frame
  std::vector<Vec3> angular;        // [bodies] rad/s², body frame
  std::vector<double> multipliers;  // [rows] λ of M u̇ + Jᵀλ = F, the paper's sign
};

// Accelerations and multipliers at a state on the manifold (one entry per body, model order). t: s, where
// drivers or forces depend on it.
Accelerations calc_accelerations(const System& system, const std::vector<BodyState>& state,
                                 double t = 0.0);

// ---- simulate

// Throws ModelError when the model cannot run (check().reasons), FileError when the sink cannot be
// started; a numerical failure is a Status.
Results simulate(const System& system, const SimulationOptions& options,
                 const ProgressCallback& progress = {}, ResultsSink* sink = nullptr);

// Many runs with the same options, in the order of the members; each has the numbers that simulate would
// give it, to the bit. Members that differ in numbers only (masses, points, loads, initial data) run
// four at a time in the lanes of the vector unit, where machine code can be made for them
// (SimulationOptions::kernel) and method is dop853; others one by one. options.threads: over all
// members. Throws what simulate throws.
std::vector<Results> simulate_ensemble(const std::vector<System>& members,
                                       const SimulationOptions& options);

// ---- write

std::string brief_report(const Results& results);  // about ten lines
std::string full_report(const Results& results);
std::string to_string(const CheckReport& report);

std::string to_json(const Results& results);  // the summary, one object, docs/reference/results.md
std::string to_json(const CheckReport& report);
void write_json(const Results& results, const std::string& path);
void write_csv(const Results& results, const std::string& path);

// ---- HDF5 files (docs/reference/results.md)

void write_hdf5(const Results& results, const std::string& path);

// Any HDF5 file that Trammel wrote, of a run that was killed too. Throws FileError.
Results read_results(const std::string& path);

struct Hdf5Settings {
  double flush_interval = 0.0;  // s of clock time between updates; 0 = about one
  bool keep_rows = true;        // false: rows leave the memory when the file has them
};

// Writes the file while the run goes: hand it to `simulate`, then call its `finish`. Killed at any
// moment, the run leaves a whole file with all rows up to the last update.
std::unique_ptr<ResultsSink> make_hdf5_sink(const std::string& path,
                                            const Hdf5Settings& settings = {});

// For runs of which only the summary and the final state are wanted: rows and the log of steps leave
// the memory while the run goes. Its `finish` does nothing.
std::unique_ptr<ResultsSink> make_discarding_sink();

}  // namespace trammel
