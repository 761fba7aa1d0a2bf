// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The tree: structure, positions, paths, and what is refused.
#include "format/yaml_tree.hpp"
#include "support/mistakes.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <string>

using namespace trammel;

namespace {

std::string fail(const std::string& source) {
  return test::mistakes_of([&] { const YamlTree tree(source, "f"); });
}

std::string repeat(const std::string& text, std::size_t bytes) {
  std::string result;
  result.reserve(bytes + text.size());
  while (result.size() + text.size() <= bytes) result += text;
  return result;
}

}  // namespace

TEST_CASE("structure, texts and positions") {
  const YamlTree tree("a: 1\nb:\n  c: [x, 'y z', {d: }]\n", "f");
  const NodeId a = tree.find(YamlTree::root, "a");
  CHECK(tree.text(a) == "1");
  CHECK(tree[a].line == 1);
  CHECK(tree[a].column == 4);
  CHECK(tree[tree[a].key].column == 1);
  const NodeId c = tree.find(tree.find(YamlTree::root, "b"), "c");
  REQUIRE(tree[c].kind == YamlNode::Kind::list);
  CHECK(tree[c].child_count == 3);
  CHECK(tree[c].line == 3);
  CHECK(tree[c].column == 6);
  const NodeId x = tree[c].first_child, y = tree[x].next_sibling, map = tree[y].next_sibling;
  CHECK(tree.text(y) == "y z");
  CHECK(tree.path(y) == "b.c[1]");
  CHECK(tree.path(tree.find(map, "d")) == "b.c[2].d");
  CHECK(tree[tree.find(map, "d")].kind == YamlNode::Kind::null);
  CHECK(tree.find(map, "e") == no_node);
  CHECK(tree.path(YamlTree::root) == "");
}

TEST_CASE("JSON is read as well") {
  const YamlTree tree("{\"a\": [1, 2.5e3, \"s\"],\n\t\"b\": {\"c\": true}}\n", "f");
  CHECK(tree.text(tree.find(tree.find(YamlTree::root, "b"), "c")) == "true");
  CHECK(tree[tree.find(YamlTree::root, "a")].child_count == 3);
}

TEST_CASE("duplicate keys are found, in small and large maps") {
  const YamlTree small("{a: 1, b: 2, a: 3}", "f");
  REQUIRE(small.duplicates().size() == 1);
  CHECK(small.text(small.duplicates()[0]) == "3");
  std::string large;
  for (int i = 0; i < 1000; ++i) large += "k" + std::to_string(i % 900) + ": 1\n";
  CHECK(YamlTree(large, "f").duplicates().size() == 100);
}

TEST_CASE("refused") {
  CHECK(fail("a: &x 1\nb: *x\n") ==
        "f:1:4: a: anchors and aliases are not supported (use parameters or repeat)");
  CHECK(fail("a: !!float 1\n") ==
        "f:1:4: a: tags are not supported, got 'tag:yaml.org,2002:float'");
  CHECK(fail("a: 1\n---\nb: 2\n") ==
        "f:2:1: a second document starts here (a model file holds one document)");
  CHECK(fail("{[1]: 2}") == "f:1:7: the key of this value must be a word");
  CHECK(fail("a: [1, 2\nb: 3\n") == "f:2:2: not YAML: end of sequence flow not found");
  CHECK(fail("") == "f: the file is empty (it should start with 'trammel: 1')");
  CHECK(fail("# only a comment\n") == "f: the file is empty (it should start with 'trammel: 1')");
  CHECK(fail(std::string("a: \0", 4)) == "f:1:4: not a text file: it contains a control character");
  CHECK(fail("a: 1\nb: \xff\n") == "f:2:4: not a text file: it is not UTF-8");
  CHECK(fail("a: \xC0\xAF") == "f:1:4: not a text file: it is not UTF-8");
  CHECK(fail("a: \xED\xA0\x80") == "f:1:4: not a text file: it is not UTF-8");
  CHECK(fail("a: grün 漢 😀\n") == "accepted");
}

TEST_CASE("nesting is limited, however it is written") {
  const std::string reason = "lists and maps are nested more than 64 deep";
  CHECK(fail(std::string(100'000, '[')).find(reason) != std::string::npos);
  CHECK(fail(std::string(100'000, '{')).find(reason) != std::string::npos);
  CHECK(fail(repeat("- ", 100'000)) == "f:1:129: " + reason);
  CHECK(fail(repeat("[{a: ", 100'000)).find(reason) != std::string::npos);
  std::string block;
  for (int i = 0; i < 500; ++i) block += std::string(i, ' ') + "a:\n";
  CHECK(fail(block) == "f:65:65: " + reason);
  CHECK(fail(std::string(64, '[') + std::string(64, ']')) == "accepted");
  CHECK(fail(std::string(65, '[') + std::string(65, ']')) == "f:1:65: " + reason);
}

TEST_CASE("size and number of nodes are limited") {
  CHECK(fail(std::string(max_file_size + 1, ' ')) ==
        "f: the file has 8388609 bytes; at most 8388608 are allowed (describe regular parts with "
        "repeat)");
  CHECK(fail("[" + repeat("1,", 4'200'000) + "]") ==
        "f:1:4000000: more than 2000000 values in one file (describe regular parts with repeat)");
}

TEST_CASE("long files of the worst kinds are refused in seconds") {
  for (const char* piece : {"[", "{", "a: ", "- ", "[\"\",", "{a,", "&a ", "x", "\"\" ", "? "}) {
    CAPTURE(piece);
    const std::clock_t start = std::clock();  // CPU time: the machine may be busy with other things
    fail(repeat(piece, max_file_size / 4));
    CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 20);
  }
}
