// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "format/names.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "math/nearest_word.hpp"

namespace trammel {
namespace {

using Kind = YamlNode::Kind;

// Names of formulas: the time, a coordinate of what the formula belongs to, or of the state.
bool is_of_formulas(std::string_view name) {
  constexpr std::string_view words[] = {"t",      "angle",  "angle_i", "angle_j",
                                        "travel", "length", "rate"};
  return name.find('.') != std::string_view::npos ||
         std::find(std::begin(words), std::end(words), name) != std::end(words);
}

std::string setting(const std::string& name, const ParameterValue& value) {
  const auto* text = std::get_if<std::string>(&value.form);
  return text == nullptr ? name : name + "=" + *text;
}

}  // namespace

NamedValues::NamedValues(Reader& reader, NodeId map, Of of, const ParameterOverrides& overrides)
    : reader_(reader), of_(of) {
  const bool is_given = map != no_node && reader.tree()[map].kind != Kind::null;
  if (is_given && reader.expect_map(map)) add_entries(map);
  apply_overrides(overrides);
}

void NamedValues::add_entries(NodeId map) {
  for (const NodeId id : reader_.children(map)) {
    const std::string name(reader_.tree().key_text(id));
    if (check_name(id, name) && index_.emplace(name, entries_.size()).second) {
      entries_.emplace_back();
      entries_.back().id = id;
      entries_.back().name = name;
    }
  }
}

bool NamedValues::check_name(NodeId id, const std::string& name) {
  if (!is_identifier(name)) {
    reader_.report_key(id, std::string(of_ == Of::let ? "a name of 'let'" : "a parameter's name") +
                               " must be letters, digits and underscores");
  } else if (is_reserved_name(name)) {
    reader_.report_key(id, "'" + name + "' has a meaning in expressions; choose another name");
  } else if (name.size() > max_text_length) {
    reader_.report_key(id, "is longer than " + std::to_string(max_text_length) + " bytes");
  } else if (of_ == Of::let && is_of_formulas(name)) {
    reader_.report_key(id, "'" + name + "' has a meaning in formulas; choose another name");
  } else if (reader_.variables.find(name) >= 0 || reader_.variables.is_vector(name)) {
    reader_.report_key(id, "there is a parameter or an index of this name; choose another");
  } else {
    return true;
  }
  return false;
}

void NamedValues::apply_overrides(const ParameterOverrides& overrides) {
  for (const auto& [name, value] : overrides) {
    const auto at = index_.find(name);
    const auto found = at == index_.end()
                           ? entries_.end()
                           : entries_.begin() + static_cast<std::ptrdiff_t>(at->second);
    const auto* number = std::get_if<double>(&value.form);
    if (found == entries_.end()) {
      NearestWord nearest(name);
      for (const Entry& entry : entries_) nearest.offer(entry.name);
      reader_.report_override(setting(name, value), "the model has no parameter '" + name + "'",
                              nearest.hint());
    } else if (reader_.tree()[found->id].kind == Kind::list) {
      reader_.report_override(setting(name, value), "'" + name + "' is a vector",
                              "give its components parameters of their own");
    } else if (number != nullptr && !std::isfinite(*number)) {
      reader_.report_override(setting(name, value), "must be a finite number", "");
    } else {
      found->override_value = &value;
    }
  }
}

std::vector<std::string_view> NamedValues::list_texts(const Entry& entry) const {
  if (entry.given) return {};
  if (entry.override_value != nullptr) {
    const auto* text = std::get_if<std::string>(&entry.override_value->form);
    return text == nullptr ? std::vector<std::string_view>() : std::vector<std::string_view>{*text};
  }
  std::vector<std::string_view> texts;
  const YamlTree& tree = reader_.tree();
  if (tree[entry.id].kind == Kind::scalar) texts.push_back(tree.text(entry.id));
  for (const NodeId id : reader_.children(entry.id)) {
    if (tree[id].kind == Kind::scalar) texts.push_back(tree.text(id));
  }
  return texts;
}

void NamedValues::find_references() {
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    Entry& entry = entries_[k];
    for (const std::string_view text : list_texts(entry)) {
      for (const auto& [name, offset] : list_names(text)) {
        const auto found = index_.find(std::string(name.substr(0, name.find('.'))));
        if (found != index_.end()) {
          entries_[found->second].users.push_back(k);
          ++entry.waiting;
        } else if (reader_.variables.find(std::string(name)) < 0 &&
                   !reader_.variables.is_vector(std::string(name))) {
          entry.has_unknown = true;
          entry.changes |= of_ == Of::let && is_of_formulas(name);
          if (of_ == Of::let && reader_.formulas.contains(std::string(name))) entry.changes = true;
        }
      }
    }
  }
}

