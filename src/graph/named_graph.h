// A call graph by names: of a report, whose contexts are its edges, or of class files, made by
// `copse graph` (docs/binary-formats.md, copse.callgraph/1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "report/model/output.h"
#include "report/model/report_model.h"

namespace copse::graph {

struct NamedGraph {
  struct Edge {
    std::int32_t caller = -1;  // index into methods; -1: ROOT
    std::int32_t site = -1;    // index into sites; -1: no call site
    std::int32_t callee = 0;
    std::uint64_t calls = 0;  // 0: never taken
  };

  report::ReportModel::Methods methods;
  report::ReportModel::Sites sites;
  std::vector<Edge> edges;  // numberings follow their order

  MethodName method_name(std::size_t method) const;  // without its call sites
};

// Returns the graph of a report.
NamedGraph named_graph(report::ReportModel report);

// Reads a JSON report or a file of write_named_graph(). Returns the error "PATH: why" for anything
// else.
Result<NamedGraph> read_named_graph(const std::string& path);
// Reads a file of write_named_graph() from memory. `name`: the file's name in messages.
Result<NamedGraph> read_graph_text(std::string_view text, const std::string& name);

// Replaces the file in one step. Leaves out the methods' sources and lines.
Status write_named_graph(const NamedGraph& graph, const std::string& created_by,
                         const std::string& path);
void write_graph_text(const NamedGraph& graph, const std::string& created_by, report::Output& out);

}  // namespace copse::graph
