// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "model/find_overshoots.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "math/expression.hpp"
#include "math/spline.hpp"
#include "model/list_functions.hpp"

namespace trammel {
namespace {

class OvershootList {
 public:
  void add(const std::string& path, const DataTable& table, Interpolation by_default) {
    // repeated entries share their tables
    const bool is_open = table.interpolation == Interpolation::automatic;
    if (!seen_.insert({&table, is_open ? by_default : table.interpolation}).second) return;
    const Spline spline(table, by_default);
    const Spline::Overshoot at = spline.find_overshoot();
    if (!(at.share > most_overshoot)) return;
    const bool cubic = spline.interpolation() == Interpolation::cubic;
    warnings.push_back(fmt::format(
        "{}: the {} through the table reaches {:.4g} between {:.6g} and {:.6g}, {:.0f} % of the "
        "table's range above or below the points there; interpolation: pchip stays between them",
        path, cubic ? "cubic spline" : "curve", at.value, at.from, at.to, 100.0 * at.share));
  }
  std::vector<std::string> warnings;

 private:
  std::set<std::pair<const DataTable*, Interpolation>> seen_;
};

}  // namespace

std::vector<std::string> find_overshoots(const Model& model) {
  OvershootList list;
  for (const NamedTable& named : model.tables) {
    if (named.table && named.table->interpolation != Interpolation::automatic) {
      list.add("tables." + named.name, *named.table, Interpolation::pchip);
    }
  }
  for_each_function(model, [&](const std::string& path, const Function& function, bool smooth) {
    const Interpolation by_default = smooth ? Interpolation::cubic : Interpolation::pchip;
    const Formula* formula = std::get_if<Formula>(&function.form);
    const auto* shared = std::get_if<std::shared_ptr<const DataTable>>(&function.form);
    const DataTable* table = shared                      ? shared->get()
                             : formula && formula->table ? formula->table.get()
                                                         : nullptr;
    if (table != nullptr) {
      list.add(table->name.empty() ? path + ".table" : "tables." + table->name, *table, by_default);
    }
    // automatic tables are cubics where a smooth formula calls them
    for (const NamedTable& named : model.tables) {
      if (!smooth || formula == nullptr || !named.table || !calls(formula->text, named.name))
        continue;
      list.add("tables." + named.name, *named.table, by_default);
    }
  });
  return std::move(list.warnings);
}

}  // namespace trammel
