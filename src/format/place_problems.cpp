// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "format/place_problems.hpp"

#include "format/reader.hpp"

namespace trammel {

namespace {

// Where the word is in the formula.
std::size_t find_offset(const YamlTree& tree, NodeId formula, const std::string& word) {
  if (word.empty() || tree[formula].kind != YamlNode::Kind::scalar) return 0;
  for (const auto& [name, offset] : list_names(tree.text(formula))) {
    if (name == word) return offset;
  }
  return 0;
}

}  // namespace

std::vector<Mistake> place_problems(const std::vector<ChannelProblem>& problems,
                                    const std::string& text) {
  std::vector<Mistake> mistakes;
  for (const ChannelProblem& problem : problems) {
    mistakes.push_back({{}, 0, 0, problem.path, problem.reason, problem.hint});
  }
  if (text.empty()) return mistakes;
  try {
    const YamlTree tree(text, {});
    Reader reader(tree);
    for (const ChannelProblem& problem : problems) {
      const YamlPlace place = tree.descend(YamlTree::root, problem.path);
      if (place.id == YamlTree::root) {
        reader.report_outside(problem.path, problem.reason, problem.hint);
        continue;
      }
      // a formula is given as a text, or as the key `formula` of a map
      const bool about_formula = problem.path.ends_with(".formula");
      const std::string path = about_formula && !place.whole ? tree.path(place.id) : problem.path;
      reader.report_found(place.id, !about_formula, path, problem.reason, problem.hint,
                          find_offset(tree, place.id, problem.word));
    }
    return reader.take_mistakes();
  } catch (const ModelError&) {  // not the text of a model file
    return mistakes;
  }
}

}  // namespace trammel
