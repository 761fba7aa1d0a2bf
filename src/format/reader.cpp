// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Typed access to the nodes of a model file.
#include "format/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "format/other_names.hpp"
#include "math/nearest_word.hpp"

namespace trammel {

using Kind = YamlNode::Kind;

namespace {

// Longer numbers are compiled like expressions, so that a repeated entry does not scan them again.
constexpr std::size_t longest_plain_number = 40;

}  // namespace

// ---- structure

std::string Reader::describe(NodeId id) const {
  const YamlNode& node = tree_[id];
  switch (node.kind) {
    case Kind::null: return "nothing";
    case Kind::list: return "a list of " + std::to_string(node.child_count);
    case Kind::map: return "a map";
    case Kind::scalar: break;
  }
  const std::string_view text = tree_.text(id);
  std::size_t size = std::min<std::size_t>(text.size(), 40);
  while (size < text.size() && (text[size] & 0xC0) == 0x80) --size;  // not within a character
  return "'" + std::string(text.substr(0, size)) + (text.size() > size ? "…'" : "'");
}

bool Reader::expect_map(NodeId id) {
  if (tree_[id].kind == Kind::map) return true;
  report(id, "must be a map of keys and values, got " + describe(id));
  return false;
}

bool Reader::expect_list(NodeId id, std::size_t size, const char* of) {
  if (tree_[id].kind == Kind::list && tree_[id].child_count == size) return true;
  report(id, "must be a list of " + std::to_string(size) + " " + of + ", got " + describe(id));
  return false;
}

void Reader::check_keys(NodeId map, const std::vector<std::string_view>& known) {
  if (!first_ || tree_[map].kind != Kind::map) return;
  for (NodeId id = tree_[map].first_child; id != no_node; id = tree_[id].next_sibling) {
    const std::string_view key = tree_.key_text(id);
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      report_key(id, "unknown key", hint_for_key(key, known));
    }
  }
}

void Reader::check_keys(NodeId map, const Keys& known, bool by_kind) {
  if (!first_) return;
  std::vector<std::string_view> words;
  if (by_kind) words.push_back("kind");
  for (const Key& key : known) words.push_back(key.word);
  if (by_kind) words.insert(words.end(), {"repeat", "let"});
  check_keys(map, words);
  for (NodeId id = tree_[map].first_child; id != no_node; id = tree_[id].next_sibling) {
    const auto at =
        std::find(words.begin(), words.end(), tree_.key_text(id)) - words.begin() - by_kind;
    if (at >= 0 && at < static_cast<std::ptrdiff_t>(known.size())) {
      set_unit(id, known[static_cast<std::size_t>(at)].meaning);
    }
  }
}

NodeId Reader::need(NodeId map, std::string_view key, const std::string& hint) {
  const NodeId id = find(map, key);
  if (id == no_node && !is_reported_around(map)) {
    report_key(map, "'" + std::string(key) + "' is missing", hint);
  }
  return id;
}

std::vector<NodeId> Reader::children(NodeId id) const {
  std::vector<NodeId> result;
  for (NodeId k = tree_[id].first_child; k != no_node; k = tree_[k].next_sibling) {
    result.push_back(k);
  }
  return result;
}

// ---- numbers

double Reader::number(NodeId id) {
  KnownUnit quantity;
  const double value = number(id, quantity);
  return is_reported(id) ? 0.0 : in_si(id, value, quantity);
}

double Reader::number(NodeId id, KnownUnit& quantity) {
  if (is_reported(id)) return 0.0;
  if (tree_[id].kind != Kind::scalar) {
    report(id, "must be a number or an expression, got " + describe(id));
    return 0.0;
  }
  const std::optional<double> plain = find_plain_number(id);
  quantity = KnownUnit{plain == 0.0 ? KnownUnit::Kind::zero : KnownUnit::Kind::number, {}, false};
  const double value = plain ? *plain : evaluate(id, tree_.text(id), quantity);
  if (!std::isfinite(value)) {
    report(id, "must be a finite number, got " + describe(id));
    return 0.0;
  }
  return value;
}

std::optional<double> Reader::find_plain_number(NodeId id) const {
  const std::string_view text = tree_.text(id);
  double value = 0.0;
  const char* end = text.data() + text.size();
  const bool short_enough = text.size() <= longest_plain_number;
  const auto plain = std::from_chars(text.data(), short_enough ? end : text.data(), value);
  if (plain.ec != std::errc() || plain.ptr != end) return std::nullopt;
  return value;
}

double Reader::evaluate(NodeId id, std::string_view text, KnownUnit& quantity) {
  if (text == ".nan" || text == ".inf" || text == "-.inf") return HUGE_VAL;
  try {
    if (repeated_) {
      const Parsed& parsed = compiled(id, text);
      quantity = parsed.quantity;
      return evaluate_repeated(id, parsed.expression);
    }
    return Expression(text, variables, quantity).evaluate(values);
  } catch (const ExpressionError& error) {
    report_expression(id, error);
    return 0.0;
  }
}

