// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Handles, groups, and everything that writes.
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

Handle make_group(hid_t parent, const char* name) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
          std::string("make ") + name};
}

namespace {

// Texts of one length, padded with zeros. Strings of variable length would lie in a global heap, which has
// no checksum: libhdf5 1.10 crashes on one damaged byte there. Octave does not read them either.
struct PaddedTexts {
  explicit PaddedTexts(const std::vector<std::string>& values)
      : length(find_longest(values)),
        bytes(length * values.size(), '\0'),
        type(make_text_type(length)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::copy(values[i].begin(), values[i].end(),
                bytes.begin() + static_cast<std::ptrdiff_t>(i * length));
    }
  }
  static std::size_t find_longest(const std::vector<std::string>& values) {
    std::size_t longest = 1;  // a type has at least one byte
    for (const std::string& value : values) longest = std::max(longest, value.size());
    return longest;
  }

  std::size_t length;
  std::string bytes;
  Handle type;
};

}  // namespace

Handle make_text_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "make a type");
  check(H5Tset_size(type, length), "make a type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "make a type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a type");
  return type;
}

Handle make_space(const Shape& shape) {
  return {shape.empty() ? H5Screate(H5S_SCALAR)
                        : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
          H5Sclose, "make a space"};
}

namespace {

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
  const PaddedTexts texts({value});
  write_raw(object, name, texts.type, texts.type, {}, texts.bytes.data());
}
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& values) {
  const PaddedTexts texts(values);
  write_raw(object, name, texts.type, texts.type, {values.size()}, texts.bytes.data());
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

}  // namespace

void write_text(hid_t parent, const char* name, const std::string& text) {
  const PaddedTexts texts({text});
  write_dataset(parent, name, texts.type, texts.type, {}, texts.bytes.data());
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
  const PaddedTexts texts(values);
  write_dataset(parent, name, texts.type, texts.type, {values.size()}, texts.bytes.data());
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

}  // namespace trammel::hdf5
