// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Mesh files: the same box from every format, and files that are damaged or hostile.
#include "format/mesh_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "format/json_value.hpp"
#include "support/meshes.hpp"
#include "support/temporary_folder.hpp"
#include "trammel/trammel.hpp"

using namespace trammel;
using test::Triangles;

namespace {

const Triangles box = test::make_box({1, 2, 3}, {1, 2, 4});

struct Outcome {
  std::shared_ptr<const TriangleMesh> mesh;
  std::string error;  // "line:column reason (hint)"
};

Outcome read(const std::string& name, const std::string& bytes,
             std::size_t max_bytes = max_mesh_bytes) {
  const test::TemporaryFolder folder;
  test::write_text(folder.file(name), bytes);
  try {
    return {read_mesh_file(folder.file(name), name, max_bytes).mesh, ""};
  } catch (const MeshFileError& error) {
    return {nullptr, std::to_string(error.line) + ":" + std::to_string(error.column) + " " +
                         error.reason + (error.hint.empty() ? "" : " (" + error.hint + ")")};
  }
}

std::string fail(const std::string& name, const std::string& bytes) {
  const Outcome outcome = read(name, bytes);
  return outcome.mesh ? "accepted" : outcome.error;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

void check_is_box(const Outcome& outcome) {
  CHECK(outcome.error == "");
  REQUIRE(outcome.mesh);
  CHECK(outcome.mesh->points.size() == 8);
  CHECK(outcome.mesh->triangles.size() == 12);
  CHECK_FALSE(outcome.mesh->opening);
  CHECK_FALSE(outcome.mesh->turned);
  CHECK(outcome.mesh->volume == doctest::Approx(8));
  CHECK(outcome.mesh->center[2] == doctest::Approx(5));
}

}  // namespace

TEST_CASE("the same box from STL, OBJ and glTF") {
  check_is_box(read("a.stl", test::to_binary_stl(box)));
  check_is_box(read("a.STL", test::to_binary_stl(box, "solid by a careless program")));
  check_is_box(read("a.stl", test::to_text_stl(box)));
  check_is_box(read("a.stl", replaced(test::to_text_stl(box), "facet", "\r\n  FACET")));
  check_is_box(read("a.obj", test::to_obj(box)));
  check_is_box(read("a.glb", test::to_glb(box)));
  const std::string uri = R"("uri":"data:application/octet-stream;base64,)";
  std::string base64;
  const std::string buffer = test::make_gltf_buffer(box);
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < buffer.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < buffer.size() ? static_cast<unsigned char>(buffer[i + k]) : 0u;
    };
    const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (int k = 0; k < 4; ++k) base64 += digits[word >> (18 - 6 * k) & 63];
  }
  check_is_box(read("a.gltf", test::make_gltf_json(box, uri + base64 + "\",")));
}

TEST_CASE("OBJ: quadrilaterals, indices from the end, lines that go on") {
  std::string text = "v 1 2 3 1.0 0.5 0.5 0.5\nv 2 2 3\nv 2 \\\n 4 3\nv 1 4 3\n";
  text += "v 1 2 7\nv 2 2 7\nv 2 4 7\nv 1 4 7\nf 4 3 2 1\nf -4 -3 -2 -1\n";
  text += "f 1 2 6 5\nf 2 3 7 6\nf 3 4 \\\r\n 8 7\nf 4 1 5 8\nl 1 2\n";
  check_is_box(read("a.obj", text));
}

TEST_CASE("glTF: transforms of nodes, mirrored ones too, and the base colour") {
  const auto with = [](const std::string& more) { return read("a.glb", test::to_glb(box, more)); };
  const auto mesh = with("").mesh;
  REQUIRE(mesh->color);
  CHECK((*mesh->color)[0] == doctest::Approx(1));
  CHECK((*mesh->color)[1] == doctest::Approx(0.5019608).epsilon(1e-4));  // 128 of 255 in sRGB
  const auto moved =
      with(R"(,"translation":[10,0,0],"rotation":[0,0,0.70710678,0.70710678],"scale":[-2,1,1])")
          .mesh;
  REQUIRE(moved);
  CHECK_FALSE(moved->turned);
  CHECK(moved->volume == doctest::Approx(16));
  // (1.5, 3, 5) → (−3, 3, 5) → (−3, −3, 5) → (7, −3, 5)
  CHECK(moved->center[0] == doctest::Approx(7));
  CHECK(moved->center[1] == doctest::Approx(-3));
  CHECK(moved->center[2] == doctest::Approx(5));
  const auto by_matrix = with(R"(,"matrix":[0,2,0,0, 1,0,0,0, 0,0,1,0, 0,0,-5,1])").mesh;
  CHECK(by_matrix->volume == doctest::Approx(16));
  CHECK(by_matrix->center[1] == doctest::Approx(3));
  CHECK(by_matrix->center[2] == doctest::Approx(0).epsilon(1e-6));
}

