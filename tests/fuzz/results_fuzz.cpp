// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A results file. The checksums of HDF5 stop nearly all changes of bytes, so there are two kinds of
// input: a file as it is, and, after the byte 'E', changes to be made to a good file: tables and
// attributes of other sizes and values. What is accepted is written in every form.
#include <hdf5.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "folder.hpp"
#include "format/hdf5_driver.hpp"
#include "format/results_image.hpp"
#include "trammel/trammel.hpp"

namespace {

using namespace trammel;

constexpr const char* model_text = R"(trammel: 1
gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], shape: {box: [1, 2, 3]}}
  b: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}
  c:
    mass: 1
    inertia: [1, 1, 1]
    color: red
    shape:
      - {extrusion: {length: 1, outline: [[0, 0], [2, 0], [0, 2]], holes: [[[0.5, 0.5], [1, 0.5], [0.5, 1]]]}}
      - {mesh: tetrahedron.obj, opacity: 0.5}
joints:
  j: {kind: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}
  k: {kind: spherical, bodies: [a, b], at: [1, 0, 0]}
forces:
  s: {kind: spring_damper, bodies: [ground, b], points: [[0, 0, 0], [0, 0, 0]], stiffness: 1, free_length: 1}
simulation: {t_end: 0.1, output_interval: 0.05}
)";

const fuzz::Folder& folder() {
  static const fuzz::Folder instance;
  return instance;
}

const std::string& good_image() {
  static const std::string image = [] {
    folder().write("tetrahedron.obj",
                   "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    folder().write("model.yaml", model_text);
    const Model model = read_model(folder().file("model.yaml"));
    write_hdf5(simulate(compile(model), model.simulation), folder().file("good.h5"));
    std::ifstream stream(folder().file("good.h5"), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  }();
  return image;
}

// The input, byte by byte; zeros after its end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), end_(data + size) {}
  bool is_empty() const { return data_ == end_; }
  unsigned take() { return is_empty() ? 0u : *data_++; }
  double take_number() {
    std::uint8_t bytes[8] = {};
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(take());
    double value = 0.0;
    std::memcpy(&value, bytes, 8);
    return value;
  }

 private:
  const std::uint8_t* data_;
  const std::uint8_t* end_;
};

std::vector<std::string> list_names(hid_t group) {
  std::vector<std::string> names;
  H5G_info_t info{};
  H5Gget_info(group, &info);
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    char name[64] = {};
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name, H5P_DEFAULT);
    names.emplace_back(name);
  }
  return names;
}

hid_t make_type(unsigned kind, unsigned length) {
  if (kind % 4 == 0) return H5Tcopy(H5T_IEEE_F64LE);
  if (kind % 4 == 1) return H5Tcopy(H5T_STD_I32LE);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, kind % 4 == 2 ? 1 + length % 40 : H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Another dataset of the same name.
void replace_dataset(hid_t group, const std::string& name, Bytes& bytes) {
  H5Ldelete(group, name.c_str(), H5P_DEFAULT);
  const unsigned rank = bytes.take() % 4;
  hsize_t shape[4] = {};
  hsize_t count = 1;
  for (unsigned k = 0; k < rank; ++k) count *= shape[k] = bytes.take() % 8;
  const unsigned kind = bytes.take();
  const hid_t type = make_type(kind, bytes.take());
  const hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, shape, nullptr);
  const hid_t dataset =
      H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  std::vector<double> values(5 * count + 5);  // as many bytes as the largest type has
  for (hsize_t k = 0; k < count; ++k) values[k] = bytes.take_number();
  if (count > 0 && kind % 4 != 3) {
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
}

// Other values in the same dataset, or other attributes of it.
void change_values(hid_t group, const std::string& name, Bytes& bytes) {
  const hid_t dataset = H5Dopen2(group, name.c_str(), H5P_DEFAULT);
  if (dataset < 0) return;
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const auto count = static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  std::vector<std::uint8_t> values(count * H5Tget_size(type));
  if (!values.empty() && H5Tis_variable_str(type) == 0) {  // a text like that would be a pointer
    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    for (unsigned n = bytes.take() % 16; n-- > 0;) {
      const unsigned at = 256 * bytes.take() + bytes.take();
      values[at % values.size()] = static_cast<std::uint8_t>(bytes.take());
    }
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
}

void change_attribute(hid_t object, Bytes& bytes) {
  const auto count = static_cast<unsigned>(H5Aget_num_attrs(object));
  if (count == 0) return;
  char name[64] = {};
  H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, bytes.take() % count, name,
                     sizeof name, H5P_DEFAULT);
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  std::vector<std::uint8_t> values(H5Aget_storage_size(attribute));
  for (std::uint8_t& value : values) value = static_cast<std::uint8_t>(bytes.take());
  if (!values.empty()) H5Awrite(attribute, type, values.data());
  H5Tclose(type);
  H5Aclose(attribute);
}

void change(hid_t file, Bytes& bytes) {
  constexpr const char* groups[] = {"/", "check", "scene", "steps", "statistics"};
  constexpr int most_changes = 20;
  for (int n = 0; n < most_changes && !bytes.is_empty(); ++n) {
    const hid_t group = H5Gopen2(file, groups[bytes.take() % 5], H5P_DEFAULT);
    const unsigned what = bytes.take() % 4;
    const std::vector<std::string> names = list_names(group);
    const std::string name = names.empty() ? "" : names[bytes.take() % names.size()];
    if (what == 0 && !name.empty()) replace_dataset(group, name, bytes);
    if (what == 1 && !name.empty()) change_values(group, name, bytes);
    if (what == 2) change_attribute(group, bytes);
    if (what == 3 && !name.empty()) H5Ldelete(group, name.c_str(), H5P_DEFAULT);
    H5Gclose(group);
  }
}

std::string make_changed(Bytes bytes) {
  std::string image = good_image();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  hdf5::use_storage(access, {&image});
  const hid_t file = H5Fopen("image", H5F_ACC_RDWR, access);
  change(file, bytes);
  H5Fclose(file);
  H5Pclose(access);
  return image;
}

void use(const Results& results) {
  const std::string text = to_json(results) + full_report(results) + brief_report(results);
  if (text.empty()) std::abort();
  write_csv(results, folder().file("out.csv"));
  write_hdf5(results, folder().file("out.h5"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const bool edits = size > 0 && data[0] == 'E';
    use(read_results_image(edits ? make_changed({data + 1, size - 1})
                                 : std::string(reinterpret_cast<const char*>(data), size),
                           "image"));
  } catch (const FileError&) {
  }
  return 0;
}
