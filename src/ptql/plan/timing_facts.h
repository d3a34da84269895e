// What a query says of the order of events, by itself and by what is so in any Java program.
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
  std::size_t predicate;  // that says so
  bool lifetime;          // because objects live while they are used; else in so many words
};

// Of a constructor's receiver no more is said than of a result.
std::vector<FactEdge> fact_edges(const Query& query, const StaticFilter& filter);

// The order of two events, when a predicate is nothing but an order of two stamps, which the timing
// graph says in full.
std::optional<TimingEdge> order_of_stamps(const Predicate& predicate);
inline bool is_order_of_stamps(const Predicate& predicate) {
  return order_of_stamps(predicate).has_value();
}

// For each method those that equalities, one after the other, put into its thread. `usable`: by
// predicate.
std::vector<IdentifierSet> same_threads(const Query& query, const std::vector<bool>& usable);

}  // namespace copse::ptql
