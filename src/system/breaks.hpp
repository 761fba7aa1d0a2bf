// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The times at which given functions of time are less smooth than a Runge–Kutta method assumes: the
// points of tables (splines are twice continuously differentiable) and the ends of step(t, …). A
// step that ends there keeps the order of the method, and its error estimate can be trusted.
#pragma once

#include <vector>

#include "system/parameters.hpp"

namespace trammel {

// Within (0, t_end), in order, each once; at most a million.
template <class Space>
std::vector<double> find_breaks(const Parameters<double, Space>& parameters, double t_end);

}  // namespace trammel
