// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What is said of a model that is wrong.
#pragma once

#include <string>

#include "trammel/trammel.hpp"

namespace trammel::test {

// The message of the ModelError that `read` throws, or "accepted".
template <class Read>
std::string mistakes_of(const Read& read) {
  try {
    read();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace trammel::test
