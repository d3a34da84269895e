#include "report/report_graph.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/utf8.h"

namespace copse {
namespace {

using encoders::CallSite;

class GraphBuilder {
 public:
  GraphBuilder(const NamedGraph& named, const std::vector<MethodName>& methods)
      : named_(named), known_(methods) {}

  Result<NumberedGraph> build();

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  Status number_methods();
  Status number_sites();

  const NamedGraph& named_;
  const std::vector<MethodName>& known_;
  std::vector<MethodId> ids_;          // by the named graph's method
  std::vector<SiteOrdinal> ordinals_;  // by its site
};

Status GraphBuilder::number_methods() {
  // The graph's text is valid UTF-8, a trace's need not be.
  std::map<Key, MethodId> by_name;
  for (std::uint32_t id = 1; id < known_.size(); ++id) {
    const MethodName& name = known_[id];
    by_name.try_emplace({valid_utf8(name.class_name), valid_utf8(name.name),
                         valid_utf8(name.descriptor), valid_utf8(name.loader)},
                        MethodId{id});
  }
  std::uint64_t next = std::max<std::uint64_t>(1, known_.size());
  const ReportModel::Methods& names = named_.methods;
  for (std::size_t i = 0; i < names.name.size(); ++i) {
    const auto found =
        by_name.find({names.class_name[i], names.name[i], names.descriptor[i], names.loader[i]});
    if (found == by_name.end() && next > kMaxMethodId) {
      return Status::error("more methods than there are ids");
    }
    ids_.push_back(found != by_name.end() ? found->second
                                          : MethodId{static_cast<std::uint32_t>(next++)});
  }
  return {};
}

Status GraphBuilder::number_sites() {
  std::map<std::int32_t, std::uint32_t> behind;  // by method: ordinals given out beyond the trace's
  const ReportModel::Sites& sites = named_.sites;
  for (std::size_t i = 0; i < sites.method.size(); ++i) {
    const std::uint32_t caller = raw(ids_[static_cast<std::size_t>(sites.method[i])]);
    static const std::vector<SiteName> kNoSites;
    const std::vector<SiteName>& named = caller < known_.size() ? known_[caller].sites : kNoSites;
    const auto at = std::find_if(named.begin(), named.end(),
                                 [&](const SiteName& site) { return site.bci == sites.bci[i]; });
    std::size_t ordinal = static_cast<std::size_t>(at - named.begin()) + 1;
    if (at == named.end()) ordinal += behind[sites.method[i]]++;
    if (ordinal > 0xFFFF) return Status::error("a method with more than 65535 call sites");
    ordinals_.push_back(SiteOrdinal{static_cast<std::uint16_t>(ordinal)});
  }
  return {};
}

Result<NumberedGraph> GraphBuilder::build() {
  if (Status status = number_methods(); !status.ok()) return status;
  if (Status status = number_sites(); !status.ok()) return status;
  encoders::CallGraph graph;
  const auto id_of = [&](std::int32_t method) {
    return method < 0 ? kNoMethod : ids_[static_cast<std::size_t>(method)];
  };
  for (const NamedGraph::Edge& edge : named_.edges) {
    const CallSite at{id_of(edge.caller),
                      edge.site < 0 ? kNoSite : ordinals_[static_cast<std::size_t>(edge.site)]};
    graph.add(encoders::edge_key(at, id_of(edge.callee)), edge.calls);
  }
  return NumberedGraph{std::move(graph), std::move(ids_), std::move(ordinals_)};
}

}  // namespace

Result<encoders::CallGraph> graph_of_trace(const NamedGraph& graph,
                                           const std::vector<MethodName>& methods) {
  Result<NumberedGraph> built = GraphBuilder(graph, methods).build();
  if (!built.ok()) return built.status();
  return std::move(built->graph);
}

Result<NumberedGraph> numbered_graph(const NamedGraph& graph) {
  const std::vector<MethodName> none;
  return GraphBuilder(graph, none).build();
}

}  // namespace copse
