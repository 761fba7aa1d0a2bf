// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// STL. Binary: 80 bytes of anything, the number n of triangles, 50 bytes for each. The size tells it from a
// text: the 80 bytes may begin with "solid", too. Normals are not used: the corners define the side.
#include <fmt/format.h>

#include <cstring>

#include "format/mesh_file.hpp"
#include "format/mesh_words.hpp"

namespace trammel {
namespace {

constexpr std::size_t header_size = 84, triangle_size = 50;

std::uint32_t read_count(std::string_view bytes) {
  std::uint32_t n = 0;
  for (std::size_t k = 4; k-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[80 + k]);
  return n;
}

// Little-endian, whatever the machine.
double read_float(std::string_view bytes) {
  std::uint32_t n = 0;
  for (std::size_t k = 4; k-- > 0;) n = n << 8 | static_cast<unsigned char>(bytes[k]);
  float value = 0.0F;
  std::memcpy(&value, &n, sizeof value);
  return static_cast<double>(value);
}

void read_binary(std::string_view bytes, MeshBuilder& mesh) {
  const std::size_t n = read_count(bytes);
  check_triangles(n, {0, 0, "announces ", ""});
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view record = bytes.substr(header_size + triangle_size * i, triangle_size);
    std::uint32_t corner[3];
    for (std::size_t c = 0; c < 3; ++c) {
      Vec3 point;
      for (std::size_t k = 0; k < 3; ++k) {
        point[k] = check_coordinate(read_float(record.substr(12 + 12 * c + 4 * k)),
                                    {0, 0, fmt::format("triangle {}: ", i + 1), ""});
      }
      corner[c] = mesh.add_point(point);
    }
    mesh.add_triangle(corner[0], corner[1], corner[2]);
  }
}

// facet normal x y z, outer loop, three times vertex x y z, endloop, endfacet
class TextReader {
 public:
  TextReader(std::string_view text, MeshBuilder& mesh) : words_(text), mesh_(mesh) {}

  void read() {
    expect("solid");
    words_.skip_line();
    for (;;) {
      if (!words_.next()) words_.fail("the file ends before 'endsolid'");
      if (words_.is("facet")) {
        read_facet();
      } else if (words_.is("endsolid")) {
        words_.skip_line();
        if (!words_.next()) return;
        if (!words_.is("solid")) words_.fail("expected 'solid' or the end of the file");
        words_.skip_line();
      } else {
        words_.fail("expected 'facet' or 'endsolid'");
      }
    }
  }

 private:
  void expect(std::string_view word) {
    if (!words_.next()) words_.fail(fmt::format("the file ends before '{}'", word));
    if (!words_.is(word)) words_.fail(fmt::format("expected '{}'", word));
  }

  void read_facet() {
    words_.skip_line();  // the normal
    expect("outer");
    expect("loop");
    std::uint32_t corner[3];
    for (std::uint32_t& c : corner) {
      expect("vertex");
      Vec3 point;
      for (double& x : point) {
        x = words_.number();
        check_coordinate(x, words_.place());
      }
      c = mesh_.add_point(point);
    }
    expect("endloop");
    expect("endfacet");
    check_triangles(mesh_.n_triangles() + 1, words_.place());
    mesh_.add_triangle(corner[0], corner[1], corner[2]);
  }

  MeshWords words_;
  MeshBuilder& mesh_;
};

}  // namespace

void read_stl(std::string_view bytes, MeshBuilder& mesh) {
  const bool has_header = bytes.size() >= header_size;
  const std::size_t announced =
      has_header ? header_size + triangle_size * std::size_t{read_count(bytes)} : 0;
  if (has_header && bytes.size() == announced) return read_binary(bytes, mesh);
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && MeshWords::equal(bytes.substr(start, 5), "solid") &&
      bytes.find('\0') == std::string_view::npos) {
    return TextReader(bytes, mesh).read();
  }
  if (!has_header) throw MeshFileError{0, 0, "not an STL file: too short", ""};
  throw MeshFileError{0, 0,
                      fmt::format("announces {} triangles, which take {} bytes, but has {} bytes",
                                  read_count(bytes), announced, bytes.size()),
                      "the file is truncated or not an STL file"};
}

}  // namespace trammel
