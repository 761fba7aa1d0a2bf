// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that reads. A file may come from anywhere: only what Trammel writes is accepted. Links,
// virtual datasets and external storage would lead into other files, filters into plugins; they are
// refused before the library follows them. Nothing is allocated that is larger than the file.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "format/hdf5.hpp"

namespace trammel::hdf5 {
namespace {

// An object that lies in this file, under this name and no other.
void expect_hard_link(hid_t parent, const char* name) {
  if (H5Lexists(parent, name, H5P_DEFAULT) <= 0) {
    throw Failure(fmt::format("{} is missing", name));
  }
  H5L_info_t info{};
  check(H5Lget_info(parent, name, &info, H5P_DEFAULT), fmt::format("open {}", name));
  if (info.type != H5L_TYPE_HARD) {
    throw Failure(fmt::format("{} is a link to another place, which is not followed", name));
  }
}

void expect_own_storage(hid_t dataset, const char* name) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, fmt::format("read {}", name));
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT) {
    throw Failure(fmt::format("{} is a virtual dataset, whose data are in other files", name));
  }
  if (H5Pget_external_count(properties) != 0) {
    throw Failure(fmt::format("the data of {} are in other files", name));
  }
  if (H5Pget_nfilters(properties) != 0) {
    throw Failure(fmt::format("{} is compressed (h5repack -f NONE makes it readable)", name));
  }
}

hsize_t find_file_size(hid_t object) {
  const Handle file(H5Iget_file_id(object), H5Fclose, "find the file");
  hsize_t size = 0;
  check(H5Fget_filesize(file, &size), "find the size of the file");
  return size;
}

// Of elements with this many bytes each; more than the file holds are refused.
std::size_t count_elements(hid_t object, const char* name, const Shape& shape, std::size_t bytes) {
  const hsize_t most = find_file_size(object) / std::max<std::size_t>(bytes, 1);
  hsize_t count = 1;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  for (const hsize_t extent : shape) {
    if (extent > most / count) {
      throw Failure(fmt::format("{} claims to be larger than the file", name));
    }
    count *= extent;
  }
  return static_cast<std::size_t>(count);
}

// Elements that were never written would be read as zeros.
void expect_stored(hid_t dataset, const char* name, std::size_t count, std::size_t bytes) {
  if (H5Dget_storage_size(dataset) < count * bytes) {
    throw Failure(fmt::format("{} is not complete", name));
  }
}

void expect_type(hid_t stored, const char* name, std::initializer_list<hid_t> allowed) {
  for (const hid_t type : allowed) {
    if (H5Tequal(stored, type) > 0) return;
  }
  throw Failure(fmt::format("{} has an unexpected type of number", name));
}

void expect_number(hid_t stored, const char* name, hid_t type) {
  if (type == H5T_NATIVE_DOUBLE) {
    expect_type(stored, name, {H5T_IEEE_F64LE});
  } else {
    expect_type(stored, name, {H5T_STD_I64LE, H5T_STD_I32LE, H5T_STD_I8LE});
  }
}

// The length of a text of fixed length.
std::size_t find_text_length(hid_t stored, const char* name) {
  if (H5Tget_class(stored) != H5T_STRING || H5Tis_variable_str(stored) != 0) {
    throw Failure(fmt::format("{} is not a text of fixed length", name));
  }
  const std::size_t length = H5Tget_size(stored);
  if (length == 0) throw Failure(fmt::format("{} is not a text of fixed length", name));
  return length;
}

// ASCII, as other programs may have written it, is UTF-8 too.
Handle make_type_like(hid_t stored, std::size_t length) {
  Handle type = make_text_type(length);
  check(H5Tset_cset(type, H5Tget_cset(stored)), "make a type");
  return type;
}

std::vector<std::string> split_texts(const std::string& padded, std::size_t length) {
  std::vector<std::string> values;
  for (std::size_t at = 0; at < padded.size(); at += length) {
    const std::size_t end = std::min(padded.find('\0', at), at + length);
    values.push_back(padded.substr(at, end - at));
  }
  return values;
}

Shape shape_of_space(hid_t space, const char* name) {
  const int rank = H5Sget_simple_extent_ndims(space);
  check(rank, fmt::format("read {}", name));
  Shape shape(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), fmt::format("read {}", name));
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
  return shape;
}

// ---- attributes

Handle open_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) throw Failure(fmt::format("{} is missing", name));
  return {H5Aopen(object, name, H5P_DEFAULT), H5Aclose, fmt::format("read {}", name)};
}

void read_number(hid_t object, const char* name, hid_t type, void* value) {
  const std::string what = fmt::format("read {}", name);
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  const Handle stored(H5Aget_type(attribute), H5Tclose, what);
  expect_number(stored, name, type);
  if (H5Sget_simple_extent_npoints(space) != 1) {
    throw Failure(fmt::format("{} is not a single number", name));
  }
  check(H5Aread(attribute, type, value), what);
}

}  // namespace

bool is_text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return false;
  const Handle attribute = open_attribute(object, name);
  const Handle stored(H5Aget_type(attribute), H5Tclose, fmt::format("read {}", name));
  return H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) == 0;
}

