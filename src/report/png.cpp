// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/png.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "trammel/error.hpp"

extern char** environ;  // POSIX declares it nowhere

namespace trammel {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// A file without a name, gone when it is closed.
File open_nameless() { return {std::tmpfile(), std::fclose}; }

std::string read_all(std::FILE* file) {
  std::string bytes;
  char buffer[65536];
  std::rewind(file);
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) {
    bytes.append(buffer, n);
  }
  return bytes;
}

// Exit status of the program, or -1 with errno.
int run_converter(std::FILE* in, std::FILE* out, int zoom) {
  char name[] = "rsvg-convert", format[] = "--format=png";
  std::string zooms = fmt::format("--zoom={}", zoom);
  char* arguments[] = {name, zooms.data(), format, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, name, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    errno = error;
    return -1;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

}  // namespace

std::string make_png(const std::string& svg, const std::string& path, int zoom) {
  const auto fail = [&](const std::string& reason) {
    throw FileError(fmt::format("{}: cannot be written: {}", path, reason));
  };
  const File in = open_nameless(), out = open_nameless();
  if (!in || !out || std::fwrite(svg.data(), 1, svg.size(), in.get()) != svg.size() ||
      std::fflush(in.get()) != 0) {
    fail(std::generic_category().message(errno));
  }
  std::rewind(in.get());
  const int status = run_converter(in.get(), out.get(), zoom);
  if (status == -1 && errno == ENOENT) {
    fail("the program rsvg-convert is missing (Debian: librsvg2-bin); .svg does without it");
  }
  if (status == -1) fail("rsvg-convert: " + std::generic_category().message(errno));
  if (status != 0) fail(fmt::format("rsvg-convert ended with status {}", status));
  return read_all(out.get());
}

}  // namespace trammel
