// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The page's text: data that read back, names that cannot become markup, labels that tell runs
// apart.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <trammel/page.hpp>

#include "page/data_block.hpp"
#include "page/labels.hpp"
#include "page/page_run.hpp"
#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace trammel;

namespace {

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = text.find(to, begin + from.size());
  REQUIRE(end != std::string::npos);
  return text.substr(begin + from.size(), end - begin - from.size());
}

}  // namespace

TEST_CASE("base64 as in RFC 4648, section 10") {
  CHECK(to_base64("") == "");
  CHECK(to_base64("f") == "Zg==");
  CHECK(to_base64("fo") == "Zm8=");
  CHECK(to_base64("foo") == "Zm9v");
  CHECK(to_base64("foob") == "Zm9vYg==");
  CHECK(to_base64("fooba") == "Zm9vYmE=");
  CHECK(to_base64("foobar") == "Zm9vYmFy");
  CHECK(to_base64(std::string("\xff\xfe\x00\x80", 4)) == "//4AgA==");
}

TEST_CASE("a block of numbers begins each array at a multiple of eight bytes") {
  DataBlock block;
  block.add_bytes("flags", std::string("\1\0\1", 3));
  block.add_double("t", std::vector<double>{0.1, -2.5});
  block.add_single("x", std::vector<double>{0.1, 1e300, -1e300});
  REQUIRE(block.entries().size() == 3);
  for (const DataBlock::Entry& entry : block.entries()) CHECK(entry.offset % 8 == 0);
  double t = 0.0;
  std::memcpy(&t, block.bytes().data() + block.entries()[1].offset, 8);
  CHECK(t == 0.1);
  float x[3];
  std::memcpy(x, block.bytes().data() + block.entries()[2].offset, 12);
  CHECK(x[0] == 0.1f);
  CHECK(x[1] == std::numeric_limits<float>::max());
  CHECK(x[2] == -std::numeric_limits<float>::max());
}

TEST_CASE("labels say what differs") {
  Results a = test::make_sample_results(), b = a, c = a;
  CHECK(make_labels({&a, &b}) == std::vector<std::string>{"run 1", "run 2"});
  b.options.hold_energy = true;
  CHECK(make_labels({&a, &b}) == std::vector<std::string>{"nothing enforced", "energy enforced"});
  c.options.rtol = c.options.atol = 1e-9;
  CHECK(make_labels({&a, &b, &c}) == std::vector<std::string>{"tolerance 1e-07, nothing enforced",
                                                              "tolerance 1e-07, energy enforced",
                                                              "tolerance 1e-09, nothing enforced"});
  CHECK(make_labels({&a, &a, &b}) ==
        std::vector<std::string>{"nothing enforced", "nothing enforced (2)", "energy enforced"});
  CHECK(make_unique({"x", "x", "x (2)"}) == std::vector<std::string>{"x", "x (2)", "x (2) (2)"});
}

TEST_CASE("rows beyond what a browser bears are thinned, the last one stays") {
  Results results;
  const std::size_t rows = 100'003;
  results.body_names.assign(30, "b");  // 21 million values
  for (std::size_t i = 0; i < rows; ++i) results.time.push_back(static_cast<double>(i));
  results.position.assign(rows * 90, 1.0);
  results.orientation.assign(rows * 120, 0.5);
  const PageColumns columns = make_columns({&results, "", true});
  CHECK(columns.thinning == 2);
  for (const DataBlock::Entry& entry : columns.block.entries()) {
    if (entry.name == "time") CHECK(entry.length == rows);
    if (entry.name == "motion_time") CHECK(entry.length == 50'002);
    if (entry.name == "position") CHECK(entry.length == 50'002 * 90);
  }
}

TEST_CASE("names and texts stay inside their element") {
  if (!has_page()) return;
  Results results = test::make_sample_results();
  results.model_name = "</title></script><b>&amp;";
  results.body_names[0] = "</script><script>";
  results.model_text = "# <!-- </script>\xff\n";  // not UTF-8 either
  results.scene.bodies = {{"</script>", 1.0, {}, {}, false}};
  const test::TemporaryFolder folder;
  const std::string path = folder.file("page.html");
  write_page(results, path);
  const std::string text = test::read_text(path);
  CHECK(between(text, "<title>", "</title>") == "&lt;/title>&lt;/script>&lt;b>&amp;amp; – Trammel");
  const std::string json = between(text, "id=\"page-head\">", "</script>");
  CHECK(json.find('<') == std::string::npos);
  const nlohmann::json head = nlohmann::json::parse(json);
  const nlohmann::json& run = head["runs"][0];
  CHECK(run["scene"]["bodies"][0]["name"] == "</script>");
  CHECK(run["model_text"] == "# <!-- </script>\xef\xbf\xbd\n");
  CHECK(nlohmann::json::parse(run["summary"].get<std::string>())["model"] == results.model_name);
  CHECK(run["arrays"]["time"]["length"] == 2);
}

TEST_CASE("a page is written whole or not at all") {
  if (!has_page()) return;
  CHECK_THROWS_AS(write_page(test::make_sample_results(), "/no/such/folder/page.html"), FileError);
  CHECK_THROWS_AS(write_page(std::vector<Results>{}, "page.html"), FileError);
}