void read_attribute(hid_t object, const char* name, double& value) {
  read_number(object, name, H5T_NATIVE_DOUBLE, &value);
}
void read_attribute(hid_t object, const char* name, std::int64_t& value) {
  read_number(object, name, H5T_NATIVE_INT64, &value);
}
void read_attribute(hid_t object, const char* name, int& value) {
  std::int64_t number = 0;
  read_attribute(object, name, number);
  value = static_cast<int>(number);
  if (value != number) throw Failure(fmt::format("{} is out of range", name));
}
void read_attribute(hid_t object, const char* name, bool& value) {
  std::int64_t number = 0;
  read_attribute(object, name, number);
  value = number != 0;
}
void read_attribute(hid_t object, const char* name, std::string& value) {
  std::vector<std::string> values;
  read_attribute(object, name, values);
  if (values.size() != 1) throw Failure(fmt::format("{} is not a single text", name));
  value = values.front();
}
void read_attribute(hid_t object, const char* name, std::vector<std::string>& values) {
  const std::string what = fmt::format("read {}", name);
  const Handle attribute = open_attribute(object, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  const Handle stored(H5Aget_type(attribute), H5Tclose, what);
  const std::size_t length = find_text_length(stored, name);
  const std::size_t n = count_elements(object, name, shape_of_space(space, name), length);
  std::string padded(n * length, '\0');
  if (n > 0) check(H5Aread(attribute, make_type_like(stored, length), padded.data()), what);
  values = split_texts(padded, length);
}

// ---- groups and datasets

bool has(hid_t parent, const char* name) { return H5Lexists(parent, name, H5P_DEFAULT) > 0; }

Handle open_group(hid_t parent, const char* name) {
  expect_hard_link(parent, name);
  return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, fmt::format("open {}", name)};
}

Handle open_dataset(hid_t parent, const char* name) {
  expect_hard_link(parent, name);
  Handle dataset(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose, fmt::format("open {}", name));
  expect_own_storage(dataset, name);
  return dataset;
}

Shape shape_of(hid_t dataset, const char* name) {
  const Handle space(H5Dget_space(dataset), H5Sclose, fmt::format("read {}", name));
  return shape_of_space(space, name);
}

namespace {

template <typename Number>
Shape read_numbers(hid_t parent, const char* name, hid_t type, const Shape& expected,
                   std::vector<Number>& values) {
  const std::string what = fmt::format("read {}", name);
  const Handle dataset = open_dataset(parent, name);
  const Handle stored(H5Dget_type(dataset), H5Tclose, what);
  expect_number(stored, name, type);
  const Shape shape = shape_of(dataset, name);
  bool fits = shape.size() == expected.size();
  for (std::size_t i = 1; fits && i < shape.size(); ++i) fits = shape[i] == expected[i];
  if (!fits) throw Failure(fmt::format("{} has an unexpected shape", name));
  const std::size_t bytes = H5Tget_size(stored);
  const std::size_t size = count_elements(dataset, name, shape, bytes);
  expect_stored(dataset, name, size, bytes);
  values.resize(size);
  if (size == 0) return shape;
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  return shape;
}

}  // namespace

std::string read_text(hid_t parent, const char* name) {
  std::vector<std::string> values;
  read_array(parent, name, values);
  if (values.size() != 1) throw Failure(fmt::format("{} is not a single text", name));
  return values.front();
}

Shape read_array(hid_t parent, const char* name, const Shape& expected,
                 std::vector<double>& values) {
  return read_numbers(parent, name, H5T_NATIVE_DOUBLE, expected, values);
}
Shape read_array(hid_t parent, const char* name, const Shape& expected, std::vector<int>& values) {
  return read_numbers(parent, name, H5T_NATIVE_INT, expected, values);
}
void read_array(hid_t parent, const char* name, std::vector<std::string>& values) {
  const std::string what = fmt::format("read {}", name);
  const Handle dataset = open_dataset(parent, name);
  const Handle stored(H5Dget_type(dataset), H5Tclose, what);
  const std::size_t length = find_text_length(stored, name);
  const std::size_t n = count_elements(dataset, name, shape_of(dataset, name), length);
  expect_stored(dataset, name, n, length);
  std::string padded(n * length, '\0');
  const Handle type = make_type_like(stored, length);
  if (n > 0) check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), what);
  values = split_texts(padded, length);
}

// ---- tables

hsize_t count_rows(hid_t parent, const char* name) {
  const Handle dataset = open_dataset(parent, name);
  const Shape shape = shape_of(dataset, name);
  if (shape.empty()) throw Failure(fmt::format("{} is not a table", name));
  return shape.front();
}

namespace {

template <typename Number>
void read_all_rows(hid_t parent, const char* name, hid_t type, hsize_t n, std::size_t row_size,
                   std::vector<Number>& values) {
  const std::string what = fmt::format("read {}", name);
  const Handle dataset = open_dataset(parent, name);
  const Handle stored(H5Dget_type(dataset), H5Tclose, what);
  expect_number(stored, name, type);
  const Shape shape = shape_of(dataset, name);
  if (shape.empty() || shape.front() != n) {
    throw Failure(
        fmt::format("{} has {} rows instead of {}", name, shape.empty() ? 0 : shape.front(), n));
  }
  // of one row first: without rows its size must be right all the same
  const std::size_t bytes = H5Tget_size(stored);
  const Shape row(shape.begin() + 1, shape.end());
  if (count_elements(dataset, name, row, bytes) != row_size) {
    throw Failure(fmt::format("the rows of {} have an unexpected size", name));
  }
  const std::size_t size = count_elements(dataset, name, shape, bytes);
  expect_stored(dataset, name, size, bytes);
  values.resize(size);
  if (size == 0) return;
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
}

}  // namespace

void read_rows(hid_t parent, const char* name, hsize_t n, std::size_t row_size,
               std::vector<double>& values) {
  read_all_rows(parent, name, H5T_NATIVE_DOUBLE, n, row_size, values);
}
void read_rows(hid_t parent, const char* name, hsize_t n, std::size_t row_size,
               std::vector<int>& values) {
  read_all_rows(parent, name, H5T_NATIVE_INT, n, row_size, values);
}

}  // namespace trammel::hdf5
