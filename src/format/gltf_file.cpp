// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// glTF 2.0: a scene of nodes, each with a transform and perhaps a mesh, whose numbers are in buffers: within
// a GLB file, as base64 in the JSON, or in files of the same folder. Triangles, strips and fans are
// taken, with the base colour of most of them; skins, animations and morph targets have no effect.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "format/json_value.hpp"
#include "format/mesh_file.hpp"

namespace trammel {
namespace {

[[noreturn]] void fail(const std::string& reason, const std::string& hint = {}) {
  throw MeshFileError{0, 0, reason, hint};
}

std::uint32_t read_little(std::string_view bytes, std::size_t n) {
  std::uint32_t value = 0;
  for (std::size_t k = n; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[k]);
  return value;
}

// x' = columns 0 … 2 · x + column 3
using Transform = std::array<Vec3, 4>;

Vec3 apply(const Transform& t, const Vec3& x, double w) {
  Vec3 result;
  for (std::size_t k = 0; k < 3; ++k) {
    result[k] = t[0][k] * x[0] + t[1][k] * x[1] + t[2][k] * x[2] + t[3][k] * w;
  }
  return result;
}

Transform operator*(const Transform& a, const Transform& b) {
  return {apply(a, b[0], 0), apply(a, b[1], 0), apply(a, b[2], 0), apply(a, b[3], 1)};
}

double calc_determinant(const Transform& t) {
  const auto& [a, b, c, unused] = t;
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

std::string decode_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t word = 0;
  int bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) fail("a buffer is not base64");
    word = word << 6 | static_cast<std::uint32_t>(digit);
    if ((bits += 6) >= 8) bytes += static_cast<char>(word >> (bits -= 8) & 0xFF);
  }
  return bytes;
}

// A view of numbers in a buffer.
struct Numbers {
  std::string_view bytes;
  std::size_t count = 0, stride = 0;
  int type = 0;  // component type of glTF
};

class GltfReader {
 public:
  GltfReader(std::string_view bytes, MeshBuffers& files, MeshBuilder& mesh)
      : files_(files), mesh_(mesh) {
    std::string_view json = bytes;
    if (bytes.substr(0, 4) == "glTF") json = split_glb(bytes);
    try {
      root_ = parse_json(json);
    } catch (const JsonError& error) {
      throw MeshFileError{error.line, error.column, "not JSON: " + error.reason, ""};
    }
  }

