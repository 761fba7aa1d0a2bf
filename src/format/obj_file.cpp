// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// OBJ: points `v x y z` and faces `f i j k …`, a face with i, i/t, i//n or i/t/n for each corner.
// Indices count from 1, negative ones back from the last point. A face with more than three corners
// becomes a fan. Everything else (texture, normals, groups, materials) has no effect.
#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "format/mesh_file.hpp"
#include "format/mesh_words.hpp"

namespace trammel {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view text, MeshBuilder& mesh) : words_(text), mesh_(mesh) {
    words_.skip_backslash_line_ends(true);
  }

  void read() {
    while (words_.next()) {
      if (words_.word() == "v") {
        read_point();
      } else if (words_.word() == "f") {
        read_face();
      }
      words_.skip_line();
    }
  }

 private:
  void read_point() {
    Vec3 point;
    for (double& x : point) {
      if (!words_.next_in_line()) words_.fail("a point has three coordinates");
      x = words_.this_number();
      check_coordinate(x, words_.place());
    }
    points_.push_back(mesh_.add_point(point));
  }

  std::uint32_t read_corner() {
    const std::string_view word = words_.word();
    const std::string_view digits = word.substr(0, word.find('/'));
    long long index = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) {
      words_.fail("expected the number of a point");
    }
    const auto n = static_cast<long long>(points_.size());
    const long long at = index < 0 ? n + index : index - 1;
    if (at < 0 || at >= n) words_.fail(fmt::format("there are {} points up to here", n));
    return points_[static_cast<std::size_t>(at)];
  }

  void read_face() {
    std::uint32_t first = 0, last = 0;
    std::size_t corners = 0;
    for (; words_.next_in_line(); ++corners) {
      const std::uint32_t corner = read_corner();
      if (corners == 0) first = corner;
      if (corners >= 2) {
        check_triangles(mesh_.n_triangles() + 1, words_.place());
        mesh_.add_triangle(first, last, corner);
      }
      last = corner;
    }
    if (corners < 3) words_.fail("a face has three corners or more");
  }

  MeshWords words_;
  MeshBuilder& mesh_;
  std::vector<std::uint32_t> points_;  // by their numbers in the file
};

}  // namespace

void read_obj(std::string_view text, MeshBuilder& mesh) { ObjReader(text, mesh).read(); }

}  // namespace trammel
