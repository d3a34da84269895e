// The methods whose recursion a tree merges: a call of such a method from below itself goes to its
// nearest node on the path, and makes no new context. A tree that merges all methods is the
// recursion-merging tree of Ammons, Ball and Larus (PLDI'97).
//
// Methods are added while probes run and never removed. Thread-safe for readers. REQUIRES: writers
// hold a lock of the caller.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "base/ids.h"
#include "cct/cycles.h"
#include "cct/recursion.h"
#include "shadowstack/lazy_array.h"

namespace copse::cct {

// Address of the set, for readers of a killed process's memory.
struct KeptMergedMethods {
  std::uint64_t bits;  // address: bit m % 64 of word m / 64 stands for method m
  std::uint32_t words;
  std::uint32_t all;  // 1: every method
  std::uint64_t from_contexts;
  std::uint64_t depths;  // address: MergedRecursion::depth_at_least, by method, for these words
};

// Most additions of single methods. Where recursion is still found after so many, the program makes
// new recursive methods all the time, for example by compiling scripts to classes, and each
// addition has every tree start anew. The next addition is of all methods.
inline constexpr std::uint32_t kMostAdditions = 8;

class MergedMethods {
 public:
  explicit MergedMethods(shadowstack::MemorySource& memory = shadowstack::anonymous_memory())
      : bits_(memory, kMaxMethodId / 64 + 1), depths_(memory, kMaxMethodId + std::size_t{1}) {}

  // Publishes the set in `kept`, which must outlive it. REQUIRES: no method was added yet.
  void keep_in(KeptMergedMethods& kept) noexcept {
    kept = *kept_;
    kept_ = &kept;
  }

  bool has(MethodId method) const noexcept {
    if (all_.load(std::memory_order_acquire)) return method != kNoMethod;
    const std::uint32_t word = raw(method) / 64;
    if (word >= words_.load(std::memory_order_acquire)) return false;
    return (word_of(word).load(std::memory_order_acquire) >> raw(method) % 64 & 1) != 0;
  }
  bool any() const noexcept { return version() != 0; }
  bool all() const noexcept { return all_.load(std::memory_order_relaxed); }
  // Version number; changes with every addition, before any of the added methods is visible. If it
  // is unchanged after has() returned true, the method was there before.
  std::uint32_t version() const noexcept { return version_.load(std::memory_order_acquire); }
  void add_all() noexcept;
  // Adds methods because there were `contexts` contexts. Returns false, with none added, without
  // memory.
  bool add(std::span<const MethodId> methods, std::uint64_t contexts) noexcept;
  // Adds the methods of the cycles worth merging that are not there yet; all methods after
  // kMostAdditions. Returns false if there were none or no memory; contexts then stay as they are.
  bool add_from(Cycles& cycles) noexcept;

  // Notes that `calls` calls of a method were seen one below another, before recursion of it was
  // merged. Does nothing for a method that was not added by itself.
  void saw_depth(MethodId method, std::uint32_t calls) noexcept;

  MergedRecursion told() const;

  // Gives back all memory: no method is in the set any more. REQUIRES: no reader is in has().
  void release() noexcept;

 private:
  std::atomic_ref<std::uint64_t> word_of(std::uint32_t word) const noexcept {
    return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t*>(bits_.data())[word]);
  }

  std::atomic_ref<std::uint32_t> depth_of(MethodId method) const noexcept {
    return std::atomic_ref<std::uint32_t>(const_cast<std::uint32_t*>(depths_.data())[raw(method)]);
  }

  shadowstack::LazyArray<std::uint64_t> bits_;
  shadowstack::LazyArray<std::uint32_t> depths_;  // by method, for the methods of words_
  std::atomic<std::uint32_t> words_{0};
  std::atomic<std::uint32_t> version_{0};
  std::atomic<bool> all_{false};
  std::atomic<std::uint64_t> from_contexts_{0};
  KeptMergedMethods own_kept_{};
  KeptMergedMethods* kept_ = &own_kept_;
};

// Returns the methods merged from the start.
std::shared_ptr<MergedMethods> merged_methods(
    const RecursionOptions& options,
    shadowstack::MemorySource& memory = shadowstack::anonymous_memory());

}  // namespace copse::cct