void Reader::report_expression(NodeId id, const ExpressionError& error) {
  std::string hint = error.hint;
  for (const auto& [name, offset] : list_names(tree_.text(id))) {
    if (offset == error.offset && formulas.contains(std::string(name))) {
      hint = "it changes with time: only formulas can use it";
    }
  }
  report_at(id, error.offset, error.what(), hint);
}

double Reader::evaluate_repeated(NodeId id, const Expression& expression) {
  operations_ += expression.size();
  if (operations_ > max_operations) {
    report(id, "the expressions of the repeated entries take more than " +
                   std::to_string(max_operations) + " operations");
    full_ = true;
    return 0.0;
  }
  return expression.evaluate(values);
}

// Inside a repeated entry each expression is parsed once and evaluated for every index.
const Reader::Parsed& Reader::compiled(NodeId id, std::string_view text) {
  if (compiled_at_.empty()) compiled_at_.resize(tree_.size(), 0);
  if (compiled_at_[id] == 0) {
    KnownUnit quantity;
    Expression expression(text, variables, quantity);
    expressions_.push_back({std::move(expression), quantity});
    compiled_at_[id] = static_cast<std::uint32_t>(expressions_.size());
  }
  return expressions_[compiled_at_[id] - 1];
}

double Reader::number_or(NodeId map, std::string_view key, double fallback) {
  const NodeId id = find(map, key);
  return id == no_node ? fallback : number(id);
}

double Reader::integer(NodeId id) {
  const double value = number(id);
  if (value != std::floor(value) || std::abs(value) > 1e15) {
    report(id, "must be a whole number, got " + describe(id));
    return 0.0;
  }
  return value;
}

Vec3 Reader::vector(NodeId id) {
  const YamlNode& node = tree_[id];
  if (!planar_ || (node.kind == Kind::list && node.child_count == 3) || is_vector_text(id)) {
    return numbers<3>(id, "numbers");
  }
  if (node.kind == Kind::list && node.child_count == 2) {
    const auto [x, y] = numbers<2>(id, "numbers");
    return {x, y, 0.0};
  }
  report(id, "must be a list of 2 or 3 numbers, got " + describe(id));
  return {};
}

// A text that names a vector, or calculates one.
bool Reader::is_vector_text(NodeId id) const {
  if (tree_[id].kind != Kind::scalar || find_plain_number(id)) return false;
  const std::string_view text = tree_.text(id);
  if (text.find("cross") != std::string_view::npos || text.find("unit") != std::string_view::npos) {
    return true;
  }
  for (const auto& [name, offset] : list_names(text)) {
    if (variables.is_vector(std::string(name))) return true;
  }
  return false;
}

bool Reader::calc_vector(NodeId id, std::array<double, 3>& vector,
                         std::array<KnownUnit, 3>& quantities) {
  if (is_reported(id)) return false;
  try {
    if (repeated_ && compiled_at_.empty()) compiled_at_.resize(tree_.size(), 0);
    const bool known = repeated_ && compiled_at_[id] != 0;
    const std::size_t first = known ? compiled_at_[id] - 1 : expressions_.size();
    if (known && !expressions_[first].quantity.is_vector) return false;  // norm(d): one number
    for (std::size_t k = 0; k < 3 && !known; ++k) {
      KnownUnit quantity;
      Expression expression(tree_.text(id), variables, quantity, static_cast<int>(k));
      if (!quantity.is_vector) return false;
      expressions_.push_back({std::move(expression), quantity});
    }
    if (repeated_) compiled_at_[id] = static_cast<std::uint32_t>(first + 1);
    for (std::size_t k = 0; k < 3; ++k) {
      const Parsed& parsed = expressions_[first + k];
      vector[k] = evaluate_repeated(id, parsed.expression);
      quantities[k] = parsed.quantity;
      if (!std::isfinite(vector[k])) {
        report(id, "must be a vector of finite numbers, got " + describe(id));
        return false;
      }
    }
    while (!repeated_ && expressions_.size() > first) expressions_.pop_back();
  } catch (const ExpressionError& error) {
    report_expression(id, error);
    return false;
  }
  return true;
}

Vec3 Reader::vector_expression(NodeId id) {
  Vec3 vector{};
  std::array<KnownUnit, 3> quantities;
  if (!calc_vector(id, vector, quantities)) {
    report(id, "must be a vector, got " + describe(id));
    return {};
  }
  for (std::size_t k = 0; k < 3; ++k) vector[k] = in_si(id, vector[k], quantities[k]);
  return vector;
}

std::string Reader::fill_in_formulas(const std::string& text) const {
  if (formulas.empty()) return text;
  return replace_names(text, [&](std::string_view name) -> std::optional<std::string> {
    const auto found = formulas.find(std::string(name));
    return found == formulas.end() ? std::nullopt : std::optional(found->second);
  });
}

