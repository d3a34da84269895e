// Threads whose contexts are known while they run, and the measures besides calls in these contexts
// (measured_contexts.h). Implemented for trees in place (inline_trees.h) and packets
// (measured_packets.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "cct/measured_contexts.h"
#include "shadowstack/inlined_calls.h"
#include "shadowstack/thread_header.h"

namespace copse::cct {

class MeasuredThreads {
 public:
  virtual ~MeasuredThreads() = default;

  struct Measuring {
    std::span<const MeasureName> columns;  // besides calls; valid during measure() alone
    ContextKey outside = 0;                // key below ROOT for amounts outside all contexts
    // Returns true if a callee called at that site leaves the thread's word as it is. An amount at
    // that word is then the callee's.
    std::function<bool(MethodId caller, SiteOrdinal site, MethodId callee)> is_leaf_of;
    // Counts what a thread has not counted yet, where a slice of it begins or ends. Called by: the thread, without a
    // lock. Empty if there is no such measure.
    std::function<void(const shadowstack::ThreadHeader&)> before_slices = {};
  };
  // Starts measuring. REQUIRES: no thread has started. Throws std::bad_alloc.
  virtual void measure(Measuring how) = 0;
  // REQUIRES: measure() was called.
  virtual MeasuredContexts& measured() noexcept = 0;
  // Sets the task to run before a thread's places are forgotten. REQUIRES: no thread has started.
  // The task is called by that thread, or by the thread that parks it, without a lock.
  virtual void before_places_go(std::function<void(const shadowstack::ThreadHeader&)> task) = 0;

  // Adds to columns in the context of a place of the header's thread. A place of a thread without a
  // recorded call is outside. Amounts after close() or detach() are ignored. Thread-safe.
  //
  // The thread's row has the sums (shadowstack/thread_rows.h), with amounts whose context is lost.
  //
  // `below`: a method, not one of the program's, that the amounts count as a call of in that
  // context; kNoMethod means none. `code`: where the thread ran, to correct the place; nullptr if not
  // known. Cost: a look-up per method on the path, and as many for each column.
  virtual void add(const shadowstack::ThreadHeader& header, const shadowstack::ThreadPlace& place,
                   std::span<const ColumnAmount> amounts, MethodId below = kNoMethod,
                   const shadowstack::CodePlace* code = nullptr) noexcept = 0;
  // Adds time until now, as a sample found it, to the slice that the place is in. The column has it by other ways.
  virtual void add_to_slice(const shadowstack::ThreadHeader&, const shadowstack::ThreadPlace&,
                            std::size_t /*column*/, std::uint64_t /*ns*/) noexcept {}
  // Returns the thread's word after entry into `callee`. Called by: the thread.
  virtual std::uint64_t word_in(shadowstack::ThreadHeader& header, std::uint64_t word,
                                MethodId callee) noexcept = 0;
  // Finds the path to a place, and its thread, for add_at(). `entered`: a method that the thread there is about to
  // enter, with which the path then ends; kNoMethod means none. Returns std::nullopt if the thread made no
  // recorded call yet, the path is not known any more, or recording has ended for the thread.
  // Throws std::bad_alloc.
  virtual std::optional<ThreadIndex> path_of(const shadowstack::ThreadHeader& header,
                                             const shadowstack::ThreadPlace& place,
                                             MethodId entered,
                                             std::vector<ContextKey>& path) const = 0;
  // Does the same as add() at a path of a thread, which may have ended.
  void add_at(ThreadIndex thread, std::span<const ContextKey> path,
              std::span<const ColumnAmount> amounts, MethodId below) noexcept {
    measured().add_below(path, amounts, below);
    add_to_thread(thread, amounts);
  }

 protected:
  // Adds to the row of the thread.
  virtual void add_to_thread(ThreadIndex thread,
                             std::span<const ColumnAmount> amounts) noexcept = 0;
};

}  // namespace copse::cct
