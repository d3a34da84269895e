// Per-thread states of one encoder, by thread index. A state keeps its address for life, so a replay loop may keep a
// reference to the state of the thread that it feeds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ids.h"

namespace copse::encoders {

template <typename Thread>
class ThreadTable {
 public:
  // Returns the state of `index`, made on first use.
  Thread& get(ThreadIndex index) {
    const auto i = static_cast<std::size_t>(raw(index));
    if (i >= threads_.size()) threads_.resize(i + 1);
    if (!threads_[i]) threads_[i] = std::make_unique<Thread>();
    return *threads_[i];
  }

  template <typename Visitor>
  void for_each(Visitor&& visit) {
    for (auto& thread : threads_) {
      if (thread) visit(*thread);
    }
  }
  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    for (const auto& thread : threads_) {
      if (thread) visit(std::as_const(*thread));
    }
  }

  // Bytes of the table and the states, without the states' own allocations.
  std::uint64_t bytes() const noexcept {
    std::uint64_t sum = threads_.capacity() * sizeof(threads_[0]);
    for (const auto& thread : threads_) sum += thread ? sizeof(Thread) : 0;
    return sum;
  }

 private:
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace copse::encoders
