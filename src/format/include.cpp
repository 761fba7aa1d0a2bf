// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "format/include.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"
#include "format/source_text.hpp"
#include "format/table_file.hpp"
#include "math/nearest_word.hpp"

namespace trammel {

namespace fs = std::filesystem;
using Kind = YamlNode::Kind;

const Keys include_keys = {
    {"file", "text", "a model file, in the folder of the file that includes it", true},
    {"parameters", "let", "values for parameters of the file"},
    {"connect", "names", "names of the file that are bodies and joints of this one"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"}};

namespace {

// Sections that belong to the model as a whole.
constexpr std::string_view of_model[] = {"gravity", "simulation", "initial", "redundancy_tolerance",
                                         "files"};

// Sections whose names formulas use without a point.
constexpr std::string_view of_words[] = {"outputs", "tables", "states", "switches"};

}  // namespace

// ---- names in an included file

std::string Reader::resolve(const std::string& local) {
  if (part_names.prefix.empty()) return local;
  const std::size_t point = local.find('.');
  const std::string head = local.substr(0, point);
  const std::string rest = point == std::string::npos ? std::string() : local.substr(point);
  const auto found = part_names.connected.find(head);
  if (found != part_names.connected.end()) {
    part_names.used.insert(head);
    return found->second + rest;
  }
  return (head == "ground" ? head : part_names.prefix + head) + rest;
}

std::string Reader::resolve_formula(const std::string& text) {
  if (part_names.prefix.empty()) return text;
  return replace_names(text, [&](std::string_view view) -> std::optional<std::string> {
    const std::string name(view);
    const bool is_part = view.find('.') != std::string_view::npos;
    if (variables.find(name) >= 0 || (!is_part && !part_names.words.contains(name)))
      return std::nullopt;
    return resolve(name);
  });
}

std::string Reader::name(NodeId id) {
  const std::string local = text(id);
  return local.empty() ? local : resolve(local);
}

std::string Reader::part_name(NodeId key) { return part_names.prefix + text(key); }

std::string Reader::path_of(NodeId id, const std::string& name) const {
  const fs::path folder = fs::path(file()).parent_path();
  const fs::path own = fs::path(tree_.files()[tree_.file_of(id)].name).parent_path();
  return (own.lexically_relative(folder.empty() ? fs::path() : folder) / name)
      .lexically_normal()
      .string();
}

void Reader::forget_compiled(NodeId first, NodeId last) {
  if (compiled_at_.size() < tree_.size()) compiled_at_.resize(tree_.size(), 0);
  std::fill(compiled_at_.begin() + first, compiled_at_.begin() + last, 0u);
}

// ---- instances

Includes::Includes(YamlTree& tree, Reader& reader, NodeId files, int dimension)
    : tree_(tree), reader_(reader), files_(files), dimension_(dimension) {
  if (files_ == no_node || !reader_.expect_map(files_)) return;
  for (const NodeId id : reader_.children(files_)) {
    if (tree_[id].kind != Kind::scalar) {
      reader_.report(id, "must be the text of a file, got " + reader_.describe(id));
    }
  }
}

void Includes::swap(Instance& instance) {
  std::swap(reader_.variables, instance.scope.variables);
  std::swap(reader_.values, instance.scope.values);
  std::swap(reader_.part_names, instance.scope.names);
  const Unit outer = reader_.length_unit();
  reader_.set_length_unit(instance.scope.length_unit);
  instance.scope.length_unit = outer;
  const std::size_t file = tree_.file_of(instance.root);
  const bool is_last = file + 1 == tree_.files().size();
  reader_.forget_compiled(
      instance.root, is_last ? static_cast<NodeId>(tree_.size()) : tree_.files()[file + 1].root);
}

void Includes::add(NodeId section) {
  expand_section(
      reader_, section, [](std::size_t) {},
      [&](NodeId entry, std::string&& name) {
        if (reader_.expect_map(entry)) add_instance(entry, std::move(name));
      });
}

void Includes::add_instance(NodeId entry, std::string&& prefix) {
  reader_.check_keys(entry, include_keys);
  const NodeId id = reader_.need(entry, "file");
  if (id == no_node) return;
  const std::string file = reader_.path_of(id, reader_.text(id));
  if (reader_.is_reported(id) || !check_chain(id, file)) return;
  if (instances_.size() >= max_instances) {
    reader_.report(id,
                   fmt::format("files are included more than {} times in total", max_instances));
    return;
  }
  const NodeId root = find_or_load(id, file);
  if (root == no_node) return;
  Instance instance{entry, root, current_, file, {}};
  instance.scope.names.prefix = prefix + "_";
  if (!fill_scope(entry, root, instance.scope)) return;
  instances_.push_back(std::move(instance));
  const NodeId nested = tree_.find(root, "include");
  if (nested == no_node) return;
  // instances_ may grow: the scope is moved out and back
  const std::size_t index = instances_.size() - 1, outer = current_;
  const bool was_repeated = reader_.is_repeated();
  reader_.set_repeated(false);
  current_ = index + 1;
  Instance own = std::move(instances_[index]);
  instances_[index] = Instance{own.entry, own.root, own.parent, own.file, {}};
  enter(own);
  add(nested);
  leave(own);
  instances_[index] = std::move(own);
  current_ = outer;
  reader_.set_repeated(was_repeated);
}

// Neither in a circle, nor too deep, nor too much.
bool Includes::check_chain(NodeId id, const std::string& file) {
  std::string chain = file;
  std::size_t depth = 1;
  bool is_cycle = false;
  for (std::size_t k = current_; k != 0; k = instances_[k - 1].parent) {
    chain = instances_[k - 1].file + " → " + chain;
    is_cycle |= instances_[k - 1].file == file;
    ++depth;
  }
  const std::string model = fs::path(reader_.file()).filename().string();
  chain = model + " → " + chain;
  if (is_cycle || file == model) {
    reader_.report(id, "files include each other in a cycle: " + chain);
  } else if (depth > max_include_depth) {
    reader_.report(
        id, fmt::format("files are included more than {} deep: {}", max_include_depth, chain));
  } else {
    return true;
  }
  return false;
}

NodeId Includes::find_or_load(NodeId id, const std::string& file) {
  const auto known = loaded_.find(file);
  NodeId root = known == loaded_.end() ? no_node : known->second;
  if (known == loaded_.end()) {
    const fs::path folder = fs::path(reader_.file()).parent_path();
    try {
      if (files_ != no_node) {
        const NodeId text = tree_.find(files_, file);
        if (text == no_node) {
          reader_.report(id, "there is no file '" + file + "' in the section 'files'");
        } else if (tree_[text].kind == Kind::scalar) {
          root = load(id, file, (folder / file).string(), std::string(tree_.text(text)));
        }
      } else {
        const std::string path = find_table_file(folder.string(), file, reader_.allows_outside());
        root = load(id, file, path, read_source_text(path));
        if (root != no_node) texts_.emplace_back(file, tree_.files().back().source);
      }
    } catch (const TableFileError& error) {
      reader_.report(id, error.reason, error.hint);
    } catch (const FileError& error) {
      reader_.report(id, error.what());
    }
    loaded_.emplace(file, root);
  }
  if (root == no_node) return root;
  const std::size_t at = tree_.file_of(root);
  const bool is_last = at + 1 == tree_.files().size();
  nodes_ += (is_last ? tree_.size() : tree_.files()[at + 1].root) - root;
  if (nodes_ > max_included_nodes) {
    reader_.report(id, fmt::format("the included files have more than {} values in total",
                                   max_included_nodes));
    return no_node;
  }
  return root;
}

NodeId Includes::load(NodeId id, const std::string& file, const std::string& path,
                      const std::string& text) {
  const std::size_t duplicates = tree_.duplicates().size();
  NodeId root = no_node;
  try {
    root = tree_.add_file(text, path);
    reader_.grow();
  } catch (const ModelError& error) {  // not YAML, or too large: in the words of the file
    reader_.grow();
    const Mistake& mistake = error.mistakes().front();
    reader_.report_in_file(id, mistake.file, mistake.line, mistake.column, mistake.reason,
                           mistake.hint);
    return no_node;
  }
  static_cast<void>(file);
  for (std::size_t k = duplicates; k < tree_.duplicates().size(); ++k) {
    reader_.report_key(tree_.duplicates()[k], "duplicate key");
  }
  return check_file(root) ? root : no_node;
}

bool Includes::check_file(NodeId root) {
  if (!reader_.expect_map(root)) return false;
  for (const std::string_view key : of_model) {
    const NodeId id = tree_.find(root, key);
    if (id != no_node) {
      reader_.report_key(id, "cannot be in an included file",
                         "it belongs in the model that includes it");
    }
  }
  std::vector<std::string_view> known;
  for (const Key& key : model_keys) known.push_back(key.word);
  reader_.check_keys(root, known);
  const NodeId version = tree_.find(root, "trammel");
  if (version == no_node || tree_[version].kind != Kind::scalar || tree_.text(version) != "1") {
    reader_.report(version == no_node ? root : version, "the format version must be 1",
                   "the file should start with 'trammel: 1'");
    return false;
  }
  const NodeId dimension = tree_.find(root, "dimension");
  const std::string wanted = std::to_string(dimension_);
  if (dimension != no_node &&
      (tree_[dimension].kind != Kind::scalar || tree_.text(dimension) != wanted)) {
    reader_.report(dimension, "must be " + wanted + ", as in the model that includes the file");
  }
  return true;
}

// The scope of an instance: its parameters with the values of the entry, which are read in the scope
// of the file that includes it.
bool Includes::fill_scope(NodeId entry, NodeId root, Scope& scope) {
  const auto given = read_parameters(entry);
  read_connect(entry, scope.names);
  list_words(root, scope.names);
  if (reader_.is_reported_around(entry)) return false;
  Instance inner{entry, root, current_, {}, std::move(scope)};
  const bool was_repeated = reader_.is_repeated();
  reader_.set_repeated(false);
  enter(inner);
  if (const NodeId units = tree_.find(root, "units"); units != no_node) read_units(reader_, units);
  NamedValues values(reader_, tree_.find(root, "parameters"), NamedValues::Of::parameters);
  for (const auto& [name, value] : given) {
    if (values.give(name, value)) continue;
    NearestWord nearest(name);
    for (const std::string& known : values.list_names_of_file()) nearest.offer(known);
    reader_.report_key(value.id, "the file has no parameter '" + name + "'", nearest.hint());
  }
  const auto missing = values.list_missing();
  for (const std::string& name : missing) {
    reader_.report_key(entry, "the parameter '" + name + "' of the file has no value",
                       "give it in 'parameters'");
  }
  if (missing.empty()) values.evaluate();
  leave(inner);
  scope = std::move(inner.scope);
  reader_.set_repeated(was_repeated);
  return missing.empty() && !reader_.is_reported_around(entry);
}

std::vector<std::pair<std::string, NamedValues::Given>> Includes::read_parameters(NodeId entry) {
  std::vector<std::pair<std::string, NamedValues::Given>> result;
  const NodeId section = reader_.find(entry, "parameters");
  if (section == no_node || !reader_.expect_map(section)) return result;
  for (const NodeId id : reader_.children(section)) {
    NamedValues::Given given{id, true, {}, {}};
    const YamlNode& node = tree_[id];
    if (node.kind == Kind::list &&
        (node.child_count == 3 || (dimension_ == 2 && node.child_count == 2))) {
      std::size_t k = 0;
      for (const NodeId part : reader_.children(id)) {
        given.value[k] = reader_.number(part, given.unit[k]);
        ++k;
      }
    } else if (!reader_.is_vector_text(id) || !reader_.calc_vector(id, given.value, given.unit)) {
      given.is_vector = false;
      given.value[0] = reader_.number(id, given.unit[0]);
    }
    result.emplace_back(std::string(tree_.key_text(id)), given);
  }
  return result;
}

void Includes::read_connect(NodeId entry, Reader::Names& names) {
  const NodeId section = reader_.find(entry, "connect");
  if (section == no_node || !reader_.expect_map(section)) return;
  for (const NodeId id : reader_.children(section)) {
    names.connected[std::string(tree_.key_text(id))] = reader_.name(id);
  }
}

void Includes::list_words(NodeId root, Reader::Names& names) const {
  for (const std::string_view key : of_words) {
    const NodeId section = tree_.find(root, key);
    if (section == no_node) continue;
    for (const NodeId id : reader_.children(section)) {
      names.words.insert(std::string(tree_.key_text(id)));
    }
  }
}

std::vector<NodeId> Includes::roots() const {
  std::vector<NodeId> roots;
  for (const YamlTree::File& file : tree_.files()) roots.push_back(file.root);
  return roots;
}

// A name that no entry of the file uses is a mistyped one.
void Includes::report_unused() {
  if (reader_.has_mistakes()) return;  // what could not be read may use them
  for (const Instance& instance : instances_) {
    const NodeId section = reader_.find(instance.entry, "connect");
    if (section == no_node) continue;
    for (const NodeId id : reader_.children(section)) {
      const std::string name(tree_.key_text(id));
      if (!instance.scope.names.used.contains(name)) {
        reader_.report_key(id, "the file does not use the name '" + name + "'");
      }
    }
  }
}

std::vector<std::pair<std::string, std::string>> Includes::list_texts() const { return texts_; }

}  // namespace trammel
