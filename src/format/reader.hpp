// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What all sections of a model file share: typed access to the nodes of the tree, expressions with
// the names in scope, and the list of errors. An error is recorded, a neutral value is returned,
// and reading continues, so that one pass finds all errors.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "format/yaml_tree.hpp"
#include "math/expression.hpp"
#include "trammel/error.hpp"
#include "trammel/function.hpp"
#include "trammel/mesh.hpp"
#include "trammel/types.hpp"

namespace trammel {

inline constexpr std::size_t max_parts = 2'000'000;         // bodies, joints and forces together
inline constexpr std::size_t max_shapes = 2'000'000;        // of all bodies together
inline constexpr std::size_t max_operations = 500'000'000;  // of expressions in repeated entries
inline constexpr std::size_t max_text_length = 200;         // bytes of a name

// A key of a map (model_keys.hpp).
struct Key {
  std::string_view word;
  std::string_view type;     // a form of tests/support/model_schema.hpp, or words: "world|body"
  std::string_view meaning;  // with its unit; may be empty
  bool needed = false;
};
using Keys = std::vector<Key>;

struct Joint;

struct TooManyMistakes {};  // thrown after the mistake that fills the list

class Places;

class Reader {
 public:
  explicit Reader(const YamlTree& tree) : tree_(tree), state_(tree.size(), 0) {}

  void grow() { state_.resize(tree_.size(), 0); }  // after another file came into the tree

  const YamlTree& tree() const { return tree_; }

  // ---- mistakes (reader_mistakes.cpp)

  // Once per node; what comes later about the same node is a consequence.
  void report(NodeId id, const std::string& reason, const std::string& hint = {});
  void report_key(NodeId id, const std::string& reason,
                  const std::string& hint = {});  // at its key
  void report_at(NodeId id, std::size_t offset, const std::string& reason, const std::string& hint);
  void report_found(NodeId id, bool at_key, const std::string& path, const std::string& reason,
                    const std::string& hint, std::size_t offset = 0);
  // About a file that the node names; line and column are those of that file.
  void report_in_file(NodeId id, const std::string& file, int line, int column,
                      const std::string& reason, const std::string& hint);
  // About a value given in place of one of the file: "--set mass=2 m: …".
  void report_override(const std::string& setting, const std::string& reason,
                       const std::string& hint);
  void report_outside(const std::string& path, const std::string& reason, const std::string& hint);
  bool is_reported(NodeId id) const { return (state_[id] & 1) != 0; }
  // About this node, one that holds it or one within it.
  bool is_reported_around(NodeId id) const;
  bool has_mistakes() const { return !mistakes_.empty(); }
  std::vector<Mistake> take_mistakes();  // in the order of the file

  // ---- structure (reader.cpp)

  bool expect_map(NodeId id);
  bool expect_list(NodeId id, std::size_t size, const char* of);
  void check_keys(NodeId map, const std::vector<std::string_view>& known);
  // `by_kind`: of an entry whose keys depend on its kind; it may have `kind` and `repeat` too.
  void check_keys(NodeId map, const Keys& known, bool by_kind = false);
  NodeId find(NodeId map, std::string_view key) const { return tree_.find(map, key); }
  // The value, or no_node and a mistake at the map.
  NodeId need(NodeId map, std::string_view key, const std::string& hint = {});
  std::vector<NodeId> children(NodeId id) const;
  std::string describe(NodeId id) const;  // "a list"

  // ---- values (reader.cpp); 0, "" or false after a mistake

