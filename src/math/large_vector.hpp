// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A vector for arrays that are read from end to end at each evaluation. From a few MiB on it asks the
// system for pages of 2 MiB: a mechanism of 100,000 bodies is limited by the memory, which gives 31 GB/s
// through such pages and 19 GB/s through those of 4 KiB.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace trammel {

template <class T>
struct LargePageAllocator {
  using value_type = T;

  static constexpr std::size_t page = std::size_t{2} << 20;  // bytes
  static constexpr std::size_t least = 2 * page;             // below: pages as they come

  LargePageAllocator() = default;
  template <class U>  // NOLINTNEXTLINE(google-explicit-constructor): allocators convert
  LargePageAllocator(const LargePageAllocator<U>&) {}

  T* allocate(std::size_t n) {
#ifdef __linux__
    const std::size_t bytes = n * sizeof(T);
    if (bytes >= least) {
      void* const at = std::aligned_alloc(page, (bytes + page - 1) / page * page);
      if (at == nullptr) throw std::bad_alloc();
      madvise(at, bytes, MADV_HUGEPAGE);  // a wish: where it is not granted nothing is lost
      return static_cast<T*>(at);
    }
#endif
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* at, std::size_t n) {
#ifdef __linux__
    if (n * sizeof(T) >= least) return std::free(at);
#endif
    std::allocator<T>().deallocate(at, n);
  }
  bool operator==(const LargePageAllocator&) const = default;
};

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

// n uninitialised numbers: pages are mapped when they are first written.
template <class T>
class LargeArray {
 public:
  explicit LargeArray(std::size_t n) : size_(n), data_(LargePageAllocator<T>().allocate(n)) {}
  ~LargeArray() { LargePageAllocator<T>().deallocate(data_, size_); }
  LargeArray(const LargeArray&) = delete;
  LargeArray& operator=(const LargeArray&) = delete;

  std::size_t size() const { return size_; }
  T* data() { return data_; }

 private:
  std::size_t size_;
  T* data_;
};

}  // namespace trammel