  void read() {
    check_asset();
    const auto& nodes = list("nodes");
    visited_.assign(nodes.size(), false);
    constexpr Transform unit = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
    if (const auto& scenes = list("scenes"); !scenes.empty()) {
      const std::size_t scene = index(root_, "scene", scenes.size(), "scene").value_or(0);
      if (const JsonValue* roots = scenes[scene].find("nodes")) read_children(*roots, unit, 0);
    } else {
      std::vector<bool> is_child(nodes.size(), false);
      for (const JsonValue& node : nodes) {
        const JsonValue* children = node.find("children");
        if (children == nullptr) continue;
        for (const JsonValue& child : children->list()) {
          is_child[to_index(child, nodes.size(), "node")] = true;
        }
      }
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (!is_child[k]) read_node(k, unit, 0);
      }
    }
    if (color_) mesh_.set_color(*color_);
  }

 private:
  // ---- the file

  // 12 bytes, then chunks: length, type, data.
  std::string_view split_glb(std::string_view bytes) {
    if (bytes.size() < 20) fail("truncated: a GLB file has 20 bytes or more");
    if (read_little(bytes.substr(4), 4) != 2) fail("GLB version 2 is supported only");
    std::string_view json;
    for (std::size_t at = 12; at + 8 <= bytes.size();) {
      const std::size_t size = read_little(bytes.substr(at), 4);
      const std::uint32_t type = read_little(bytes.substr(at + 4), 4);
      if (size > bytes.size() - at - 8) {
        fail(fmt::format("truncated: a chunk announces {} bytes, {} are there", size,
                         bytes.size() - at - 8));
      }
      const std::string_view data = bytes.substr(at + 8, size);
      if (type == 0x4E4F534A && json.empty()) json = data;
      if (type == 0x004E4942 && !has_own_) {
        own_ = data;
        has_own_ = true;
      }
      at += 8 + size;
    }
    return json;
  }

  void check_asset() const {
    const JsonValue* asset = root_.find("asset");
    const JsonValue* version = asset ? asset->find("version") : nullptr;
    if (version == nullptr || version->text() == nullptr)
      fail("not a glTF file: it has no version");
    if (version->text()->substr(0, 2) != "2.") fail("glTF version 2 is supported only");
    const JsonValue* needed = root_.find("extensionsRequired");
    if (needed == nullptr) return;
    for (const JsonValue& extension : needed->list()) {
      const std::string* name = extension.text();
      const bool looks = name != nullptr &&
                         (name->starts_with("KHR_materials") || *name == "KHR_texture_transform");
      if (!looks) fail("requires an extension of glTF", "export without compression");
    }
  }

  // ---- values

  const JsonValue::List& list(std::string_view key) const {
    static const JsonValue::List none;
    const JsonValue* value = root_.find(key);
    return value ? value->list() : none;
  }

  static std::size_t to_index(const JsonValue& value, std::size_t size, const char* what) {
    const double* number = value.number();
    if (number == nullptr || !(*number >= 0) || !(*number < static_cast<double>(size)) ||
        *number != std::floor(*number)) {
      fail(fmt::format("names a {} that is not there", what));
    }
    return static_cast<std::size_t>(*number);
  }
  static std::optional<std::size_t> index(const JsonValue& map, std::string_view key,
                                          std::size_t size, const char* what) {
    const JsonValue* value = map.find(key);
    if (value == nullptr) return std::nullopt;
    return to_index(*value, size, what);
  }
  // A count or an offset.
  static std::size_t size_of(const JsonValue& map, std::string_view key, std::size_t fallback) {
    constexpr std::size_t most = std::size_t{1} << 40;
    return index(map, key, most, "size").value_or(fallback);
  }

  template <std::size_t n>
  static bool find_numbers(const JsonValue& map, std::string_view key, std::array<double, n>& to) {
    const JsonValue* value = map.find(key);
    if (value == nullptr) return false;
    if (value->list().size() != n) fail(fmt::format("'{}' must have {} numbers", key, n));
    for (std::size_t k = 0; k < n; ++k) {
      const double* number = value->list()[k].number();
      if (number == nullptr) fail(fmt::format("'{}' must have {} numbers", key, n));
      to[k] = *number;
    }
    return true;
  }

  // ---- nodes

  void read_children(const JsonValue& children, const Transform& to_world, int depth) {
    for (const JsonValue& child : children.list()) {
      read_node(to_index(child, visited_.size(), "node"), to_world, depth);
    }
  }

  void read_node(std::size_t at, const Transform& parent, int depth) {
    if (depth > 200) fail("nodes are nested more than 200 deep");
    if (visited_[at]) fail(fmt::format("node {} has two parents, or is its own", at));
    visited_[at] = true;
    const JsonValue& node = list("nodes")[at];
    const Transform to_world = parent * read_transform(node);
    if (const auto mesh = index(node, "mesh", list("meshes").size(), "mesh")) {
      if (const JsonValue* primitives = list("meshes")[*mesh].find("primitives")) {
        for (const JsonValue& primitive : primitives->list()) read_primitive(primitive, to_world);
      }
    }
    if (const JsonValue* children = node.find("children")) {
      read_children(*children, to_world, depth + 1);
    }
  }

  static Transform read_transform(const JsonValue& node) {
    std::array<double, 16> m{};
    if (find_numbers(node, "matrix", m)) {  // by columns
      return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}}};
    }
    std::array<double, 4> q = {0, 0, 0, 1};  // scalar last
    std::array<double, 3> shift = {0, 0, 0}, scale = {1, 1, 1};
    find_numbers(node, "rotation", q);
    find_numbers(node, "translation", shift);
    find_numbers(node, "scale", scale);
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.0)) fail("the rotation of a node must not be zero");
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    Transform t = {{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                    {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                    {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)},
                    shift}};
    for (std::size_t k = 0; k < 3; ++k) {
      for (double& v : t[k]) v *= scale[k];
    }
    return t;
  }

  // ---- triangles

  // Many primitives can name the same numbers.
  void claim(std::size_t count) {
    claimed_ += count;
    if (claimed_ <= 6 * max_mesh_triangles) return;
    fail(fmt::format("more than {} points and indices", 6 * max_mesh_triangles),
         "export a coarser mesh");
  }

  void read_primitive(const JsonValue& primitive, const Transform& to_world) {
    const std::size_t mode = size_of(primitive, "mode", 4);
    if (mode < 4 || mode > 6) return;  // points and lines
    const JsonValue* attributes = primitive.find("attributes");
    const auto accessors = list("accessors").size();
    const auto position =
        attributes ? index(*attributes, "POSITION", accessors, "accessor") : std::nullopt;
    if (!position) return;
    const Numbers points = find_numbers_of(*position, "VEC3", 3);
    if (points.type != 5126) fail("positions must be floats");
    claim(points.count);
    std::vector<std::uint32_t> known(points.count);
    for (std::size_t i = 0; i < points.count; ++i) known[i] = add_point(points, i, to_world);
    std::vector<std::uint32_t> corners;
    if (const auto at = index(primitive, "indices", accessors, "accessor")) {
      corners = read_indices(find_numbers_of(*at, "SCALAR", 1), known);
    } else {
      corners = std::move(known);
    }
    add_triangles(corners, mode, calc_determinant(to_world) < 0.0);
    note_color(primitive, corners.size());
  }

  std::uint32_t add_point(const Numbers& points, std::size_t i, const Transform& to_world) {
    const MeshFileError place = {0, 0, fmt::format("point {}: ", i + 1), ""};
    Vec3 x;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t bits = read_little(points.bytes.substr(points.stride * i + 4 * k), 4);
      float value = 0.0F;
      std::memcpy(&value, &bits, sizeof value);
      x[k] = check_coordinate(static_cast<double>(value), place);
    }
    x = apply(to_world, x, 1.0);
    for (const double component : x) check_coordinate(component, place);
    return mesh_.add_point(x);
  }

  std::vector<std::uint32_t> read_indices(const Numbers& numbers,
                                          const std::vector<std::uint32_t>& known) {
    const std::size_t size = numbers.type == 5121 ? 1 : numbers.type == 5123 ? 2 : 4;
    if (numbers.type == 5126) fail("indices must be integers");
    claim(numbers.count);
    std::vector<std::uint32_t> corners(numbers.count);
    for (std::size_t i = 0; i < numbers.count; ++i) {
      const std::uint32_t at = read_little(numbers.bytes.substr(numbers.stride * i), size);
      if (at >= known.size()) {
        fail(fmt::format("index {} is {}, but there are {} points", i + 1, at, known.size()));
      }
      corners[i] = known[at];
    }
    return corners;
  }

  // Strips and fans as triples: the second corner of every other triangle of a strip is its third.
  void add_triangles(const std::vector<std::uint32_t>& corners, std::size_t mode, bool mirrored) {
    const std::size_t n = corners.size();
    const std::size_t count = mode == 4 ? n / 3 : n < 3 ? 0 : n - 2;
    check_triangles(mesh_.n_triangles() + count, {});
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t a = corners[mode == 4 ? 3 * i : mode == 5 ? i : 0];
      std::uint32_t b = corners[mode == 4 ? 3 * i + 1 : i + 1];
      std::uint32_t c = corners[mode == 4 ? 3 * i + 2 : i + 2];
      if (mirrored != (mode == 5 && i % 2 == 1)) std::swap(b, c);
      mesh_.add_triangle(a, b, c);
    }
  }

  // glTF has linear colours, pictures those of sRGB.
  void note_color(const JsonValue& primitive, std::size_t corners) {
    const auto at = index(primitive, "material", list("materials").size(), "material");
    if (!at || corners <= most_corners_) return;
    most_corners_ = corners;
    const JsonValue* looks = list("materials")[*at].find("pbrMetallicRoughness");
    std::array<double, 4> linear = {1, 1, 1, 1};
    if (looks == nullptr || !find_numbers(*looks, "baseColorFactor", linear)) return;
    Rgb color;
    for (std::size_t k = 0; k < 3; ++k) {
      const double x = std::clamp(linear[k], 0.0, 1.0);
      color[k] =
          static_cast<float>(x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055);
    }
    color_ = color;
  }

  // ---- numbers

  Numbers find_numbers_of(std::size_t at, std::string_view type, std::size_t components) {
    const JsonValue& accessor = list("accessors")[at];
    if (accessor.find("sparse") != nullptr) fail("sparse accessors are not supported");
    const JsonValue* given = accessor.find("type");
    if (given == nullptr || given->text() == nullptr || *given->text() != type) {
      fail(fmt::format("accessor {} must have the type {}", at, type));
    }
    Numbers numbers;
    numbers.type =
        static_cast<int>(index(accessor, "componentType", 100'000, "component type").value_or(0));
    const std::size_t width = numbers.type == 5121                           ? 1
                              : numbers.type == 5123                         ? 2
                              : numbers.type == 5125 || numbers.type == 5126 ? 4
                                                                             : 0;
    if (width == 0) fail(fmt::format("accessor {} has a component type that is not supported", at));
    const auto view = index(accessor, "bufferView", list("bufferViews").size(), "buffer view");
    if (!view) fail(fmt::format("accessor {} has no buffer view", at));
    const JsonValue& place = list("bufferViews")[*view];
    numbers.count = size_of(accessor, "count", 0);
    numbers.stride = size_of(place, "byteStride", width * components);
    const std::size_t offset = size_of(accessor, "byteOffset", 0),
                      begin = size_of(place, "byteOffset", 0);
    const std::size_t length = size_of(place, "byteLength", 0);
    const auto buffer = index(place, "buffer", list("buffers").size(), "buffer");
    if (!buffer) fail(fmt::format("buffer view {} has no buffer", *view));
    const std::string_view bytes = find_buffer(*buffer);
    if (begin > bytes.size() || length > bytes.size() - begin) {
      fail(fmt::format("buffer view {} ends after its buffer of {} bytes", *view, bytes.size()));
    }
    // all of the last number must be there; count and stride are below 2^40: their product may be large
    const double last =
        static_cast<double>(offset) + static_cast<double>(width * components) +
        static_cast<double>(numbers.stride) * (static_cast<double>(numbers.count) - 1);
    const bool overlaps = numbers.stride < width * components;
    if (overlaps || (numbers.count > 0 && last > static_cast<double>(length))) {
      fail(fmt::format("accessor {} ends after its buffer view of {} bytes", at, length));
    }
    numbers.bytes = bytes.substr(begin, length).substr(std::min(offset, length));
    return numbers;
  }

  std::string_view find_buffer(std::size_t at) {
    buffers_.resize(list("buffers").size());
    std::optional<std::string>& buffer = buffers_[at];
    if (buffer) return *buffer;
    const JsonValue* uri = list("buffers")[at].find("uri");
    if (uri == nullptr || uri->text() == nullptr) {
      if (!has_own_ || at != 0) fail(fmt::format("buffer {} has no data", at));
      return own_;
    }
    const std::string& text = *uri->text();
    if (text.starts_with("data:")) {
      const std::size_t comma = text.find(";base64,");
      if (comma == std::string::npos) fail(fmt::format("buffer {} is not base64", at));
      buffer = decode_base64(std::string_view(text).substr(comma + 8));
    } else {
      buffer = files_.read(text);
    }
    return *buffer;
  }

  MeshBuffers& files_;
  MeshBuilder& mesh_;
  JsonValue root_;
  std::string_view own_;  // the buffer of a GLB file
  bool has_own_ = false;
  std::vector<std::optional<std::string>> buffers_;
  std::vector<bool> visited_;
  std::optional<Rgb> color_;
  std::size_t most_corners_ = 0;
  std::size_t claimed_ = 0;
};

}  // namespace

void read_gltf(std::string_view bytes, MeshBuffers& files, MeshBuilder& mesh) {
  GltfReader(bytes, files, mesh).read();
}

}  // namespace trammel
