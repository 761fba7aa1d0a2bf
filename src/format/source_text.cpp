// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Reads a file into memory after checking its size, and checks that it is UTF-8 text.
#include "format/source_text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "format/yaml_tree.hpp"
#include "trammel/error.hpp"

namespace trammel {
namespace {

// Of a model file; other files have no such key.
const char* hint_for_size(std::uintmax_t max_size) {
  return max_size == max_file_size ? "describe regular parts with repeat" : "";
}

[[noreturn]] void fail_size(const std::string& file, std::uintmax_t size, std::uintmax_t max_size) {
  throw ModelError({Mistake{file, 0, 0, "",
                            "the file has " + std::to_string(size) + " bytes; at most " +
                                std::to_string(max_size) + " are allowed",
                            hint_for_size(max_size)}});
}

// Bytes of the UTF-8 sequence at `at`, or 0 when it is not one (overlong forms, surrogates and
// everything above U+10FFFF included).
std::size_t calc_sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
  };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool outside = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
  return overlong || outside ? 0 : length;
}

}  // namespace

std::string read_source_text(const std::string& path, std::uintmax_t max_size) {
  const auto fail = [&](const std::string& reason) { throw FileError(path + ": " + reason); };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) fail(error ? error.message() : "no such file");
  if (std::filesystem::is_directory(status)) fail("is a directory, not a model file");
  if (std::filesystem::is_regular_file(status)) {
    const auto size = std::filesystem::file_size(path, error);
    if (!error && size > max_size) fail_size(path, size, max_size);
  }

  // the size of a pipe is not known in advance: read one byte more than allowed at most
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(std::string("cannot be opened: ") + std::strerror(errno));
  std::string text;
  std::string block(1 << 16, '\0');
  while (stream && text.size() <= max_size) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) fail("cannot be read");
  if (text.size() > max_size) {
    throw ModelError(
        {Mistake{path, 0, 0, "", "the file has more than " + std::to_string(max_size) + " bytes",
                 hint_for_size(max_size)}});
  }
  return text;
}

void check_source_text(std::string_view text, const std::string& file, std::uintmax_t max_size) {
  if (text.size() > max_size) fail_size(file, text.size(), max_size);
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t length = calc_sequence_length(text, at);
    const bool control =
        (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
    if (length == 0 || control) {
      throw ModelError({Mistake{file, line, static_cast<int>(at - line_start) + 1, "",
                                control ? "not a text file: it contains a control character"
                                        : "not a text file: it is not UTF-8",
                                ""}});
    }
    at += length;
    if (c == '\n') {
      ++line;
      line_start = at;
    }
  }
}

}  // namespace trammel
