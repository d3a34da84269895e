#include "graph/graph_edges.h"

namespace copse::graph {

std::optional<MethodId> GraphEdges::method(MethodId method) {
  if (method == kRootMethod) return method;
  const std::optional<MethodId> found = names_ ? names_->method(method) : method;
  return found && raw(*found) < graph_.method_limit() ? found : std::nullopt;
}

std::optional<std::size_t> GraphEdges::index(EdgeKey edge) {
  const std::optional<std::size_t> found = find(edge);
  ++use_.edges;
  use_.known += found ? 1 : 0;
  return found;
}

std::optional<std::size_t> GraphEdges::find(EdgeKey edge) {
  const CallSite site = site_of(edge);
  const std::optional<MethodId> callee = method(callee_of(edge));
  const std::optional<MethodId> caller = method(site.caller);
  if (!callee || !caller) return std::nullopt;
  std::optional<SiteOrdinal> ordinal = site.ordinal;
  if (names_ && site.ordinal != kNoSite) ordinal = names_->site(site.caller, site.ordinal);
  if (!ordinal) return std::nullopt;
  const std::int64_t found = graph_.find(edge_key({*caller, *ordinal}, *callee));
  return found < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(found));
}

}  // namespace copse::graph
