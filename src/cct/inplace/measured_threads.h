// Threads whose contexts are known while they run, and what is measured in these contexts besides
// calls (measured_contexts.h): of trees in place (inline_trees.h) and of packets
// (measured_packets.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "cct/measured_contexts.h"
#include "shadowstack/thread_header.h"

namespace copse::cct {

class MeasuredThreads {
 public:
  virtual ~MeasuredThreads() = default;

  struct Measuring {
    std::span<const MeasureName> columns;  // besides calls; of measure() alone
    ContextKey outside = 0;                // below ROOT: of what is measured in no recorded context
    // Whether a callee that its caller's call site calls leaves the thread's word as it is: what the
    // thread has then is its own.
    std::function<bool(MethodId caller, SiteOrdinal site, MethodId callee)> is_leaf_of;
  };
  // Before the first thread. Throws std::bad_alloc.
  virtual void measure(Measuring how) = 0;
  // Since measure().
  virtual MeasuredContexts& measured() noexcept = 0;
  // Before the first thread: told of a thread of which places are about to be forgotten. Called by:
  // that thread, or by who parks it, without a lock.
  virtual void before_places_go(std::function<void(const shadowstack::ThreadHeader&)> task) = 0;

  // Adds to columns in the context of the place, in which the header's thread stood. A place of a
  // thread that made no recorded call yet is outside; what comes after close(), or after detach(), is
  // ignored. Any thread.
  // `below`: a method that the program has not, as whose call in that context the amounts count;
  // kNoMethod: none. Cost: a look-up per method on the path, and as many for each column.
  virtual void add(const shadowstack::ThreadHeader& header, const shadowstack::ThreadPlace& place,
                   std::span<const ColumnAmount> amounts, MethodId below = kNoMethod) noexcept = 0;
  // What the thread's word becomes when the method is entered. Called by: the thread.
  virtual std::uint64_t word_in(shadowstack::ThreadHeader& header, std::uint64_t word,
                                MethodId callee) noexcept = 0;
  // The path to there, for measured().add_below(). False: no recorded call was made yet, the path is
  // not known any more, or recording has ended for the thread. Throws std::bad_alloc.
  virtual bool path_of(const shadowstack::ThreadHeader& header,
                       const shadowstack::ThreadPlace& place,
                       std::vector<ContextKey>& path) const = 0;
};

}  // namespace copse::cct
