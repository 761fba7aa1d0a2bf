// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Preloaded (LD_PRELOAD) into the program under test: ends it, as a kill would, at its k-th call
// that changes a file. STOP_AT=k; STOP_HALF=1 lets half of a write through first, a torn write.
// Exit status 99 tells that the call was reached.
#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {

long calls = 0;

bool is_now() {
  static const char* const at = std::getenv("STOP_AT");
  return at != nullptr && ++calls == std::atol(at);
}

bool lets_half_through() {
  const char* half = std::getenv("STOP_HALF");
  return half != nullptr && *half == '1';
}

bool is_file(int descriptor) {
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t size) {
  auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (is_file(descriptor) && is_now()) {
    if (lets_half_through()) real(descriptor, data, size / 2);
    ::_exit(99);
  }
  return real(descriptor, data, size);
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t offset) {
  auto* const real = next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  if (is_now()) {
    if (lets_half_through()) real(descriptor, data, size / 2, offset);
    ::_exit(99);
  }
  return real(descriptor, data, size, offset);
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  return pwrite64(descriptor, data, size, offset);
}

int ftruncate(int descriptor, off_t size) noexcept {
  if (is_now()) ::_exit(99);
  return next<int(int, off_t)>("ftruncate")(descriptor, size);
}

int rename(const char* from, const char* to) noexcept {
  if (is_now()) ::_exit(99);
  return next<int(const char*, const char*)>("rename")(from, to);
}

int link(const char* from, const char* to) noexcept {
  if (is_now()) ::_exit(99);
  return next<int(const char*, const char*)>("link")(from, to);
}

int unlink(const char* name) noexcept {
  if (is_now()) ::_exit(99);
  return next<int(const char*)>("unlink")(name);
}

}  // extern "C"
