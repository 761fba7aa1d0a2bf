// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Recursive descent over the grammar of src/math/expression.hpp. The depth of recursion and the
// height of the evaluation stack are bounded, so that no text can overflow either.
#include "math/expression_parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

#include "math/table_library.hpp"

namespace trammel {
namespace {

using Op = Expression::Op;

struct NamedFunction {
  std::string_view name;
  Op op;
};
constexpr std::array<NamedFunction, 23> functions{{
    {"sqrt", Op::sqrt}, {"sin", Op::sin},     {"cos", Op::cos},     {"tan", Op::tan},
    {"asin", Op::asin}, {"acos", Op::acos},   {"atan", Op::atan},   {"exp", Op::exp},
    {"log", Op::log},   {"log10", Op::log10}, {"abs", Op::abs},     {"floor", Op::floor},
    {"ceil", Op::ceil}, {"sign", Op::sign},   {"atan2", Op::atan2}, {"min", Op::min},
    {"max", Op::max},   {"pow", Op::pow},     {"hypot", Op::hypot}, {"sinh", Op::sinh},
    {"cosh", Op::cosh}, {"tanh", Op::tanh},   {"step", Op::step},
}};

struct Constant {
  std::string_view name;
  double value;
};
constexpr std::array<Constant, 2> constants{{{"pi", std::numbers::pi}, {"e", std::numbers::e}}};

// Postfix units of angles, in radians.
constexpr std::array<Constant, 4> units{{{"deg", std::numbers::pi / 180},
                                         {"rad", 1.0},
                                         {"turn", 2 * std::numbers::pi},
                                         {"rev", 2 * std::numbers::pi}}};

template <class Table>
auto find_in(const Table& table, std::string_view name) {
  return std::find_if(table.begin(), table.end(), [&](const auto& x) { return x.name == name; });
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Bytes of the name that starts at `at`: words joined by points.
std::size_t calc_name_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto is_part = [&](std::size_t k) { return is_letter(text[k]) || is_digit(text[k]); };
  while (end < text.size()) {
    const bool joins = text[end] == '.' && end + 1 < text.size() && is_letter(text[end + 1]);
    if (!is_part(end) && !joins) break;
    ++end;
  }
  return end - at;
}

class Parser {
 public:
  Parser(std::string_view text, const VariableNames& variables, const TableLibrary* tables,
         bool smooth)
      : text_(text), variables_(variables), tables_(tables), smooth_(smooth) {}

  ParsedExpression parse() {
    if (text_.size() > max_expression_length) {
      throw ExpressionError(0, "expression of " + std::to_string(text_.size()) +
                                   " characters; at most " + std::to_string(max_expression_length) +
                                   " are allowed");
    }
    parse_sum();
    if (peek() != '\0') fail_unexpected();
    return std::move(parsed_);
  }

 private:
  // ---- grammar

  void parse_sum() {
    parse_product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++at_;
      parse_product();
      emit(c == '+' ? Op::add : Op::subtract);
    }
  }

  void parse_product() {
    parse_signed();
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      ++at_;
      parse_signed();
      emit(c == '*' ? Op::multiply : Op::divide);
    }
  }

  void parse_signed() {
    if (++depth_ > max_expression_depth) throw ExpressionError(at_, "expression nested too deeply");
    const char c = peek();
    if (c == '+' || c == '-') {
      ++at_;
      parse_signed();
      if (c == '-') emit(Op::negate);
    } else {
      parse_value();
      if (peek() == '^') {
        ++at_;
        parse_signed();
        emit(Op::power);
      }
    }
    --depth_;
  }

