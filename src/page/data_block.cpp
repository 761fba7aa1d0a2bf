// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "page/data_block.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

namespace trammel {

namespace {

template <class Number>
void append(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof number);
  bytes.append(raw, sizeof number);
}

// Beyond the range of a float: its largest. What is not a number stays so.
float to_single(double x) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(x, -most, most));
}

}  // namespace

void DataBlock::begin(std::string name, const char* type, std::size_t length) {
  bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0');
  entries_.push_back({std::move(name), type, bytes_.size(), length});
}

void DataBlock::add_double(std::string name, std::span<const double> values) {
  begin(std::move(name), "f64", values.size());
  for (const double x : values) append(bytes_, x);
}

void DataBlock::add_single(std::string name, std::span<const double> values) {
  begin(std::move(name), "f32", values.size());
  for (const double x : values) append(bytes_, to_single(x));
}

void DataBlock::add_bytes(std::string name, std::string_view values) {
  begin(std::move(name), "u8", values.size());
  bytes_ += values;
}

void DataBlock::add_u16(std::string name, std::span<const std::uint16_t> values) {
  begin(std::move(name), "u16", values.size());
  for (const std::uint16_t x : values) append(bytes_, x);
}

void DataBlock::add_u32(std::string name, std::span<const std::uint32_t> values) {
  begin(std::move(name), "u32", values.size());
  for (const std::uint32_t x : values) append(bytes_, x);
}

std::string to_base64(std::string_view bytes) {
  static constexpr char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  std::size_t out = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      word = (word << 8) | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k <= n; ++k) text[out + k] = digits[(word >> (18 - 6 * k)) & 63];
    out += 4;
  }
  return text;
}

}  // namespace trammel
