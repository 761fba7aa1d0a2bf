// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The sections `parameters` and `units`.
#include "format/model_keys.hpp"
#include "format/names.hpp"
#include "format/read_sections.hpp"

namespace trammel {

const Keys unit_keys = {{"length", "unit", "of lengths that are given without a unit"}};

void read_units(Reader& reader, NodeId section) {
  if (!reader.expect_map(section)) return;
  reader.check_keys(section, unit_keys);
  const NodeId id = reader.find(section, "length");
  if (id == no_node) return;
  const std::string text = reader.text(id);
  const auto unit = parse_unit(text);
  if (unit && unit->dimension.is_length()) {
    reader.set_length_unit(*unit);
  } else if (!reader.is_reported(id)) {
    reader.report(id, "must be a unit of length, got " + reader.describe(id), "as in length: mm");
  }
}

void read_parameters(Reader& reader, NodeId section, const ParameterOverrides& overrides,
                     Model& model) {
  NamedValues parameters(reader, section, NamedValues::Of::parameters, overrides);
  parameters.evaluate();
  model.parameters = parameters.list();
}

}  // namespace trammel
