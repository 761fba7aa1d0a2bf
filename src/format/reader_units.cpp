// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Units of values against those of their keys. A key says its unit in its meaning (model_keys.hpp),
// "stiffness along the axis, N/m": this is the one place where it is written.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "format/reader.hpp"

namespace trammel {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The parts of a meaning between commas, semicolons, colons and the word or.
std::vector<std::string_view> split(std::string_view meaning) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= meaning.size(); ++at) {
    const bool is_or = meaning.substr(at, 4) == " or ";
    const bool is_end = at == meaning.size() || meaning[at] == ',' || meaning[at] == ';' ||
                        meaning[at] == ':' || is_or;
    if (!is_end) continue;
    parts.push_back(trimmed(meaning.substr(start, at - start)));
    start = at + (is_or ? 4 : 1);
  }
  return parts;
}

std::string list_units(const std::vector<Dimension>& dimensions) {
  std::string text;
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    text += (k == 0 ? "" : k + 1 < dimensions.size() ? ", " : " or ") + to_text(dimensions[k]);
  }
  return text;
}

// A digit and then a unit, somewhere.
bool text_has_unit(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    const bool after_number = text[at - 1] >= '0' && text[at - 1] <= '9';
    const std::size_t word = text.find_first_not_of(" \t", at);
    if (after_number && word != std::string_view::npos && scan_unit(text, word)) return true;
  }
  return false;
}

}  // namespace

// The index in key_units_; 0 where the meaning has no unit.
std::size_t Reader::find_key_unit(std::string_view meaning) {
  const auto known = key_unit_of_.find(meaning);
  if (known != key_unit_of_.end()) return known->second;
  KeyUnit unit;
  for (std::string_view part : split(meaning)) {
    constexpr std::string_view per_revolution = " per revolution";
    const bool is_pitch = part.ends_with(per_revolution);
    if (is_pitch) part.remove_suffix(per_revolution.size());
    const auto found = parse_unit(part);
    if (!found) continue;
    unit.allowed.push_back(found->dimension);
    unit.per_revolution |= is_pitch;
  }
  std::size_t index = 0;
  if (!unit.allowed.empty()) {
    index = key_units_.size();
    key_units_.push_back(std::move(unit));
  }
  key_unit_of_.emplace(meaning, index);
  return index;
}

void Reader::set_unit(NodeId id, std::string_view meaning) {
  const std::size_t index = find_key_unit(meaning);
  if (unit_at_.empty() && index == 0) return;
  if (unit_at_.size() < tree_.size()) unit_at_.resize(tree_.size(), 0);
  unit_at_[id] = static_cast<std::uint16_t>(index);
}

// Of the key whose value the node is, or is in a list of.
const Reader::KeyUnit& Reader::unit_of(NodeId id) const {
  if (unit_at_.empty()) return key_units_[0];
  for (; id != no_node; id = tree_[id].parent) {
    if (unit_at_[id] != 0 || tree_[id].key != no_node) break;
  }
  return key_units_[id == no_node ? 0 : unit_at_[id]];
}

void Reader::set_length_unit(const Unit& unit) {
  length_unit_ = unit;
  variables.explicit_lengths = unit.numerator != unit.denominator;
}

bool Reader::needs_scale(NodeId id) const {
  if (!variables.explicit_lengths) return false;
  const KeyUnit& unit = unit_of(id);
  return unit.allowed.size() == 1 && unit.allowed[0].is_length();
}

double Reader::in_si(NodeId id, double value, const KnownUnit& quantity) {
  if (!quantity.has_unit()) return needs_scale(id) ? length_unit_.apply(value) : value;
  const KeyUnit& unit = unit_of(id);
  if (unit.allowed.empty()) return value;
  const bool fits = quantity.kind != KnownUnit::Kind::lost &&
                    std::any_of(unit.allowed.begin(), unit.allowed.end(),
                                [&](const Dimension& d) { return is_same(d, quantity.dimension); });
  if (quantity.kind == KnownUnit::Kind::known && !fits) {
    report(id, fmt::format("must be in {}, got {} in {}", list_units(unit.allowed), describe(id),
                           to_text(quantity.dimension)));
    return 0.0;
  }
  if (!fits && needs_scale(id)) {
    report(id, fmt::format("the unit of {} is not clear", describe(id)),
           "give all names in it a unit");
    return 0.0;
  }
  const bool per_radian = unit.per_revolution && fits && quantity.dimension.exponents[radian] == -1;
  return per_radian ? value * 2 * std::numbers::pi : value;
}

// A copy of the names that a formula uses. The time counts as seconds, where that helps; of names that
// are not known here nothing is known.
VariableNames Reader::list_formula_names(std::string_view text, bool& has_unit) const {
  VariableNames names;
  names.explicit_lengths = variables.explicit_lengths;
  names.with_calls = true;
  const auto add = [&](const std::string& name) {
    const int slot = variables.find(name);
    KnownUnit quantity{KnownUnit::Kind::lost, {}, false};
    if (slot >= 0) {
      quantity = variables.quantity(slot);
      has_unit |= quantity.has_unit();
    } else if (name == "t") {
      quantity = {KnownUnit::Kind::loose, find_unit("s")->dimension, false};
    }
    names.add(name, quantity);
  };
  for (const auto& [view, offset] : list_names(text)) {
    const std::string name(view);
    if (!variables.is_vector(name)) {
      add(name);
      continue;
    }
    for (const char* axis : {".x", ".y", ".z"}) {
      if (names.find(name + axis) < 0) add(name + axis);
    }
  }
  return names;
}

void Reader::check_formula_unit(NodeId id, std::string_view text) {
  bool has_unit = needs_scale(id) || text_has_unit(text);
  const VariableNames names = list_formula_names(text, has_unit);
  if (!has_unit) return;
  try {
    KnownUnit quantity;
    const Expression expression(text, names, quantity);
    if (quantity.has_unit()) {
      in_si(id, 0.0, quantity);
    } else if (quantity.kind != KnownUnit::Kind::zero && needs_scale(id)) {
      report(id, "a formula of a length needs a unit in this file", "as in 20 mm*sin(t)");
    }
  } catch (const UnitError& error) {
    report_at(id, error.offset, error.what(), error.hint);
  } catch (const ExpressionError&) {  // found by the checks of the model, which know all names
  }
}

}  // namespace trammel
