// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Handles, groups, attributes.
#include "format/hdf5.hpp"

#include <algorithm>

namespace trammel::hdf5 {

namespace {
std::mutex library_mutex;
}

Session::Session() : lock_(library_mutex) {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Handle::Handle(hid_t id, Close how, const std::string& what) : id_(id), close_(how) {
  if (id < 0) throw Failure("cannot " + what);
}

void Handle::close() { check(close_(std::exchange(id_, -1)), "close"); }

void check(herr_t status, const std::string& what) {
  if (status < 0) throw Failure("cannot " + what);
}

// 1.8 rather than the oldest format: an attribute with thousands of names is longer than 64 KiB.
Handle make_access() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make properties");
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "choose the format");
  // closing the file closes what is still open in it
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "choose the close degree");
  return access;
}

Handle open_group(hid_t parent, const char* name) {
  return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, std::string("open ") + name};
}

Handle make_group(hid_t parent, const char* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          std::string("make ") + name};
}

bool has(hid_t parent, const char* name) { return H5Lexists(parent, name, H5P_DEFAULT) > 0; }

namespace {

Handle make_string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type");
  check(H5Tset_size(type, H5T_VARIABLE), "make a type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a type");
  return type;
}

Handle make_space(const Shape& shape) {
  return {shape.empty() ? H5Screate(H5S_SCALAR)
                        : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
          H5Sclose, "make a space"};
}

void write_raw(hid_t object, const char* name, hid_t stored, hid_t type, const Shape& shape,
               const void* values) {
  const std::string what = std::string("write ") + name;
  if (H5Aexists(object, name) > 0) check(H5Adelete(object, name), what);
  const Handle space = make_space(shape);
  const Handle attribute(H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, what);
  if (H5Sget_simple_extent_npoints(space) == 0) return;
  check(H5Awrite(attribute, type, values), what);
}

Handle open_attribute(hid_t object, const char* name) {
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, std::string("read ") + name};
}

void read_number(hid_t object, const char* name, hid_t type, void* value) {
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, std::string("read ") + name);
  if (H5Sget_simple_extent_npoints(space) != 1) {
    throw Failure(std::string(name) + " is not a number");
  }
  check(H5Aread(attribute, type, value), std::string("read ") + name);
}

std::vector<const char*> point_at(const std::vector<std::string>& values) {
  std::vector<const char*> pointers;
  for (const std::string& value : values) pointers.push_back(value.c_str());
  return pointers;
}

// Strings that the library has allocated.
std::vector<std::string> take_strings(std::vector<char*>& pointers, hid_t type, hid_t space) {
  std::vector<std::string> values;
  for (const char* pointer : pointers) values.emplace_back(pointer == nullptr ? "" : pointer);
  if (!pointers.empty()) H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return values;
}

void expect_strings(hid_t type, const char* name) {
  if (H5Tis_variable_str(type) <= 0) throw Failure(std::string(name) + " is not a text");
}

std::vector<std::string> read_strings(hid_t object, const char* name) {
  const std::string what = std::string("read ") + name;
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  const Handle stored(H5Aget_type(attribute), H5Tclose, what);
  expect_strings(stored, name);
  const Handle type = make_string_type();
  std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!pointers.empty()) check(H5Aread(attribute, type, pointers.data()), what);
  return take_strings(pointers, type, space);
}

}  // namespace

void write_attribute(hid_t object, const char* name, double value) {
  write_raw(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, &value);
}
void write_attribute(hid_t object, const char* name, std::int64_t value) {
  write_raw(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, {}, &value);
}
void write_attribute(hid_t object, const char* name, int value) {
  write_attribute(object, name, static_cast<std::int64_t>(value));
}
void write_attribute(hid_t object, const char* name, bool value) {
  write_attribute(object, name, static_cast<std::int64_t>(value));
}
void write_attribute(hid_t object, const char* name, const std::string& value) {
  const Handle type = make_string_type();
  const char* pointer = value.c_str();
  write_raw(object, name, type, type, {}, &pointer);
}
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& values) {
  const Handle type = make_string_type();
  const std::vector<const char*> pointers = point_at(values);
  write_raw(object, name, type, type, {values.size()}, pointers.data());
}

void read_attribute(hid_t object, const char* name, double& value) {
  read_number(object, name, H5T_NATIVE_DOUBLE, &value);
}
void read_attribute(hid_t object, const char* name, std::int64_t& value) {
  read_number(object, name, H5T_NATIVE_INT64, &value);
}
void read_attribute(hid_t object, const char* name, int& value) {
  read_number(object, name, H5T_NATIVE_INT, &value);
}
void read_attribute(hid_t object, const char* name, bool& value) {
  int number = 0;
  read_attribute(object, name, number);
  value = number != 0;
}
void read_attribute(hid_t object, const char* name, std::string& value) {
  const std::vector<std::string> values = read_strings(object, name);
  if (values.size() != 1) throw Failure(std::string(name) + " is not a text");
  value = values.front();
}
void read_attribute(hid_t object, const char* name, std::vector<std::string>& values) {
  values = read_strings(object, name);
}

// ---- datasets

namespace {

void write_dataset(hid_t parent, const char* name, hid_t stored, hid_t type, const Shape& shape,
                   const void* values) {
  const std::string what = std::string("write ") + name;
  const Handle space = make_space(shape);
  const Handle dataset(
      H5Dcreate2(parent, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
      what);
  if (H5Sget_simple_extent_npoints(space) == 0) return;
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), what);
}

Handle open_dataset(hid_t parent, const char* name) {
  return {H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose, std::string("open ") + name};
}

