// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Table files: what is read, what is refused, and that nothing outside of the folder is touched.
#include "format/table_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/temporary_folder.hpp"

using namespace trammel;

namespace {

struct Outcome {
  TableColumns columns;
  std::string error;  // "line:column reason (hint)"
};

Outcome read(const std::string& text, const Column& x = 1, const Column& y = 2,
             std::size_t max_bytes = 10'000) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  test::write_text(path, text);
  try {
    return {read_table_file(path, x, y, max_bytes), ""};
  } catch (const TableFileError& error) {
    return {{},
            std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.reason +
                (error.hint.empty() ? "" : " (" + error.hint + ")")};
  }
}

std::string find(const std::string& folder, const std::string& name, bool allow_outside = false) {
  try {
    return "found " + find_table_file(folder, name, allow_outside);
  } catch (const TableFileError& error) {
    return error.reason;
  }
}

}  // namespace

TEST_CASE("columns by number and by heading") {
  const auto plain = read("0,1\n1, 2\r\n\n# note\n2,+3e0\n").columns;
  CHECK(plain.x == std::vector<double>{0, 1, 2});
  CHECK(plain.y == std::vector<double>{1, 2, 3});
  CHECK(plain.lines == std::vector<int>{1, 2, 5});
  const std::string named = "\xEF\xBB\xBFt [s],\"lift [mm]\",angle\n0,1,2\n1,3,4\n";
  CHECK(read(named, "t", "lift").columns.y == std::vector<double>{1, 3});
  CHECK(read(named, "t [s]", "angle").columns.y == std::vector<double>{2, 4});
  CHECK(read(named, 1, 3).columns.y == std::vector<double>{2, 4});
}

TEST_CASE("what is wrong in a table file has a line and a column") {
  CHECK(read("t,angle\n0,1\n1,x\n").error == "3:3 must be a finite number");
  CHECK(read("0,1\n1,nan\n").error == "2:3 must be a finite number");
  CHECK(read("0,1\n1\n").error == "2:1 there is no column 2: the line has 1");
  CHECK(read("0,1\n1,2\n1,3\n").error == "3:1 x must increase, got 1 after 1");
  CHECK(read("t,angle\n0,1\n", "t", "angel").error ==
        "1:1 there is no column 'angel' (did you mean 'angle'?)");
  CHECK(read("0,1\n", "t", "angle").error ==
        "1:1 the file has no headings to find 't' in (give the columns by number: columns: [1, "
        "2])");
  CHECK(read("# nothing\n").error == "0:0 the file contains no numbers");
  CHECK(read(std::string(200, '0'), 1, 2, 100).error ==
        "0:0 the tables of a model may have at most 67108864 bytes in total");
}

TEST_CASE("files are looked for in the model's folder only") {
  const test::TemporaryFolder outside, folder;
  namespace fs = std::filesystem;
  const std::string inside = folder.file("");
  test::write_text(outside.file("secret.csv"), "0,1\n1,2\n");
  test::write_text(folder.file("a.csv"), "0,1\n1,2\n");
  fs::create_directory(folder.file("sub"));
  test::write_text(folder.file("sub/b.csv"), "0,1\n1,2\n");
  CHECK(find(inside, "a.csv") == "found " + folder.file("a.csv"));
  CHECK(find(inside, "sub/../a.csv") == "found " + folder.file("a.csv"));
  CHECK(find(inside, "sub/b.csv") == "found " + folder.file("sub/b.csv"));
  CHECK(find(inside, "none.csv") == "there is no file 'none.csv' in the model's folder");
  CHECK(find(inside, "") == "the name of the file is empty");
  CHECK(find(inside, "sub") == "'sub' is not a regular file");

  const std::string absolute = outside.file("secret.csv");
  const std::string up =
      "../" + fs::path(outside.file("")).parent_path().filename().string() + "/secret.csv";
  fs::create_symlink(absolute, folder.file("link.csv"));
  fs::create_directory_symlink(outside.file(""), folder.file("linked"));
  for (const std::string& name :
       {absolute, up, std::string("link.csv"), std::string("linked/secret.csv"),
        std::string("/dev/zero"), std::string("../nothing.csv")}) {
    CAPTURE(name);
    CHECK(find(inside, name) == "'" + name + "' is outside the model's folder");
  }
  CHECK(find(inside, up, true).substr(0, 6) == "found ");
  CHECK(find(inside, absolute, true) == "found " + absolute);
  CHECK(find(inside, "/dev/zero", true) == "'/dev/zero' is not a regular file");
}
