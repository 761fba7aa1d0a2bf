// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "native/operation_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace trammel {

namespace {

using Operation = Trace::Operation;

// Time counts operations: so many are done in a cycle, as measured.
constexpr double operations_per_cycle = 2.6;
// What things are worth, in thousandths of a register.
constexpr int weight_of_register = 1000, weight_of_rest = 1, weight_of_place = 2;
constexpr int weight_of_wait = 40;
constexpr int most_looked_at = 8;  // of a class; more changes nothing

// Cycles until the result is there (AMD Zen 4; Intel's are alike).
int count_cycles(Operation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::input:
      return 0;
    case Operation::negate:
    case Operation::absolute:
      return 1;
    case Operation::least:
    case Operation::greatest:
    case Operation::odd:
      return 2;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::turn:
      return 3;
    case Operation::turn_next:
      return 4;
    case Operation::divide:
      return 13;
    case Operation::inverse_or_zero:
      return 15;
    case Operation::square_root:
      return 21;
  }
  return 0;
}

int latency(Operation operation) {
  return static_cast<int>(std::lround(operations_per_cycle * count_cycles(operation)));
}

// A set of small numbers that gives them in order: a bit for each, and a bit for each word of bits.
class RankSet {
 public:
  explicit RankSet(int n) : words_(n / 64 + 1, 0), used_(words_.size() / 64 + 1, 0) {}
  void insert(int rank) {
    words_[rank / 64] |= bit(rank);
    used_[rank / 4096] |= bit(rank / 64);
  }
  void erase(int rank) {
    words_[rank / 64] &= ~bit(rank);
    if (words_[rank / 64] == 0) used_[rank / 4096] &= ~bit(rank / 64);
  }

  // f(rank) in order until it returns false
  template <class Function>
  void visit(Function&& f) const {
    for (std::size_t u = 0; u < used_.size(); ++u) {
      for (std::uint64_t words = used_[u]; words != 0; words &= words - 1) {
        const int w = static_cast<int>(64 * u) + std::countr_zero(words);
        for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
          if (!f(64 * w + std::countr_zero(left))) return;
        }
      }
    }
  }

 private:
  static std::uint64_t bit(int k) { return std::uint64_t{1} << (k % 64); }

  std::vector<std::uint64_t> words_, used_;
};

class Scheduler {
 public:
  explicit Scheduler(const Trace& trace) {
    find_tasks(trace);
    find_users();
    rank_tasks();
  }

  std::vector<int> order() {
    std::vector<int> result;
    result.reserve(tasks_.size());
    for (Task& task : tasks_) {
      if (task.missing == 0) make_ready(task);
    }
    for (int now = 0; now < static_cast<int>(tasks_.size()); ++now) {
      Task& task = choose(now);
      result.push_back(task.node);
      finish(task, now);
    }
    return result;
  }

 private:
  // An operation that is to be done.
  struct Task {
    int node;
    int latency;
    int operands[3] = {};  // tasks; no constants or inputs, each once
    int n_operands = 0;
    int first_user = 0, n_users = 0;  // in users_
    int users_left = 0;
    int missing = 0;           // operands that are not done
    int operands_at = 0;       // when they all are
    int priority = 0;          // the part of its worth that does not change
    int rank = 0;              // by priority
    int freed = 0;             // registers, where it is ready
    bool is_ready = false;     // not done, but its operands are
  };

  void find_tasks(const Trace& trace) {
    const std::vector<Trace::Node>& nodes = trace.nodes();
    std::vector<char> needed(nodes.size(), 0);
    for (const Trace::Output& output : trace.outputs()) needed[output.node] = 1;
    for (std::size_t n = nodes.size(); n-- > 0;) {
      if (needed[n] == 0) continue;
      for (const int operand : {nodes[n].a, nodes[n].b, nodes[n].c}) {
        if (operand >= 0) needed[operand] = 1;
      }
    }
    std::vector<int> task_of(nodes.size(), -1);
    tasks_.reserve(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Operation operation = nodes[n].operation;
      if (needed[n] == 0 || operation == Operation::constant || operation == Operation::input) continue;
      Task task{static_cast<int>(n), latency(operation)};
      for (const int operand : {nodes[n].a, nodes[n].b, nodes[n].c}) {
        const int of = operand < 0 ? -1 : task_of[operand];
        int* const end = task.operands + task.n_operands;
        if (of >= 0 && std::find(task.operands, end, of) == end) task.operands[task.n_operands++] = of;
      }
      task.missing = task.n_operands;
      task_of[n] = static_cast<int>(tasks_.size());
      tasks_.push_back(task);
    }
  }

