#include "graph/numbered_graph.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

namespace copse::graph {
namespace {

class GraphBuilder {
 public:
  GraphBuilder(const NamedGraph& named, const std::vector<MethodName>& known)
      : named_(named), known_(known), names_(NameIndex::of(known)) {}

  Result<NumberedGraph> build() {
    if (Status status = number_methods(); !status.ok()) return status;
    if (Status status = number_sites(); !status.ok()) return status;
    CallGraph graph;
    for (const NamedGraph::Edge& edge : named_.edges) {
      const CallSite at{id_of(edge.caller),
                        edge.site < 0 ? kNoSite : sites_[static_cast<std::size_t>(edge.site)]};
      graph.add(edge_key(at, id_of(edge.callee)), edge.calls);
    }
    return NumberedGraph{std::move(graph), std::move(names_)};
  }

 private:
  Status number_methods();
  Status number_sites();

  MethodId id_of(std::int32_t method) const {
    return method < 0 ? kNoMethod : methods_[static_cast<std::size_t>(method)];
  }

  const NamedGraph& named_;
  const std::vector<MethodName>& known_;
  NameIndex names_;
  std::vector<MethodId> methods_;   // by the named graph's method
  std::vector<SiteOrdinal> sites_;  // by its call site
};

Status GraphBuilder::number_methods() {
  std::uint64_t next = std::max<std::uint64_t>(1, known_.size());
  for (std::size_t i = 0; i < named_.methods.name.size(); ++i) {
    const MethodName name = named_.method_name(i);
    std::optional<MethodId> method = names_.method(name);
    if (!method) {
      if (next > kMaxMethodId)
        return Status::error(Fault::kLimit, "more methods than there are ids");
      method = MethodId{static_cast<std::uint32_t>(next++)};
      names_.add(name, *method);
    }
    methods_.push_back(*method);
  }
  return {};
}

Status GraphBuilder::number_sites() {
  std::map<MethodId, std::size_t> site_count;
  const report::ReportModel::Sites& sites = named_.sites;
  for (std::size_t i = 0; i < sites.method.size(); ++i) {
    const MethodId caller = id_of(sites.method[i]);
    std::optional<SiteOrdinal> site = names_.site(caller, sites.bci[i]);
    if (!site) {
      const std::size_t known = raw(caller) < known_.size() ? known_[raw(caller)].sites.size() : 0;
      const std::size_t ordinal = ++site_count.try_emplace(caller, known).first->second;
      if (ordinal > 0xFFFF)
        return Status::error(Fault::kLimit, "a method with more than 65535 call sites");
      site = SiteOrdinal{static_cast<std::uint16_t>(ordinal)};
      names_.add(caller, sites.bci[i], *site);
    }
    sites_.push_back(*site);
  }
  return {};
}

}  // namespace

Result<NumberedGraph> numbered_graph(const NamedGraph& graph,
                                     const std::vector<MethodName>& known) {
  return GraphBuilder(graph, known).build();
}

Result<NumberedGraph> read_numbered_graph(const std::string& path) {
  const Result<NamedGraph> named = read_named_graph(path);
  if (!named.ok()) return named.status();
  Result<NumberedGraph> graph = numbered_graph(*named);
  if (!graph.ok()) return graph.status().behind(path + ": ");
  return graph;
}

}  // namespace copse::graph
