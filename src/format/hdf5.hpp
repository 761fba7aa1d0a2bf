// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The thin layer over the HDF5 C library: handles that close themselves, attributes, texts, arrays,
// and tables that grow by rows. Everything throws Failure; the caller, which knows the file name, makes a
// FileError of it. Reading accepts only what Trammel writes (hdf5_read.cpp).
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trammel::hdf5 {

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// While one of these lives no other thread uses the library (it is not thread-safe) and does
// not print its errors on stderr.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  // Throws Failure("cannot <what>") for an id that is none.
  Handle(hid_t id, Close how, const std::string& what);
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  operator hid_t() const { return id_; }
  void close();  // throws where the destructor would be silent

 private:
  hid_t id_;
  Close close_;
};

void check(herr_t status, const std::string& what);

// Access properties for files that HDF5 1.8 and everything newer can read.
Handle make_access();

using Shape = std::vector<hsize_t>;

Handle make_space(const Shape& shape);      // no extents: one value
Handle make_text_type(std::size_t length);  // UTF-8, padded with zeros
Handle open_dataset(hid_t parent, const char* name);
Shape shape_of(hid_t dataset, const char* name);
Handle open_group(hid_t parent, const char* name);
Handle make_group(hid_t parent, const char* name);
bool has(hid_t parent, const char* name);

// ---- attributes; writing replaces what was there

void write_attribute(hid_t object, const char* name, double value);
void write_attribute(hid_t object, const char* name, std::int64_t value);
void write_attribute(hid_t object, const char* name, int value);
void write_attribute(hid_t object, const char* name, bool value);
void write_attribute(hid_t object, const char* name, const std::string& value);
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& values);

void read_attribute(hid_t object, const char* name, double& value);
void read_attribute(hid_t object, const char* name, std::int64_t& value);
void read_attribute(hid_t object, const char* name, int& value);
void read_attribute(hid_t object, const char* name, bool& value);
void read_attribute(hid_t object, const char* name, std::string& value);
void read_attribute(hid_t object, const char* name, std::vector<std::string>& values);

// Is there a text of fixed length of this name?
bool is_text_attribute(hid_t object, const char* name);

// ---- datasets of fixed size

void write_text(hid_t parent, const char* name, const std::string& text);
std::string read_text(hid_t parent, const char* name);

void write_array(hid_t parent, const char* name, const Shape& shape,
                 const std::vector<double>& values);
void write_array(hid_t parent, const char* name, const Shape& shape,
                 const std::vector<int>& values);
void write_array(hid_t parent, const char* name, const std::vector<std::string>& values);
// Shape as stored; the second entry of `expected` on must agree with it.
Shape read_array(hid_t parent, const char* name, const Shape& expected,
                 std::vector<double>& values);
Shape read_array(hid_t parent, const char* name, const Shape& expected, std::vector<int>& values);
void read_array(hid_t parent, const char* name, std::vector<std::string>& values);

// ---- tables: [rows × …], rows can be added

// `row` is the shape of one row, `chunk_rows` how many rows lie together in the file.
Handle make_table(hid_t parent, const char* name, hid_t type, const Shape& row, hsize_t chunk_rows);
hsize_t count_rows(hid_t parent, const char* name);
void append_rows(hid_t parent, const char* name, hid_t type, hsize_t n, const void* values);
// All rows; throws unless they are n of this size.
void read_rows(hid_t parent, const char* name, hsize_t n, std::size_t row_size,
               std::vector<double>& values);
void read_rows(hid_t parent, const char* name, hsize_t n, std::size_t row_size,
               std::vector<int>& values);

}  // namespace trammel::hdf5
