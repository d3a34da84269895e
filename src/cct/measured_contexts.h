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
#include <vector>

#include "base/call_record.h"
#include "cct/cct.h"
#include "cct/merged_methods.h"
#include "shadowstack/memory_source.h"

namespace copse::cct {

// A column of a tree's nodes.
struct MeasuredColumn {
  std::uint64_t lost = 0;              // measured, but in no node
  std::vector<std::uint64_t> amounts;  // by node; nodes beyond its end have none
};

class MeasuredContexts {
 public:
  static constexpr std::size_t kMostColumns = 16;

  // `columns`: at most kMostColumns. A column has `most_nodes` at most. Throws std::bad_alloc.
  MeasuredContexts(std::size_t columns, std::uint32_t most_nodes,
                   std::shared_ptr<const MergedMethods> merged, shadowstack::MemorySource& memory);

  std::size_t columns() const noexcept { return columns_.size(); }

  // `path`: from ROOT, which an empty one stands for. `amount`: below 2^50, as all of a context
  // together. Cost: a look-up per method on the path.
  void add(std::size_t column, std::span<const ContextKey> path, std::uint64_t amount) noexcept;
  // What was measured where no context is known.
  void add_lost(std::size_t column, std::uint64_t amount) noexcept;

  // Gives every context a node of `tree`, where it has none yet. Throws std::bad_alloc.
  std::vector<MeasuredColumn> lay_on(Cct& tree) const;

 private:
  const std::uint32_t most_nodes_;
  mutable std::mutex mutex_;  // of all below
  std::vector<std::unique_ptr<Cct>> columns_;
};

}  // namespace copse::cct
