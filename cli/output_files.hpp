// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The files of `-o`: the extension selects the format. Paths that cannot be written are reported before
// the run, not after it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trammel/trammel.hpp"

namespace trammel::cli {

// Throws UsageError for an ending that is not known, for a file given twice, and for the file that
// is read, a "model file"; FileError when the folder is missing or may not be written.
void check_output_files(const std::vector<std::string>& paths, const std::string& input_path,
                        const char* input);

// The file among them, if any, that grows while the run goes; without one, and without files that need
// all rows at the end, rows are not kept.
class StreamedFiles {
 public:
  StreamedFiles() = default;
  StreamedFiles(const std::vector<std::string>& paths, double flush_interval);
  ResultsSink* sink() const { return sink_.get(); }  // may be null
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<ResultsSink> sink_;
};

// Writes all it can; returns what went wrong, one message per file.
std::vector<std::string> write_output_files(const Results& results,
                                            const std::vector<std::string>& paths,
                                            const StreamedFiles& streamed = {});

}  // namespace trammel::cli
