// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The page as viewer/ builds it, in three parts: up to the title, from there to the data, and the
// rest. Defined in a file that the build makes, or in cmake/no_page.cpp of builds without the page.
#pragma once

#include <span>
#include <string_view>

namespace trammel::page_template {

extern const bool available;

std::span<const std::string_view> head();
std::span<const std::string_view> middle();
std::span<const std::string_view> tail();

}  // namespace trammel::page_template
