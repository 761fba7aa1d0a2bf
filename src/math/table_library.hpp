// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The tables and maps that formulas may call by name, compiled when a formula first does.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "math/map_surface.hpp"
#include "math/spline.hpp"

namespace trammel {

class TableLibrary {
 public:
  void add(const std::string& name, std::shared_ptr<const DataTable> table);
  void add(const std::string& name, std::shared_ptr<const DataMap> map);

  bool is_table(std::string_view name) const { return tables_.find(name) != tables_.end(); }
  bool is_map(std::string_view name) const { return maps_.find(name) != maps_.end(); }

  // `smooth`: where the table leaves the interpolation open, a cubic; else pchip.
  std::shared_ptr<const Spline> spline(std::string_view name, bool smooth) const;
  std::shared_ptr<const MapSurface> surface(std::string_view name) const;

  template <class F>
  void for_each_name(F&& f) const {
    for (const auto& [name, entry] : tables_) f(name);
    for (const auto& [name, entry] : maps_) f(name);
  }

 private:
  struct Table {
    std::shared_ptr<const DataTable> data;
    mutable std::shared_ptr<const Spline> compiled[2];  // pchip, cubic by default
  };
  struct Map {
    std::shared_ptr<const DataMap> data;
    mutable std::shared_ptr<const MapSurface> compiled;
  };
  std::map<std::string, Table, std::less<>> tables_;
  std::map<std::string, Map, std::less<>> maps_;
};

}  // namespace trammel
