// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// read_model: text → tree → Model → check, and the errors of all stages in one list.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "format/include.hpp"
#include "format/model_keys.hpp"
#include "format/quoted.hpp"
#include "format/read_sections.hpp"
#include "format/source_text.hpp"
#include "model/check_parts.hpp"
#include "trammel/checked_model.hpp"

namespace trammel {
namespace {

constexpr int format_version = 1;

}  // namespace

const Keys model_keys = {
    {"trammel", "version", "version of the format: 1", true},
    {"name", "text", "title of the model, for reports"},
    {"dimension", "dimension", "2: planar, all bodies move in the plane z = 0; 3: spatial"},
    {"gravity", "vector", "acceleration of gravity, m/s², world frame"},
    {"units", "units", "units of values that are given without one"},
    {"parameters", "parameters", "named constants, for use in expressions"},
    {"include", "include", "other model files as parts of this one, by the prefix of their names"},
    {"files", "files", "texts of included files, in place of files in the folder"},
    {"tables", "tables", "tables and maps that formulas use by name"},
    {"bodies", "bodies", "rigid bodies by name"},
    {"joints", "joints", "joints by name; each connects two bodies"},
    {"couplers", "couplers", "gears, belts and other relations between joints, by name"},
    {"drivers", "drivers", "prescribed motions, by name"},
    {"forces", "forces", "forces, springs and dampers, by name"},
    {"states", "states", "numbers integrated with the motion, or sampled, by name"},
    {"switches", "switches", "numbers that only events change, by name"},
    {"events", "events", "what happens when a function of the state changes its sign, by name"},
    {"points", "points", "points of bodies whose motion is recorded, by name"},
    {"outputs", "outputs", "results computed by formulas from channels, by name"},
    {"simulation", "simulation", "options of a run"},
    {"initial", "initial", "initial states that replace those in the section bodies, by name"},
    {"redundancy_tolerance", "number", "how far redundant joints may contradict each other"}};

namespace {

class ModelReader {
 public:
  ModelReader(YamlTree& tree, const std::string& source, const std::string& file,
              const ReadOptions& options)
      : tree_(tree), reader_(tree) {
    reader_.set_allow_outside(options.allow_outside);
    model_.file = file;
    model_.text = source;
  }

  Model read(const ParameterOverrides& overrides) {
    try {
      if (reader_.expect_map(YamlTree::root) && check_version()) {
        read_all(overrides);
        report_findings();
      }
    } catch (const TooManyMistakes&) {
      // the list has a last line that says so
    }
    auto mistakes = reader_.take_mistakes();
    if (!mistakes.empty()) throw ModelError(std::move(mistakes));
    return std::move(model_);
  }

  std::vector<std::pair<std::string, std::string>> list_texts() const {
    return includes_->list_texts();
  }

 private:
  NodeId find(std::string_view key) const { return tree_.find(YamlTree::root, key); }

  // A file of another version is not looked into any further.
  bool check_version() {
    const NodeId id = find("trammel");
    if (id == no_node) {
      reader_.report_outside("trammel", "the format version is missing",
                             "the file should start with 'trammel: 1'");
      return true;
    }
    if (tree_[id].kind == YamlNode::Kind::scalar &&
        tree_.text(id) == std::to_string(format_version)) {
      return true;
    }
    reader_.report(id, "the format version must be 1, got " + reader_.describe(id));
    return false;
  }

