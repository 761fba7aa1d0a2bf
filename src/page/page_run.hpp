// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// One run on a page: its columns as a block of numbers, and the head that describes it.
#pragma once

#include "format/json_writer.hpp"
#include "page/data_block.hpp"
#include "page/page_meshes.hpp"
#include "trammel/results.hpp"

namespace trammel {

struct PageRun {
  const Results* results = nullptr;
  std::string label;
  bool motion = true;  // with positions, orientations, velocities and reactions
};

// What the page's numbers are, besides the numbers.
struct PageColumns {
  DataBlock block;
  Vec3 origin{};             // m, taken off all positions: far from it floats lose digits
  std::size_t thinning = 1;  // every so many rows have their motion in the page
};

PageColumns make_columns(const PageRun& run);

// The head of the run as one JSON object.
void add_run_head(JsonWriter& json, const PageRun& run, const PageColumns& columns,
                  PageMeshes& meshes);

}  // namespace trammel