// Those with unknown names come last, so that the error can suggest any of the others.
void NamedValues::sort() {
  std::vector<std::size_t> ready, last;
  const auto add = [&](std::size_t k) {
    const bool fails = entries_[k].has_unknown && !entries_[k].changes;
    (fails ? last : ready).push_back(k);
  };
  for (std::size_t k = entries_.size(); k-- > 0;) {
    if (entries_[k].waiting == 0) add(k);
  }
  while (!ready.empty() || !last.empty()) {
    std::vector<std::size_t>& from = ready.empty() ? last : ready;
    const std::size_t k = from.back();
    from.pop_back();
    order_.push_back(k);
    for (const std::size_t user : entries_[k].users) {
      entries_[user].changes |= entries_[k].changes;
      if (--entries_[user].waiting == 0) add(user);
    }
  }
}

// What is not sorted refers to itself, or to something that does: one error per cycle.
void NamedValues::report_cycles() {
  if (order_.size() == entries_.size()) return;
  std::vector<bool> sorted(entries_.size(), false);
  for (const std::size_t k : order_) sorted[k] = true;
  std::vector<std::size_t> used(entries_.size());  // one that the entry refers to
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    entries_[k].in_cycle = !sorted[k];
    for (const std::size_t user : entries_[k].users) {
      if (!sorted[k]) used[user] = k;
    }
  }
  constexpr auto nobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> visited(entries_.size(), nobody);  // by the walk that started at …
  for (std::size_t start = 0; start < entries_.size(); ++start) {
    if (sorted[start] || visited[start] != nobody) continue;
    std::vector<std::size_t> walk;
    std::size_t k = start;
    for (; visited[k] == nobody; k = used[k]) {
      visited[k] = start;
      walk.push_back(k);
    }
    if (visited[k] != start) continue;  // leads to a cycle that is reported already
    const auto begin = std::find(walk.begin(), walk.end(), k);
    std::string cycle;
    for (auto at = begin; at != walk.end() && at < begin + 10; ++at) {
      cycle += entries_[*at].name + " → ";
    }
    if (walk.end() - begin > 10) cycle += "… → ";
    reader_.report(entries_[k].id, std::string(of_ == Of::let ? "names" : "parameters") +
                                       " refer to each other in a cycle: " + cycle +
                                       entries_[k].name);
  }
}

void NamedValues::add(const std::string& name, double value, KnownUnit quantity) {
  if (!quantity.has_unit()) quantity.kind = KnownUnit::Kind::plain;
  quantity.is_vector = false;
  reader_.variables.add(name, quantity);
  reader_.values.push_back(value);
}

void NamedValues::evaluate() {
  base_ = reader_.values.size();
  if (!is_sorted_) {
    is_sorted_ = true;
    find_references();
    sort();
    report_cycles();
  }
  for (const std::size_t k : order_) evaluate(entries_[k]);
  for (Entry& entry : entries_) {  // so that there is no second error about it
    if (entry.in_cycle) add(entry.name, 0.0, {});
  }
}

void NamedValues::evaluate(Entry& entry) {
  if (entry.given) return evaluate_given(entry);
  if (entry.override_value != nullptr) return evaluate_override(entry);
  if (entry.changes) return add_formula(entry);
  const YamlNode& node = reader_.tree()[entry.id];
  std::array<double, 3> vector{};
  std::array<KnownUnit, 3> quantities;
  if (node.kind == Kind::list &&
      (node.child_count == 3 || (reader_.is_planar() && node.child_count == 2))) {
    std::size_t k = 0;
    for (const NodeId id : reader_.children(entry.id)) {
      vector[k] = reader_.number(id, quantities[k]);
      ++k;
    }
  } else if (reader_.is_vector_text(entry.id) &&
             reader_.calc_vector(entry.id, vector, quantities)) {
    // filled in
  } else {
    if (node.kind == Kind::list) {
      reader_.report(entry.id, "must be a number, an expression or a list of 3 numbers, got " +
                                   reader_.describe(entry.id));
    }
    KnownUnit quantity;
    const double value = reader_.number(entry.id, quantity);
    return add(entry.name, value, quantity);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    add(entry.name + "." + "xyz"[k], vector[k], quantities[k]);
  }
}

// Of the text in the file, which is not used.
KnownUnit NamedValues::find_unit_of_file(const Entry& entry) const {
  KnownUnit unit;
  const NodeId id = entry.id;
  if (reader_.tree()[id].kind != Kind::scalar) return unit;
  try {
    VariableNames names;
    for (const Entry& other : entries_) names.add(other.name);
    const Expression expression(reader_.tree().text(id), names, unit);
  } catch (const ExpressionError&) {  // wrong, or of names with units: nothing is known
    unit = {};
  }
  return unit;
}

bool NamedValues::give(const std::string& name, const Given& given) {
  const auto found = index_.find(name);
  if (found != index_.end()) {
    entries_[found->second].given = given;
    return true;
  }
  return false;
}