  void read_all(const ParameterOverrides& overrides) {
    for (const NodeId id : tree_.duplicates()) {
      reader_.report_key(id, "duplicate key");
    }
    reader_.check_keys(YamlTree::root, model_keys);
    if (const NodeId id = find("units"); id != no_node) read_units(reader_, id);
    read_parameters(reader_, find("parameters"), overrides, model_);
    places_.emplace(reader_, model_);
    reader_.set_places(*places_);
    if (const NodeId id = find("name"); id != no_node) model_.name = reader_.text(id);
    if (const NodeId id = find("dimension"); id != no_node) read_dimension(id);
    if (const NodeId id = find("gravity"); id != no_node) model_.gravity = reader_.vector(id);
    if (const NodeId id = find("redundancy_tolerance"); id != no_node) {
      model_.redundancy_tolerance = reader_.number(id);
    }
    for (const auto& [name, value] : model_.parameters) reader_.outer_parameters.insert(name);
    includes_.emplace(tree_, reader_, find("files"), model_.dimension);
    if (const NodeId id = find("include"); id != no_node) includes_->add(id);
    const auto with = [&](const char* key, auto read) {
      includes_->for_each([&](NodeId root) {
        const NodeId id = tree_.find(root, key);
        if (id != no_node && !reader_.is_full()) read(id);
      });
    };
    with("tables", [&](NodeId id) { read_tables(reader_, id, model_, table_entries_); });
    with("states", [&](NodeId id) { read_states(reader_, id, model_, state_entries_); });
    with("switches", [&](NodeId id) { read_switches(reader_, id, model_, state_entries_); });
    with("bodies", [&](NodeId id) { read_bodies(reader_, id, model_, body_entries_); });
    places_->read_waiting();
    with("initial", [&](NodeId id) { read_initial(reader_, id, model_); });
    with("joints", [&](NodeId id) { read_joints(reader_, id, model_, joint_entries_); });
    with("couplers", [&](NodeId id) { read_couplers(reader_, id, model_, coupler_entries_); });
    with("drivers", [&](NodeId id) { read_drivers(reader_, id, model_, driver_entries_); });
    for (const Joint& joint : model_.joints) reader_.joints.emplace(joint.name, &joint);
    with("forces", [&](NodeId id) { read_forces(reader_, id, model_, force_entries_); });
    with("events", [&](NodeId id) { read_events(reader_, id, model_, event_entries_); });
    with("points", [&](NodeId id) { read_points(reader_, id, model_, point_entries_); });
    with("outputs", [&](NodeId id) { read_outputs(reader_, id, model_, output_entries_); });
    with("simulation", [&](NodeId id) { read_simulation(reader_, id, model_.simulation); });
    includes_->report_unused();
  }

  // Where the dimension is not known, vectors of either length are read without complaint.
  void read_dimension(NodeId id) {
    const double dimension = reader_.number(id);
    if (dimension == 2 || dimension == 3) {
      model_.dimension = static_cast<int>(dimension);
    } else {
      reader_.report(id, "must be 2 or 3, got " + reader_.describe(id));
    }
    reader_.set_planar(dimension != 3);
  }

  // ---- what check_model finds, with its place in the file

  void report_findings() {
    const bool bodies_read = is_complete("bodies") && !reader_.is_full();
    const bool joints_read = is_complete("joints");
    for (const auto& finding : check_parts(model_, most_mistakes)) {
      const bool about_joint = finding.field == "joint" || finding.section == Section::couplers;
      if (finding.about_reference && !(about_joint ? joints_read : bodies_read)) continue;
      report_finding(finding);
    }
  }

  // False when parts of the section may be missing because they could not be read.
  bool is_complete(std::string_view key) const {
    const auto roots = includes_->roots();
    return std::all_of(roots.begin(), roots.end(),
                       [&](NodeId root) { return is_complete(tree_.find(root, key)); });
  }

  bool is_complete(NodeId section) const {
    if (section == no_node) return true;
    if (reader_.is_reported(section)) return false;
    const auto entries = reader_.children(section);
    return std::all_of(entries.begin(), entries.end(), [&](NodeId entry) {
      if (reader_.is_reported(entry) || reader_.is_reported(tree_[entry].key)) return false;
      const bool repeated = tree_.find(entry, "repeat") != no_node;
      return !repeated || !reader_.is_reported_around(entry);
    });
  }

  void report_finding(const Finding& finding) {
    // where the kind was not understood, other findings follow from that
    const bool about_kind = finding.section == Section::joints && !finding.about_reference;
    if (about_kind || finding.joint >= 0) {
      const std::size_t joint =
          about_kind ? finding.index : static_cast<std::size_t>(finding.joint);
      const NodeId kind = tree_.find(joint_entries_[joint], "kind");
      if (kind == no_node ? finding.joint >= 0 : reader_.is_reported(kind)) return;
    }
    if (finding.section == Section::couplers) {
      const NodeId kind = tree_.find(coupler_entries_[finding.index], "kind");
      if (kind == no_node || reader_.is_reported(kind)) return;
    }
    auto [id, whole] = locate(finding);
    std::string path = calc_path(model_, finding);
    if (finding.section == Section::outputs && !whole) {  // the formula alone, without a map
      whole = true;
      path = tree_.path(id);
    }
    if (id == no_node) {
      reader_.report_outside(path, finding.reason, finding.hint);
    } else if (!reader_.is_reported_around(id)) {
      reader_.report_found(id, !whole || finding.field.empty(), path, finding.reason, finding.hint,
                           finding.offset);
    }
  }

