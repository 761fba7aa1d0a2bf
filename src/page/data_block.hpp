// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a run as the page holds them: arrays of little-endian numbers one after the other,
// and a table that says where each begins. The page reads them in place (viewer/src/data.ts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trammel {

class DataBlock {
 public:
  struct Entry {
    std::string name;
    const char* type;    // f64, f32, u32, u16, u8
    std::size_t offset;  // bytes, a multiple of 8
    std::size_t length;  // numbers
  };

  void add_double(std::string name, std::span<const double> values);
  // Single precision: seven digits, enough for a picture.
  void add_single(std::string name, std::span<const double> values);
  void add_bytes(std::string name, std::string_view values);
  void add_u16(std::string name, std::span<const std::uint16_t> values);
  void add_u32(std::string name, std::span<const std::uint32_t> values);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::string& bytes() const { return bytes_; }

 private:
  void begin(std::string name, const char* type, std::size_t length);

  std::vector<Entry> entries_;
  std::string bytes_;
};

// RFC 4648. `bytes` of a multiple of three can be encoded piece by piece.
std::string to_base64(std::string_view bytes);

}  // namespace trammel
