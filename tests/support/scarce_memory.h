// Memory that is used up after a number of steps.
#pragma once

#include <cstddef>
#include <limits>

#include "shadowstack/memory_source.h"

namespace copse::test {

class ScarceMemory final : public shadowstack::MemorySource {
 public:
  explicit ScarceMemory(int commits) : ScarceMemory(std::numeric_limits<int>::max(), commits) {}
  ScarceMemory(int reservations, int commits) : reservations_(reservations), commits_(commits) {}
  void refill(int commits) { commits_ = commits; }

  void* reserve(std::size_t bytes, std::size_t alignment) noexcept override {
    if (reservations_ == 0) return nullptr;
    --reservations_;
    return shadowstack::anonymous_memory().reserve(bytes, alignment);
  }
  bool reserve_at(void* start, std::size_t bytes) noexcept override {
    if (reservations_ == 0) return false;
    --reservations_;
    return shadowstack::anonymous_memory().reserve_at(start, bytes);
  }
  bool commit(void* start, std::size_t bytes) noexcept override {
    if (commits_ == 0) return false;
    --commits_;
    return shadowstack::anonymous_memory().commit(start, bytes);
  }
  void forget(void* start, std::size_t bytes) noexcept override {
    shadowstack::anonymous_memory().forget(start, bytes);
  }
  void release(void* start, std::size_t bytes) noexcept override {
    shadowstack::anonymous_memory().release(start, bytes);
  }
  void disown(void* start) noexcept override { shadowstack::anonymous_memory().disown(start); }

 private:
  int reservations_;
  int commits_;
};

}  // namespace copse::test
