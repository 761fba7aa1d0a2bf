// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Model files as data, for programs that change them: a text in, a text out.
#pragma once

#include <string>

namespace trammel {

// The text of a model file (YAML or JSON) as JSON: maps, lists, numbers, texts in the order of the file, without
// its comments. Expressions are texts. Throws ModelError where it is neither.
std::string to_json_text(const std::string& text, const std::string& name);

}  // namespace trammel
