// Slices: outermost calls of methods that the user names, each with the calls that its thread made until it ended.
// Slices are counted; some are kept with their contexts: the slowest, those with the most calls, and a uniform sample.
//
// Memory: kept slices, each of at most kMostSliceContexts contexts; and numbers of calls, for each method that slices of
// a method called (calls_per_slice.h).
//
// Thread-safe: one mutex, taken once per slice.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"
#include "cct/context_tree.h"
#include "cct/inplace/calls_per_slice.h"

namespace copse::cct {

// Most contexts of a kept slice; calls of further ones are left out of it.
inline constexpr std::size_t kMostSliceContexts = std::size_t{1} << 16;

// Measures of slices besides calls and time. An amount of 1 stands for `scale`.
struct SliceMeasure {
  std::string name, unit;
  std::uint64_t scale = 1;
  bool is_sampled = false;
};
inline constexpr std::size_t kMostSliceMeasures = 12;
using SliceAmounts = std::array<std::uint64_t, kMostSliceMeasures>;  // by measure

// A span of a trace, in hexadecimal digits; zeros if there is none.
struct SpanIds {
  std::array<char, 32> trace;
  std::array<char, 16> span;
};

struct SliceFacts {
  std::uint64_t id = 0;  // from 1, in the order in which slices began
  MethodId method = kNoMethod;
  std::uint64_t start_ns = 0;  // on the clock that the caller chose
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;  // of its thread; 0 means unknown
  std::uint64_t calls = 0;
  SliceAmounts amounts{};
  SpanIds span{};
};

// Reasons to keep a slice.
enum KeptAs : std::uint8_t { kSlowest = 1, kMostCalls = 2, kSample = 4 };

// Tasks that a slice handed over to other threads in one context (slice_tasks.h).
struct HandedOver {
  std::vector<ContextKey> at;          // path from ROOT to the context
  std::uint64_t tasks = 0, calls = 0;  // tasks that ended
};

// Calls of a slice's tasks below one context.
struct TaskTree {
  std::vector<ContextKey> base;                 // path from ROOT to it
  std::vector<std::vector<ContextNode>> parts;  // callers first; node 0 is that context
  std::uint64_t merged = 0;                     // contexts of a part that is the sum of others
};

struct Slice : SliceFacts {
  std::int64_t thread_id = 0;
  std::string thread;
  std::vector<ContextKey> base;    // path from ROOT to the slice's method, itself last
  std::vector<ContextNode> nodes;  // callers first; node 0 is the slice's method
  std::vector<TaskTree> tasks;     // of other threads, each with one part
  std::vector<HandedOver> handed_over;
  std::uint64_t calls_left_out = 0;
};

// Sums of the slices of one method.
struct SliceSum {
  struct Called {
    MethodId method;
    CallsPerSlice calls;
  };
  std::uint64_t slices = 0, calls = 0, wall_ns = 0;
  SliceAmounts amounts{};
  std::vector<Called> called;           // one per method that was called, the slice's own included
  std::vector<std::uint32_t> place_of;  // by method: its place in `called` plus one; 0 means none

  // Throws std::bad_alloc.
  CallsPerSlice& of(MethodId method);
};

struct KeptSlice {
  std::shared_ptr<const Slice> slice;
  std::uint8_t as = 0;  // sum of KeptAs
};

struct SlicesSoFar {
  std::uint32_t keep = 0;
  std::vector<SliceMeasure> measures;
  std::map<MethodId, SliceSum> sums;
  std::vector<KeptSlice> kept;   // by id
  std::uint64_t in_part = 0;     // slices that are not followed to their end, and in no sum
  std::uint64_t open = 0;        // slices that have not ended
  std::uint64_t tasks_open = 0;  // tasks that had not ended, and are in no slice
  std::uint64_t tasks_late = 0;  // tasks that began when their slice was added up; in no slice
};

// Returns the sum of parts of a tree, whose nodes 0 are the same context. Throws std::bad_alloc.
std::vector<ContextNode> sum_of(const std::vector<std::vector<ContextNode>>& parts);

class Slices {
 public:
  // Keeps `keep` slices for each reason.
  explicit Slices(std::uint32_t keep) : keep_(keep) {}

  std::uint64_t next_id() noexcept;
  // Adds a slice that ended. `complete` sets its thread and base, if the slice is kept; it may throw std::bad_alloc.
  // `nodes`: the contexts of the slice's own thread; `tasks`: those of its tasks. They have all its calls.
  void add(const SliceFacts& facts, std::span<const ContextNode> nodes,
           const std::function<void(Slice&)>& complete,
           std::span<const TaskTree> tasks = {}) noexcept;
  void add_in_part() noexcept;
  // Returns whether there was a slice.
  bool any() const noexcept;
  // Forgets all slices so far.
  void clear() noexcept;
  // Returns the slices so far; `open` is the caller's. Throws std::bad_alloc.
  SlicesSoFar so_far() const;
  // Returns an independent copy. Throws std::bad_alloc.
  std::unique_ptr<Slices> copy() const;

 private:
  using Kept = std::vector<std::shared_ptr<const Slice>>;
  // Sums by method, dense; zero between two uses.
  struct ByMethod {
    std::vector<std::uint64_t> calls;
    std::vector<std::uint32_t> methods;
  };

  void sum(std::span<const ContextNode> nodes, ByMethod& by_method);
  std::uint8_t reasons_to_keep(const SliceFacts& facts) noexcept;
  void keep(std::shared_ptr<const Slice> slice, std::uint8_t as);
  std::unique_ptr<ByMethod> take_scratch();
  std::uint64_t random_below(std::uint64_t end) noexcept;

  const std::uint32_t keep_;
  mutable std::mutex mutex_;  // guards the members below
  std::uint64_t last_id_ = 0;
  std::map<MethodId, SliceSum> sums_;
  std::uint64_t ended_ = 0;
  std::uint64_t in_part_ = 0;
  Kept slowest_, most_calls_;  // heaps, the least first
  Kept sample_;
  std::size_t place_in_sample_ = 0;  // of the slice at hand
  std::uint64_t random_ = 1;
  std::vector<std::unique_ptr<ByMethod>> scratch_;
};

}  // namespace copse::cct
