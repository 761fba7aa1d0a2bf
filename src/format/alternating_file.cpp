// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "format/alternating_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "format/atomic_file.hpp"
#include "trammel/error.hpp"

namespace trammel {
namespace {

// False: errno says why.
bool write_all(int descriptor, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(descriptor, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    data += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

AlternatingFile::AlternatingFile(const std::string& path)
    : path_(path), target_(resolve_links(path)) {
  struct stat info {};
  if (::stat(target_.c_str(), &info) != 0) return;
  if (S_ISDIR(info.st_mode)) fail(EISDIR);
  if (!S_ISREG(info.st_mode)) fail(ESPIPE);  // it must be possible to go back in it
  // A file that may not be written stays, even in a folder where it could be replaced.
  if (::access(target_.c_str(), W_OK) != 0) fail(errno);
}

AlternatingFile::~AlternatingFile() {
  discard_back();
  if (front_ >= 0) ::close(front_);
}

void AlternatingFile::make_back(std::string_view content) {
  discard_back();
  TemporaryFile temporary = open_temporary(target_);
  if (temporary.descriptor < 0) fail(errno);
  descriptor_ = temporary.descriptor;
  back_ = std::move(temporary.name);
  struct stat info {};
  const bool exists = ::stat(target_.c_str(), &info) == 0;
  if (exists && ::fchmod(descriptor_, info.st_mode & 07777) != 0) fail(errno);
  if (!write_all(descriptor_, content.data(), content.size())) fail(errno);
}

int AlternatingFile::open_back() {
  if (descriptor_ >= 0) return descriptor_;
  if (!back_.empty()) {
    descriptor_ = ::open(back_.c_str(), O_RDWR | O_CLOEXEC);
    // a reader that opened it when it was the front still needs it as it is
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) discard_back();
  }
  if (descriptor_ < 0) copy_front();
  return descriptor_;
}

void AlternatingFile::copy_front() {
  make_back({});
  std::vector<char> buffer(1 << 20);
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(front_, buffer.data(), buffer.size(), at);
    if (n == 0) return;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || !write_all(descriptor_, buffer.data(), static_cast<std::size_t>(n))) fail(errno);
    at += n;
  }
}

void AlternatingFile::publish(bool last) {
  // Some file systems tell only at close that there was no room.
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  const int next_front = ::open(back_.c_str(), O_RDONLY | O_CLOEXEC);
  if (next_front < 0) fail(errno);
  std::string spare;
  if (is_published() && !last) {
    spare = fmt::format("{}.{}-front.part", target_, ::getpid());
    const bool linked = ::link(target_.c_str(), spare.c_str()) == 0;
    if (linked && !is_front(spare)) ::unlink(spare.c_str());  // somebody else's file
    if (!linked || !is_front(spare)) spare.clear();
  }
  if (::rename(back_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    if (!spare.empty()) ::unlink(spare.c_str());
    ::close(next_front);
    fail(error);
  }
  // the spare takes the name of the back, which is free now
  if (spare.empty() || ::rename(spare.c_str(), back_.c_str()) != 0) back_ = spare;
  if (front_ >= 0) ::close(front_);
  front_ = next_front;
}

bool AlternatingFile::is_front(const std::string& name) const {
  struct stat front {
  }, other{};
  return ::fstat(front_, &front) == 0 && ::stat(name.c_str(), &other) == 0 &&
         front.st_dev == other.st_dev && front.st_ino == other.st_ino;
}

void AlternatingFile::discard_back() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!back_.empty()) ::unlink(back_.c_str());
  back_.clear();
}

void AlternatingFile::fail(int error) {
  discard_back();
  fail_to_write(path_, error);
}

}  // namespace trammel
