#include "graph/named_graph.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/descriptor.h"
#include "report/model/json_reader.h"

namespace copse::graph {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "copse.callgraph/1";

std::string beginning_of(const std::string& path) {
  std::array<char, 256> head{};
  const Descriptor file(open_above_standard(path.c_str(), O_RDONLY));
  [[maybe_unused]] const ssize_t count = ::read(file.number(), head.data(), head.size() - 1);
  return head.data();
}

// Writers put the schema first: what follows, such as a command, may say anything.
bool is_graph(std::string_view beginning) {
  const std::size_t schema = beginning.find("\"copse.");
  return schema != std::string_view::npos &&
         beginning.substr(schema).starts_with("\"copse.callgraph/");
}

// The strings or numbers of a column; its name for what is said of it.
template <typename T>
Status read_column(const json& file, const char* group, const char* name, std::vector<T>& column) {
  const auto wrong = [&](const std::string& why) {
    return Status::error(Fault::kMalformed, std::string(group) + "." + name + ": " + why);
  };
  const auto in_file = file.find(group);
  if (in_file == file.end() || !in_file->is_object() || !in_file->contains(name)) {
    return wrong("is missing");
  }
  const json& items = in_file->at(name);
  if (!items.is_array()) return wrong("expected an array");
  column.reserve(items.size());
  for (const json& item : items) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (!item.is_string()) return wrong("expected a string");
      column.push_back(item.get<std::string>());
    } else {
      const bool fits = item.is_number_unsigned() ? std::in_range<T>(item.get<std::uint64_t>())
                                                  : item.is_number_integer() &&
                                                        std::in_range<T>(item.get<std::int64_t>());
      if (!fits) return wrong("expected numbers of 32 bits");
      column.push_back(static_cast<T>(item.get<std::int64_t>()));
    }
  }
  return {};
}

Status check_indices(const std::vector<std::int32_t>& column, std::int32_t least, std::size_t count,
                     const char* name) {
  for (const std::int32_t index : column) {
    if (index < least || (index >= 0 && static_cast<std::size_t>(index) >= count)) {
      return Status::error(Fault::kMalformed,
                           std::string(name) + ": " + std::to_string(index) + " is no index");
    }
  }
  return {};
}

Result<NamedGraph> parsed(const json& file) {
  if (!file.is_object() || file.value("schema", json()) != kSchema) {
    return Status::error(Fault::kMalformed,
                         std::string("unknown schema; this copse reads ") + kSchema);
  }
  NamedGraph graph;
  report::ReportModel::Methods& methods = graph.methods;
  std::vector<std::int32_t> callers, sites, callees;
  Status read = read_column(file, "methods", "class", methods.class_name);
  if (read) read = read_column(file, "methods", "name", methods.name);
  if (read) read = read_column(file, "methods", "descriptor", methods.descriptor);
  if (read) read = read_column(file, "methods", "loader", methods.loader);
  if (read) read = read_column(file, "sites", "method", graph.sites.method);
  if (read) read = read_column(file, "sites", "bci", graph.sites.bci);
  if (read) read = read_column(file, "edges", "caller", callers);
  if (read) read = read_column(file, "edges", "site", sites);
  if (read) read = read_column(file, "edges", "callee", callees);
  if (!read) return read;
  const std::size_t count = methods.class_name.size();
  methods.source.resize(count);
  graph.sites.line.assign(graph.sites.method.size(), -1);
  if (methods.name.size() != count || methods.descriptor.size() != count ||
      methods.loader.size() != count || graph.sites.bci.size() != graph.sites.method.size() ||
      sites.size() != callers.size() || callees.size() != callers.size()) {
    return Status::error(Fault::kMalformed, "columns of different lengths");
  }
  Status status = check_indices(graph.sites.method, 0, count, "sites.method");
  if (status) status = check_indices(callers, -1, count, "edges.caller");
  if (status) status = check_indices(sites, -1, graph.sites.method.size(), "edges.site");
  if (status) status = check_indices(callees, 0, count, "edges.callee");
  if (!status) return status;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    if (sites[i] >= 0 && graph.sites.method[static_cast<std::size_t>(sites[i])] != callers[i]) {
      return Status::error(Fault::kMalformed,
                           "edges.site: " + std::to_string(sites[i]) + " is not in its caller");
    }
    graph.edges.push_back({callers[i], sites[i], callees[i], 0});
  }
  return graph;
}

}  // namespace

MethodName NamedGraph::method_name(std::size_t method) const {
  return {methods.class_name[method], methods.name[method],   methods.descriptor[method],
          methods.source[method],     methods.loader[method], {}};
}

NamedGraph named_graph(report::ReportModel report) {
  NamedGraph graph;
  graph.methods = std::move(report.methods);
  graph.sites = std::move(report.sites);
  const report::ReportModel::Nodes& nodes = report.nodes;
  // Threads, types of events and evicted contexts stand in the tree like methods, without descriptors.
  const auto is_method = [&](std::int32_t method) {
    return method >= 0 && !graph.methods.descriptor[static_cast<std::size_t>(method)].empty();
  };
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    std::int32_t caller = nodes.method[static_cast<std::size_t>(nodes.parent[row])];
    if (!is_method(caller)) caller = -1;
    if (!is_method(nodes.method[row])) continue;
    graph.edges.push_back({caller, nodes.site[row], nodes.method[row], nodes.calls[row]});
  }
  return graph;
}

Result<NamedGraph> read_named_graph(const std::string& path) {
  const std::string beginning = beginning_of(path);
  if (beginning.starts_with("copse.ids/")) {
    return Status::error(
        Fault::kMalformed,
        path +
            ": is the id file of a run, not a report or a call graph; give the report "
            "beside it, or what copse graph wrote");
  }
  if (!is_graph(beginning)) {
    Result<report::ReportModel> report = report::read_json_file(path);
    if (!report.ok()) return report.status();
    return named_graph(std::move(report).value());
  }
  const std::optional<std::string> text = file_contents(path);
  if (!text) return Status::error(Fault::kSystem, path + ": " + std::strerror(errno));
  return read_graph_text(*text, path);
}

Result<NamedGraph> read_graph_text(std::string_view text, const std::string& name) {
  try {
    Result<NamedGraph> graph = parsed(json::parse(text));
    if (!graph.ok()) return graph.status().behind(name + ": ");
    return graph;
  } catch (const json::exception& error) {
    return Status::error(Fault::kMalformed,
                         name + ": not valid JSON: " + report::json_trouble(error.what()));
  }
}

Status write_named_graph(const NamedGraph& graph, const std::string& created_by,
                         const std::string& path) {
  report::AtomicFile out(path);
  write_graph_text(graph, created_by, out);
  return out.commit();
}

void write_graph_text(const NamedGraph& graph, const std::string& created_by, report::Output& out) {
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
  // Names of class files need not be valid UTF-8.
  out.put(file.dump(-1, ' ', false, json::error_handler_t::replace));
  out.put('\n');
}

}  // namespace copse::graph
