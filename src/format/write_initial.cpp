// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// to_text, write_model: the section `initial` of a model file, written into the file's text, which is otherwise
// unchanged. The bodies keep their given positions, because joints placed in the world refer to those.
#include <fmt/format.h>

#include "format/atomic_file.hpp"
#include "format/quoted.hpp"
#include "format/yaml_tree.hpp"
#include "trammel/trammel.hpp"

namespace trammel {
namespace {

template <std::size_t n>
std::string list_numbers(const std::array<double, n>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

std::string describe(const BodyState& state, bool planar) {
  if (!planar) {
    return fmt::format(
        "{{\"position\": {}, \"orientation\": {{\"euler_parameters\": {}}}, \"velocity\": {}, "
        "\"angular_velocity\": {}}}",
        list_numbers(state.position), list_numbers(state.orientation), list_numbers(state.velocity),
        list_numbers(state.angular_velocity));
  }
  return fmt::format(
      "{{\"position\": [{}, {}], \"orientation\": {{\"euler_parameters\": {}}}, \"velocity\": "
      "[{}, {}], \"angular_velocity\": {}}}",
      state.position[0], state.position[1], list_numbers(state.orientation), state.velocity[0],
      state.velocity[1], state.angular_velocity[2]);
}

// One line per body.
std::string write_section(const Model& model, const std::vector<BodyState>& start,
                          const char* indent, const char* separator) {
  std::string text;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {  // without rotors
    text += fmt::format("{}{}{}: {}", b == 0 ? "" : separator, indent, quoted(model.bodies[b].name),
                        describe(start[b], model.dimension == 2));
  }
  return text;
}

// The first byte of the line.
std::size_t begin_of_line(const std::string& text, std::size_t at) {
  const std::size_t end = text.rfind('\n', at == 0 ? 0 : at - 1);
  return at == 0 || end == std::string::npos ? 0 : end + 1;
}

}  // namespace

std::string to_text(const Model& model, const std::vector<BodyState>& start) {
  std::string text = model.text;
  const YamlTree tree(text, model.file);
  const NodeId old = tree.find(YamlTree::root, "initial");
  if (text[tree[YamlTree::root].offset] == '{') {  // JSON, or one flow map
    if (old != no_node) {
      throw ModelError({Mistake{
          model.file, static_cast<int>(tree[old].line), static_cast<int>(tree[old].column),
          "initial", "is already in the file and cannot be replaced in this format", "remove it"}});
    }
    const std::size_t close = text.rfind('}');
    return text.substr(0, close) + ",\n\"initial\": {\n" +
           write_section(model, start, "  ", ",\n") + "}\n" + text.substr(close);
  }
  if (old != no_node) {  // to the line of the next key, or the end
    const std::size_t begin = begin_of_line(text, tree[tree[old].key].offset);
    const NodeId next = tree[old].next_sibling;
    const std::size_t end =
        next == no_node ? text.size() : begin_of_line(text, tree[tree[next].key].offset);
    text.erase(begin, end - begin);
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text + "initial:\n" + write_section(model, start, "  ", "\n") + '\n';
}

void write_model(const Model& model, const std::vector<BodyState>& start, const std::string& path) {
  write_file(path, to_text(model, start));
}

}  // namespace trammel
