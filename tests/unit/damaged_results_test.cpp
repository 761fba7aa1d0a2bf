// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Results files with a byte that is not as it was written: read or refused, but never a crash. Children
// do the reading, so that a crash inside the HDF5 library is a failed test.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "format/results_image.hpp"
#include "support/sample_results.hpp"
#include "support/temporary_folder.hpp"

using namespace trammel;

namespace {

Results make_results() {
  Results results = test::make_sample_results();
  results.model_text = "trammel: 1\n";
  results.options.t_end = results.options.output_interval = 10.0;  // small tables, a small file
  results.row_names = {"pin.C.x", "pin.C.y", "pin.C.z"};
  results.warnings = {"a warning"};
  results.scene.bodies.resize(2);
  results.scene.joints = {{"pin", "spherical", 0, 1, {}, {}, {}, {0, 0, 1}}};
  results.steps = {{0.0, 0.1, 0.5, 2, true}};
  return results;
}

std::string make_image(const Results& results) {
  const test::TemporaryFolder folder;
  write_hdf5(results, folder.file("run.h5"));
  std::ifstream stream(folder.file("run.h5"), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Everything that reads results does so.
void use(const Results& results) {
  const std::string text = to_json(results) + full_report(results) + to_json(results.check);
  if (text.empty()) std::abort();
}

void read_with_flip(const std::string& image, std::size_t at, int bits) {
  std::string damaged = image;
  damaged[at] = static_cast<char>(damaged[at] ^ bits);
  try {
    use(read_results_image(std::move(damaged), "image"));
  } catch (const FileError&) {
  }
}

// One child for the flips from `begin` to `end`; where it hangs it is ended after a minute of CPU time.
int read_in_child(const std::string& image, std::size_t begin, std::size_t end,
                  std::size_t stride) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit minute{60, 60};
    ::setrlimit(RLIMIT_CPU, &minute);
    for (std::size_t at = begin; at < end && at < image.size(); at += stride) {
      for (const int bits : {0x01, 0x80, 0xff}) read_with_flip(image, at, bits);
    }
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a flipped byte in a results file is refused or read, without a crash") {
  const std::string image = make_image(make_results());
  CHECK(read_results_image(image, "image").body_names.size() == 2);
  // TRAMMEL_FLIP_STRIDE=1: every byte, for minutes
  const char* const wanted = std::getenv("TRAMMEL_FLIP_STRIDE");
  const std::size_t stride = wanted != nullptr ? std::strtoul(wanted, nullptr, 10) : 181;
  const std::size_t together = 100 * stride;
  for (std::size_t begin = 0; begin < image.size(); begin += together) {
    CAPTURE(begin);
    CHECK(read_in_child(image, begin, begin + together, stride) == 0);
  }
}

TEST_CASE("distances of moved bodies without their angles, or the reverse, are refused") {
  for (const bool distances : {true, false}) {
    Results results = make_results();
    Assembly& assembly = results.check.assembly;
    (distances ? assembly.moved_angle : assembly.moved_distance).clear();
    CHECK_THROWS_AS(read_results_image(make_image(results), "image"), FileError);
  }
}
