// Memory of another source, told of what is given back.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "shadowstack/memory_source.h"

namespace copse::test {

class PassedOnMemory final : public shadowstack::MemorySource {
 public:
  // `after_forget` is called after each forget().
  PassedOnMemory(shadowstack::MemorySource& source, std::function<void()> after_forget)
      : source_(source), after_forget_(std::move(after_forget)) {}

  void* reserve(std::size_t bytes, std::size_t alignment) noexcept override {
    return source_.reserve(bytes, alignment);
  }
  bool reserve_at(void* start, std::size_t bytes) noexcept override {
    return source_.reserve_at(start, bytes);
  }
  bool commit(void* start, std::size_t bytes) noexcept override {
    return source_.commit(start, bytes);
  }
  void forget(void* start, std::size_t bytes) noexcept override {
    source_.forget(start, bytes);
    after_forget_();
  }
  void release(void* start, std::size_t bytes) noexcept override { source_.release(start, bytes); }
  void disown(void* start) noexcept override { source_.disown(start); }

 private:
  shadowstack::MemorySource& source_;
  const std::function<void()> after_forget_;
};

}  // namespace copse::test
