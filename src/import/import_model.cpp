// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// import_model: file → ImportedMechanism → Model → check, and what is said about it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "format/atomic_file.hpp"
#include "format/source_text.hpp"
#include "format/write_yaml.hpp"
#include "import/mechanism.hpp"

namespace trammel {
namespace {

using import::ImportedMechanism;
using import::ImportLog;
using import::SourcePlace;

constexpr std::uintmax_t max_import_size = 64u << 20;  // bytes

enum class Format { none, urdf, mjcf, asmt };

// The name of the first element of an XML text, empty where it is none.
std::string find_first_element(const std::string& text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    if (text.compare(at, 4, "<!--") == 0) {
      at = text.find("-->", at);
      if (at == std::string::npos) return {};
      continue;
    }
    if (at + 1 >= text.size() || text[at + 1] == '?' || text[at + 1] == '!') continue;
    const std::size_t end = text.find_first_of(" \t\r\n/>", at);
    return text.substr(at + 1, std::min(end, text.size()) - at - 1);
  }
  return {};
}

bool begins_like_asmt(const std::string& text) {
  return text.compare(0, 9, "freeCAD: ") == 0 || text.compare(0, 12, "OndselSolver") == 0;
}

std::string find_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

// Known by its name: nothing has to be opened.
bool is_model_file(const std::string& path) {
  const std::string extension = find_extension(path);
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

Format find_format(const std::string& path, const std::string& text) {
  const std::string extension = find_extension(path);
  if (extension == ".asmt" || begins_like_asmt(text)) return Format::asmt;
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const bool is_xml = first != std::string::npos && text[first] == '<';
  const std::string root = is_xml ? find_first_element(text) : "";
  if (root == "robot") return Format::urdf;
  if (root == "mujoco" || root == "mujocoinclude") return Format::mjcf;
  if (extension == ".urdf") return Format::urdf;
  if (extension == ".mjcf" || extension == ".xml") return Format::mjcf;
  return Format::none;
}

// The place of a mistake that check_model finds: that of the body or joint in the imported file.
void place_mistakes(std::vector<Mistake>& mistakes, const std::string& file,
                    const std::map<std::string, SourcePlace>& sources) {
  for (Mistake& mistake : mistakes) {
    mistake.file = file;
    for (std::size_t end = mistake.path.size(); end != std::string::npos && end > 0;
         end = mistake.path.rfind('.', end - 1)) {
      const auto found = sources.find(mistake.path.substr(0, end));
      if (found == sources.end()) continue;
      if (!found->second.file.empty()) mistake.file = found->second.file;
      mistake.line = found->second.line;
      mistake.column = found->second.column;
      break;
    }
  }
}

// What is written at the top of the model file.
std::string describe(const ImportedModel& model, const std::string& path) {
  std::string text = fmt::format("Imported from {} ({}).\n",
                                 std::filesystem::path(path).filename().string(), model.format);
  if (!model.left_out.empty()) text += "Left out:\n" + to_string(model.left_out);
  if (!model.changed.empty()) text += "Expressed in another way:\n" + to_string(model.changed);
  return text;
}

ImportedMechanism read_mechanism(Format format, const std::string& text, const std::string& path,
                                 const ImportOptions& options, ImportLog& log) {
  ImportedMechanism mechanism = format == Format::asmt   ? read_asmt(text, path, log)
                                : format == Format::urdf ? read_urdf(text, path, options, log)
                                                         : read_mjcf(text, path, options, log);
  log.throw_mistakes();
  make_names_unique(mechanism, log);
  if (mechanism.name.empty()) mechanism.name = std::filesystem::path(path).stem().string();
  return mechanism;
}

}  // namespace

bool is_importable(const std::string& path) {
  if (is_model_file(path)) return false;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return false;
  std::string text(4096, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return find_format(path, text) != Format::none;
}

ImportedMechanism import::import_mechanism(const std::string& path, const ImportOptions& options,
                                           ImportLog& log) {
  const std::string text = read_source_text(path, max_import_size);
  check_source_text(text, path, max_import_size);
  const Format format = find_format(path, text);
  if (format == Format::none) {
    throw ModelError(
        {Mistake{path, 1, 1, "", "neither URDF, nor MJCF, nor .asmt",
                 "an .urdf file has the root element 'robot', an MJCF file 'mujoco'"}});
  }
  log.files.push_back(path);
  ImportedMechanism mechanism = read_mechanism(format, text, path, options, log);
  if (std::all_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                  [](const import::ImportedBody& body) { return body.is_gone; })) {
    throw ModelError(
        {Mistake{path, 1, 1, "", "no body moves",
                 format == Format::urdf
                     ? "everything is fixed to the ground; --floating-base frees the root link"
                     : "everything is fixed to the ground"}});
  }
  static constexpr const char* names[] = {"", "URDF", "MJCF", "asmt"};
  mechanism.format = names[static_cast<int>(format)];
  return mechanism;
}

ImportedModel import_model(const std::string& path, const ImportOptions& options) {
  ImportLog log;
  const ImportedMechanism mechanism = import::import_mechanism(path, options, log);
  std::map<std::string, SourcePlace> sources;
  ImportedModel result;
  result.format = mechanism.format;
  result.model = build_model(mechanism, sources);
  result.files = std::move(log.files);
  result.left_out = log.take_left_out();
  result.changed = log.take_changed();
  result.model.file = path;
  result.model.text = write_yaml(result.model, describe(result, path));
  auto mistakes = check_model(result.model);
  if (!mistakes.empty()) {
    place_mistakes(mistakes, path, sources);
    throw ModelError(std::move(mistakes));
  }
  // as the written file is read: a run of either gives the same bits
  std::string text = std::move(result.model.text);
  result.model = read_model_text(text, path);
  return result;
}

void write_model(const ImportedModel& imported, const std::string& path) {
  for (const std::string& file : imported.files) {
    std::error_code error;
    if (std::filesystem::equivalent(path, file, error)) {
      throw FileError(path + ": would replace a file that was imported");
    }
  }
  write_file(path, imported.model.text);
}

std::string to_string(const std::vector<ImportNote>& notes) {
  std::string text;
  for (const ImportNote& note : notes) {
    text += fmt::format("  {}: {}{}\n", note.what, fmt::join(note.names, ", "),
                        note.detail.empty() ? "" : " (" + note.detail + ")");
  }
  return text;
}

}  // namespace trammel
