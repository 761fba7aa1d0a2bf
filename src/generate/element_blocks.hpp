// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of single elements: what a force, a joint or a row of coordinates does to its bodies, and how
// that changes with their positions, their velocities and the numbers of the element,
//
//   f,   ∂f/∂(δr, φ),   ∂f/∂(δv, δΩ),   ∂f/∂parameters        f: force (world) and torque (body frame)
//   of joints and rows of coordinates f = Jᵀλ with λ held
//
// in the local directions of acceleration_jacobian.hpp. Each element is recorded once, with its numbers as
// inputs, and the tape differentiated and compiled (math/derivatives.hpp); elements with the same tape share
// the code: one for each kind, and for numbers that are 0 or ±1 in the same places, which fold away.
// Without machine code the tape itself is executed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "generate/machine_code.hpp"
#include "math/derivatives.hpp"
#include "system/system.hpp"
#include "system/workspace.hpp"

namespace trammel {

enum class ElementParts { all, forces };

template <class Space>
class ElementBlocks {
 public:
  // by_parameters: blocks by the numbers of the elements as well; then none of them is folded away.
  // Throws NotDifferentiable for elements without derivatives (joints on curves).
  explicit ElementBlocks(const SystemIn<Space>& system, bool by_parameters = false,
                         ElementParts parts = ElementParts::all);
  ~ElementBlocks();

  // Forces in the order of the system (elements/forces/forces.hpp), then joints, then coordinate rows
  // where they were asked for.
  int size() const { return static_cast<int>(elements_.size()); }
  int n_forces() const { return n_forces_; }
  // [n] that an element acts on or depends on, without the ground
  std::span<const int> bodies_of(int element) const { return elements_[element].bodies; }

  struct Blocks {
    std::span<const int> bodies;   // [n] that the element acts on or depends on, without the ground
    std::span<const int> numbers;  // [p] which numbers of the system it is differentiated by
    int size;                      // n_u · n: rows of all blocks
    const double* load;            // [size]
    const double* by_position;     // [size × size] by rows
    const double* by_velocity;     // [size × size]
    const double* by_parameter;    // [size × p]
    bool is_smooth;                // false: no derivative there, as at a spring of length 0
  };
  // At the poses, the time, the references and, of joints, the multipliers in ws. Valid until the next call.
  Blocks calc(int element, const Workspace<double, Space>& ws);

  // How many codes there are for all elements.
  int n_codes() const { return static_cast<int>(codes_.size()); }

  // ---- for tests: the load as a tape, and what it reads
  const Tape& load_tape(int element) const;
  static constexpr int inputs = 0, numbers = 1, results = 2;  // its arrays
  std::vector<double> gather_inputs(int element, const Workspace<double, Space>& ws) const;
  const std::vector<double>& numbers_of(int element) const { return elements_[element].values; }

  // Numbers of a pose among the inputs: r, R by rows (in the plane cos β, sin β), v, Ω.
  static constexpr int n_rotation = Space::dimension == 3 ? 9 : 2;
  static constexpr int pose_size = 2 * Space::dimension + n_rotation + Space::n_angular;

 private:
  class Recorder;
  struct Code;
  struct Element {
    std::vector<int> bodies;     // [n] a place among the inputs each
    std::vector<int> given;      // what else it reads of the workspace, behind the poses
    std::vector<int> numbers;    // [p] indices of numbers of the system …
    std::vector<double> values;  // [p] and their values
    Code* code;
  };

  // What an element may read besides poses: time, references, states, multipliers, by index.
  static double read(const Workspace<double, Space>& ws, int given);
  void gather(const Element& element, const Workspace<double, Space>& ws, double* into) const;

  int n_forces_ = 0;
  std::vector<Element> elements_;
  std::vector<std::unique_ptr<Code>> codes_;
};

}  // namespace trammel
