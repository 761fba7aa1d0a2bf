// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The words for kinds of joints, as a message lists them: "revolute, translational or fixed".
#pragma once

#include <string>

#include "model/joint_rules.hpp"

namespace trammel::test {

inline std::string list_joint_words(bool planar) {
  std::string list, last;
  for (const JointWord& entry : joint_rules::joints) {
    if (!rules_of(entry.kind, planar).exists) continue;
    if (!last.empty()) list += (list.empty() ? "" : ", ") + last;
    last = entry.word;
  }
  return list + " or " + last;
}

}  // namespace trammel::test
