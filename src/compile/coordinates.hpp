// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The part of `compile` that knows coordinates: which there are, the rows of screws, couplers and
// drivers on them, and their numbers. Two steps, because the topology comes before the numbers.
#pragma once

#include <string>
#include <vector>

#include "compile/body_frames.hpp"
#include "model/coordinates.hpp"
#include "system/system.hpp"
#include "trammel/model.hpp"

namespace trammel {

template <class Space>
class CoordinateCompiler {
 public:
  explicit CoordinateCompiler(const BodyFrames<Space>& frames);

  // ---- before make_topology
  std::vector<CoordinateTopology> list_coordinates() const;
  std::vector<CoordinateRowRequest> list_rows() const;
  // The coordinate of a joint that has it.
  int find(const std::string& joint, JointCoordinate coordinate) const;

  // ---- after it, with the joints' numbers, principal axes and lengths in the system
  void compile(SystemIn<Space>& system) const;

 private:
  // A coordinate: of a joint, made by a driver for itself, or of two frames.
  struct Listed {
    int joint = -1;
    JointCoordinate coordinate = JointCoordinate::travel;
    int driver = -1;     // of the model
    int component = -1;  // of a PointDriver; −1: a distance
    int pair = -1;       // of frames
    bool is_angle() const { return joint >= 0 && trammel::is_angle(coordinate); }
  };
  // A coordinate of two frames: vectors and points in the frames of the bodies.
  struct FramePair {
    CoordinateKind kind;
    std::string name;             // "mesh.wheel.angle"
    std::string of, axis, power;  // of its load: "mesh.wheel." + "torque" + "", and power
    int body_i, body_j;
    V vector_i[2], vector_j[2];
    V point_i, point_j;
  };
  // A row with its numbers.
  struct Row {
    CoordinateRowRequest request;
    std::string name;
    std::vector<double> coefficients;
    double factor = 1.0;
    std::string load;               // "gear.", "motor.": what the names of its loads start with
    std::optional<Function> drive;  // of a driver
    std::optional<double> value;
    void add(int coordinate, double coefficient) {
      request.coordinates.push_back(coordinate);
      request.functions.push_back(-1);
      coefficients.push_back(coefficient);
    }
  };

  void list_joints();
  void add_screws();
  void add_couplers();
  void add_drivers();
  void add_frame_driver(int driver, const std::string& name, const FrameDriver& law);
  int add_pair(FramePair pair);
  FramePair make_pair(CoordinateKind kind, const FrameCoordinate& of) const;
  int add_coordinate(int driver, int component);
  void add_driven_row(int driver, int coordinate, const std::string& name, const Function& value,
                      bool is_rate);
  double calc_start(const Listed& of) const;
  double find_near(const Listed& of, double drawn) const;

  std::string make_name(const Listed& of) const;
  void compile_coordinate(const Listed& of, SystemIn<Space>& system) const;
  void compile_framed(const Listed& of, const FramePlacement& frames,
                      SystemIn<Space>& system) const;
  void compile_pair(const FramePair& pair, SystemIn<Space>& system) const;
  void compile_own(const Listed& of, SystemIn<Space>& system) const;
  void compile_loads(SystemIn<Space>& system) const;
  void compile_references(SystemIn<Space>& system) const;
  void compile_row(std::size_t index, SystemIn<Space>& system) const;

  const BodyFrames<Space>& frames_;
  const Model& model_;
  std::vector<Listed> listed_;       // [coordinates]
  std::vector<int> first_of_joint_;  // [joints + 1]
  std::vector<Row> rows_;            // [coordinate rows]
  std::vector<FramePair> pairs_;
  // of terms f(q), with the name of q
  std::vector<std::pair<Function, std::string>> functions_;
};

}  // namespace trammel
