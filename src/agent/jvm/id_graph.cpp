#include "agent/jvm/id_graph.h"

#include "base/utf8.h"
#include "context_id/context_ids.h"
#include "encoders/encoder_info.h"
#include "encoders/numbering/context_number.h"

namespace copse {

IdGraphNames::IdGraphNames(const NamedGraph& named, const NumberedGraph& graph,
                           const MethodTable& table)
    : table_(table) {
  const ReportModel::Methods& names = named.methods;
  for (std::size_t i = 0; i < names.name.size(); ++i) {
    by_name_.try_emplace({names.class_name[i], names.name[i], names.descriptor[i], names.loader[i]},
                         graph.methods[i]);
  }
  for (std::size_t i = 0; i < named.sites.method.size(); ++i) {
    const MethodId caller = graph.methods[static_cast<std::size_t>(named.sites.method[i])];
    sites_.try_emplace({caller, named.sites.bci[i]}, Site{graph.sites[i], kNoSite});
  }
}

std::optional<MethodId> IdGraphNames::method(MethodId method) {
  const auto [entry, is_new] = known_methods_.try_emplace(method);
  if (!is_new) return entry->second;
  const MethodName name = table_.name_of(method);
  // The graph's text is valid UTF-8, a class file's need not be.
  const auto found = by_name_.find({valid_utf8(name.class_name), valid_utf8(name.name),
                                    valid_utf8(name.descriptor), valid_utf8(name.loader)});
  if (found != by_name_.end() && taken_by_.try_emplace(found->second, method).second) {
    entry->second = found->second;
  }
  return entry->second;
}

std::optional<SiteOrdinal> IdGraphNames::site(MethodId caller, SiteOrdinal site) {
  const std::optional<MethodId> in_graph = method(caller);
  if (!in_graph) return std::nullopt;
  const auto found = sites_.find({*in_graph, table_.site_bci(caller, site)});
  if (found == sites_.end()) return std::nullopt;
  Site& known = found->second;
  if (known.taken_by == kNoSite) known.taken_by = site;
  return known.taken_by == site ? std::optional(known.in_graph) : std::nullopt;
}

Result<std::unique_ptr<CodeNumbering>> make_numbering(const AgentOptions& options,
                                                      const MethodTable& table) {
  const encoders::EncoderInfo* const scheme = encoders::find_live_encoder(options.encoder);
  if (scheme == nullptr) return ContextIds::hashes();
  if (!scheme->needs_graph) return scheme->numbering({}, nullptr, kMostIdCodes);
  const Result<NamedGraph> named = read_named_graph(options.graph);
  if (!named.ok()) return named.status();
  Result<NumberedGraph> graph = numbered_graph(*named);
  if (!graph.ok()) return Status::error(options.graph + ": " + graph.message());
  auto names = std::make_unique<IdGraphNames>(*named, *graph, table);
  return scheme->numbering(std::move(graph->graph), std::move(names), kMostIdCodes);
}

}  // namespace copse
