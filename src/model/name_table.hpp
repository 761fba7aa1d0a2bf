// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Indices of bodies or joints by name, and hints for names that do not exist.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "math/nearest_word.hpp"
#include "model/check_parts.hpp"
#include "trammel/model.hpp"

namespace trammel {

class NameTable {
 public:
  // Parts are anything with a `name`; of several with the same name the first counts.
  template <class Part>
  explicit NameTable(const std::vector<Part>& parts) {
    indices_.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!indices_.emplace(parts[i].name, i).second) repeated_.push_back(i);
    }
    if (parts.size() > most_names_for_hints) return;
    for (const auto& part : parts) names_.push_back(part.name);
  }

  // The index, or −1.
  std::ptrdiff_t find(std::string_view name) const {
    const auto found = indices_.find(name);
    return found == indices_.end() ? -1 : static_cast<std::ptrdiff_t>(found->second);
  }

  std::string calc_hint(std::string_view wanted) const;  // "did you mean …?"

  // Parts with the name of an earlier one.
  const std::vector<std::size_t>& repeated() const { return repeated_; }

 private:
  std::vector<std::size_t> repeated_;
  std::vector<std::string_view> names_;  // in order; empty when there are too many to compare
  std::unordered_map<std::string_view, std::size_t> indices_;  // views into the parts
};

// A body of the table or the ground; else a finding.
bool check_reference(const std::string& name, const NameTable& bodies, Finding where,
                     std::vector<Finding>& findings);

// The index of a joint of the table; −1 and a finding where there is none.
std::ptrdiff_t find_joint(const std::string& name, const NameTable& joints, Finding where,
                          std::vector<Finding>& findings);

}  // namespace trammel
