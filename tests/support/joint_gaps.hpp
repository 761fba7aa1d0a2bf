// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// How far joints are open in recorded states, from what each kind of joint is (docs/reference/joints): points,
// axes and planes of both bodies. Independent of the equations inside the library; it uses the public
// API only.
#pragma once

#include <memory>
#include <string>
#include <trammel/trammel.hpp>
#include <vector>

namespace trammel::test {

// One condition of a joint, coupler or driver at one instant.
struct GapRow {
  double value = 0.0;     // m or rad
  double rate = 0.0;      // m/s or rad/s
  bool is_length = true;  // m, else rad or a sine
};

struct Gap {
  std::string name;   // of the joint, coupler or driver
  double size = 0.0;  // m, of the smaller of the two bodies it joins
  std::vector<GapRow> rows;

  double position() const;  // largest |value|, as given
  double velocity() const;  // largest |rate|
  double relative() const;  // largest |value| with lengths divided by `size`
};

class ModelGeometry;  // model_geometry.hpp

// The model's geometry, worked out once.
class JointGaps {
 public:
  explicit JointGaps(const Model& model);
  ~JointGaps();
  JointGaps(const JointGaps&) = delete;
  JointGaps& operator=(const JointGaps&) = delete;

  // The size of a body: the largest distance of a joint's point on it from its centre of mass, the
  // size of its shapes, or its radius of gyration, whichever is longest; the last counts up to the
  // extent of the model, since a flywheel may have any moment of inertia.
  double size_of(const std::string& body) const;

  // All joints, then couplers and drivers as far as they are known (no tables, no rates) at a
  // recorded row; positions, velocities and coordinates must have been recorded.
  std::vector<Gap> calc(const Results& results, std::size_t row) const;

 private:
  std::unique_ptr<const ModelGeometry> geometry_;
};

// The largest over all rows of the results.
struct WorstGap {
  double position = 0.0, velocity = 0.0, relative = 0.0;
  std::string name;  // where `relative` was largest
  double t = 0.0;
};
WorstGap find_worst_gap(const Model& model, const Results& results, std::size_t stride = 1);

// f(t) of a driver that has a number or a formula; NaN for others.
double calc_value(const Function& function, const Model& model, double t);

}  // namespace trammel::test
