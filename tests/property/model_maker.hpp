// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Models of all sorts for property tests: random trees and loops of every kind of joint with sizes
// and masses spread over factors of ten, linkages with small errors in their axes, and model files
// with numbers changed, joints exchanged and doubled. A number chooses the model.
#pragma once

#include <string>
#include <trammel/trammel.hpp>
#include <vector>

#include "support/random_model.hpp"

namespace trammel::test {

class ModelMaker {
 public:
  // All model files below the folder are read once.
  explicit ModelMaker(const std::string& models_folder);

  // The model of this number; its simulation options are set: short, bounded in steps.
  Model make(unsigned seed, unsigned number) const;

 private:
  std::vector<Model> files_;
};

}  // namespace trammel::test