TEST_CASE("STL: damaged and hostile files") {
  const std::string good = test::to_binary_stl(box);
  CHECK(fail("a.stl", "") == "0:0 not an STL file: too short");
  CHECK(fail("a.stl", good.substr(0, 83)) == "0:0 not an STL file: too short");
  CHECK(
      fail("a.stl", good.substr(0, good.size() - 1)) ==
      "0:0 announces 12 triangles, which take 684 bytes, but has 683 bytes (the file is truncated "
      "or not an STL file)");
  CHECK(fail("a.stl", good + "x").find("but has 685 bytes") != std::string::npos);
  std::string huge = good;
  for (std::size_t k = 80; k < 84; ++k) huge[k] = '\xff';
  CHECK(fail("a.stl", huge).find("announces 4294967295 triangles, which take 214748364834 bytes") !=
        std::string::npos);
  CHECK(fail("a.stl", std::string(84, '\0')) == "0:0 contains no triangles");
  Triangles wrong = box;
  wrong.points[0][1] = std::numeric_limits<double>::quiet_NaN();
  CHECK(fail("a.stl", test::to_binary_stl(wrong)) ==
        "0:0 triangle 1: coordinates must be finite and at most 1e+30 in magnitude, got nan");
  wrong.points[0][1] = 1e35;
  CHECK(fail("a.stl", test::to_binary_stl(wrong)).find("got 1e+35") != std::string::npos);
}

TEST_CASE("STL as text: errors with line and column") {
  const std::string text = test::to_text_stl(box);
  CHECK(fail("a.stl", "solid\n") == "2:1 the file ends before 'endsolid'");
  CHECK(fail("a.stl", "solid\nendsolid") == "0:0 contains no triangles");
  CHECK(fail("a.stl", "solid\nface") == "2:1 expected 'facet' or 'endsolid'");
  CHECK(fail("a.stl", replaced(text, "vertex 1", "vertex one")) == "4:11 expected a number");
  CHECK(fail("a.stl", replaced(text, "vertex 1", "vertex nan")) ==
        "4:11 coordinates must be finite and at most 1e+30 in magnitude, got nan");
  CHECK(fail("a.stl", replaced(text, "vertex 1", "vertex 1e99")).find("4:11 ") == 0);
  CHECK(fail("a.stl", replaced(text, "vertex 1 2 3", "vertex 1 2")) == "5:4 expected a number");
  CHECK(fail("a.stl", replaced(text, "endloop", "vertex")) == "7:3 expected 'endloop'");
  CHECK(fail("a.stl", text.substr(0, 60)).find("the file ends before") != std::string::npos);
  CHECK(fail("a.stl", text + "more") == "87:1 expected 'solid' or the end of the file");
}

TEST_CASE("OBJ: errors with line and column") {
  CHECK(fail("a.obj", "") == "0:0 contains no triangles");
  CHECK(fail("a.obj", "v 1 2\n") == "1:6 a point has three coordinates");
  CHECK(fail("a.obj", "v 1 2 x\n") == "1:7 expected a number");
  CHECK(fail("a.obj", "v 1 2 inf\n").find("1:7 coordinates must be finite") == 0);
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  CHECK(fail("a.obj", points + "f 1 2\n") == "4:6 a face has three corners or more");
  CHECK(fail("a.obj", points + "f 1 2 4\n") == "4:7 there are 3 points up to here");
  CHECK(fail("a.obj", points + "f 1 2 0\n") == "4:7 there are 3 points up to here");
  CHECK(fail("a.obj", points + "f 1 2 -4\n") == "4:7 there are 3 points up to here");
  CHECK(fail("a.obj", points + "f 1 2 x\n") == "4:7 expected the number of a point");
  CHECK(fail("a.obj", points + "f 1 2 99999999999999999999\n") ==
        "4:7 expected the number of a point");
}

