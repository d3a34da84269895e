// Objects of one type, side by side in a memory source. None ever moves, and a reader of a killed
// process's memory finds them all. Not thread-safe.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "shadowstack/lazy_array.h"

namespace copse::shadowstack {

// Not thread-safe.
template <typename T>
class ObjectRegion {
 public:
  ObjectRegion(MemorySource& memory, std::size_t most) noexcept : room_(memory, most) {}
  ~ObjectRegion() {
    for (std::size_t i = 0; i < size_; ++i) data()[i].~T();
  }
  ObjectRegion(const ObjectRegion&) = delete;
  ObjectRegion& operator=(const ObjectRegion&) = delete;

  // Makes an object; returns nullptr without memory.
  template <typename... Arguments>
  T* add(Arguments&&... arguments) noexcept {
    if (!room_.ensure(size_ + 1)) return nullptr;
    T* made = new (room_.data() + size_) T(std::forward<Arguments>(arguments)...);
    ++size_;
    return made;
  }

  std::size_t size() const noexcept { return size_; }
  T* data() noexcept { return std::launder(reinterpret_cast<T*>(room_.data())); }
  T& operator[](std::size_t index) noexcept { return data()[index]; }

 private:
  struct alignas(T) Room {
    std::byte bytes[sizeof(T)];
  };
  LazyArray<Room> room_;
  std::size_t size_ = 0;
};

}  // namespace copse::shadowstack