  double number(NodeId id);
  double number(NodeId id, KnownUnit& quantity);             // with what is known of its unit
  std::optional<double> find_plain_number(NodeId id) const;  // without an expression
  double number_or(NodeId map, std::string_view key, double fallback);
  double integer(NodeId id);  // a whole number, |x| ≤ 1e15
  template <std::size_t n>
  std::array<double, n> numbers(NodeId id, const char* of);
  bool is_vector_text(NodeId id) const;  // an expression with vectors in it
  // Of such a text; false where its value is a number, or wrong.
  bool calc_vector(NodeId id, std::array<double, 3>& vector, std::array<KnownUnit, 3>& quantities);
  Vec3 vector(NodeId id);        // in a planar model the third number may be left out
  Vec3 axial_vector(NodeId id);  // a rotation or a torque; in a planar model (0, 0, x) for x
  std::optional<Vec3> find_vector(NodeId map, std::string_view key);
  Vec3 vector_or_zero(NodeId map, std::string_view key);
  Mat3 matrix(NodeId id);
  bool flag(NodeId id);
  std::string name(NodeId id);        // of a part of the model; in an included file with its prefix
  std::string part_name(NodeId key);  // of the part that the entry makes
  // With <k> replaced inside a repeated entry.
  std::string text(NodeId id, std::size_t max_length = max_text_length);
  // One of the words; the first of them after a mistake.
  std::string_view word(NodeId id, const std::vector<std::string_view>& words);
  template <class Choice>
  Choice choice(NodeId id, const std::vector<std::pair<std::string_view, Choice>>& words);

  // ---- units (reader_units.cpp)

  // The unit of the value at a key, in the words of Key::meaning: "of the hinge, N m/rad".
  void set_unit(NodeId id, std::string_view meaning);
  std::unordered_map<std::string_view, const Joint*> joints;  // once they are read
  // The value in SI; an error where its unit does not fit the key. Bare lengths are in the unit of the
  // file.
  double in_si(NodeId id, double value, const KnownUnit& quantity);
  bool needs_scale(NodeId id) const;  // a bare number is not in SI here
  void set_length_unit(const Unit& unit);
  const Unit& length_unit() const { return length_unit_; }
  // The expression's unit against that of the key; formulas have names that are not known here.
  void check_formula_unit(NodeId id, std::string_view text);

  // ---- planar models

  void set_planar(bool planar) { planar_ = planar; }
  bool is_planar() const { return planar_; }

  // ---- names in scope

  VariableNames variables;
  std::vector<double> values;  // [variables]
  // Names of `let` whose values change with time or state: formulas have these texts in their place.
  std::unordered_map<std::string, std::string> formulas;
  std::string fill_in_formulas(const std::string& text) const;

  // ---- files that the model names (read_function.cpp)

  const std::string& file() const { return tree_.files().front().name; }
  // A file that the node names, relative to the folder of the model.
  std::string path_of(NodeId id, const std::string& name) const;
  void set_allow_outside(bool allow) { allow_outside_ = allow; }
  bool allows_outside() const { return allow_outside_; }
  std::size_t table_bytes = 0;                                               // read so far
  std::unordered_map<std::string, std::shared_ptr<const DataTable>> tables;  // of repeated entries

  std::size_t mesh_bytes = 0;                                                   // read so far
  std::unordered_map<std::string, std::shared_ptr<const TriangleMesh>> meshes;  // by their names
  // of the section `tables`; null: a map
  std::unordered_map<std::string, std::shared_ptr<const DataTable>> named_tables;
  std::unordered_set<std::string> state_names;  // of the section `states`

  // ---- included files (include.cpp)

  // What names mean in a file: all are local, with the prefix, but those in `connected`.
  struct Names {
    std::string prefix;
    std::unordered_map<std::string, std::string> connected;  // by local name
    std::unordered_set<std::string> words;  // local names that formulas use without a point
    std::unordered_set<std::string> used;   // of `connected`
  };
  Names part_names;
  std::unordered_set<std::string> outer_parameters;  // of the model, while a file is read
  std::string resolve(const std::string& local);     // "rod.tip" → "leg_1_rod.tip"
  std::string resolve_formula(const std::string& text);
  void forget_compiled(NodeId first, NodeId last);  // the scope of these nodes has changed

  // ---- repeated entries (repeat.cpp)