Shape shape_of(hid_t dataset, const char* name) {
  const Handle space(H5Dget_space(dataset), H5Sclose, std::string("read ") + name);
  const int rank = H5Sget_simple_extent_ndims(space);
  check(rank, std::string("read ") + name);
  Shape shape(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

template <typename Number>
Shape read_numbers(hid_t parent, const char* name, hid_t type, const Shape& expected,
                   std::vector<Number>& values) {
  const Handle dataset = open_dataset(parent, name);
  const Shape shape = shape_of(dataset, name);
  bool fits = shape.size() == expected.size();
  std::size_t size = 1;
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    fits = i == 0 || shape[i] == expected[i];
    size *= shape[i];
  }
  if (!fits) throw Failure(std::string(name) + " has another shape than it should");
  values.resize(size);
  if (size > 0) {
    check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          std::string("read ") + name);
  }
  return shape;
}

}  // namespace

// Texts in datasets have a fixed length, padded with zeros: Octave reads no others.
namespace {

Handle make_padded_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type");
  check(H5Tset_size(type, length), "make a type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "make a type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a type");
  return type;
}

void write_texts(hid_t parent, const char* name, const Shape& shape,
                 const std::vector<std::string>& values) {
  std::size_t length = 1;
  for (const std::string& value : values) length = std::max(length, value.size());
  std::string padded(length * values.size(), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::copy(values[i].begin(), values[i].end(),
              padded.begin() + static_cast<std::ptrdiff_t>(i * length));
  }
  const Handle type = make_padded_type(length);
  write_dataset(parent, name, type, type, shape, padded.data());
}

}  // namespace

void write_text(hid_t parent, const char* name, const std::string& text) {
  write_texts(parent, name, {}, {text});
}

std::string read_text(hid_t parent, const char* name) {
  std::vector<std::string> values;
  read_array(parent, name, values);
  if (values.size() != 1) throw Failure(std::string(name) + " is not a text");
  return values.front();
}

void write_array(hid_t parent, const char* name, const Shape& shape,
                 const std::vector<double>& values) {
  write_dataset(parent, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, shape, values.data());
}
void write_array(hid_t parent, const char* name, const Shape& shape,
                 const std::vector<int>& values) {
  write_dataset(parent, name, H5T_STD_I32LE, H5T_NATIVE_INT, shape, values.data());
}
void write_array(hid_t parent, const char* name, const std::vector<std::string>& values) {
  write_texts(parent, name, {values.size()}, values);
}

Shape read_array(hid_t parent, const char* name, const Shape& expected,
                 std::vector<double>& values) {
  return read_numbers(parent, name, H5T_NATIVE_DOUBLE, expected, values);
}
Shape read_array(hid_t parent, const char* name, const Shape& expected, std::vector<int>& values) {
  return read_numbers(parent, name, H5T_NATIVE_INT, expected, values);
}
void read_array(hid_t parent, const char* name, std::vector<std::string>& values) {
  const std::string what = std::string("read ") + name;
  const Handle dataset = open_dataset(parent, name);
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  const Handle stored(H5Dget_type(dataset), H5Tclose, what);
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) != 0) {
    throw Failure(std::string(name) + " is not a text");
  }
  const std::size_t length = H5Tget_size(stored);
  const auto n = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  std::string padded(n * length, '\0');
  const Handle type = make_padded_type(length);
  if (n > 0) check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), what);
  values.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const std::string value = padded.substr(i * length, length);
    values.push_back(value.substr(0, value.find('\0')));
  }
}

// ---- tables

Handle make_table(hid_t parent, const char* name, hid_t type, const Shape& row,
                  hsize_t chunk_rows) {
  const std::string what = std::string("make ") + name;
  Shape now = {0}, most = {H5S_UNLIMITED}, chunk = {chunk_rows};
  for (const hsize_t size : row) {
    now.push_back(size);
    most.push_back(size);
    chunk.push_back(size > 0 ? size : 1);
  }
  const Handle space(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()),
                     H5Sclose, what);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), what);
  return {H5Dcreate2(parent, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
          what};
}

hsize_t count_rows(hid_t parent, const char* name) {
  const Shape shape = shape_of(open_dataset(parent, name), name);
  if (shape.empty()) throw Failure(std::string(name) + " is not a table");
  return shape.front();
}

void append_rows(hid_t parent, const char* name, hid_t type, hsize_t n, const void* values) {
  if (n == 0) return;
  const std::string what = std::string("write ") + name;
  const Handle dataset = open_dataset(parent, name);
  Shape shape = shape_of(dataset, name);
  Shape start(shape.size(), 0), count = shape;
  start[0] = shape[0];
  count[0] = n;
  shape[0] += n;
  check(H5Dset_extent(dataset, shape.data()), what);
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        what);
  const Handle memory = make_space(count);
  if (H5Sget_simple_extent_npoints(memory) == 0) return;
  check(H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values), what);
}

void read_rows(hid_t parent, const char* name, hid_t type, hsize_t n, std::size_t row_size,
               void* values) {
  const std::string what = std::string("read ") + name;
  const Handle dataset = open_dataset(parent, name);
  Shape count = shape_of(dataset, name);
  std::size_t stored_size = 1;
  for (std::size_t i = 1; i < count.size(); ++i) stored_size *= count[i];
  if (count.empty() || count[0] < n || stored_size != row_size) {
    throw Failure(std::string(name) + " has another shape than it should");
  }
  if (n == 0 || row_size == 0) return;
  count[0] = n;
  const Shape start(count.size(), 0);
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        what);
  const Handle memory = make_space(count);
  check(H5Dread(dataset, type, memory, space, H5P_DEFAULT, values), what);
}

}  // namespace trammel::hdf5
