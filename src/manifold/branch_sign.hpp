// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The sign of det J where joints and drivers leave no degree of freedom and J, without redundant rows, is
// square. It is constant on a branch of the motion: where it changes the motion has passed a singular
// position, at which two branches meet, or has gone from one to another that comes very close.
#pragma once

#include <vector>

#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

template <class Space>
class BranchSign {
 public:
  explicit BranchSign(const SystemIn<Space>& system) : system_(system) {}

  // Needs the rows and the mask of a point in ws, whose scratch it uses. true: the sign is not that of
  // the point before. false too where it cannot be compared: other rows are kept, or J is large.
  bool changes(Workspace<double, Space>& ws);

  // The point of the last call becomes the one to compare with.
  void accept() {
    sign_ = asked_sign_;
    mask_.swap(asked_mask_);
  }

 private:
  int calc_sign(Workspace<double, Space>& ws) const;

  const SystemIn<Space>& system_;
  int sign_ = 0, asked_sign_ = 0;  // 0: not known
  std::vector<double> mask_, asked_mask_;
};

}  // namespace trammel
