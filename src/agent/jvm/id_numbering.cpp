#include "agent/jvm/id_numbering.h"

#include <string>
#include <utility>

#include "context_id/context_ids.h"
#include "encoders/encoder_info.h"
#include "encoders/numbering/context_number.h"
#include "graph/graph_names.h"
#include "graph/numbered_graph.h"

namespace copse {

Result<std::unique_ptr<CodeNumbering>> make_numbering(const AgentOptions& options,
                                                      const MethodTable& table) {
  const encoders::EncoderInfo* const scheme = encoders::find_live_encoder(options.encoder);
  if (scheme == nullptr) return ContextIds::hashes();
  if (!scheme->needs_graph) return scheme->numbering({}, nullptr, kMostIdCodes);
  const Result<NamedGraph> named = read_named_graph(options.graph);
  if (!named.ok()) return named.status();
  Result<NumberedGraph> graph = numbered_graph(*named);
  if (!graph.ok()) return Status::error(options.graph + ": " + graph.message());
  auto names = std::make_unique<MatchedNames>(
      std::move(graph->names), RunNames{[&table](MethodId method) { return table.name_of(method); },
                                        [&table](MethodId caller, SiteOrdinal site) {
                                          return table.site_bci(caller, site);
                                        }});
  return scheme->numbering(std::move(graph->graph), std::move(names), kMostIdCodes);
}

}  // namespace copse
