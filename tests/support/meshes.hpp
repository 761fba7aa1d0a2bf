// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes for tests, as triangles and as the text of files.
#pragma once

#include <cmath>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "trammel/mesh.hpp"

namespace trammel::test {

struct Triangles {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
};

// A box with one corner at `low`.
inline Triangles make_box(const Vec3& low, const Vec3& size) {
  Triangles box;
  for (int k = 0; k < 8; ++k) {
    box.points.push_back({low[0] + (k & 1 ? size[0] : 0.0), low[1] + (k & 2 ? size[1] : 0.0),
                          low[2] + (k & 4 ? size[2] : 0.0)});
  }
  const std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    box.triangles.push_back({f[0], f[1], f[2]});
    box.triangles.push_back({f[0], f[2], f[3]});
  }
  return box;
}

inline void turn(Triangles& mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
}

inline void append(Triangles& to, const Triangles& other) {
  const auto first = static_cast<std::uint32_t>(to.points.size());
  to.points.insert(to.points.end(), other.points.begin(), other.points.end());
  for (const auto& [a, b, c] : other.triangles) {
    to.triangles.push_back({first + a, first + b, first + c});
  }
}

// A sphere by latitudes and longitudes.
inline Triangles make_sphere(double radius, int n) {
  Triangles sphere;
  const double pi = 3.141592653589793;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k < 2 * n; ++k) {
      const double polar = pi * i / n, around = pi * k / n;
      const double across = i == 0 || i == n ? 0.0 : radius * std::sin(polar);
      sphere.points.push_back({across * std::cos(around), across * std::sin(around),
                               radius * (i == 0   ? 1.0
                                         : i == n ? -1.0
                                                  : std::cos(polar))});
    }
  }
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(2 * n * i + k % (2 * n)); };
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 2 * n; ++k) {
      sphere.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      sphere.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
  }
  return sphere;
}

// ---- files

template <class Number>
void append_bytes(std::string& to, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);  // tests run on little-endian machines
  to.append(bytes, sizeof number);
}

inline std::string to_binary_stl(const Triangles& mesh, const std::string& header = "test") {
  std::string bytes = header;
  bytes.resize(80, ' ');
  append_bytes(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) append_bytes(bytes, 0.0F);
    for (const std::uint32_t p : t) {
      for (const double x : mesh.points[p]) append_bytes(bytes, static_cast<float>(x));
    }
    append_bytes(bytes, std::uint16_t{0});
  }
  return bytes;
}

inline std::string to_text_stl(const Triangles& mesh) {
  std::ostringstream text;
  text.precision(17);
  text << "solid a name\n";
  for (const Triangle& t : mesh.triangles) {
    text << " facet normal 0 0 0\n  outer loop\n";
    for (const std::uint32_t p : t) {
      text << "   vertex " << mesh.points[p][0] << ' ' << mesh.points[p][1] << ' '
           << mesh.points[p][2] << '\n';
    }
    text << "  endloop\n endfacet\n";
  }
  text << "endsolid a name\n";
  return text.str();
}

inline std::string to_obj(const Triangles& mesh) {
  std::ostringstream text;
  text.precision(17);
  text << "# comment\nmtllib none.mtl\no part\n";
  for (const Vec3& p : mesh.points) text << "v " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
  text << "vn 0 0 1\ns off\n";
  for (const auto& [a, b, c] : mesh.triangles) {
    text << "f " << a + 1 << "//1 " << b + 1 << "/1/1 " << c + 1 << '\n';
  }
  return text.str();
}

// Of one primitive with 16-bit indices; `more` are further properties of the node.
inline std::string make_gltf_json(const Triangles& mesh, const std::string& buffer,
                                  const std::string& more = "") {
  const std::size_t n = mesh.points.size(), m = 3 * mesh.triangles.size();
  std::ostringstream json;
  json << R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)"
       << more << R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,)"
       << R"("material":0}]}],"materials":[{"pbrMetallicRoughness":{"baseColorFactor":)"
       << R"([1,0.2158605,0,1]}}],"accessors":[{"bufferView":0,"componentType":5126,"count":)" << n
       << R"(,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":)" << m
       << R"(,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":)" << 12 * n
       << R"(},{"buffer":0,"byteOffset":)" << 12 * n << R"(,"byteLength":)" << 2 * m
       << R"(}],"buffers":[{)" << buffer << R"("byteLength":)" << 12 * n + 2 * m << "}]}";
  return json.str();
}

inline std::string make_gltf_buffer(const Triangles& mesh) {
  std::string bytes;
  for (const Vec3& p : mesh.points) {
    for (const double x : p) append_bytes(bytes, static_cast<float>(x));
  }
  for (const Triangle& t : mesh.triangles) {
    for (const std::uint32_t p : t) append_bytes(bytes, static_cast<std::uint16_t>(p));
  }
  return bytes;
}

inline std::string make_glb(std::string json, std::string buffer) {
  while (json.size() % 4 != 0) json += ' ';
  while (buffer.size() % 4 != 0) buffer += '\0';
  std::string bytes = "glTF";
  append_bytes(bytes, std::uint32_t{2});
  append_bytes(bytes, static_cast<std::uint32_t>(28 + json.size() + buffer.size()));
  append_bytes(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  append_bytes(bytes, static_cast<std::uint32_t>(buffer.size()));
  bytes += std::string("BIN\0", 4) + buffer;
  return bytes;
}

inline std::string to_glb(const Triangles& mesh, const std::string& more = "") {
  return make_glb(make_gltf_json(mesh, "", more), make_gltf_buffer(mesh));
}

}  // namespace trammel::test
