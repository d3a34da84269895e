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
  GraphBuilder(const ReportModel& report, const std::vector<MethodName>& methods)
      : report_(report), known_(methods) {}

  Result<ReportGraph> build();

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  Status number_methods();
  Status number_sites();

  const ReportModel& report_;
  const std::vector<MethodName>& known_;
  std::vector<MethodId> ids_;          // by the report's method
  std::vector<SiteOrdinal> ordinals_;  // by the report's site
};

Status GraphBuilder::number_methods() {
  // The report's text is valid UTF-8, a trace's need not be.
  std::map<Key, MethodId> by_name;
  for (std::uint32_t id = 1; id < known_.size(); ++id) {
    const MethodName& name = known_[id];
    by_name.try_emplace({valid_utf8(name.class_name), valid_utf8(name.name),
                         valid_utf8(name.descriptor), valid_utf8(name.loader)},
                        MethodId{id});
  }
  std::uint64_t next = std::max<std::uint64_t>(1, known_.size());
  const ReportModel::Methods& names = report_.methods;
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
  const ReportModel::Sites& sites = report_.sites;
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

Result<ReportGraph> GraphBuilder::build() {
  if (Status status = number_methods(); !status.ok()) return status;
  if (Status status = number_sites(); !status.ok()) return status;
  encoders::CallGraph graph;
  const ReportModel::Nodes& nodes = report_.nodes;
  const auto method_at = [&](std::int32_t row) {
    const std::int32_t method = nodes.method[static_cast<std::size_t>(row)];
    return method < 0 ? kNoMethod : ids_[static_cast<std::size_t>(method)];
  };
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    const std::int32_t site = nodes.site[row];
    const CallSite at{method_at(nodes.parent[row]),
                      site < 0 ? kNoSite : ordinals_[static_cast<std::size_t>(site)]};
    const MethodId callee = method_at(static_cast<std::int32_t>(row));
    if (callee != kNoMethod) graph.add(encoders::edge_key(at, callee), nodes.calls[row]);
  }
  return ReportGraph{std::move(graph), std::move(ids_), std::move(ordinals_)};
}

}  // namespace

Result<encoders::CallGraph> graph_of_report(const ReportModel& report,
                                            const std::vector<MethodName>& methods) {
  Result<ReportGraph> built = GraphBuilder(report, methods).build();
  if (!built.ok()) return built.status();
  return std::move(built->graph);
}

Result<ReportGraph> numbered_graph_of_report(const ReportModel& report) {
  const std::vector<MethodName> none;
  return GraphBuilder(report, none).build();
}

}  // namespace copse
