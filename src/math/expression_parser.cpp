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

class Parser {
 public:
  Parser(std::string_view text, const VariableNames& variables, int component)
      : text_(text), variables_(variables), component_(component) {}

  ParsedExpression parse() {
    if (text_.size() > max_expression_length) {
      throw ExpressionError(0, "expression of " + std::to_string(text_.size()) +
                                   " characters; at most " + std::to_string(max_expression_length) +
                                   " are allowed");
    }
    const KnownUnit quantity = parse_sum();
    if (peek() != '\0') fail_unexpected();
    return {std::move(tape_), quantity};
  }

 private:
  // ---- grammar; each returns what is known of the unit

  KnownUnit parse_sum() {
    KnownUnit sum = parse_product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      const std::size_t sign = at_++;
      sum = add(sum, parse_product(), sign);
      emit(c == '+' ? Op::add : Op::subtract);
    }
    return sum;
  }

  KnownUnit parse_product() {
    KnownUnit product = parse_signed();
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      const std::size_t sign = at_++;
      const KnownUnit factor = parse_signed();
      product = multiply_quantities(product, factor, c == '*' ? 1 : -1, sign);
      emit(c == '*' ? Op::multiply : Op::divide);
    }
    return product;
  }

  KnownUnit parse_signed() {
    if (++depth_ > max_expression_depth) throw ExpressionError(at_, "expression nested too deeply");
    const char c = peek();
    KnownUnit quantity;
    if (c == '+' || c == '-') {
      ++at_;
      quantity = parse_signed();
      if (c == '-') emit(Op::negate);
    } else {
      quantity = parse_value();
      if (peek() == '^') {
        const std::size_t sign = at_++;
        const std::size_t begin = tape_.size();
        const KnownUnit exponent = parse_signed();
        const std::optional<double> value = find_constant(begin);
        quantity = raise_quantity(quantity, exponent, value ? &*value : nullptr, sign);
        emit(Op::power);
      }
    }
    --depth_;
    return quantity;
  }

  // Of the tape from `begin` on: a number, perhaps with a sign.
  std::optional<double> find_constant(std::size_t begin) const {
    const std::size_t size = tape_.size() - begin;
    if (size == 0 || size > 2 || tape_[begin].op != Op::push) return std::nullopt;
    if (size == 1) return tape_[begin].value;
    if (tape_[begin + 1].op != Op::negate) return std::nullopt;
    return -tape_[begin].value;
  }

  KnownUnit parse_value() {
    const char c = peek();
    KnownUnit quantity;
    if (c == '(') {
      ++at_;
      quantity = parse_sum();
      expect(')');
    } else if (is_digit(c) || c == '.') {
      quantity = parse_number();
    } else if (is_letter(c)) {
      quantity = parse_name();
    } else {
      fail_unexpected();
    }
    return parse_angle_unit(quantity);
  }

  KnownUnit parse_angle_unit(const KnownUnit& value) {
    peek();
    const auto unit = find_in(units, word_here());
    if (unit == units.end()) return value;
    const std::size_t start = at_;
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
    KnownUnit angle = with_dimension(find_unit("rad")->dimension);
    const bool is_bare = !value.has_unit();
    angle = is_bare ? angle : multiply_quantities(value, angle, 1, start);
    angle.is_vector = value.is_vector;
    return angle;
  }

  KnownUnit parse_number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto result = std::from_chars(text_.data() + at_, end, value);
    if (result.ec == std::errc::result_out_of_range) {
      throw ExpressionError(at_, "number out of range");
    }
    if (result.ec != std::errc()) fail_unexpected();
    at_ = static_cast<std::size_t>(result.ptr - text_.data());
    peek();
    if (const auto unit = scan_unit(text_, at_); unit && !unit->is_plain_angle) {
      return parse_literal(value, *unit);
    }
    push(value);
    KnownUnit number;
    if (value == 0.0) number.kind = KnownUnit::Kind::zero;
    return number;
  }

  // A number with its unit.
  KnownUnit parse_literal(double value, const UnitInText& unit) {
    if (variables_.find(std::string(unit.divisor)) >= 0) {
      const std::string name(unit.divisor);
      throw ExpressionError(static_cast<std::size_t>(unit.divisor.data() - text_.data()),
                            "'" + name + "' is a unit here, and the name of a parameter",
                            "divide by the parameter with parentheses: (30 deg)/" + name);
    }
    at_ += unit.size;
    if (peek() == '^') {
      throw ExpressionError(at_, "the power of a unit must be a whole number, as in 5 m^2");
    }
    push(unit.unit.apply(value));
    return with_dimension(unit.unit.dimension);
  }

  KnownUnit parse_name() {
    const std::size_t start = at_;
    const std::string_view name = name_here();
    at_ += name.size();
    if (const auto function = find_in(functions, name); function != functions.end()) {
      return parse_call(*function);
    }
    if (const auto constant = find_in(constants, name); constant != constants.end()) {
      push(constant->value);
      return {};
    }
    if (const int slot = variables_.find(std::string(name)); slot >= 0) {
      append({Op::load, slot, 0.0}, +1);
      return variables_.quantity(slot);
    }
    if (peek() == '(' && is_vector_function(name)) return parse_vector_function(start, name);
    if (variables_.is_vector(std::string(name))) return parse_vector(start, name);
    fail_unknown(start, name);
  }

  KnownUnit parse_call(const NamedFunction& function) {
    expect('(');
    std::array<KnownUnit, 5> given;
    std::array<std::size_t, 5> starts{};
    const auto n = static_cast<std::size_t>(n_arguments(function.op));
    for (std::size_t i = 0; i < n; ++i) {
      if (i > 0) expect(',');
      peek();
      starts[i] = at_;
      given[i] = parse_sum();
      expect_scalar(given[i], function.name, starts[i]);
    }
    const double* exponent =
        function.op == Op::pow && tape_.back().op == Op::push ? &tape_.back().value : nullptr;
    const KnownUnit result = calc_quantity(function, given, starts, exponent);
    expect(')');
    emit(function.op);
    return result;
  }

  KnownUnit calc_quantity(const NamedFunction& function, const std::array<KnownUnit, 5>& given,
                          const std::array<std::size_t, 5>& starts, const double* exponent) const {
    const auto sum = [&](std::size_t i, std::size_t j) {
      return add(given[i], given[j], starts[j]);
    };
    static constexpr double half = 0.5;
    switch (function.op) {
      case Op::sqrt: return raise_quantity(given[0], {}, &half, starts[0]);
      case Op::pow: return raise_quantity(given[0], given[1], exponent, starts[0]);
      case Op::abs: return given[0];
      case Op::min:
      case Op::max:
      case Op::hypot: return sum(0, 1);
      case Op::step:
        sum(0, 1);
        sum(0, 3);
        return sum(2, 4);
      case Op::atan2: sum(0, 1); return {};
      case Op::sign: return {};
      default: expect_number(given[0], function.name, starts[0]); return {};
    }
  }

  KnownUnit add(const KnownUnit& a, const KnownUnit& b, std::size_t offset) const {
    return add_quantities(a, b, offset, variables_.explicit_lengths);
  }

  // ---- vectors: the expression is parsed for one component, the arguments of dot and the like for
  // all three

  static bool is_vector_function(std::string_view name) {
    return name == "norm" || name == "unit" || name == "dot" || name == "cross";
  }

  KnownUnit parse_vector(std::size_t start, std::string_view name) {
    if (component_ < 0) {
      throw UnitError(start, "'" + std::string(name) + "' is a vector",
                      "a component is written " + std::string(name) + ".x");
    }
    const std::string component = std::string(name) + '.' + "xyz"[component_];
    const int slot = variables_.find(component);
    append({Op::load, slot, 0.0}, +1);
    KnownUnit quantity = variables_.quantity(slot);
    quantity.is_vector = true;
    return quantity;
  }

  // The sum that begins at `start`, as the component given; reading goes on behind it.
  KnownUnit parse_component(std::size_t start, int component) {
    const int outer = component_;
    component_ = component;
    at_ = start;
    const KnownUnit quantity = parse_sum();
    component_ = outer;
    if (!quantity.is_vector) throw UnitError(start, "must be a vector");
    return quantity;
  }

  KnownUnit parse_vector_function(std::size_t start, std::string_view name) {
    if (++depth_ > max_expression_depth) throw ExpressionError(at_, "expression nested too deeply");
    if ((name == "unit" || name == "cross") && component_ < 0) {
      throw UnitError(start, "'" + std::string(name) + "' gives a vector", "use norm or dot");
    }
    expect('(');
    peek();
    const std::size_t first = at_;
    KnownUnit result;
    if (name == "dot") {
      result = parse_dot(first);
    } else if (name == "cross") {
      result = parse_cross(first);
    } else if (name == "norm") {
      result = parse_norm(first);
    } else {
      parse_component(first, component_);
      parse_norm(first);
      emit(Op::divide);
      result.is_vector = true;
    }
    expect(')');
    --depth_;
    return result;
  }

  KnownUnit parse_norm(std::size_t first) {
    KnownUnit result = parse_component(first, 0);
    for (const int k : {1, 2}) {
      parse_component(first, k);
      emit(Op::hypot);
    }
    result.is_vector = false;
    return result;
  }

  // a_k b_l
  KnownUnit parse_pair(std::size_t first, int k, int l) {
    KnownUnit a = parse_component(first, k);
    expect(',');
    peek();
    const std::size_t second = at_;
    const KnownUnit b = parse_component(second, l);
    emit(Op::multiply);
    a.is_vector = false;
    KnownUnit result = multiply_quantities(a, b, 1, second);
    result.is_vector = false;
    return result;
  }

  KnownUnit parse_dot(std::size_t first) {
    const KnownUnit result = parse_pair(first, 0, 0);
    for (const int k : {1, 2}) {
      parse_pair(first, k, k);
      emit(Op::add);
    }
    return result;
  }

  KnownUnit parse_cross(std::size_t first) {
    const int k = (component_ + 1) % 3, l = (component_ + 2) % 3;
    KnownUnit result = parse_pair(first, k, l);
    parse_pair(first, l, k);
    emit(Op::subtract);
    result.is_vector = true;
    return result;
  }

  // ---- tape

  void push(double value) { append({Op::push, 0, value}, +1); }
  void emit(Op op) { append({op, 0, 0.0}, 1 - n_arguments(op)); }
  void append(Expression::Instruction step, int change) {
    // norm(norm(norm(a)*b)*c) repeats its arguments
    if (tape_.size() >= max_expression_size) throw ExpressionError(at_, "expression too long");
    tape_.push_back(step);
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
      fail_unknown_unit();
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

  // Where a word follows a number directly, and is none that could be meant otherwise.
  void fail_unknown_unit() {
    const std::string word(name_here());
    std::size_t before = at_;
    while (before > 0 && is_space(text_[before - 1])) --before;
    const bool after_number =
        before > 0 && (is_digit(text_[before - 1]) || text_[before - 1] == '.');
    if (word.empty() || !is_letter(word[0]) || !after_number ||
        find_in(functions, word) != functions.end() ||
        find_in(constants, word) != constants.end() || variables_.find(word) >= 0) {
      return;
    }
    throw ExpressionError(at_, "unknown unit '" + word + "'", std::string(hint_for_unit(word)));
  }

  [[noreturn]] void fail_unknown(std::size_t start, std::string_view name) {
    NearestWord nearest(name);
    if (variables_.names().size() <= most_names_for_hints) {
      for (const auto& known : variables_.names()) nearest.offer(known);
    }
    offer_functions(nearest);
    std::string hint = nearest.hint();
    if (hint.empty() && find_unit(name) && !is_reserved_name(name))
      hint = "a unit follows a number or a unit: 5 N m";
    throw ExpressionError(start, "unknown name '" + std::string(name) + "'", hint);
  }

  std::string_view text_;
  const VariableNames& variables_;
  int component_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int height_ = 0;  // of the evaluation stack
  std::vector<Expression::Instruction> tape_;
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
    case Op::hypot: return 2;
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

bool is_reserved_name(std::string_view name) {
  return find_in(functions, name) != functions.end() ||
         find_in(constants, name) != constants.end() || find_in(units, name) != units.end();
}

ParsedExpression parse_expression(std::string_view text, const VariableNames& variables,
                                  int component) {
  return Parser(text, variables, component).parse();
}

}  // namespace trammel
