// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "generate/operation_order.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace trammel {

namespace {

using Operation = Tape::Operation;

// Time counts operations: so many are done in a cycle, as measured.
constexpr double operations_per_cycle = 2.6;
// What things are worth, in thousandths of a register.
constexpr int weight_of_register = 1000, weight_of_rest = 1, weight_of_place = 2;
constexpr int weight_of_wait = 40;
// Operations of an evaluation beyond which the order of the tape is the better one (bench/derivatives): code
// that does not fit the nearest cache is bound by its size, and the other order is a tenth longer.
constexpr std::size_t most_scheduled = 3000;
constexpr int most_looked_at = 8;  // of a class; more changes nothing

// Cycles until the result is there (AMD Zen 4; Intel's are alike).
int count_cycles(Operation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::input: return 0;
    case Operation::negate:
    case Operation::absolute: return 1;
    case Operation::least:
    case Operation::greatest:
    case Operation::odd: return 2;
    case Operation::choose: return 4;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::turn: return 3;
    case Operation::turn_next: return 4;
    case Operation::divide: return 13;
    case Operation::inverse_or_zero: return 15;
    case Operation::square_root: return 21;
    case Operation::nearest: return 8;
    case Operation::call: return 60;
    case Operation::sine:
    case Operation::cosine: return 50;  // expanded before there is code
  }
  return 0;
}

