// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Maps of named values that may refer to each other in any order: `parameters`, and `let` of an entry.
// A value is a number or a vector: a list of three, or an expression of vectors.
//
// Sorted once by what refers to what (Kahn's algorithm); evaluated as often as needed, for each
// value of the index of a repeated entry.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "format/reader.hpp"
#include "trammel/trammel.hpp"

namespace trammel {

class NamedValues {
 public:
  enum class Of { parameters, let };

  // Checks the names and finds the order; `overrides` replace the texts of the file.
  NamedValues(Reader& reader, NodeId map, Of of, const ParameterOverrides& overrides = {});

  // A value in place of that of the file, with its unit; before `evaluate`. False: no such name.
  struct Given {
    NodeId id;  // where errors about it are reported
    bool is_vector;
    std::array<double, 3> value;
    std::array<KnownUnit, 3> unit;
  };
  bool give(const std::string& name, const Given& given);
  std::vector<std::string> list_missing() const;  // names without a value
  std::vector<std::string> list_names_of_file() const;

  // Adds the names with their values to the scope; errors are reported. Undone by `remove`.
  void evaluate();
  void remove();

  // In the order of the file; of a vector three: "d.x".
  std::vector<std::pair<std::string, double>> list() const;

 private:
  struct Entry {
    NodeId id = no_node;
    std::string name;
    const ParameterValue* override_value = nullptr;
    std::optional<Given> given = {};
    std::vector<std::size_t> users = {};  // entries that refer to this one
    int waiting = 0;                      // references that are not sorted yet
    bool has_unknown = false;             // refers to names that are not there
    bool changes = false;                 // with time or state
    bool in_cycle = false;
  };

  void add_entries(NodeId map);
  bool check_name(NodeId id, const std::string& name);
  void apply_overrides(const ParameterOverrides& overrides);
  std::vector<std::string_view> list_texts(const Entry& entry) const;
  void find_references();
  void sort();
  void report_cycles();
  void evaluate(Entry& entry);
  void evaluate_override(const Entry& entry);
  void evaluate_given(const Entry& entry);
  KnownUnit find_unit_of_file(const Entry& entry) const;
  void add_formula(const Entry& entry);
  void add(const std::string& name, double value, KnownUnit quantity);

  Reader& reader_;
  Of of_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Entry> entries_;      // in the order of the file
  std::vector<std::size_t> order_;  // of evaluation
  bool is_sorted_ = false;
  std::size_t base_ = 0;  // variables before ours
};

// Calls `read` with the names of the entry's `let` in scope.
void with_let(Reader& reader, NodeId entry, const std::function<void()>& read);

}  // namespace trammel
