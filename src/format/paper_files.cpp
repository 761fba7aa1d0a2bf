// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The study as files: Markdown, CSV and JSON. CSV and JSON carry the time series that the paper's
// figures show: energies and step sizes.
#include <fmt/format.h>

#include <functional>

#include "format/atomic_file.hpp"
#include "format/json_writer.hpp"
#include "format/words.hpp"
#include "trammel/error.hpp"
#include "trammel/page.hpp"
#include "trammel/paper.hpp"

namespace trammel {

namespace {

using Visit = std::function<void(const char*, double)>;

// Every figure of a run, by name.
void visit_figures(const PaperRun& run, const Visit& visit) {
  const Results& r = run.results;
  visit("steps_accepted", static_cast<double>(r.counts.accepted));
  visit("steps_rejected", static_cast<double>(r.counts.rejected));
  visit("iterations_average", r.counts.iterations_average());
  visit("iterations_max", r.counts.iterations_max);
  visit("accelerations", static_cast<double>(r.counts.accelerations));
  visit("projection", static_cast<double>(r.counts.projection));
  visit("cpu_stages", r.cpu_seconds.stages);
  visit("cpu_projection", r.cpu_seconds.projection);
  visit("cpu_total", r.cpu_seconds.total);
  visit("dg", static_cast<double>(r.counts.dg));
  visit("d2g", static_cast<double>(r.counts.d2g));
  visit("d3g", static_cast<double>(r.counts.d3g));
  visit("df_inv", static_cast<double>(r.counts.df_inv));
  visit("d2f_inv", static_cast<double>(r.counts.d2f_inv));
  visit("t", r.status.t);
  visit("position_error", run.position_error);
  visit("violation_position", r.violation.position);
  visit("violation_velocity", r.violation.velocity);
  visit("energy_error", run.energy_error);
}

struct Series {
  const char* name;
  const std::vector<double>& values;
};

std::vector<Series> list_series(const Results& r) {
  return {{"kinetic", r.kinetic},
          {"potential", r.potential},
          {"external_work", r.external_work},
          {"balance_error", r.balance_error}};
}

std::string make_csv(const PaperStudy& study) {
  std::string text = "model,variant,energy,work,torque [N m],axis,quantity,t [s],value\n";
  for (const PaperRun& run : study.runs) {
    const std::string head =
        fmt::format("{},{},{},{},{},\"{}\"", run.model, run.variant,
                    run.energy ? "imposed" : "ignored", run.work, run.torque, run.axis);
    visit_figures(run, [&](const char* name, double value) {
      text += fmt::format("{},{},,{}\n", head, name, value);
    });
    if (run.torque > 0.0) continue;  // the figures are of the three models
    for (const Series& series : list_series(run.results)) {
      for (std::size_t k = 0; k < series.values.size(); ++k) {
        text += fmt::format("{},{} [J],{},{}\n", head, series.name, run.results.time[k],
                            series.values[k]);
      }
    }
    for (const StepRecord& step : run.results.steps) {
      text += fmt::format("{},step {} [s],{},{}\n", head, step.accepted ? "accepted" : "rejected",
                          step.t, step.h);
    }
  }
  return text;
}

void add_array(JsonWriter& json, const char* name, const std::vector<double>& values) {
  json.key(name);
  json.open_array();
  for (double value : values) json.number(value);
  json.close_array();
}

void add_run(JsonWriter& json, const PaperRun& run) {
  json.new_line();
  json.open_object();
  const auto text = [&](const char* name, std::string_view value) {
    json.key(name);
    json.string(value);
  };
  text("model", run.model);
  text("variant", run.variant);
  text("energy", run.energy ? "imposed" : "ignored");
  text("work", run.work);
  json.key("torque");
  json.number(run.torque);
  text("axis", run.axis);
  text("status", to_word(run.results.status.outcome));
  text("message", run.results.status.message);
  visit_figures(run, [&](const char* name, double value) {
    json.key(name);
    json.number(value);
  });
  if (run.torque > 0.0) return json.close_object();  // the figures are of the three models
  add_array(json, "time", run.results.time);
  for (const Series& series : list_series(run.results)) add_array(json, series.name, series.values);
  std::vector<double> start, size, accepted;
  for (const StepRecord& step : run.results.steps) {
    start.push_back(step.t);
    size.push_back(step.h);
    accepted.push_back(step.accepted);
  }
  add_array(json, "step_time", start);
  add_array(json, "step_size", size);
  add_array(json, "step_accepted", accepted);
  json.close_object();
}

std::string make_json(const PaperStudy& study) {
  JsonWriter json;
  json.open_object();
  json.key("runs");
  json.open_array();
  for (const PaperRun& run : study.runs) add_run(json, run);
  json.close_array();
  json.close_object();
  return json.text() + "\n";
}

bool ends_with(const std::string& path, std::string_view ending) {
  return path.size() >= ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

void write_paper_study(const PaperStudy& study, const std::string& path) {
  if (ends_with(path, ".md")) return write_file(path, paper_tables(study));
  if (ends_with(path, ".csv")) return write_file(path, make_csv(study));
  if (ends_with(path, ".json")) return write_file(path, make_json(study));
  if (ends_with(path, ".html")) return write_paper_page(study, path);
  throw FileError(path + ": the extension must be .md, .csv, .json or .html");
}

}  // namespace trammel