  void find_users() {
    for (const Task& task : tasks_) {
      for (int k = 0; k < task.n_operands; ++k) ++tasks_[task.operands[k]].users_left;
    }
    int first = 0;
    for (Task& task : tasks_) {
      task.first_user = first;
      first += task.users_left;
    }
    users_.resize(first);
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      for (int k = 0; k < tasks_[t].n_operands; ++k) {
        Task& operand = tasks_[tasks_[t].operands[k]];
        users_[operand.first_user + operand.n_users++] = static_cast<int>(t);
      }
    }
  }

  void rank_tasks() {
    std::vector<int> rest(tasks_.size());  // latency from the start of a task to the end of all
    int least = 0, most = 0;
    for (int t = static_cast<int>(tasks_.size()); t-- > 0;) {
      Task& task = tasks_[t];
      rest[t] += task.latency;
      for (int k = 0; k < task.n_operands; ++k) {
        rest[task.operands[k]] = std::max(rest[task.operands[k]], rest[t]);
      }
      task.priority = weight_of_rest * rest[t] - weight_of_place * t;
      least = std::min(least, task.priority);
      most = std::max(most, task.priority);
    }
    // sorted by counting
    std::vector<int> begin(most - least + 2, 0);
    for (const Task& task : tasks_) ++begin[most - task.priority + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    by_rank_.resize(tasks_.size());
    for (Task& task : tasks_) {
      task.rank = begin[most - task.priority]++;
      by_rank_[task.rank] = static_cast<int>(&task - tasks_.data());
    }
    ready_.assign(3, RankSet(static_cast<int>(tasks_.size())));
  }

  int count_freed(const Task& task) const {
    int freed = task.users_left > 0 ? -1 : 0;
    for (int k = 0; k < task.n_operands; ++k) freed += tasks_[task.operands[k]].users_left == 1;
    return std::min(freed, 1);
  }
  void make_ready(Task& task) {
    task.is_ready = true;
    task.freed = count_freed(task);
    ready_[task.freed + 1].insert(task.rank);
  }

  // Of those that free equally many registers, in the order of their priority: none behind one whose
  // operands are there is worth more, nor behind one whose priority is too small.
  Task& choose(int now) {
    int best = -1, most = std::numeric_limits<int>::min();
    for (const int freed : {1, 0, -1}) {
      int looked_at = 0;
      ready_[freed + 1].visit([&](int rank) {
        const Task& task = tasks_[by_rank_[rank]];
        const int without_wait = weight_of_register * freed + task.priority;
        if (without_wait <= most) return false;
        const int wait = std::max(0, task.operands_at - now);
        const int worth = without_wait - weight_of_wait * wait;
        if (worth > most) {
          most = worth;
          best = by_rank_[rank];
        }
        return wait > 0 && ++looked_at < most_looked_at;
      });
    }
    return tasks_[best];
  }

  void finish(Task& task, int now) {
    task.is_ready = false;
    ready_[task.freed + 1].erase(task.rank);
    for (int k = 0; k < task.n_operands; ++k) {
      Task& operand = tasks_[task.operands[k]];
      if (--operand.users_left == 1) free_by_last_user(operand);
    }
    const int done_at = std::max(now, task.operands_at) + task.latency;
    for (int k = 0; k < task.n_users; ++k) {
      Task& user = tasks_[users_[task.first_user + k]];
      user.operands_at = std::max(user.operands_at, done_at);
      if (--user.missing == 0) make_ready(user);
    }
  }

  void free_by_last_user(const Task& operand) {
    for (int k = 0; k < operand.n_users; ++k) {
      Task& user = tasks_[users_[operand.first_user + k]];
      if (!user.is_ready) continue;
      ready_[user.freed + 1].erase(user.rank);
      make_ready(user);
      return;
    }
  }

  std::vector<Task> tasks_;      // in the order of the trace
  std::vector<int> users_;
  std::vector<int> by_rank_;
  std::vector<RankSet> ready_;  // by registers freed + 1
};

}  // namespace

std::vector<int> order_operations(const Trace& trace) { return Scheduler(trace).order(); }

}  // namespace trammel
