// Facts about the order of events: those that a query states, and those that hold in any Java program.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ptql/plan/static_filter.h"
#include "ptql/plan/timing_graph.h"

namespace copse::ptql {

struct FactEdge {
  Node from;
  Node to;
  std::size_t predicate;  // predicate that states it
  // true: holds because objects live while they are used; false: stated by the query
  bool lifetime;
};

// Returns the facts. A constructor's receiver is treated like a result.
std::vector<FactEdge> fact_edges(const Query& query, const StaticFilter& filter);

// Returns the order of two events if the predicate only compares two stamps, so that the timing graph expresses it
// fully; otherwise std::nullopt.
std::optional<TimingEdge> order_of_stamps(const Predicate& predicate);
inline bool is_order_of_stamps(const Predicate& predicate) {
  return order_of_stamps(predicate).has_value();
}

// By method: the methods that chains of equalities put into its thread. `usable`: by predicate.
std::vector<IdentifierSet> same_threads(const Query& query, const std::vector<bool>& usable);

}  // namespace copse::ptql
