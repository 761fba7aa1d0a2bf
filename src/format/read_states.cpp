// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The section `states`: numbers that are integrated together with the motion, or sampled.
//
//   i: {initial: 0, rate: goal - shoulder.angle}
//   u: {period: 0.001, next: kp*(goal - shoulder.angle) + ki*i}
#include "format/model_keys.hpp"
#include "format/read_sections.hpp"
#include "format/repeat.hpp"

namespace trammel {

const Keys state_keys = {
    {"initial", "number", "value at t = 0; default: 0"},
    {"rate", "function", "its derivative by time: of t, the state and all states"},
    {"period", "number", "of a sampled state, s"},
    {"next", "function", "value of a sampled state from the next sample on"},
    {"scale", "number", "of its error: the tolerance is scale*atol + rtol*|x|; default: 1"},
    {"unit", "text", "for reports"},
    {"repeat", "repeat", "indices of a repeated entry"},
    {"let", "let", "local names"}};

void read_states(Reader& reader, NodeId section, Model& model, std::vector<NodeId>& entries) {
  read_section(reader, section, model.states, entries, [&](NodeId entry, StateVariable& state) {
    reader.check_keys(entry, state_keys);
    reader.state_names.insert(state.name);
    state.initial = reader.number_or(entry, "initial", 0.0);
    state.scale = reader.number_or(entry, "scale", 1.0);
    if (const NodeId unit = reader.find(entry, "unit"); unit != no_node) {
      state.unit = reader.text(unit);
    }
    const NodeId rate = reader.find(entry, "rate"), next = reader.find(entry, "next");
    const NodeId period = reader.find(entry, "period");
    if (period != no_node) state.period = reader.number(period);
    if (period == no_node && next != no_node) {
      reader.report_key(next, "requires 'period'", "a continuous state has a 'rate'");
    } else if (period != no_node && rate != no_node) {
      reader.report_key(rate, "a sampled state has no 'rate'", "write 'next', its next value");
    } else if (period != no_node ? next == no_node : rate == no_node) {
      reader.need(entry, period != no_node ? "next" : "rate");
    } else {
      state.rate = read_function(reader, period != no_node ? next : rate);
    }
  });
}

}  // namespace trammel
