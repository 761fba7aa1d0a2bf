// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// No input makes a run end as finished with an open joint. Runs models of all sorts
// (property/model_maker.hpp), recomputes how far each joint is open from the recorded states by its
// definition (support/joint_gaps.hpp), and wants either a joint closed to the stated limit, relative
// to the size of the smaller part it joins, or a status that says it is not. An exception other than
// ModelError is a failure, and so is a run that does not end. A model that fails is made smaller by
// leaving parts out, and printed as a model file.
//
// Usage: open_joints NUMBER [SEED [FIRST]]      models FIRST … FIRST + NUMBER − 1 of this seed
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "property/model_maker.hpp"
#include "support/joint_gaps.hpp"
#include "support/model_yaml.hpp"

using namespace trammel;

namespace {

// The limit of docs/explanation/redundancy.md, relative to the size of the smaller part, or in rad. Three times
// that: what the size of a part is may be seen in more than one way.
constexpr double open_limit = 3 * 1e-6;
constexpr long seconds_allowed = 20;  // of CPU time, per model

// ---- what a signal handler needs
char current[64];

void end_at_signal(int signal) {
  const char* what = signal == SIGPROF ? "does not end: " : "crashed: ";
  (void)!write(1, what, std::strlen(what));
  (void)!write(1, current, std::strlen(current));
  (void)!write(1, "\n", 1);
  _exit(2);
}

// 0: no limit any more
void limit_cpu_time(long seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

// ---- one model

struct Verdict {
  std::string word;  // finished, refused, the outcome, or FAILED …
  std::string detail;
  bool failed() const { return word.rfind("FAILED", 0) == 0; }
};

const char* to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished: return "finished";
    case Outcome::step_too_small: return "step too small";
    case Outcome::too_many_steps: return "too many steps";
    case Outcome::open_joint: return "open joint";
    default: return "another outcome";
  }
}

Verdict judge(const Model& model) {
  try {
    const Results results = simulate(compile(model), model.simulation);
    if (results.status.outcome != Outcome::finished) return {to_word(results.status.outcome), {}};
    if (results.time.empty()) return {"FAILED, nothing recorded", {}};
    const test::WorstGap gap = test::find_worst_gap(model, results);
    char text[400];
    std::snprintf(text, sizeof text,
                  "%s open by %.2e of its size at t = %g (reported |g|: %.2e)%s%s",
                  gap.name.c_str(), gap.relative, gap.t, results.violation.position,
                  results.warnings.empty() ? "" : "; warned: ",
                  results.warnings.empty() ? "" : results.warnings[0].substr(0, 120).c_str());
    // velocities that fit the joints: to a ten thousandth of the largest
    double speed = 1.0;
    for (const auto* column : {&results.velocity, &results.angular_velocity}) {
      for (const double v : *column) speed = std::max(speed, std::abs(v));
    }
    const bool apart = !(gap.velocity <= 1e-4 * speed);
    if (gap.relative <= open_limit && !apart) return {"finished", {}};
    // redundant joints that contradict each other within what the model allows stay open, as warned
    const bool warned = std::any_of(
        results.warnings.begin(), results.warnings.end(), [](const std::string& warning) {
          return warning.rfind("redundant constraints do not quite agree", 0) == 0;
        });
    if (warned && !(gap.velocity > 0.1 * speed) &&
        gap.relative <= 10 * model.redundancy_tolerance) {
      return {"finished, a contradiction left open as warned", {}};
    }
    if (gap.relative <= open_limit) {
      std::snprintf(text, sizeof text, "points or axes move apart by %.2e, reported %.2e",
                    gap.velocity, results.violation.velocity);
      return {"FAILED, finished with velocities that do not fit the joints", text};
    }
    return {"FAILED, finished with an open joint", text};
  } catch (const ModelError&) {
    return {"refused", {}};
  } catch (const std::exception& error) {
    return {"FAILED, exception", error.what()};
  }
}

// ---- smaller models that fail in the same way

bool uses(const Joint& joint, const std::string& body) {
  return joint.body_i == body || joint.body_j == body;
}

void remove_body(Model& model, std::size_t b) {
  const std::string name = model.bodies[b].name;
  model.bodies.erase(model.bodies.begin() + static_cast<std::ptrdiff_t>(b));
  std::erase_if(model.joints, [&](const Joint& joint) { return uses(joint, name); });
}

// Parts are left out as long as the verdict stays; what refers to a missing part makes the model
// bad, which is another verdict.
template <class Remove>
bool shrink(Model& model, const std::string& word, std::size_t count, Remove remove) {
  for (std::size_t k = 0; k < count; ++k) {
    Model smaller = model;
    remove(smaller, k);
    if (smaller.bodies.empty() || judge(smaller).word != word) continue;
    model = std::move(smaller);
    return true;
  }
  return false;
}

Model minimise(Model model, const std::string& word) {
  const auto erase = [](auto& list, std::size_t k) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
  };
  bool smaller = true;
  while (smaller) {
    smaller = shrink(model, word, model.forces.size(),
                     [&](Model& m, std::size_t k) { erase(m.forces, k); }) ||
              shrink(model, word, model.couplers.size(),
                     [&](Model& m, std::size_t k) { erase(m.couplers, k); }) ||
              shrink(model, word, model.drivers.size(),
                     [&](Model& m, std::size_t k) { erase(m.drivers, k); }) ||
              shrink(model, word, model.bodies.size(),
                     [&](Model& m, std::size_t k) { remove_body(m, k); }) ||
              shrink(model, word, model.joints.size(),
                     [&](Model& m, std::size_t k) { erase(m.joints, k); });
  }
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("usage: open_joints NUMBER [SEED [FIRST]]\n");
    return 2;
  }
  const auto number = static_cast<unsigned>(std::atoi(argv[1]));
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  const auto first = static_cast<unsigned>(argc > 3 ? std::atoi(argv[3]) : 0);
  for (const int signal : {SIGPROF, SIGSEGV, SIGFPE, SIGABRT, SIGILL}) {
    std::signal(signal, end_at_signal);
  }
  const test::ModelMaker maker(TRAMMEL_MODELS_DIR);
  std::map<std::string, int> counts;
  int failures = 0;
  for (unsigned k = first; k < first + number; ++k) {
    std::snprintf(current, sizeof current, "open_joints 1 %u %u", seed, k);
    if (k > first && k % 10000 == 0) std::fprintf(stderr, "%u models\n", k - first);
    const Model model = maker.make(seed, k);
    limit_cpu_time(seconds_allowed);
    const Verdict verdict = judge(model);
    limit_cpu_time(0);
    ++counts[verdict.word];
    if (!verdict.failed()) continue;
    ++failures;
    std::printf("%s: %s: %s\n", current, verdict.word.c_str(), verdict.detail.c_str());
    if (failures > 10 && number > 1) continue;
    const Model small = minimise(model, verdict.word);
    std::printf("---- as small as it gets (%s)\n%s----\n", judge(small).detail.c_str(),
                test::to_yaml(small).c_str());
    std::fflush(stdout);
  }
  for (const auto& [word, count] : counts) std::printf("%8d %s\n", count, word.c_str());
  return failures > 0 ? 1 : 0;
}
