// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of the section `tables`.
#include "model/check_function.hpp"
#include "model/check_parts.hpp"

namespace trammel {

void check_tables(const Model& model, std::vector<Finding>& findings) {
  const auto is_parameter = [&](const std::string& name) {
    for (const auto& [known, value] : model.parameters) {
      if (known == name) return true;
    }
    return false;
  };
  for (std::size_t k = 0; k < model.tables.size(); ++k) {
    const NamedTable& table = model.tables[k];
    const Finding where{Section::tables, k, "", ""};
    if (!is_identifier(table.name) || is_reserved_name(table.name)) {
      findings.push_back({Section::tables, k, "", "the name of a table must be a word",
                          "letters, digits and underscores, not a function or a unit"});
    } else if (is_parameter(table.name)) {
      findings.push_back({Section::tables, k, "", "a parameter has the same name"});
    }
    if ((table.table != nullptr) == (table.map != nullptr)) {
      findings.push_back({Section::tables, k, "", "needs either a table or a map"});
    } else if (table.map) {
      check_map(*table.map, where, findings);
    } else {
      check_table(*table.table, where, findings);
    }
  }
}

}  // namespace trammel
