// An array that grows in place: address space for its largest size is reserved at once, and pages
// are committed as needed. Growing never copies or moves an element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "shadowstack/memory_source.h"

namespace copse::shadowstack {

template <typename T>
class LazyArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Reserves room for `most` elements; less, by powers of two, where the system has less address
  // space.
  LazyArray(MemorySource& memory, std::size_t most) noexcept : memory_(memory) {
    for (reserved_ = most; reserved_ != 0; reserved_ /= 2) {
      data_ = static_cast<T*>(memory_.reserve(reserved_ * sizeof(T), alignof(T)));
      if (data_ != nullptr) return;
    }
  }
  ~LazyArray() { release(); }
  LazyArray(const LazyArray&) = delete;
  LazyArray& operator=(const LazyArray&) = delete;

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }

  // Makes elements [0, size) usable; new ones are zero. Returns false without room.
  bool ensure(std::size_t size) noexcept {
    if (size <= committed_) [[likely]]
      return true;
    if (size > reserved_) return false;
    const std::size_t step = std::max<std::size_t>(kLeastStepBytes / sizeof(T), committed_ / 4);
    const std::size_t wanted = std::min(reserved_, std::max(size, committed_ + step));
    // The source rounds up to pages from the start of the array, which is the start of a page.
    if (!memory_.commit(data_, wanted * sizeof(T))) return false;
    committed_ = wanted;
    return true;
  }

  // Makes all elements zero and gives back their memory; it comes again where they are written to.
  void forget() noexcept {
    if (committed_ != 0) memory_.forget(data_, committed_ * sizeof(T));
  }
  // Gives back everything. No element is usable from now on, and ensure() finds no room.
  void release() noexcept {
    if (data_ != nullptr) memory_.release(data_, reserved_ * sizeof(T));
    data_ = nullptr;
    reserved_ = committed_ = 0;
  }

 private:
  static constexpr std::size_t kLeastStepBytes = std::size_t{64} << 10;

  MemorySource& memory_;
  T* data_ = nullptr;
  std::size_t reserved_ = 0;  // in elements, like committed_
  std::size_t committed_ = 0;
};

}  // namespace copse::shadowstack
