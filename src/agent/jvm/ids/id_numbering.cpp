#include "agent/jvm/ids/id_numbering.h"

#include <string>
#include <utility>

#include "encoders/ids/context_ids.h"
#include "encoders/numbering/context_number.h"
#include "encoders/replay/encoder_info.h"
#include "graph/graph_names.h"
#include "graph/numbered_graph.h"

namespace copse::jvm {

Result<std::unique_ptr<encoders::CodeNumbering>> make_numbering(const agent::AgentOptions& options,
                                                                const MethodTable& table,
                                                                const ProbeSelection* selection) {
  const auto& ids = *agent::part<agent::EncoderOptions>(options);
  const encoders::EncoderInfo* const scheme = encoders::find_live_encoder(ids.encoder);
  if (scheme == nullptr) return ids::ContextIds::hashes();
  if (!scheme->needs_graph) return scheme->numbering({}, nullptr, encoders::kMostIdCodes);
  Result<graph::NumberedGraph> graph =
      selection == nullptr
          ? graph::read_numbered_graph(ids.graph)
          : graph::NumberedGraph{selection->graph_of_selected(), selection->names()};
  if (!graph.ok()) return graph.status();
  auto names = std::make_unique<graph::MatchedNames>(
      std::move(graph->names),
      graph::RunNames{
          [&table](MethodId method) { return table.name_of(method); },
          [&table](MethodId caller, SiteOrdinal site) { return table.site_bci(caller, site); }});
  return scheme->numbering(std::move(graph->graph), std::move(names), encoders::kMostIdCodes);
}

}  // namespace copse::jvm
