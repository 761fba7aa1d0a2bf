// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The files of `-o`: the extension selects the format.
#include "output_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "messages.hpp"
#include "trammel/page.hpp"

namespace trammel::cli {
namespace {

namespace fs = std::filesystem;

struct Form {
  const char* ending;
  void (*write)(const Results& results, const std::string& path);
  bool needs_rows;  // all of them, at the end
  bool streamed;    // can be written while the run goes
};

constexpr Form forms[] = {
    {".csv", write_csv, true, false},
    {".json", write_json, false, false},
    {".h5", write_hdf5, false, true},
    {".html", write_page, true, false},
};

const Form* find_form(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  const auto* const form = std::find_if(std::begin(forms), std::end(forms),
                                        [&](const Form& f) { return ending == f.ending; });
  return form == std::end(forms) ? nullptr : form;
}

// A page needs node when the program is built.
void check_page(const std::string& path, const std::string& ending) {
  if (ending == ".html" && !has_page()) {
    throw UsageError(
        fmt::format("-o {}: this build of Trammel has no pages, because node and npm "
                    "were missing when it was made; use .csv, .json or .h5",
                    path));
  }
}

void check_ending(const std::string& path) {
  const Form* const form = find_form(path);
  if (form == nullptr) {
    throw UsageError(fmt::format("-o {}: the extension must be .csv, .json, .h5 or .html", path));
  }
  check_page(path, form->ending);
}

// The same file under two names, or the same name twice.
bool same_file(const std::string& a, const std::string& b) {
  // an empty name has no absolute path
  std::error_code ignored;
  const fs::path from_root_a = fs::absolute(a, ignored), from_root_b = fs::absolute(b, ignored);
  return fs::equivalent(a, b, ignored) ||
         fs::weakly_canonical(from_root_a, ignored) == fs::weakly_canonical(from_root_b, ignored);
}

void check_folder(const std::string& path) {
  const auto refuse = [&](std::errc reason) {
    throw FileError(
        fmt::format("{}: cannot be written: {}", path, std::make_error_code(reason).message()));
  };
  std::error_code ignored;
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (fs::is_directory(path, ignored)) refuse(std::errc::is_a_directory);
  if (!fs::exists(folder, ignored)) refuse(std::errc::no_such_file_or_directory);
  if (!fs::is_directory(folder, ignored)) refuse(std::errc::not_a_directory);
  const bool exists = fs::exists(path, ignored);
  if (access(folder.c_str(), W_OK | X_OK) != 0 || (exists && access(path.c_str(), W_OK) != 0)) {
    refuse(std::errc::permission_denied);
  }
}

}  // namespace

void check_output_files(const std::vector<std::string>& paths, const std::string& input_path,
                        const char* input) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    check_ending(paths[i]);
    if (same_file(paths[i], input_path)) {
      throw UsageError(fmt::format("-o {}: this is the {}", paths[i], input));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (same_file(paths[i], paths[j])) {
        throw UsageError(fmt::format("-o {}: given twice", paths[i]));
      }
    }
  }
  for (const std::string& path : paths) check_folder(path);
}

StreamedFiles::StreamedFiles(const std::vector<std::string>& paths, double flush_interval) {
  const auto is_streamed = [](const std::string& path) { return find_form(path)->streamed; };
  const auto needs_rows = [](const std::string& path) { return find_form(path)->needs_rows; };
  const auto n_streamed = std::count_if(paths.begin(), paths.end(), is_streamed);
  Hdf5Settings settings;
  settings.flush_interval = flush_interval;
  // a second file of this form is written at the end, from the rows in memory
  settings.keep_rows = n_streamed > 1 || std::any_of(paths.begin(), paths.end(), needs_rows);
  const auto first = std::find_if(paths.begin(), paths.end(), is_streamed);
  if (first == paths.end()) {
    if (!settings.keep_rows) sink_ = make_discarding_sink();
    return;
  }
  path_ = *first;
  sink_ = make_hdf5_sink(path_, settings);
}

std::vector<std::string> write_output_files(const Results& results,
                                            const std::vector<std::string>& paths,
                                            const StreamedFiles& streamed) {
  std::vector<std::string> failures;
  for (const std::string& path : paths) {
    try {
      if (path == streamed.path()) {
        streamed.sink()->finish(results);
      } else {
        find_form(path)->write(results, path);
      }
    } catch (const FileError& error) {
      failures.emplace_back(error.what());
    }
  }
  return failures;
}

}  // namespace trammel::cli
