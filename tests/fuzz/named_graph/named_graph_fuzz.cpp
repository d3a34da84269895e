// Any bytes as a call graph's file: either one line of complaint, or a graph that is written as it
// was read and that encoders can be given.
#include <cstdint>
#include <string_view>

#include "graph/named_graph.h"
#include "graph/numbered_graph.h"
#include "support/fuzz_require.h"

using namespace copse;

namespace {

std::string json(const graph::NamedGraph& graph) {
  report::StringOutput out;
  graph::write_graph_text(graph, "fuzz", out);
  require(out.finish().ok(), "writing to memory fails");
  return out.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<graph::NamedGraph> graph = graph::read_graph_text(text, "input");
  if (!graph.ok()) {
    require(graph.message().find('\n') == std::string::npos, "the message has several lines");
    return 0;
  }
  const std::string once = json(*graph);
  const Result<graph::NamedGraph> again = graph::read_graph_text(once, "again");
  require(again.ok(), "a written graph does not read back");
  require(json(*again) == once, "a graph changes when written twice");
  const Result<graph::NumberedGraph> numbered = graph::numbered_graph(*graph);
  if (!numbered.ok()) return 0;
  for (std::size_t i = 0; i < graph->methods.name.size(); ++i) {
    require(numbered->names.method(graph->method_name(i)).has_value(), "a method without an id");
  }
  for (std::size_t i = 0; i < graph->sites.bci.size(); ++i) {
    const auto caller = static_cast<std::size_t>(graph->sites.method[i]);
    const auto method = numbered->names.method(graph->method_name(caller));
    require(numbered->names.site(*method, graph->sites.bci[i]).has_value(),
            "a call site without an ordinal");
  }
  require(numbered->graph.edges().size() <= graph->edges.size(), "edges from nowhere");
  return 0;
}
