// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The text of a model file; what cannot be one is refused before the parser sees it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "format/yaml_tree.hpp"

namespace trammel {

// The whole file. Throws FileError when it cannot be read, ModelError when it is too large.
std::string read_source_text(const std::string& path, std::uintmax_t max_size = max_file_size);

// Throws ModelError unless the text is UTF-8 without control characters, within the size limit.
void check_source_text(std::string_view text, const std::string& file,
                       std::uintmax_t max_size = max_file_size);

}  // namespace trammel
