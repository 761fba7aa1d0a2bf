// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A file that is written whole or not at all: the text goes to a temporary file in the same folder,
// which takes the final name in `commit`. Whoever looks at the final name sees the old file or the
// new one. Devices and pipes ("/dev/stdout") cannot be replaced and are written directly.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

// The file a chain of symbolic links ends at, so that a rename replaces the file, not the link.
std::string resolve_links(const std::string& path);

struct TemporaryFile {
  int descriptor;  // for reading and writing; -1: none could be made, errno says why
  std::string name;
};

// A new file next to `target`, "run.csv.4711-0.part".
TemporaryFile open_temporary(const std::string& target);

// Throws the FileError that names the file and the reason, an errno.
[[noreturn]] void fail_to_write(const std::string& path, int error);

class AtomicFile {
 public:
  // Every member throws FileError, which names `path` and the reason.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();  // without commit: removes what was written
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void commit();

 private:
  void discard() noexcept;
  [[noreturn]] void fail(int error);

  std::string path_;       // as the user wrote it, for messages
  std::string target_;     // symbolic links followed
  std::string temporary_;  // empty: `target_` is written directly
  int descriptor_ = -1;
};

// All of it in one go.
void write_file(const std::string& path, std::string_view text);

}  // namespace trammel