  void parse_value() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      parse_sum();
      expect(')');
    } else if (is_digit(c) || c == '.') {
      parse_number();
    } else if (is_letter(c)) {
      parse_name();
    } else {
      fail_unexpected();
    }
    parse_unit();
  }

  void parse_unit() {
    peek();
    const auto unit = find_in(units, word_here());
    if (unit == units.end()) return;
    at_ += unit->name.size();
    // degrees as x·π/180: 60 deg is then the double nearest to π/3 more often than x·(π/180)
    if (unit->name == "deg") {
      push(std::numbers::pi);
      emit(Op::multiply);
      push(180);
      emit(Op::divide);
    } else if (unit->value != 1.0) {
      push(unit->value);
      emit(Op::multiply);
    }
  }

  void parse_number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto result = std::from_chars(text_.data() + at_, end, value);
    if (result.ec == std::errc::result_out_of_range) {
      throw ExpressionError(at_, "number out of range");
    }
    if (result.ec != std::errc()) fail_unexpected();
    at_ = static_cast<std::size_t>(result.ptr - text_.data());
    push(value);
  }

  void parse_name() {
    const std::size_t start = at_;
    const std::string_view name = name_here();
    at_ += name.size();
    if (const auto function = find_in(functions, name); function != functions.end()) {
      parse_arguments(function->op);
      emit(function->op);
    } else if (const auto constant = find_in(constants, name); constant != constants.end()) {
      push(constant->value);
    } else if (const int slot = variables_.find(std::string(name)); slot >= 0) {
      append({Op::load, slot, 0.0}, +1);
    } else if (tables_ != nullptr && tables_->is_table(name)) {
      parse_arguments(Op::table);
      append({Op::table, static_cast<int>(parsed_.tables.size()), 0.0}, 0);
      parsed_.tables.push_back(tables_->spline(name, smooth_));
    } else if (tables_ != nullptr && tables_->is_map(name)) {
      parse_arguments(Op::map);
      append({Op::map, static_cast<int>(parsed_.maps.size()), 0.0}, -1);
      parsed_.maps.push_back(tables_->surface(name));
    } else {
      fail_unknown(start, name);
    }
  }

  void parse_arguments(Op op) {
    expect('(');
    parse_sum();
    for (int i = 1; i < n_arguments(op); ++i) {
      expect(',');
      parse_sum();
    }
    expect(')');
  }

  // ---- tape

  void push(double value) { append({Op::push, 0, value}, +1); }
  void emit(Op op) { append({op, 0, 0.0}, 1 - n_arguments(op)); }
  void append(Expression::Instruction step, int change) {
    parsed_.tape.push_back(step);
    height_ += change;
    if (height_ > static_cast<int>(max_expression_stack)) {
      throw ExpressionError(at_, "expression nested too deeply");
    }
  }

  // ---- text

  // The next character that is not a space; '\0' at the end.
  char peek() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    if (at_ >= text_.size()) return '\0';
    return text_[at_] == '\0' ? '\1' : text_[at_];
  }

  std::string_view word_here() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }

  // Words joined by points.
  std::string_view name_here() const { return text_.substr(at_, calc_name_length(text_, at_)); }

  void expect(char c) {
    if (peek() != c) fail_unexpected(c);
    ++at_;
  }

  [[noreturn]] void fail_unexpected(char wanted = '\0') {
    std::string reason;
    if (peek() == '\0') {
      reason = text_.find_first_not_of(" \t\r\n") == std::string_view::npos
                   ? "empty expression"
                   : "unexpected end of the expression";
    } else if (static_cast<unsigned char>(text_[at_]) < 0x20) {
      reason = "unexpected control character";
    } else {
      // a word, or one character with all of its UTF-8 bytes
      std::string_view found = word_here();
      std::size_t size = 1;
      while (at_ + size < text_.size() && (text_[at_ + size] & 0xC0) == 0x80) ++size;
      if (found.empty()) found = text_.substr(at_, size);
      reason = "unexpected '" + std::string(found) + "'";
    }
    if (wanted != '\0') reason += std::string(", expected '") + wanted + "'";
    throw ExpressionError(at_, reason);
  }

  [[noreturn]] void fail_unknown(std::size_t start, std::string_view name) {
    NearestWord nearest(name);
    if (variables_.names().size() <= most_names_for_hints) {
      for (const auto& known : variables_.names()) nearest.offer(known);
    }
    offer_functions(nearest);
    if (tables_ != nullptr) {
      tables_->for_each_name([&](const std::string& known) { nearest.offer(known); });
    }
    throw ExpressionError(start, "unknown name '" + std::string(name) + "'", nearest.hint());
  }

  std::string_view text_;
  const VariableNames& variables_;
  const TableLibrary* tables_;
  bool smooth_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int height_ = 0;  // of the evaluation stack
  ParsedExpression parsed_;
};

}  // namespace

int n_arguments(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::pow:
    case Op::hypot:
    case Op::map: return 2;
    case Op::step: return 5;
    default: return 1;
  }
}

std::string_view function_name(Op op) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const NamedFunction& known) { return known.op == op; });
  return found == functions.end() ? std::string_view() : found->name;
}

void offer_functions(NearestWord& nearest) {
  for (const auto& known : functions) nearest.offer(known.name);
  for (const auto& known : constants) nearest.offer(known.name);
}

std::vector<NameInText> list_names(std::string_view text) {
  std::vector<NameInText> names;
  for (std::size_t at = 0; at < text.size();) {
    if (is_digit(text[at]) || text[at] == '.') {
      // over a number: the e of 1e-3 is no name
      double value = 0;
      const auto result = std::from_chars(text.data() + at, text.data() + text.size(), value);
      at = std::max(at + 1, static_cast<std::size_t>(result.ptr - text.data()));
    } else if (is_letter(text[at])) {
      const std::string_view name = text.substr(at, calc_name_length(text, at));
      const std::size_t next = text.find_first_not_of(" \t\r\n", at + name.size());
      const bool is_called = next != std::string_view::npos && text[next] == '(';
      if (!is_called && !is_reserved_name(name) && find_in(names, name) == names.end()) {
        names.push_back({name, at});
      }
      at += name.size();
    } else {
      ++at;
    }
  }
  return names;
}

bool calls(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins =
        at == 0 || !(is_letter(text[at - 1]) || is_digit(text[at - 1]) || text[at - 1] == '.');
    const std::size_t next = text.find_first_not_of(" \t\r\n", end);
    if (begins && next != std::string_view::npos && text[next] == '(') return true;
  }
  return false;
}

bool is_reserved_name(std::string_view name) {
  return find_in(functions, name) != functions.end() ||
         find_in(constants, name) != constants.end() || find_in(units, name) != units.end();
}

ParsedExpression parse_expression(std::string_view text, const VariableNames& variables,
                                  const TableLibrary* tables, bool smooth) {
  return Parser(text, variables, tables, smooth).parse();
}

}  // namespace trammel