int latency(Operation operation) {
  return static_cast<int>(operations_per_cycle * count_cycles(operation) + 0.5);
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

// Operations are numbered by priority, the first is 0; what is known of them is kept in arrays of its own,
// because an operation is looked at far more often than done.
class Scheduler {
 public:
  Scheduler(const Tape& tape, std::vector<int> operations)
      : nodes_(tape.nodes), list_(std::move(operations)), n_(static_cast<int>(list_.size())) {
    rank();
    connect();
  }

  std::vector<int> order() {
    std::vector<int> result(n_);
    for (int k = 0; k < n_; ++k) {
      if (missing_[k] == 0) make_ready(k);
    }
    for (int now = 0; now < n_; ++now) {
      const int chosen = choose(now);
      result[now] = node_[chosen];
      finish(chosen, now);
    }
    return result;
  }

 private:
  // f(operand) for the nodes that a node is made of, each once
  template <class Function>
  void for_operands(int node, Function&& f) const {
    const Tape::Node& of = nodes_[node];
    if (of.a >= 0) f(of.a);
    if (of.b >= 0 && of.b != of.a) f(of.b);
    if (of.c >= 0 && of.c != of.a && of.c != of.b) f(of.c);
  }

  // Sorted by counting.
  void rank() {
    std::vector<int> rest(nodes_.size(), 0);  // latency from the start of a node to the end of all
    std::vector<int> priority(n_);            // in the order of the trace
    int least = 0, most = 0;
    for (int t = n_; t-- > 0;) {
      const int node = list_[t];
      rest[node] += latency(nodes_[node].operation);
      for_operands(node, [&](int of) { rest[of] = std::max(rest[of], rest[node]); });
      priority[t] = weight_of_rest * rest[node] - weight_of_place * t;
      least = std::min(least, priority[t]);
      most = std::max(most, priority[t]);
    }
    std::vector<int> next(most - least + 2, 0);
    for (const int of : priority) ++next[most - of + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    rank_of_.assign(nodes_.size(), -1);
    node_.resize(n_);
    priority_.resize(n_);
    for (int t = 0; t < n_; ++t) {
      const int r = next[most - priority[t]]++;
      rank_of_[list_[t]] = r;
      node_[r] = list_[t];
      priority_[r] = priority[t];
    }
  }

  void connect() {
    missing_.assign(n_, 0);
    users_left_.assign(n_, 0);
    operands_at_.assign(n_, 0);
    freed_.assign(n_, not_ready);
    const auto for_pairs = [&](auto&& f) {  // f(operand, user)
      for (int k = 0; k < n_; ++k) {
        for_operands(node_[k], [&](int of) {
          if (rank_of_[of] >= 0) f(rank_of_[of], k);
        });
      }
    };
    for_pairs([&](int operand, int user) {
      ++users_left_[operand];
      ++missing_[user];
    });
    first_user_.resize(n_ + 1, 0);
    std::partial_sum(users_left_.begin(), users_left_.end(), first_user_.begin() + 1);
    users_.resize(first_user_[n_]);
    std::vector<int> end(first_user_.begin(), first_user_.end() - 1);
    for_pairs([&](int operand, int user) { users_[end[operand]++] = user; });
    ready_.assign(3, RankSet(n_));
  }

  void make_ready(int k) {
    int freed = users_left_[k] > 0 ? -1 : 0;
    for_operands(node_[k], [&](int of) {
      const int operand = rank_of_[of];
      freed += operand >= 0 && users_left_[operand] == 1;
    });
    freed_[k] = std::min(freed, 1);
    ready_[freed_[k] + 1].insert(k);
  }

  // Of those that free equally many registers, in the order of their priority: none behind one whose
  // operands are there is worth more, nor behind one whose priority is too small.
  int choose(int now) const {
    int best = -1, most = std::numeric_limits<int>::min();
    for (const int freed : {1, 0, -1}) {
      int looked_at = 0;
      ready_[freed + 1].visit([&](int k) {
        const int without_wait = weight_of_register * freed + priority_[k];
        if (without_wait <= most) return false;
        const int wait = std::max(0, operands_at_[k] - now);
        const int worth = without_wait - weight_of_wait * wait;
        if (worth > most) {
          most = worth;
          best = k;
        }
        return wait > 0 && ++looked_at < most_looked_at;
      });
    }
    return best;
  }

  void finish(int k, int now) {
    ready_[freed_[k] + 1].erase(k);
    freed_[k] = not_ready;
    const int node = node_[k];
    for_operands(node, [&](int of) {
      const int operand = rank_of_[of];
      if (operand >= 0 && --users_left_[operand] == 1) free_by_last_user(operand);
    });
    const int done_at = std::max(now, operands_at_[k]) + latency(nodes_[node].operation);
    for (int u = first_user_[k]; u < first_user_[k + 1]; ++u) {
      const int user = users_[u];
      operands_at_[user] = std::max(operands_at_[user], done_at);
      if (--missing_[user] == 0) make_ready(user);
    }
  }

  // The one user that is left will free the operand's register.
  void free_by_last_user(int operand) {
    for (int u = first_user_[operand]; u < first_user_[operand + 1]; ++u) {
      const int user = users_[u];
      if (freed_[user] == not_ready) continue;
      ready_[freed_[user] + 1].erase(user);
      make_ready(user);
      return;
    }
  }

  static constexpr int not_ready = 2;  // or done

  const std::vector<Tape::Node>& nodes_;
  std::vector<int> list_;
  int n_;
  std::vector<int> rank_of_;  // by node; −1: constants, inputs and what is not needed
  // ---- by rank
  std::vector<int> node_, priority_;
  std::vector<int> first_user_, users_;
  std::vector<int> users_left_, missing_;  // users and operands that are not done
  std::vector<int> operands_at_;           // when all operands are there
  std::vector<int> freed_;                 // registers, where it is ready
  std::vector<RankSet> ready_;             // by registers freed + 1
};

}  // namespace

std::vector<int> order_operations(const Tape& tape) {
  return Scheduler(tape, list_operations(tape)).order();
}

std::vector<int> list_operations(const Tape& tape, OperationOrder order) {
  std::vector<int> list = list_operations(tape);
  const bool schedules = order == OperationOrder::scheduled ||
                         (order == OperationOrder::best && list.size() <= most_scheduled);
  return schedules ? Scheduler(tape, std::move(list)).order() : list;
}

}  // namespace trammel
