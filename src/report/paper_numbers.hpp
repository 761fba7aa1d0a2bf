// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers printed in the paper's tables of run characteristics (section "Test runs").
#pragma once

#include <string>

namespace trammel {

// A column of a table; −1 where the paper prints nothing.
struct PaperNumbers {
  double accepted, rejected;
  double iterations_average, iterations_max;
  double dist, proj;
  double cpu_dist, cpu_proj, cpu_total;  // s, on a 1.75 GHz PC
  double dg, d2g, d3g, df_inv, d2f_inv;
};

const PaperNumbers& find_paper_numbers(const std::string& model, const std::string& variant,
                                       bool energy);

}  // namespace trammel
