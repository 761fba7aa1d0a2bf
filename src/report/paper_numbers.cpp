// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "report/paper_numbers.hpp"

#include <map>
#include <tuple>

namespace trammel {

const PaperNumbers& find_paper_numbers(const std::string& model, const std::string& variant,
                                       bool energy) {
  // steps, rejected | Newton | #dist, #proj | CPU dist, proj, total | #dg, #d²g, #d³g, #df, #d²f
  static const std::map<std::tuple<std::string, std::string, bool>, PaperNumbers> table = {
      {{"pendulum", "quasi_orthogonal", true},
       {164, 36, 0.97, 8, 1395, 1280, 0.84, 1.65, 2.53, 4856, 9669, -1, 1211, 397}},
      {{"pendulum", "orthogonal", true},
       {151, 12, 1.43, 4, 1136, 1070, 0.69, 4.30, 5.05, 6124, 18372, 0, 631, 25}},
      {{"quadrangle", "quasi_orthogonal", true},
       {1300, 168, 3.25, 265, 10139, 9721, 42.46, 175.66, 218.91, 47842, 613105, -1, 27958, 12194}},
      {{"quadrangle", "orthogonal", true},
       {1218, 149, 1.82, 4, 9427, 10932, 40.95, 457.73, 499.41, 57473, 977041, 52388, 14961, 4746}},
      {{"crank", "quasi_orthogonal", true},
       {2086, 352, 6.69, 215, 16859, 13358, 88.08, 757.65, 848.67, 124303, 1778438, -1, 108843,
        58003}},
      {{"crank", "orthogonal", true},
       {2070, 113, 2.61, 6, 15175, 17458, 78.44, 3198.90, 3292.00, 123597, 2101149, 36758, 31219,
        10981}},
      {{"pendulum", "quasi_orthogonal", false},
       {153, 23, 0.929, 2, -1, 795, -1, -1, 1.98, 4158, -1, -1, -1, -1}},
      {{"pendulum", "orthogonal", false},
       {152, 13, 0.987, 4, -1, 833, -1, -1, 4.80, 5885, -1, -1, -1, -1}},
      {{"quadrangle", "quasi_orthogonal", false},
       {1487, 181, 0.113, 2, -1, 4332, -1, -1, 95.03, 32003, -1, -1, -1, -1}},
      {{"quadrangle", "orthogonal", false},
       {1226, 161, 0.995, 3, -1, 6852, -1, -1, 301.05, 40476, -1, -1, -1, -1}},
      {{"crank", "quasi_orthogonal", false},
       {1996, 87, 0.325, 2, -1, 7133, -1, -1, 191.27, 45054, -1, -1, -1, -1}},
      {{"crank", "orthogonal", false},
       {2077, 129, 1.42, 5, -1, 11147, -1, -1, 2099.30, 87018, -1, -1, -1, -1}},
  };
  return table.at({model, variant, energy});
}

}  // namespace trammel
