// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The functions that the library calls, in the table that H5FDregister takes.
#include "format/hdf5_driver.hpp"

#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace trammel::hdf5 {
namespace {

struct DriverFile {
  H5FD_t library_part;  // first: the library sees only this
  Storage storage;
  haddr_t end_of_allocation;
  haddr_t end_of_file;
};

DriverFile& mine(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& mine(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* given = static_cast<const Storage*>(H5Pget_driver_info(access));
  if (given == nullptr) return nullptr;
  struct stat info {};
  if (given->memory != nullptr) {
    info.st_size = static_cast<off_t>(given->memory->size());
  } else if (::fstat(given->descriptor, &info) != 0) {
    return nullptr;
  }
  auto* file = new (std::nothrow) DriverFile{};
  if (file == nullptr) return nullptr;
  file->storage = *given;
  file->end_of_file = static_cast<haddr_t>(info.st_size);
  return &file->library_part;
}

herr_t close_file(H5FD_t* file) {
  delete &mine(file);
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) { return a < b ? -1 : a > b ? 1 : 0; }

// As the library's own POSIX driver: small pieces are gathered before they are written.
herr_t query_features(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  }
  return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) { return mine(file).end_of_allocation; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  mine(file).end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return mine(file).end_of_file; }

// Bytes after the end read as zeros.
herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                  void* buffer) {
  const Storage& storage = mine(file).storage;
  char* to = static_cast<char*>(buffer);
  if (storage.memory != nullptr && address < storage.memory->size()) {
    const std::size_t n = storage.memory->copy(to, size, address);
    to += n;
    size -= n;
  }
  while (size > 0 && storage.memory == nullptr) {
    const ssize_t n = ::pread(storage.descriptor, to, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    to += n;
    address += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  std::memset(to, 0, size);
  return 0;
}

void write_to_memory(std::string& memory, haddr_t address, std::size_t size, const char* from) {
  if (memory.size() < address + size) memory.resize(address + size);
  std::copy(from, from + size, memory.begin() + static_cast<std::ptrdiff_t>(address));
}

void write_to_disk(const Storage& storage, haddr_t address, std::size_t size, const char* from) {
  while (size > 0 && *storage.error == 0) {
    const ssize_t n = ::pwrite(storage.descriptor, from, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      *storage.error = errno;
      return;
    }
    from += n;
    address += static_cast<haddr_t>(n);
    size -= static_cast<std::size_t>(n);
  }
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size,
                   const void* buffer) {
  DriverFile& self = mine(file);
  const char* from = static_cast<const char*>(buffer);
  if (self.storage.memory != nullptr) {
    write_to_memory(*self.storage.memory, address, size, from);
  } else {
    write_to_disk(self.storage, address, size, from);
  }
  self.end_of_file = std::max(self.end_of_file, address + size);
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& self = mine(file);
  const Storage& storage = self.storage;
  if (self.end_of_file == self.end_of_allocation) return 0;
  if (storage.memory != nullptr) {
    storage.memory->resize(self.end_of_allocation);
  } else if (*storage.error == 0 &&
             ::ftruncate(storage.descriptor, static_cast<off_t>(self.end_of_allocation)) != 0) {
    *storage.error = errno;
  }
  self.end_of_file = self.end_of_allocation;
  return 0;
}

hid_t register_driver() {
  H5FD_class_t table{};
#if H5_VERSION_GE(1, 13, 0)
  table.version = H5FD_CLASS_VERSION;
  table.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 23);
#endif
  table.name = "trammel_storage";
  table.maxaddr = HADDR_MAX / 2;
  table.fc_degree = H5F_CLOSE_WEAK;
  table.fapl_size = sizeof(Storage);
  table.open = open_file;
  table.close = close_file;
  table.cmp = compare_files;
  table.query = query_features;
  table.get_eoa = end_of_allocation;
  table.set_eoa = set_end_of_allocation;
  table.get_eof = end_of_file;
  table.read = read_bytes;
  table.write = write_bytes;
  table.truncate = truncate_file;
  return H5FDregister(&table);
}

}  // namespace

void use_storage(hid_t access, const Storage& storage) {
  static const hid_t driver = register_driver();
  H5Pset_driver(access, driver, &storage);
}

}  // namespace trammel::hdf5
