// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Replaces the page in builds without node and npm, or whose npm could not fetch (page.cmake).
#include "page/template.hpp"

namespace trammel::page_template {

const bool available = false;
std::span<const std::string_view> head() { return {}; }
std::span<const std::string_view> middle() { return {}; }
std::span<const std::string_view> tail() { return {}; }

}  // namespace trammel::page_template
