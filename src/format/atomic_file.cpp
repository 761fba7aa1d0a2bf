// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// POSIX calls rather than streams: a full disk, a missing folder and a forbidden one each have a
// number (errno), and the message tells them apart.
#include "format/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "trammel/error.hpp"

namespace trammel {

std::string resolve_links(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;  // does not exist yet
  std::string target = resolved;
  std::free(resolved);
  return target;
}

TemporaryFile open_temporary(const std::string& target) {
  constexpr int attempts = 100;  // names of files that killed runs have left are skipped
  for (int attempt = 0; attempt < attempts; ++attempt) {
    std::string name = fmt::format("{}.{}-{}.part", target, ::getpid(), attempt);
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return {descriptor, std::move(name)};
    if (errno != EEXIST) break;
  }
  return {-1, {}};
}

void fail_to_write(const std::string& path, int error) {
  throw FileError(
      fmt::format("{}: cannot be written: {}", path, std::generic_category().message(error)));
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(resolve_links(path)) {
  struct stat info {};
  const bool exists = ::stat(target_.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  // A file that may not be written stays, even in a folder where it could be replaced.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  TemporaryFile temporary = open_temporary(target_);
  if (temporary.descriptor < 0) fail(errno);
  descriptor_ = temporary.descriptor;
  temporary_ = std::move(temporary.name);
  if (exists && ::fchmod(descriptor_, info.st_mode & 07777) != 0) fail(errno);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  // Some file systems tell only at close that there was no room.
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::fail(int error) {
  discard();
  fail_to_write(path_, error);
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace trammel
