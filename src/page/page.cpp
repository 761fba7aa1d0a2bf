// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results → one HTML file that opens anywhere: the page of viewer/ with the data of the runs in it.
// All text from models goes in as JSON, in which `<` is written as an escape, so that no name can
// end the element that contains it.
#include <fmt/format.h>

#include <algorithm>

#include "format/atomic_file.hpp"
#include "format/json_fields.hpp"
#include "page/labels.hpp"
#include "page/page_run.hpp"
#include "page/template.hpp"
#include "trammel/page.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

namespace {

std::string replace_all(std::string_view text, char from, std::string_view to) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) c == from ? result.append(to) : result.append(1, c);
  return result;
}

std::string escape_html(std::string_view text) {
  return replace_all(replace_all(text, '&', "&amp;"), '<', "&lt;");
}

void write_pieces(AtomicFile& file, std::span<const std::string_view> pieces) {
  for (const std::string_view piece : pieces) file.write(piece);
}

void write_block(AtomicFile& file, const std::string& bytes) {
  constexpr std::size_t at_a_time = 3 << 18;
  for (std::size_t i = 0; i < bytes.size(); i += at_a_time) {
    file.write(to_base64(std::string_view(bytes).substr(i, at_a_time)));
  }
}

// `add_more` adds to the page's head what only some pages have.
template <class AddMore>
void write_runs(const std::string& title, const char* kind, const std::vector<PageRun>& runs,
                const std::string& path, AddMore&& add_more) {
  if (!page_template::available) {
    throw FileError(path +
                    ": cannot be written: this build of Trammel has no pages: when it was "
                    "built, node or npm was missing or npm could not fetch its packages");
  }
  std::vector<PageColumns> columns;
  for (const PageRun& run : runs) columns.push_back(make_columns(run));
  JsonWriter json;
  json.open_object();
  add_string(json, "kind", kind);
  add_string(json, "version", version());
  json.key("runs");
  json.open_array();
  PageMeshes meshes;
  for (std::size_t r = 0; r < runs.size(); ++r) add_run_head(json, runs[r], columns[r], meshes);
  json.close_array();
  meshes.add_head(json);
  add_more(json);
  json.close_object();

  AtomicFile file(path);
  write_pieces(file, page_template::head());
  file.write(escape_html(title));
  write_pieces(file, page_template::middle());
  file.write("<script type=\"application/json\" id=\"page-head\">");
  file.write(replace_all(json.text(), '<', "\\u003c"));
  file.write("</script>\n");
  for (std::size_t r = 0; r < runs.size(); ++r) {
    file.write(fmt::format("<script type=\"text/plain\" id=\"page-data-{}\">", r));
    write_block(file, columns[r].block.bytes());
    file.write("</script>\n");
  }
  if (!meshes.is_empty()) {
    file.write("<script type=\"text/plain\" id=\"page-data-meshes\">");
    write_block(file, meshes.block().bytes());
    file.write("</script>\n");
  }
  write_pieces(file, page_template::tail());
  file.commit();
}

void write_pointed(const std::vector<const Results*>& runs, const std::string& path,
                   std::vector<std::string> labels) {
  if (labels.size() != runs.size()) labels = make_labels(runs);
  labels = make_unique(std::move(labels));
  std::vector<PageRun> list;
  for (std::size_t r = 0; r < runs.size(); ++r) list.push_back({runs[r], labels[r], true});
  const std::string name = runs.empty() ? std::string() : runs[0]->model_name;
  write_runs(name.empty() ? "Trammel" : name + " – Trammel", "run", list, path, [](JsonWriter&) {});
}

}  // namespace

bool has_page() { return page_template::available; }

void write_page(const Results& results, const std::string& path) {
  write_pointed({&results}, path, {});
}

void write_page(const std::vector<Results>& runs, const std::string& path,
                const std::vector<std::string>& labels) {
  if (runs.empty()) throw FileError(path + ": there is no run to show");
  std::vector<const Results*> pointers;
  for (const Results& results : runs) pointers.push_back(&results);
  write_pointed(pointers, path, labels);
}

// The runs that the paper's figures show. The motion is the same to the eye in all of a model: one
// run of each has it.
void write_paper_page(const PaperStudy& study, const std::string& path) {
  std::vector<PageRun> runs;
  std::vector<const PaperRun*> figures;
  for (const PaperRun& run : study.runs) {
    const bool own = run.variant == "trammel";
    if (run.torque > 0.0 || (!own && run.work != "trapezoidal")) continue;
    figures.push_back(&run);
    runs.push_back({&run.results, run.variant, own && run.energy});
  }
  write_runs("The paper's experiments – Trammel", "paper", runs, path, [&](JsonWriter& json) {
    json.key("figures");
    json.open_array();
    for (std::size_t k = 0; k < figures.size(); ++k) {
      json.open_object();
      add_string(json, "model", figures[k]->model);
      add_string(json, "variant", figures[k]->variant);
      add_boolean(json, "energy", figures[k]->energy);
      add_integer(json, "run", static_cast<std::int64_t>(k));
      json.close_object();
    }
    json.close_array();
    add_string(json, "tables", paper_tables(study));
  });
}

}  // namespace trammel
