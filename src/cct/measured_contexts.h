// What is measured by context besides calls: time, bytes, events. A column for each, and in it the
// contexts that have any of it; what a column has of a context is exclusive, as calls are.
//
// A column is a tree of its own, so that none needs room for another's contexts, and where one
// outgrows its bound, those that go have the least of what it measures.
//
// Threads: any; one mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/call_record.h"
#include "cct/cct.h"
#include "cct/inplace/kept_measures.h"
#include "cct/merged_methods.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"

namespace copse::cct {

// What a column is called, for whoever reads it in the memory of a killed process: shorter than
// KeptMeasure::kTextBytes.
struct MeasureName {
  std::string_view name, unit;
  std::uint64_t scale = 1;  // what one of its amounts stands for
};

// What is added to a column: below 2^50, as all of a context together.
struct ColumnAmount {
  std::size_t column;
  std::uint64_t amount;
};

// A column of a tree's nodes.
struct MeasuredColumn {
  std::uint64_t lost = 0;              // measured, but in no node
  std::vector<std::uint64_t> amounts;  // by node; nodes beyond its end have none
};

class MeasuredContexts {
 public:
  // At most KeptMeasures::kMost columns, of `most_nodes` each. `outside`: of what was measured in no
  // context, below ROOT. Throws std::bad_alloc.
  MeasuredContexts(std::span<const MeasureName> columns, ContextKey outside,
                   std::uint32_t most_nodes, std::shared_ptr<const MergedMethods> merged,
                   shadowstack::MemorySource& memory);

  // Where a reader of a killed process's memory finds the columns.
  void keep_in(KeptMeasures& kept) noexcept;

  std::size_t columns() const noexcept { return columns_.size(); }

  // `path`: from ROOT, which an empty one stands for. Cost: a look-up per method on the path.
  void add(std::size_t column, std::span<const ContextKey> path, std::uint64_t amount) noexcept;
  // The same of several columns, and the empty path is outside. `below`: a method that the program
  // has not, as whose call in that context the amounts count; kNoMethod: none.
  void add_below(std::span<const ContextKey> path, std::span<const ColumnAmount> amounts,
                 MethodId below = kNoMethod) noexcept;
  // What was measured where no context is known.
  void add_lost(std::span<const ColumnAmount> amounts) noexcept;

  // Gives every context a node of `tree`, where it has none yet. Throws std::bad_alloc.
  std::vector<MeasuredColumn> lay_on(Cct& tree) const;

 private:
  const ContextKey outside_;
  const std::uint32_t most_nodes_;
  shadowstack::LazyArray<KeptMeasure> kept_;
  mutable std::mutex mutex_;  // of all below, and of what is kept
  std::vector<std::unique_ptr<Cct>> columns_;
};

}  // namespace copse::cct
