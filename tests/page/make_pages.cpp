// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Pages for the browser tests that are not a run of a model as it is: comparisons, runs that failed
// or recorded nothing, large ones.
//
// Usage: make_pages FOLDER
#include <cmath>
#include <cstdio>
#include <exception>
#include <trammel/page.hpp>
#include <trammel/trammel.hpp>

namespace {

using namespace trammel;

Results run_model(const char* file, double t_end, bool energy, double rtol = 0.0) {
  Model model = read_model(std::string(TRAMMEL_MODELS_DIR "/") + file);
  model.simulation.t_end = t_end;
  model.simulation.hold_energy = energy;
  if (rtol > 0.0) model.simulation.rtol = model.simulation.atol = rtol;
  return simulate(compile(model), model.simulation);
}

Results make_failed() {
  Results results = run_model("paper/crank.yaml", 1.5, true);
  results.options.t_end = 10.0;
  results.status = {Outcome::step_too_small, 1.5,
                    "failed at t = 1.5 s: constraint pin.C.x became "
                    "dependent on others (singular position)"};
  results.warnings = {"the first warning", "the second <b>warning</b>"};
  return results;
}

// As simulate leaves it when the first acceleration fails.
Results make_empty() {
  Results results = run_model("paper/crank.yaml", 0.1, true);
  for (std::vector<double>* column :
       {&results.time, &results.position, &results.orientation, &results.velocity,
        &results.angular_velocity, &results.reaction_force, &results.reaction_moment,
        &results.kinetic, &results.potential, &results.external_work, &results.balance_error,
        &results.violation_position, &results.violation_velocity}) {
    column->clear();
  }
  results.steps.clear();
  results.final.clear();
  results.counts = {};
  results.status = {Outcome::step_too_small, 0.0,
                    "failed at t = 0 s: the acceleration of body "
                    "'crank' is not finite"};
  return results;
}

// As a results file leaves it that was told to record less.
Results make_partial() {
  Results results = run_model("paper/crank.yaml", 1.0, true);
  results.orientation.clear();
  results.reaction_moment.clear();
  return results;
}

// `bodies` beads on a carpet that waves, at `rows` times: made, not simulated.
Results make_wave(int bodies, std::size_t rows, std::size_t steps) {
  Results results;
  results.version = version();
  results.model_name = "wave";
  results.options.t_end = 100.0;
  results.status = {Outcome::finished, 100.0, "reached the end at t = 100 s"};
  results.check.bodies = bodies;
  results.check.joints = bodies;
  results.scene.gravity = {0, 0, -9.81};
  results.scene.length = 0.1;
  for (int b = 0; b < bodies; ++b) {
    const std::string name = "bead_" + std::to_string(b);
    results.body_names.push_back(name);
    results.joint_names.push_back("link_" + std::to_string(b));
    SceneBody body;
    body.name = name;
    body.mass = 1.0;
    if (b % 3 == 0) body.shapes = {{Box{{0.15, 0.06, 0.06}}, {}, {}, {1, 0, 0, 0}}};
    if (b % 3 == 1) body.shapes = {{Cylinder{0.04, 0.15}, {}, {}, {0.5, 0.5, 0.5, 0.5}}};
    if (b % 3 == 2) body.shapes = {{Sphere{0.06}, {}, {}, {1, 0, 0, 0}}};
    results.scene.bodies.push_back(body);
    SceneJoint joint;
    joint.name = results.joint_names.back();
    joint.kind = b % 2 == 0 ? "spherical" : "revolute";
    joint.body_i = b - 1;  // the ground for the first
    joint.body_j = b;
    joint.point_i = b == 0 ? Vec3{-0.1, 0, 0} : Vec3{0.1, 0, 0};
    joint.point_j = {-0.1, 0, 0};
    if (b % 2 == 1) joint.axis_i = joint.axis_j = {0, 1, 0};
    results.scene.joints.push_back(joint);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = 100.0 * static_cast<double>(i) / static_cast<double>(rows - 1);
    results.time.push_back(t);
    for (int b = 0; b < bodies; ++b) {
      const double phase = 2.0 * t - 0.1 * b, angle = 0.4 * std::cos(phase);
      for (double x : {0.2 * (b % 40), 0.3 * (b / 40), 0.5 * std::sin(phase)}) {
        results.position.push_back(x);
      }
      for (double x : {std::cos(angle / 2), 0.0, -std::sin(angle / 2), 0.0}) {
        results.orientation.push_back(x);
      }
      for (double x : {0.0, 0.0, std::cos(phase)}) results.velocity.push_back(x);
      for (double x : {0.0, 0.8 * std::sin(phase), 0.0}) results.angular_velocity.push_back(x);
      for (double x : {1.0, 2.0, std::sin(phase)}) results.reaction_force.push_back(x);
      for (double x : {0.0, 0.0, 0.0}) results.reaction_moment.push_back(x);
    }
    results.kinetic.push_back(std::pow(std::cos(t), 2));
    results.potential.push_back(std::pow(std::sin(t), 2));
    results.external_work.push_back(0.0);
    results.balance_error.push_back(1e-12 * std::sin(40.0 * t));
    // one peak of a single row: thinning must not lose it
    results.violation_position.push_back(i == rows / 3 ? 1e-3 : 1e-14);
    results.violation_velocity.push_back(1e-13);
  }
  for (std::size_t k = 0; k < steps; ++k) {
    const double h = 100.0 / static_cast<double>(steps);
    results.steps.push_back({h * static_cast<double>(k), h, 0.5, k % 7 == 0 ? 3 : 1, k % 50 != 0});
  }
  return results;
}

void make_pages(const std::string& folder) {
  write_page(make_failed(), folder + "/failed.html");
  write_page(make_empty(), folder + "/empty.html");
  write_page(make_partial(), folder + "/partial.html");
  // with and without energy, and at another tolerance: told apart by what differs
  write_page({run_model("paper/crank.yaml", 10, true), run_model("paper/crank.yaml", 10, false),
              run_model("paper/crank.yaml", 10, true, 1e-4)},
             folder + "/compare.html");
  write_page(
      {run_model("paper/pendulum.yaml", 5, true), run_model("paper/quadrangle.yaml", 3, true)},
      folder + "/two-models.html", {"a.h5", "a.h5"});
  write_page(make_wave(3, 100'000, 100'000), folder + "/large.html");
  write_page(make_wave(1000, 400, 1000), folder + "/thousand.html");
  // far from the origin: a mechanism of a metre at 10⁷ m
  Results far = run_model("paper/crank.yaml", 10, true);
  for (std::size_t i = 0; i < far.position.size(); i += 3) far.position[i] += 1e7;
  for (SceneJoint& joint : far.scene.joints) {
    if (joint.body_i == ground_index) joint.point_i[0] += 1e7;
    if (joint.body_j == ground_index) joint.point_j[0] += 1e7;
  }
  write_page(far, folder + "/far.html");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: make_pages FOLDER");
    make_pages(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_pages: %s\n", error.what());
    return 1;
  }
  return 0;
}