Vec3 Reader::axial_vector(NodeId id) {
  const YamlNode& node = tree_[id];
  if (!planar_ || (node.kind == Kind::list && node.child_count == 3)) {
    return numbers<3>(id, "numbers");
  }
  if (node.kind == Kind::scalar) {
    Vec3 vector{};
    std::array<KnownUnit, 3> quantities;
    const bool is_vector = is_vector_text(id) && calc_vector(id, vector, quantities);
    return is_vector ? vector_expression(id) : Vec3{0.0, 0.0, number(id)};
  }
  report(id, "must be a number or a list of 3 numbers, got " + describe(id));
  return {};
}

std::optional<Vec3> Reader::find_vector(NodeId map, std::string_view key) {
  const NodeId id = find(map, key);
  if (id == no_node) return std::nullopt;
  return vector(id);
}

Vec3 Reader::vector_or_zero(NodeId map, std::string_view key) {
  return find_vector(map, key).value_or(Vec3{});
}

Mat3 Reader::matrix(NodeId id) {
  Mat3 result{};
  if (!expect_list(id, 3, "rows")) return result;
  NodeId row = tree_[id].first_child;
  for (auto& values_of_row : result) {
    values_of_row = numbers<3>(row, "numbers");
    row = tree_[row].next_sibling;
  }
  return result;
}

// ---- words

bool Reader::flag(NodeId id) { return choice<bool>(id, {{"false", false}, {"true", true}}); }

std::string_view Reader::word(NodeId id, const std::vector<std::string_view>& known) {
  const bool scalar = tree_[id].kind == Kind::scalar;
  if (scalar) {
    const auto found = std::find(known.begin(), known.end(), tree_.text(id));
    if (found != known.end()) return *found;
  }
  std::string list;
  for (std::size_t i = 0; i < known.size(); ++i) {
    list.append(i == 0 ? "" : i + 1 < known.size() ? ", " : " or ").append(known[i]);
  }
  NearestWord nearest(scalar ? tree_.text(id) : std::string_view());
  for (const auto word : known) nearest.offer(word);
  report(id, "must be " + list + ", got " + describe(id), nearest.hint());
  return known.front();
}

std::string Reader::text(NodeId id, std::size_t max_length) {
  if (is_reported(id)) return {};
  if (tree_[id].kind != Kind::scalar) {
    report(id, "must be a word, got " + describe(id));
    return {};
  }
  const std::string_view plain = tree_.text(id);
  std::optional<std::string> result = std::string();
  if (!repeated_ || plain.find('<') == std::string_view::npos) {
    result = plain.substr(0, max_length + 1);
  } else {
    try {
      result = fill_in(id, compiled_text(id, plain), max_length);
    } catch (const ExpressionError& error) {
      report_at(id, error.offset, error.what(), error.hint);
      return {};
    }
  }
  if (!result) return {};
  if (result->size() > max_length) {
    report(id, "is longer than " + std::to_string(max_length) + " bytes");
    return {};
  }
  return std::move(*result);
}

// "link_<k-1>" into its pieces and the expressions between them.
const Reader::Text& Reader::compiled_text(NodeId id, std::string_view text) {
  if (compiled_at_.empty()) compiled_at_.resize(tree_.size(), 0);
  if (compiled_at_[id] != 0) return texts_[compiled_at_[id] - 1];
  Text result;
  std::size_t at = 0;
  for (std::size_t open = text.find('<'); open != std::string_view::npos;
       open = text.find('<', at)) {
    const std::size_t close = text.find('>', open);
    if (close == std::string_view::npos) {
      throw ExpressionError(open, "'<' without '>'", "an index is written <k>");
    }
    result.pieces.emplace_back(text.substr(at, open - at));
    try {
      result.expressions.emplace_back(text.substr(open + 1, close - open - 1), variables);
    } catch (const ExpressionError& error) {
      throw ExpressionError(open + 1 + error.offset, error.what(), error.hint);
    }
    at = close + 1;
  }
  result.pieces.emplace_back(text.substr(at));
  texts_.push_back(std::move(result));
  compiled_at_[id] = static_cast<std::uint32_t>(texts_.size());
  return texts_.back();
}

std::optional<std::string> Reader::fill_in(NodeId id, const Text& text, std::size_t max_length) {
  std::string& result = filled_in_;
  result = text.pieces[0];
  for (std::size_t i = 0; i < text.expressions.size() && result.size() <= max_length; ++i) {
    const double value = evaluate_repeated(id, text.expressions[i]);
    if (value != std::floor(value) || std::abs(value) > 1e15) {
      report(id, "the number between < and > must be whole");
      return std::nullopt;
    }
    result += std::to_string(static_cast<long long>(value));
    result += text.pieces[i + 1];
  }
  return std::string(result.data(), result.size());  // no more memory than it needs
}

}  // namespace trammel
