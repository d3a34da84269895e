#include "report/named_graph.h"

#include <array>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "report/json_reader.h"
#include "report/output.h"

namespace copse {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "copse.callgraph/1";

// Writers put the schema first: what follows, such as a command, may say anything.
bool is_graph_file(const std::string& path) {
  std::array<char, 256> head{};
  std::ifstream(path).read(head.data(), head.size() - 1);
  const char* const schema = std::strstr(head.data(), "\"copse.");
  return schema != nullptr && std::string_view(schema).starts_with("\"copse.callgraph/");
}

template <typename T>
void read_column(const json& file, const char* group, const char* name, std::vector<T>& column) {
  file.at(group).at(name).get_to(column);
}

Status check_indices(const std::vector<std::int32_t>& column, std::int32_t least, std::size_t count,
                     const char* name) {
  for (const std::int32_t index : column) {
    if (index < least || (index >= 0 && static_cast<std::size_t>(index) >= count)) {
      return Status::error(std::string(name) + ": " + std::to_string(index) + " is no index");
    }
  }
  return {};
}

Result<NamedGraph> parsed(const json& file) {
  if (file.at("schema") != kSchema) {
    return Status::error("unknown schema " + file.at("schema").get<std::string>());
  }
  NamedGraph graph;
  ReportModel::Methods& methods = graph.methods;
  read_column(file, "methods", "class", methods.class_name);
  read_column(file, "methods", "name", methods.name);
  read_column(file, "methods", "descriptor", methods.descriptor);
  read_column(file, "methods", "loader", methods.loader);
  const std::size_t count = methods.class_name.size();
  methods.source.resize(count);
  read_column(file, "sites", "method", graph.sites.method);
  read_column(file, "sites", "bci", graph.sites.bci);
  graph.sites.line.assign(graph.sites.method.size(), -1);
  std::vector<std::int32_t> callers, sites, callees;
  read_column(file, "edges", "caller", callers);
  read_column(file, "edges", "site", sites);
  read_column(file, "edges", "callee", callees);
  if (methods.name.size() != count || methods.descriptor.size() != count ||
      methods.loader.size() != count || graph.sites.bci.size() != graph.sites.method.size() ||
      sites.size() != callers.size() || callees.size() != callers.size()) {
    return Status::error("columns of different lengths");
  }
  Status status = check_indices(graph.sites.method, 0, count, "sites.method");
  if (status) status = check_indices(callers, -1, count, "edges.caller");
  if (status) status = check_indices(sites, -1, graph.sites.method.size(), "edges.site");
  if (status) status = check_indices(callees, 0, count, "edges.callee");
  if (!status) return status;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    if (sites[i] >= 0 && graph.sites.method[static_cast<std::size_t>(sites[i])] != callers[i]) {
      return Status::error("edges.site: " + std::to_string(sites[i]) + " is not in its caller");
    }
    graph.edges.push_back({callers[i], sites[i], callees[i], 0});
  }
  return graph;
}

}  // namespace

NamedGraph named_graph(ReportModel report) {
  NamedGraph graph;
  graph.methods = std::move(report.methods);
  graph.sites = std::move(report.sites);
  const ReportModel::Nodes& nodes = report.nodes;
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    const std::int32_t caller = nodes.method[static_cast<std::size_t>(nodes.parent[row])];
    if (nodes.method[row] < 0) continue;
    graph.edges.push_back({caller, nodes.site[row], nodes.method[row], nodes.calls[row]});
  }
  return graph;
}

Result<NamedGraph> read_named_graph(const std::string& path) {
  if (!is_graph_file(path)) {
    Result<ReportModel> report = read_json_file(path);
    if (!report.ok()) return report.status();
    return named_graph(std::move(report).value());
  }
  try {
    std::ifstream in(path);
    Result<NamedGraph> graph = parsed(json::parse(in));
    if (!graph.ok()) return Status::error(path + ": " + graph.message());
    return graph;
  } catch (const json::exception& error) {
    return Status::error(path + ": " + error.what());
  }
}

Status write_named_graph(const NamedGraph& graph, const std::string& created_by,
                         const std::string& path) {
  // In this order: the schema tells readers what they have before them.
  nlohmann::ordered_json file;
  file["schema"] = kSchema;
  file["created_by"] = created_by;
  file["methods"] = {{"class", graph.methods.class_name},
                     {"name", graph.methods.name},
                     {"descriptor", graph.methods.descriptor},
                     {"loader", graph.methods.loader}};
  file["sites"] = {{"method", graph.sites.method}, {"bci", graph.sites.bci}};
  std::vector<std::int32_t> callers, sites, callees;
  for (const NamedGraph::Edge& edge : graph.edges) {
    callers.push_back(edge.caller);
    sites.push_back(edge.site);
    callees.push_back(edge.callee);
  }
  file["edges"] = {{"caller", callers}, {"site", sites}, {"callee", callees}};
  AtomicFile out(path);
  // Names of class files need not be valid UTF-8.
  out.put(file.dump(-1, ' ', false, json::error_handler_t::replace));
  out.put('\n');
  return out.commit();
}

}  // namespace copse
