// Measures by context besides calls: time, bytes, events. Each has a column, which holds the
// contexts with an amount; amounts are exclusive, as calls are.
//
// A column is a separate tree. It needs no room for another column's contexts, and beyond its bound
// it evicts the contexts with the smallest amounts of its own measure.
//
// Thread-safe: one mutex.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/call_record.h"
#include "base/number_column.h"
#include "cct/cct.h"
#include "cct/kept_measures.h"
#include "cct/merged_methods.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"
#include "shadowstack/thread_rows.h"

namespace copse::cct {

// Name of a column, for a reader of a killed process's memory. Each text is shorter than
// KeptMeasure::kTextBytes.
struct MeasureName {
  std::string_view name, unit;
  std::uint64_t scale = 1;  // quantity that an amount of 1 stands for
  // Slices have it, too (inplace/slices.h): as it is, or as an estimate from samples.
  enum class InSlices : std::uint8_t { kNo, kExact, kSampled };
  InSlices in_slices = InSlices::kNo;
};

// The sum of all amounts of a context must stay below 2^50.
using shadowstack::ColumnAmount;

// A column over a tree's nodes.
struct MeasuredColumn {
  std::uint64_t lost = 0;  // amounts in no node
  NumberColumn amounts;    // by node
};

class MeasuredContexts {
 public:
  // Makes at most KeptMeasures::kMost columns of `most_nodes` nodes each. `outside`: the key below
  // ROOT for amounts in no context. Throws std::bad_alloc.
  MeasuredContexts(std::span<const MeasureName> columns, ContextKey outside,
                   std::uint32_t most_nodes, std::shared_ptr<const MergedMethods> merged,
                   shadowstack::MemorySource& memory);

  // Publishes the columns to readers of a killed process's memory.
  void keep_in(KeptMeasures& kept) noexcept;

  std::size_t columns() const noexcept { return columns_.size(); }

  // Adds an amount at a path from ROOT; an empty path is ROOT itself. Cost: a look-up per method on
  // the path.
  void add(std::size_t column, std::span<const ContextKey> path, std::uint64_t amount) noexcept;
  // Adds an amount at a path that begins at `from`, a node of the column, and sets `nodes` to the column's nodes along the
  // path, up to one without room. Returns false, and does nothing, if version() is not `version`. Throws std::bad_alloc.
  bool add_from(std::uint64_t version, std::size_t column, std::uint32_t from,
                std::span<const ContextKey> path, std::uint64_t amount,
                std::vector<std::uint32_t>& nodes);
  // Changes whenever nodes of columns may be gone, or be others.
  std::uint64_t version() const noexcept { return version_.load(std::memory_order_relaxed); }
  // Key, below ROOT, of amounts in no context.
  ContextKey outside() const noexcept { return outside_; }
  // Adds amounts of several columns; an empty path is outside. `below`: a method, not one of the
  // program's, that the amounts count as a call of in that context; kNoMethod means none.
  void add_below(std::span<const ContextKey> path, std::span<const ColumnAmount> amounts,
                 MethodId below = kNoMethod) noexcept;
  // Forgets all amounts so far.
  void clear() noexcept;
  // Adds amounts whose context is not known.
  void add_lost(std::span<const ColumnAmount> amounts) noexcept;

  // Gives back all memory. Amounts that are added from now on are nowhere.
  void release() noexcept;

  // Returns the columns over `tree`, which gets a node for every context that has none yet. Throws
  // std::bad_alloc.
  std::vector<MeasuredColumn> lay_on(Cct& tree) const;

 private:
  void keep_within_bound(std::size_t column) noexcept;

  const ContextKey outside_;
  const std::uint32_t most_nodes_;
  shadowstack::LazyArray<KeptMeasure> kept_;
  mutable std::mutex mutex_;               // guards the members below, and kept_
  std::atomic<std::uint64_t> version_{0};  // read without it, too
  std::vector<std::unique_ptr<Cct>> columns_;
};

}  // namespace copse::cct
