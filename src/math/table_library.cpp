// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "math/table_library.hpp"

namespace trammel {

void TableLibrary::add(const std::string& name, std::shared_ptr<const DataTable> table) {
  tables_[name].data = std::move(table);
}

void TableLibrary::add(const std::string& name, std::shared_ptr<const DataMap> map) {
  maps_[name].data = std::move(map);
}

std::shared_ptr<const Spline> TableLibrary::spline(std::string_view name, bool smooth) const {
  const Table& table = tables_.find(name)->second;
  auto& compiled = table.compiled[smooth ? 1 : 0];
  if (!compiled) {
    compiled = std::make_shared<const Spline>(*table.data,
                                              smooth ? Interpolation::cubic : Interpolation::pchip);
  }
  return compiled;
}

std::shared_ptr<const MapSurface> TableLibrary::surface(std::string_view name) const {
  const Map& map = maps_.find(name)->second;
  if (!map.compiled) map.compiled = std::make_shared<const MapSurface>(*map.data);
  return map.compiled;
}

}  // namespace trammel
