// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
//   heading, numbers and actions in the order of the struct, FNV-1a hash of all that
//
// Numbers as this machine has them; another one finds the hash wrong.
#include "analyses/checkpoint.hpp"

#include <cstring>
#include <stdexcept>

namespace trammel {

namespace {

constexpr char heading[] = "trammel checkpoint 1\n";

std::uint64_t calc_hash(const char* bytes, std::size_t size) {
  std::uint64_t hash = 14695981039346656037U;
  for (std::size_t k = 0; k < size; ++k) {
    hash = (hash ^ static_cast<unsigned char>(bytes[k])) * 1099511628211U;
  }
  return hash;
}

struct Writer {
  std::string bytes = heading;

  template <class Number>
  void add(const Number& number) {
    const std::size_t size = bytes.size();
    bytes.resize(size + sizeof number);
    std::memcpy(bytes.data() + size, &number, sizeof number);
  }
  void add(const std::vector<double>& list) {
    add(static_cast<std::uint64_t>(list.size()));
    for (const double x : list) add(x);
  }
};

struct Reader {
  const std::string& bytes;
  std::size_t at, end;

  template <class Number>
  Number take() {
    Number number;
    if (end - at < sizeof number) throw std::invalid_argument("the checkpoint is damaged");
    std::memcpy(&number, bytes.data() + at, sizeof number);
    at += sizeof number;
    return number;
  }
  std::uint64_t take_count(std::size_t bytes_each) {
    const auto n = take<std::uint64_t>();
    if (n > (end - at) / bytes_each) throw std::invalid_argument("the checkpoint is damaged");
    return n;
  }
  std::vector<double> take_list() {
    std::vector<double> list(take_count(sizeof(double)));
    for (double& x : list) x = take<double>();
    return list;
  }
};

}  // namespace

std::string to_bytes(const Checkpoint& checkpoint) {
  Writer writer;
  writer.add(checkpoint.start.t);
  writer.add(checkpoint.start.z);
  writer.add(checkpoint.start.coordinates);
  writer.add(static_cast<std::uint64_t>(checkpoint.actions.size()));
  for (const Action& action : checkpoint.actions) {
    writer.add(action.kind);
    writer.add(action.index);
    writer.add(action.value);
  }
  writer.add(checkpoint.t);
  writer.add(checkpoint.z);
  writer.add(calc_hash(writer.bytes.data(), writer.bytes.size()));
  return writer.bytes;
}

Checkpoint read_checkpoint(const std::string& bytes) {
  constexpr std::size_t begin = sizeof heading - 1;
  if (bytes.compare(0, begin, heading) != 0) {
    throw std::invalid_argument("this is no checkpoint of a simulator");
  }
  if (bytes.size() < begin + sizeof(std::uint64_t)) {
    throw std::invalid_argument("the checkpoint is damaged");
  }
  const std::size_t end = bytes.size() - sizeof(std::uint64_t);
  Reader hash{bytes, end, bytes.size()};
  if (hash.take<std::uint64_t>() != calc_hash(bytes.data(), end)) {
    throw std::invalid_argument("the checkpoint is damaged");
  }
  Reader reader{bytes, begin, end};
  Checkpoint checkpoint;
  checkpoint.start.t = reader.take<double>();
  checkpoint.start.z = reader.take_list();
  checkpoint.start.coordinates = reader.take_list();
  const std::uint64_t n =
      reader.take_count(sizeof(Action::Kind) + sizeof(std::uint32_t) + sizeof(double));
  for (std::uint64_t k = 0; k < n; ++k) {
    Action action{};
    action.kind = reader.take<Action::Kind>();
    action.index = reader.take<std::uint32_t>();
    action.value = reader.take<double>();
    checkpoint.actions.push_back(action);
  }
  checkpoint.t = reader.take<double>();
  checkpoint.z = reader.take_list();
  return checkpoint;
}

}  // namespace trammel