  // Counts parts; an error at `id` and false when there are too many.
  bool claim_parts(NodeId id, double count);
  bool claim_shape(NodeId id);
  bool is_full() const { return full_; }
  void set_repeated(bool repeated) { repeated_ = repeated; }
  bool is_repeated() const { return repeated_; }
  void set_first(bool first) { first_ = first; }
  bool is_first() const { return first_; }

  // ---- points and axes by name (places.hpp); there from the section `bodies` on

  Places& places() { return *places_; }
  void set_places(Places& places) { places_ = &places; }

 private:
  struct Text {  // pieces[0] <expressions[0]> pieces[1] …
    std::vector<std::string> pieces;
    std::vector<Expression> expressions;
  };
  struct Recorded {
    Mistake mistake;
    int line, column;  // of the model file
    std::size_t order;
    std::size_t file;  // of the tree
  };

  struct Parsed {
    Expression expression;
    KnownUnit quantity;
  };
  struct KeyUnit {
    std::vector<Dimension> allowed;  // one of them; empty: any
    bool per_revolution = false;
  };

  double evaluate(NodeId id, std::string_view text, KnownUnit& quantity);
  double evaluate_repeated(NodeId id, const Expression& expression);
  const Parsed& compiled(NodeId id, std::string_view text);
  Vec3 vector_expression(NodeId id);
  void report_expression(NodeId id, const ExpressionError& error);
  std::size_t find_key_unit(std::string_view meaning);
  const KeyUnit& unit_of(NodeId id) const;
  VariableNames list_formula_names(std::string_view text, bool& has_unit) const;
  const Text& compiled_text(NodeId id, std::string_view text);
  std::optional<std::string> fill_in(NodeId id, const Text& text, std::size_t max_length);
  std::size_t calc_shift(NodeId id, std::size_t offset) const;
  void record(NodeId id, Mistake mistake);  // throws TooManyMistakes

  Places* places_ = nullptr;
  const YamlTree& tree_;
  std::vector<unsigned char> state_;  // [nodes] bit 0: reported, bit 1: something below it is
  std::vector<Recorded> mistakes_;

  bool allow_outside_ = false;
  bool planar_ = false;
  bool repeated_ = false;
  bool first_ = true;
  bool full_ = false;
  double parts_ = 0;
  std::size_t shapes_ = 0;
  std::vector<std::uint32_t> compiled_at_;  // [nodes] 1 + index into one of the two below
  std::deque<Parsed> expressions_;
  std::deque<Text> texts_;
  std::size_t operations_ = 0;
  std::string filled_in_;  // scratch of fill_in

  std::vector<std::uint16_t> unit_at_;  // [nodes] index into the next; 0: none
  std::deque<KeyUnit> key_units_{KeyUnit{}};
  std::unordered_map<std::string_view, std::size_t> key_unit_of_;  // by the text of Key::meaning
  Unit length_unit_;                                               // of bare lengths
};

template <std::size_t n>
std::array<double, n> Reader::numbers(NodeId id, const char* of) {
  std::array<double, n> result{};
  if constexpr (n == 3) {
    if (is_vector_text(id)) return vector_expression(id);
  }
  if (!expect_list(id, n, of)) return result;
  NodeId child = tree_[id].first_child;
  for (std::size_t i = 0; i < n; ++i, child = tree_[child].next_sibling) result[i] = number(child);
  return result;
}

template <class Choice>
Choice Reader::choice(NodeId id, const std::vector<std::pair<std::string_view, Choice>>& words) {
  if (tree_[id].kind == YamlNode::Kind::scalar) {
    for (const auto& [known, value] : words) {
      if (tree_.text(id) == known) return value;
    }
  }
  std::vector<std::string_view> list;
  for (const auto& [known, value] : words) list.push_back(known);
  word(id, list);  // says what is wrong with it
  return words.front().second;
}

}  // namespace trammel
