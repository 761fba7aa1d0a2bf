// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Storage for the HDF5 library: a file that is open already, or bytes in memory. A write that fails
// (disk full, quota) is noted and reported to the library as done: the library then closes in
// order, and the caller throws the file away. If libhdf5 1.10 sees the failure, it
// keeps the file in its tables and crashes at the end of the program.
#pragma once

#include <hdf5.h>

#include <string>

namespace trammel::hdf5 {

// What it points at must live until the file is closed.
struct Storage {
  std::string* memory = nullptr;  // the bytes; null: use the descriptor
  int descriptor = -1;            // for reading and writing; stays the caller's
  int* error = nullptr;  // errno of the first write that failed; untouched when all went well
};

// Tells the access properties to use it; a name given to H5Fcreate or H5Fopen then means nothing.
void use_storage(hid_t access, const Storage& storage);

}  // namespace trammel::hdf5