  YamlPlace locate(const Finding& finding) const {
    NodeId id = YamlTree::root;
    switch (finding.section) {
      case Section::bodies: id = body_entries_[finding.index]; break;
      case Section::joints: id = joint_entries_[finding.index]; break;
      case Section::couplers: id = coupler_entries_[finding.index]; break;
      case Section::drivers: id = driver_entries_[finding.index]; break;
      case Section::forces: id = force_entries_[finding.index]; break;
      case Section::tables: id = table_entries_[finding.index]; break;
      case Section::states: id = state_entries_[finding.index]; break;
      case Section::events: id = event_entries_[finding.index]; break;
      case Section::points: id = point_entries_[finding.index]; break;
      case Section::outputs: id = output_entries_[finding.index]; break;
      case Section::simulation: id = find("simulation"); break;
      case Section::model: break;
    }
    if (id == no_node) return {no_node, false};
    const YamlPlace place = tree_.descend(id, finding.field);
    // a finding about the model as a whole has no place when its key is not there
    return place.id == YamlTree::root ? YamlPlace{no_node, false} : place;
  }

  YamlTree& tree_;
  Reader reader_;
  Model model_;
  std::optional<Includes> includes_;
  std::optional<Places> places_;  // once the parameters are known
  std::vector<NodeId> body_entries_, joint_entries_, coupler_entries_;  // [parts]
  std::vector<NodeId> driver_entries_, force_entries_, point_entries_, output_entries_;
  std::vector<NodeId> table_entries_, state_entries_, event_entries_;
};

}  // namespace

namespace {

// A text as it was given; a number with the unit of the text that it replaces.
std::string write_override(const ParameterValue& value, std::string_view replaced) {
  if (const auto* text = std::get_if<std::string>(&value.form)) return quoted(*text);
  KnownUnit quantity;
  try {
    const Expression expression(replaced, VariableNames(), quantity);
  } catch (const ExpressionError&) {  // of other parameters: it has no unit of its own
  }
  const double number = std::get<double>(value.form);
  const bool has_unit = quantity.kind == KnownUnit::Kind::known && !quantity.dimension.is_angle();
  return has_unit ? fmt::format("{} {}", number, to_text(quantity.dimension))
                  : fmt::format("{}", number);
}

// The text of the file with the values that replaced parameters in it: results read back have the model of
// their run.
std::string write_overrides(const YamlTree& tree, std::string text,
                            const ParameterOverrides& overrides) {
  const NodeId section = tree.find(YamlTree::root, "parameters");
  if (section == no_node) return text;
  std::map<std::size_t, std::pair<std::size_t, std::string>, std::greater<>>
      places;  // from the end
  for (const auto& override : overrides) {
    const NodeId id = tree.find(section, override.first);
    if (id == no_node || tree[id].kind != YamlNode::Kind::scalar) continue;
    std::size_t begin = tree[id].offset, size = tree[id].text_size;
    const bool is_quoted = text[begin] == '"' || text[begin] == '\'';
    if (text.compare(begin + (is_quoted ? 1 : 0), size, tree.text(id)) != 0) continue;  // folded
    if (is_quoted) size += 2;
    places[begin] = {size, write_override(override.second, tree.text(id))};
  }
  for (const auto& [begin, place] : places) text.replace(begin, place.first, place.second);
  return text;
}

// The texts of the included files as the section `files`: what is kept with results is the whole model.
std::string add_files(const YamlTree& tree, std::string text,
                      const std::vector<std::pair<std::string, std::string>>& files) {
  if (files.empty()) return text;
  const std::size_t begin = tree[YamlTree::root].offset;
  const bool is_flow = begin < text.size() && text[begin] == '{';  // JSON, or one flow map
  std::string section;
  for (const auto& [name, content] : files) {
    section += fmt::format("{}  {}: {}",
                           section.empty() ? ""
                           : is_flow       ? ",\n"
                                           : "\n",
                           quoted(name), quoted(content));
  }
  if (is_flow) {
    const std::size_t close = text.rfind('}');
    return text.substr(0, close) + ",\n\"files\": {\n" + section + "}\n" + text.substr(close);
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text + "files:\n" + section + '\n';
}

}  // namespace

Model read_model_text(const std::string& text, const std::string& name,
                      const ParameterOverrides& overrides, const ReadOptions& options) {
  YamlTree tree(text, name);
  ModelReader reader(tree, text, name, options);
  Model model = reader.read(overrides);
  if (!overrides.empty()) model.text = write_overrides(tree, model.text, overrides);
  model.text = add_files(tree, std::move(model.text), reader.list_texts());
  return model;
}

Model read_model(const std::string& path, const ParameterOverrides& overrides,
                 const ReadOptions& options) {
  return read_model_text(read_source_text(path), path, overrides, options);
}

// The reader has checked the model, with the places of errors in the file.
CheckedModel read_checked_model(const std::string& path, const ParameterOverrides& overrides,
                                const ReadOptions& options) {
  return {read_model(path, overrides, options), CheckedModel::Known{}};
}

}  // namespace trammel
