#include "agent/jvm/id_graph.h"

#include <string>
#include <utility>

#include "context_id/addition_numbering.h"
#include "context_id/context_ids.h"
#include "context_id/dacce_numbering.h"
#include "context_id/luce_numbering.h"
#include "context_id/radix_numbering.h"
#include "context_id/range_numbering.h"
#include "graph/graph_names.h"
#include "graph/numbered_graph.h"

namespace copse {

namespace {

Result<std::unique_ptr<CodeNumbering>> numbering_from_graph(const std::string& encoder,
                                                            const std::string& path,
                                                            const MethodTable& table) {
  const Result<NamedGraph> named = read_named_graph(path);
  if (!named.ok()) return named.status();
  Result<NumberedGraph> graph = numbered_graph(*named);
  if (!graph.ok()) return Status::error(path + ": " + graph.message());
  auto names = std::make_unique<MatchedNames>(
      std::move(graph->names), RunNames{[&table](MethodId method) { return table.name_of(method); },
                                        [&table](MethodId caller, SiteOrdinal site) {
                                          return table.site_bci(caller, site);
                                        }});
  if (encoder == RadixNumbering::kName) {
    return std::unique_ptr<CodeNumbering>(
        std::make_unique<RadixNumbering>(std::move(graph->graph), std::move(names)));
  }
  const bool is_pcce = encoder == kPcceName;
  GraphAdditions additions =
      is_pcce ? pcce_additions(graph->graph) : deltapath_additions(graph->graph);
  return std::unique_ptr<CodeNumbering>(std::make_unique<AdditionNumbering>(
      is_pcce ? kPcceName : kDeltaPathName, std::move(graph->graph), std::move(additions),
      std::move(names)));
}

}  // namespace

Result<std::unique_ptr<CodeNumbering>> make_numbering(const AgentOptions& options,
                                                      const MethodTable& table) {
  if (needs_graph(options.encoder)) {
    return numbering_from_graph(options.encoder, options.graph, table);
  }
  std::unique_ptr<CodeNumbering> numbering = ContextIds::hashes();
  if (options.encoder == RangeNumbering::kName) numbering = std::make_unique<RangeNumbering>();
  if (options.encoder == LuceNumbering::kName) numbering = std::make_unique<LuceNumbering>();
  if (options.encoder == DacceNumbering::kName) numbering = std::make_unique<DacceNumbering>();
  return numbering;
}

}  // namespace copse