std::vector<std::string> NamedValues::list_missing() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (!entry.given && reader_.tree()[entry.id].kind == Kind::null) names.push_back(entry.name);
  }
  return names;
}

std::vector<std::string> NamedValues::list_names_of_file() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

void NamedValues::evaluate_given(const Entry& entry) {
  const Given& given = *entry.given;
  const YamlNode& node = reader_.tree()[entry.id];
  const KnownUnit before = find_unit_of_file(entry);
  if (given.is_vector != (node.kind == Kind::list) && node.kind == Kind::list) {
    reader_.report(given.id, "must be a vector, got " + reader_.describe(given.id));
  }
  for (std::size_t k = 0; k < (given.is_vector ? 3 : 1); ++k) {
    KnownUnit unit = given.unit[k];
    const bool is_known = unit.kind == KnownUnit::Kind::known;
    const bool lacks_unit = !unit.has_unit() && unit.kind != KnownUnit::Kind::zero;
    if (before.kind == KnownUnit::Kind::known && !before.dimension.is_angle() &&
        ((is_known && !is_same(unit.dimension, before.dimension)) || lacks_unit)) {
      reader_.report(given.id, "must be in " + to_text(before.dimension) +
                                   ", as in the file, got " + reader_.describe(given.id));
      unit.kind = KnownUnit::Kind::lost;
    }
    if (unit.kind == KnownUnit::Kind::zero) unit = before;
    add(given.is_vector ? entry.name + "." + "xyz"[k] : entry.name, given.value[k], unit);
  }
}

// A number from a program is in SI: it has the unit of the number that it replaces. A text is as in
// the file; without a unit it cannot replace a quantity.
void NamedValues::evaluate_override(const Entry& entry) {
  const std::string given = setting(entry.name, *entry.override_value);
  const KnownUnit before = find_unit_of_file(entry);
  const bool had_unit = before.kind == KnownUnit::Kind::known;
  if (const double* number = std::get_if<double>(&entry.override_value->form)) {
    return add(entry.name, *number, before);
  }
  const std::string& text = std::get<std::string>(entry.override_value->form);
  KnownUnit quantity;
  double value = 0.0;
  try {
    value = Expression(text, reader_.variables, quantity).evaluate(reader_.values);
    const bool is_unlike = quantity.kind == KnownUnit::Kind::known &&
                           (had_unit && !is_same(before.dimension, quantity.dimension));
    const bool lacks_unit = had_unit && !before.dimension.is_angle() && !quantity.has_unit() &&
                            quantity.kind != KnownUnit::Kind::zero;
    if (!std::isfinite(value)) {
      reader_.report_override(given, "must be a finite number", "");
      value = 0.0;
    } else if (is_unlike || lacks_unit) {
      const std::string unit = to_text(before.dimension);
      quantity.kind = KnownUnit::Kind::lost;  // no second error where it is used
      reader_.report_override(given, "must be in " + unit + ", as in the file",
                              is_unlike ? "" : "write --set \"" + given + " " + unit + "\"");
    }
  } catch (const ExpressionError& error) {
    reader_.report_override(given, error.what(), error.hint);
  }
  add(entry.name, value, quantity.kind == KnownUnit::Kind::zero ? before : quantity);
}

// The text takes the place of the name in formulas.
void NamedValues::add_formula(const Entry& entry) {
  const YamlNode& node = reader_.tree()[entry.id];
  if (node.kind != Kind::scalar) {
    reader_.report(entry.id, "a vector cannot change with time", "use its components one by one");
    return;
  }
  const std::string text = reader_.text(entry.id, max_expression_length);
  const std::string formula = "(" + reader_.fill_in_formulas(text) + ")";
  if (formula.size() > max_expression_length) {
    reader_.report(entry.id, "is longer than " + std::to_string(max_expression_length) +
                                 " characters with the names of 'let' filled in");
    return;
  }
  reader_.formulas[entry.name] = formula;
}

void with_let(Reader& reader, NodeId entry, const std::function<void()>& read) {
  const NodeId let = reader.find(entry, "let");
  if (let == no_node) return read();
  NamedValues names(reader, let, NamedValues::Of::let);
  names.evaluate();
  read();
  names.remove();
}

void NamedValues::remove() {
  while (reader_.values.size() > base_) {
    reader_.values.pop_back();
    reader_.variables.remove_last();
  }
  for (const Entry& entry : entries_) reader_.formulas.erase(entry.name);
}

std::vector<std::pair<std::string, double>> NamedValues::list() const {
  std::vector<std::pair<std::string, double>> result;
  for (const Entry& entry : entries_) {
    for (const char* axis : {"", ".x", ".y", ".z"}) {
      const int slot = reader_.variables.find(entry.name + axis);
      if (slot >= 0) {
        result.emplace_back(entry.name + axis, reader_.values[static_cast<std::size_t>(slot)]);
      }
    }
  }
  return result;
}

}  // namespace trammel
