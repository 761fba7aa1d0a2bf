// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Models of other programs: URDF, MuJoCo's MJCF, and the .asmt files of FreeCAD's assembly solver.
//
//   robot.urdf ─import─▶ ImportedModel: a Model, and a list of everything that is not in it
#pragma once

#include <string>
#include <vector>

#include "trammel/checked_model.hpp"

namespace trammel {

struct ImportOptions {
  bool floating_base = false;  // URDF: the root link moves freely; otherwise it is fixed
};

// "limit: knee, hip (stops are not simulated)"
struct ImportNote {
  std::string what;                // "limit", "contact", "actuator" …
  std::vector<std::string> names;  // of the elements of the file
  std::string detail;              // why, or what became of it; may be empty
};

struct ImportedModel {
  Model model;         // checked; `text` is the model file that it would be written as
  std::string format;  // "URDF", "MJCF", "asmt"
  std::vector<ImportNote>
      left_out;  // of no effect on the motion of the model, but on that of the original
  std::vector<std::string> files;   // that were read
  std::vector<ImportNote> changed;  // expressed in another way: merged links, renamed bodies …
};

// Whether the file is to be imported: by its extension (.urdf, .mjcf, .xml, .asmt), or for others by how
// it begins. False where it cannot be read.
bool is_importable(const std::string& path);

// Throws ModelError with all errors and their places, or FileError.
ImportedModel import_model(const std::string& path, const ImportOptions& options = {});

// Writes the model file. Throws FileError; one of the files that were read is not replaced.
void write_model(const ImportedModel& imported, const std::string& path);

// A paragraph of text for people: what was left out and what was changed, by name.
std::string to_string(const std::vector<ImportNote>& notes);

}  // namespace trammel
