// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Expressions of a model file, "2*cos(60 deg)": parsed once into an immutable tape, evaluated as
// often as needed.
//
//   sum     = product {("+" | "-") product}
//   product = signed {("*" | "/") signed}
//   signed  = ("+" | "-") signed | power
//   power   = value ["^" signed]                      so −2^2 = −4 and 2^3^2 = 2^9
//   value   = (number [unit] | name | call | "(" sum ")") ["deg" | "rad" | "turn" | "rev"]
//   unit: src/math/units.hpp; what units are worth is checked by the rules of src/math/known_unit.hpp
//   name    = word {"." word}                         crank.position.x
//   call    = name "(" sum {"," sum} ")"              of a built-in function or a table
//
// An expression can neither loop nor reach anything outside: numbers in, one number out. Evaluation
// allocates nothing and changes nothing: threads may share an expression.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "math/jet.hpp"
#include "math/known_unit.hpp"

namespace trammel {

class Spline;
class MapSurface;
class TableLibrary;
struct Corner;

inline constexpr std::size_t max_expression_length = 10'000;  // characters
inline constexpr int max_expression_depth = 200;              // parentheses, signs, powers, calls

// The names an expression may use; each has a slot in the array handed to `evaluate`.
class VariableNames {
 public:
  // The new slot; the name must not be in use.
  int add(const std::string& name, const KnownUnit& quantity = {KnownUnit::Kind::plain, {}, false});
  void remove_last();                       // undoes the last `add`
  int find(const std::string& name) const;  // the slot, or −1
  const std::vector<std::string>& names() const { return names_; }
  const KnownUnit& quantity(int slot) const { return quantities_[static_cast<std::size_t>(slot)]; }
  void set_quantity(int slot, const KnownUnit& quantity) {
    quantities_[static_cast<std::size_t>(slot)] = quantity;
  }
  // The vector d is the variables d.x, d.y and d.z.
  bool is_vector(const std::string& name) const { return find(name + ".x") >= 0; }

  bool explicit_lengths = false;  // of src/math/known_unit.hpp
  bool with_calls = false;        // unknown functions are tables, whose values have unknown units

 private:
  std::vector<std::string> names_;
  std::vector<KnownUnit> quantities_;  // [names]
  std::unordered_map<std::string, int> slots_;
};

// True for pi, e, sqrt, deg and the like, which cannot be names of variables.
bool is_reserved_name(std::string_view name);

// True for a letter or underscore followed by letters, digits and underscores.
bool is_identifier(std::string_view name);

// The names in a text that are not called, constants or units, each once, where they first occur.
// No mistake is reported here: a text that is no expression gives some names or none.
struct NameInText {
  std::string_view name;
  std::size_t offset;
};
std::vector<NameInText> list_names(std::string_view text);

// The text with other names in it; `replacement` says which.
std::string replace_names(
    std::string_view text,
    const std::function<std::optional<std::string>(std::string_view)>& replacement);
// The text calls the function: "name(".
bool calls(std::string_view text, std::string_view name);

struct ExpressionError : std::runtime_error {
  ExpressionError(std::size_t offset_, const std::string& reason, std::string hint_ = {})
      : std::runtime_error(reason), offset(offset_), hint(std::move(hint_)) {}
  std::size_t offset;  // in the text, in bytes
  std::string hint;
};

// Units that do not fit together, or vectors in places of numbers.
struct UnitError : ExpressionError {
  using ExpressionError::ExpressionError;
};

class Expression {
 public:
  enum class Op : std::uint8_t {
    push,
    load,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    sqrt,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sinh,
    cosh,
    tanh,
    exp,
    log,
    log10,
    abs,
    floor,
    ceil,
    sign,
    atan2,
    min,
    max,
    pow,
    hypot,
    step,
    table,  // slot: which of the tables
    map,
    // the same with the branch as the last argument, 0: whichever holds (corner.hpp)
    branch_abs,
    branch_sign,
    branch_min,
    branch_max,
    branch_table
  };

  // Throws ExpressionError. `smooth`: tables are cubic splines by default.
  Expression(std::string_view text, const VariableNames& variables,
             const TableLibrary* tables = nullptr, bool smooth = false);

  // The table at the value of the expression takes its place.
  void call(std::shared_ptr<const Spline> table);

  // With what is known of its unit. `component`: 0, 1 or 2 of an expression that may be a vector.
  Expression(std::string_view text, const VariableNames& variables, KnownUnit& quantity,
             int component = -1);

  // The value; `values` has one number for each variable.
  double evaluate(std::span<const double> values) const;

  // The value with its first and second derivative by the variable in slot `variable`, the others
  // kept. At a kink (abs, min, max) the derivatives are those from the right.
  Jet evaluate_jet(std::span<const double> values, int variable) const;

  // Replaces the variables from slot `first` on by constants: values[0] for slot `first`, ….
  void bind(int first, std::span<const double> values);

  // The variable in slot k is from now on that in slot slots[k].
  void renumber(std::span<const int> slots);

  bool is_constant() const;  // no variable is used

  // Gives each corner of the expression a branch, a variable in the slot that add_branch returns. Tables of
  // the variable in slot `time` alone keep theirs: steps end at their points.
  std::vector<Corner> add_branches(int time, const std::function<int()>& add_branch);

  // The first function of a variable that is not smooth (abs, floor, ceil, sign, min, max) or jumps
  // (atan2); empty where there is none. step is twice continuously differentiable, and so are
  // tables that are cubic splines.
  // `slopes`: other tables with a continuous slope are smooth enough, too.
  std::string_view find_kink(bool slopes = false) const;

  // Where step(x, x0, y0, x1, y1) of the variable in `slot` begins and ends, for constant x0 and x1:
  // its third derivative jumps there; and the points of tables of the variable, or of a linear
  // function of it, within (0, end). Appended to `breaks`, as far as there is room.
  void add_breaks(int slot, double end, std::size_t room, std::vector<double>& breaks) const;

  // The name of the first table that has no value where the expression asks for one; null: none.
  const std::string* find_left_table(std::span<const double> values) const;

  // A function or operation of one number, or of two.
  static double apply(Op op, double x);
  static double apply(Op op, double x, double y);
  static double apply(Op op, double x, double y, double branch);

  std::vector<int> calc_used_slots() const;
  std::size_t size() const { return tape_.size(); }  // operations

  struct Instruction {
    Op op;
    int slot;      // load, table, map
    double value;  // push
    friend bool operator==(const Instruction&, const Instruction&) = default;
  };
  const std::vector<Instruction>& instructions() const { return tape_; }
  const Spline& table(const Instruction& step) const { return *tables_[step.slot]; }
  const MapSurface& map(const Instruction& step) const { return *maps_[step.slot]; }
  friend bool operator==(const Expression& a, const Expression& b);

 private:
  Expression() = default;

  std::vector<Instruction> tape_;                        // postfix
  std::vector<std::shared_ptr<const Spline>> tables_;    // shared: code that calls them outlives
  std::vector<std::shared_ptr<const MapSurface>> maps_;  // copies of the expression
};

}  // namespace trammel