TEST_CASE("glTF: damaged and hostile files") {
  const std::string buffer = test::make_gltf_buffer(box), json = test::make_gltf_json(box, "");
  const auto with = [&](const std::string& from, const std::string& to) {
    return fail("a.glb", test::make_glb(replaced(json, from, to), buffer));
  };
  const std::string good = test::to_glb(box);
  CHECK(fail("a.glb", good.substr(0, 10)) == "0:0 truncated: a GLB file has 20 bytes or more");
  CHECK(fail("a.glb", good.substr(0, good.size() - 8))
            .find("0:0 truncated: a chunk announces 168 bytes, 160 are there") == 0);
  CHECK(fail("a.gltf", "{\n  \"asset\": }") == "2:12 not JSON: expected a value");
  CHECK(fail("a.gltf", std::string(5000, '[')) ==
        "1:66 not JSON: lists and maps are nested too deeply");
  CHECK(fail("a.gltf", "[]") == "0:0 not a glTF file: it has no version");
  CHECK(with("\"2.0\"", "\"1.0\"") == "0:0 glTF version 2 is supported only");
  CHECK(with("\"scene\":0", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]") ==
        "0:0 requires an extension of glTF (export without compression)");
  CHECK(with("\"scene\":0", "\"scene\":1") == "0:0 names a scene that is not there");
  CHECK(with("\"nodes\":[0]", "\"nodes\":[1]") == "0:0 names a node that is not there");
  CHECK(with("\"nodes\":[0]", "\"nodes\":[-1]") == "0:0 names a node that is not there");
  CHECK(with("\"nodes\":[0]", "\"nodes\":[1e300]") == "0:0 names a node that is not there");
  CHECK(with("\"nodes\":[0]", "\"nodes\":[0.5]") == "0:0 names a node that is not there");
  CHECK(with("{\"mesh\":0", "{\"children\":[0],\"mesh\":0") ==
        "0:0 node 0 has two parents, or is its own");
  CHECK(with("{\"mesh\":0", "{\"mesh\":7") == "0:0 names a mesh that is not there");
  CHECK(with("\"count\":8", "\"count\":9") ==
        "0:0 accessor 0 ends after its buffer view of 96 bytes");
  CHECK(with("\"count\":8", "\"count\":1000000000000") ==
        "0:0 accessor 0 ends after its buffer view of 96 bytes");
  CHECK(with("\"count\":8", "\"count\":7") == "0:0 index 9 is 7, but there are 7 points");
  CHECK(with("5123", "5125") == "0:0 accessor 1 ends after its buffer view of 72 bytes");
  CHECK(with("5123", "5120") == "0:0 accessor 1 has a component type that is not supported");
  CHECK(with("\"byteLength\":96", "\"byteLength\":9600") ==
        "0:0 buffer view 0 ends after its buffer of 168 bytes");
  CHECK(with("\"byteLength\":96", "\"byteStride\":4,\"byteLength\":96") ==
        "0:0 accessor 0 ends after its buffer view of 96 bytes");
  CHECK(with("\"VEC3\"", "\"VEC2\"") == "0:0 accessor 0 must have the type VEC3");
  CHECK(with("\"mesh\":0", "\"mesh\":0,\"scale\":[1,2]") == "0:0 'scale' must have 3 numbers");
  CHECK(with("\"mesh\":0", "\"mesh\":0,\"scale\":[1,2,1e308]").find("0:0 point 1: coordinates") ==
        0);
  CHECK(with("\"mesh\":0", "\"mesh\":0,\"rotation\":[0,0,0,0]") ==
        "0:0 the rotation of a node must not be zero");
  for (const char* uri :
       {"../secret.bin", "/etc/passwd", "https://a.b/c", "missing.bin", "", "."}) {
    CAPTURE(uri);
    CHECK(fail("a.gltf", test::make_gltf_json(box, std::string("\"uri\":\"") + uri + "\","))
              .find("0:0 names a buffer '" + std::string(uri) + "' that is not in its folder") ==
          0);
  }
  CHECK(fail("a.gltf", json) == "0:0 buffer 0 has no data");
  CHECK(fail("a.gltf", test::make_gltf_json(box, R"("uri":"data:;base64,????",)")) ==
        "0:0 a buffer is not base64");
}

// 100,000 primitives that each name all points: refused before the work is done
TEST_CASE("glTF: numbers that are named again and again are counted") {
  std::string primitives;
  for (int k = 0; k < 100'000; ++k) primitives += R"({"attributes":{"POSITION":0}},)";
  std::string json =
      replaced(test::make_gltf_json(box, ""), "\"primitives\":[", "\"primitives\":[" + primitives);
  Triangles many = box;
  many.points.resize(100'000);
  json = replaced(json, "\"count\":8", "\"count\":100000");
  json = replaced(json, "\"byteLength\":96", "\"byteLength\":1200000");
  CHECK(fail("a.glb", test::make_glb(json, test::make_gltf_buffer(many))).find("0:0 more than") ==
        0);
}

TEST_CASE("files: extension, size, and errors of the public function") {
  CHECK(fail("a.step", "x") == "0:0 not a mesh: the extension must be .stl, .obj, .gltf or .glb");
  CHECK(read("a.stl", test::to_binary_stl(box), 100)
            .error.find("0:0 the meshes of a model may have") == 0);
  const test::TemporaryFolder folder;
  test::write_text(folder.file("a.obj"), "v 1\n");
  CHECK_THROWS_WITH_AS(read_mesh(folder.file("a.obj"), "a.obj"),
                       (folder.file("a.obj") + ":1:4: a point has three coordinates").c_str(),
                       FileError);
  CHECK_THROWS_AS(read_mesh(folder.file("b.obj"), "b.obj"), FileError);
}

TEST_CASE("JSON: values, escapes and what is none") {
  const JsonValue value =
      parse_json(R"( {"a": [1, -2.5e3, true, null], "b": "\u00e9\ud83d\ude00\n"} )");
  REQUIRE(value.find("a"));
  CHECK(value.find("a")->list().size() == 4);
  CHECK(*value.find("a")->list()[1].number() == -2500);
  CHECK(*value.find("b")->text() == "é😀\n");
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nan", "inf", "+", "\"", "\"\\x\"",
                           "\"\\u12\"", "\"\n\"", "1 2", "tru", "[1}", "{1: 2}"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_json(text), JsonError);
  }
}
