#include "graph/graph_names.h"

namespace copse::graph {

std::optional<MethodId> MatchedNames::method(MethodId method) {
  const auto [entry, is_new] = known_methods_.try_emplace(method);
  if (!is_new) return entry->second;
  const std::optional<MethodId> found = graph_.method(run_.method(method));
  if (found && methods_taken_by_.try_emplace(*found, method).second) entry->second = found;
  return entry->second;
}

std::optional<SiteOrdinal> MatchedNames::site(MethodId caller, SiteOrdinal site) {
  const std::optional<MethodId> in_graph = method(caller);
  if (!in_graph) return std::nullopt;
  const std::optional<SiteOrdinal> found = graph_.site(*in_graph, run_.bci(caller, site));
  if (!found) return std::nullopt;
  const SiteOrdinal taker = sites_taken_by_.try_emplace({*in_graph, *found}, site).first->second;
  return taker == site ? found : std::nullopt;
}

}  // namespace copse::graph
