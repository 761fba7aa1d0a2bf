// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The bodies and joints of a model by name, for a model that check_model accepts: each name is found in
// constant time, and every name that a part of the model refers to exists.
#pragma once

#include <string>

#include "model/name_table.hpp"
#include "trammel/model.hpp"

namespace trammel {

class ModelIndex {
 public:
  explicit ModelIndex(const Model& model)
      : model_(model), bodies_(model.bodies), joints_(model.joints) {}

  const Model& model() const { return model_; }
  const NameTable& bodies() const { return bodies_; }
  int n_bodies() const { return static_cast<int>(model_.bodies.size()); }

  // The ground is numbered after the bodies.
  int body(const std::string& name) const {
    return name == ground ? n_bodies() : static_cast<int>(bodies_.find(name));
  }
  int joint(const std::string& name) const { return static_cast<int>(joints_.find(name)); }
  const Joint& joint_of(const std::string& name) const {
    return model_.joints[static_cast<std::size_t>(joints_.find(name))];
  }

 private:
  const Model& model_;
  NameTable bodies_, joints_;
};

}  // namespace trammel
