// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of one run in arrays that interleave several runs (lanes): number k is at [stride·k].
#pragma once

namespace trammel {

struct LaneNumbers {
  const double* first;
  int stride;
  double operator[](int k) const { return first[k * stride]; }
  LaneNumbers from(int offset) const { return {first + offset * stride, stride}; }
};

}  // namespace trammel
