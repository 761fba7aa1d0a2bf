// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// SUNDIALS as an expert would use it, with the right-hand side of absolute_problem.hpp:
//
//   ERKStep   Dormand–Prince 5(4), Fehlberg 8(7), projection after each accepted step
//   CVODE     BDF with coordinate projection (CVodeSetProjFn)
//   IDA       stabilised index-2 form (GGL), Jacobian by differences
//
// and as a control our own right-hand side and projection under the same ERKStep methods.
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "absolute_problem.hpp"
#include "cpu_clock.hpp"
#include "own_problem.hpp"

using namespace trammel::bench;

namespace {

constexpr long most_steps = 1'000'000;

// ---- owners of what the C library hands out

class Context {
 public:
  Context() { SUNContext_Create(nullptr, &context_); }
  ~Context() { SUNContext_Free(&context_); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  operator SUNContext() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

class Vector {
 public:
  Vector(int n, SUNContext context) : vector_(N_VNew_Serial(n, context)) { N_VConst(0.0, vector_); }
  ~Vector() { N_VDestroy(vector_); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  operator N_Vector() const { return vector_; }
  double* data() const { return NV_DATA_S(vector_); }

 private:
  N_Vector vector_;
};

class DenseSolver {
 public:
  DenseSolver(const Vector& like, int n, SUNContext context)
      : matrix(SUNDenseMatrix(n, n, context)), solver(SUNLinSol_Dense(like, matrix, context)) {}
  ~DenseSolver() {
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
  }
  DenseSolver(const DenseSolver&) = delete;
  DenseSolver& operator=(const DenseSolver&) = delete;
  SUNMatrix matrix;
  SUNLinearSolver solver;
};

// ---- callbacks

// The problem and how closely it is projected at the tolerance of the run.
template <class Problem>
struct UserData {
  Problem* problem;
  double projection_tolerance;
};

template <class Problem>
int calc_rate(realtype, N_Vector y, N_Vector rate, void* user) {
  static_cast<UserData<Problem>*>(user)->problem->calc_rate(NV_DATA_S(y), NV_DATA_S(rate));
  return 0;
}

template <class Problem>
int finish_step(realtype, N_Vector y, void* user) {
  auto* data = static_cast<UserData<Problem>*>(user);
  return data->problem->project(NV_DATA_S(y), data->projection_tolerance) ? 0 : 1;
}

int calc_correction(realtype, N_Vector y, N_Vector correction, realtype, N_Vector, void* user) {
  auto* data = static_cast<UserData<AbsoluteProblem>*>(user);
  const int n = data->problem->dimension();
  double projected[13 * AbsoluteProblem::most_bodies];
  std::copy_n(NV_DATA_S(y), n, projected);
  if (!data->problem->project(projected, data->projection_tolerance)) return 1;
  for (int i = 0; i < n; ++i) NV_DATA_S(correction)[i] = projected[i] - NV_DATA_S(y)[i];
  return 0;
}

int calc_residual(realtype, N_Vector y, N_Vector rate, N_Vector residual, void* user) {
  static_cast<UserData<AbsoluteProblem>*>(user)->problem->calc_residual(
      NV_DATA_S(y), NV_DATA_S(rate), NV_DATA_S(residual));
  return 0;
}

// ---- the loop, the same for all integrators

// advance(t) takes one step or, without observer, all of them; it returns SUNDIALS' flag.
template <class Problem, class Advance>
PeerRun integrate(Problem& problem, const double* y, double t_end, const Observer& observer,
                  Advance&& advance) {
  problem.evaluations = 0;
  PeerRun run;
  const double begin = cpu_now();
  realtype t = 0.0;
  int flag = 0;
  while (t < t_end && flag >= 0) {
    flag = advance(&t);
    if (observer && flag >= 0) observer(t, problem.make_poses(y));
  }
  run.cpu = cpu_now() - begin;
  run.evaluations = static_cast<double>(problem.evaluations);
  run.finished = flag >= 0;
  return run;
}

template <class Problem>
PeerRun run_erk(SUNContext context, Problem& problem, ARKODE_ERKTableID table, double t_end,
                double tolerance, const Observer& observer) {
  Vector y(problem.dimension(), context);
  problem.put_start(y.data());
  UserData<Problem> user{&problem, std::max(1e-13, 0.1 * tolerance)};
  void* memory = ERKStepCreate(calc_rate<Problem>, 0.0, y, context);
  ERKStepSetTableNum(memory, table);
  ERKStepSStolerances(memory, tolerance, tolerance);
  ERKStepSetUserData(memory, &user);
  ERKStepSetPostprocessStepFn(memory, finish_step<Problem>);
  ERKStepSetStopTime(memory, t_end);
  ERKStepSetMaxNumSteps(memory, most_steps);
  ERKStepSetErrFile(memory, nullptr);
  const PeerRun run = integrate(problem, y.data(), t_end, observer, [&](realtype* t) {
    return ERKStepEvolve(memory, t_end, y, t, observer ? ARK_ONE_STEP : ARK_NORMAL);
  });
  ERKStepFree(&memory);
  return run;
}

PeerRun run_cvode(SUNContext context, AbsoluteProblem& problem, double t_end, double tolerance,
                  const Observer& observer) {
  const int n = problem.dimension();
  Vector y(n, context);
  problem.put_start(y.data());
  // the history of a multistep method needs the smoother projection
  UserData<AbsoluteProblem> user{&problem, std::max(1e-13, 1e-4 * tolerance)};
  DenseSolver dense(y, n, context);
  void* memory = CVodeCreate(CV_BDF, context);
  CVodeInit(memory, calc_rate<AbsoluteProblem>, 0.0, y);
  CVodeSStolerances(memory, tolerance, tolerance);
  CVodeSetUserData(memory, &user);
  CVodeSetLinearSolver(memory, dense.solver, dense.matrix);
  CVodeSetProjFn(memory, calc_correction);
  CVodeSetProjErrEst(memory, SUNFALSE);
  CVodeSetStopTime(memory, t_end);
  CVodeSetMaxNumSteps(memory, most_steps);
  CVodeSetErrFile(memory, nullptr);
  const PeerRun run = integrate(problem, y.data(), t_end, observer, [&](realtype* t) {
    return CVode(memory, t_end, y, t, observer ? CV_ONE_STEP : CV_NORMAL);
  });
  CVodeFree(&memory);
  return run;
}

PeerRun run_ida(SUNContext context, AbsoluteProblem& problem, double t_end, double tolerance,
                const Observer& observer) {
  const int n = problem.dimension(), all = problem.residual_dimension();
  Vector y(all, context), rate(all, context), differential(all, context);
  problem.put_start(y.data());
  AbsoluteProblem::Rows lambda;
  problem.calc_rate(y.data(), rate.data(), &lambda);
  std::copy_n(lambda.data(), problem.rows(), y.data() + n);
  std::fill_n(differential.data(), n, 1.0);
  UserData<AbsoluteProblem> user{&problem, 0.0};
  DenseSolver dense(y, all, context);
  void* memory = IDACreate(context);
  IDAInit(memory, calc_residual, 0.0, y, rate);
  IDASStolerances(memory, tolerance, tolerance);
  IDASetUserData(memory, &user);
  IDASetId(memory, differential);
  IDASetSuppressAlg(memory, SUNTRUE);
  IDASetLinearSolver(memory, dense.solver, dense.matrix);
  IDASetStopTime(memory, t_end);
  IDASetMaxNumSteps(memory, most_steps);
  IDASetErrFile(memory, nullptr);
  const PeerRun run = integrate(problem, y.data(), t_end, observer, [&](realtype* t) {
    return IDASolve(memory, t_end, t, y, rate, observer ? IDA_ONE_STEP : IDA_NORMAL);
  });
  IDAFree(&memory);
  return run;
}

std::vector<PeerLine> make_lines(const Context& context, const PeerMechanism& mechanism) {
  // arm and tree are for codes in joint coordinates
  if (mechanism.bodies.size() > AbsoluteProblem::most_bodies) return {};
  const auto absolute = std::make_shared<AbsoluteProblem>(mechanism);
  const auto own = std::make_shared<OwnProblem>(mechanism);
  const double t_end = mechanism.t_end;
  const auto erk = [&](auto problem, ARKODE_ERKTableID table) {
    return [&context, problem, table, t_end](double tolerance, const Observer& observer) {
      return run_erk(context, *problem, table, t_end, tolerance, observer);
    };
  };
  constexpr int few = 3;  // starts of the implicit lines, far behind but on the governor
  const std::vector<double> tolerances = make_tolerances();
  const char *sundials = "SUNDIALS", *control = "SUNDIALS with our right-hand side";
  const char *dp5 = "ERK Dormand-Prince 5(4)", *f8 = "ERK Fehlberg 8(7)";
  return {{sundials, dp5, tolerances, erk(absolute, ARKODE_DORMAND_PRINCE_7_4_5)},
          {sundials, f8, tolerances, erk(absolute, ARKODE_FEHLBERG_13_7_8)},
          {sundials, "CVODE BDF", tolerances,
           [&context, absolute, t_end](double tolerance, const Observer& observer) {
             return run_cvode(context, *absolute, t_end, tolerance, observer);
           },
           few},
          {sundials, "IDA GGL", tolerances,
           [&context, absolute, t_end](double tolerance, const Observer& observer) {
             return run_ida(context, *absolute, t_end, tolerance, observer);
           },
           few},
          {control, dp5, tolerances, erk(own, ARKODE_DORMAND_PRINCE_7_4_5)},
          {control, f8, tolerances, erk(own, ARKODE_FEHLBERG_13_7_8)}};
}

}  // namespace

int main(int argc, char** argv) {
  const Context context;
  return run_peer(argc, argv,
                  [&](const PeerMechanism& mechanism) { return make_lines(context, mechanism); },
                  {"SUNDIALS", {}, {}, {}, {}});
}
