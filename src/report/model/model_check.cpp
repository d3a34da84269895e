#include "report/model/model_check.h"

#include <algorithm>
#include <array>
#include <set>

#include "report/model/slices.h"

namespace copse::report {
namespace {

using std::to_string;

Status bad(const std::string& what, std::size_t row, const std::string& why) {
  return Status::error(Fault::kMalformed, what + "[" + to_string(row) + "]: " + why);
}

template <typename... Columns>
Status check_lengths(const char* group, std::size_t length, const Columns&... columns) {
  const bool equal = ((columns.size() == length) && ...);
  if (equal) return {};
  return Status::error(Fault::kMalformed, std::string(group) + ": columns differ in length");
}

Status check_range(const char* what, const std::vector<std::int32_t>& column, std::size_t first,
                   std::int32_t lowest, std::size_t limit) {
  for (std::size_t row = first; row < column.size(); ++row) {
    if (column[row] < lowest ||
        (column[row] >= 0 && static_cast<std::size_t>(column[row]) >= limit)) {
      return bad(what, row, to_string(column[row]) + " is out of range");
    }
  }
  return {};
}

// In pre-order a row hangs below the previous row or one of that row's ancestors. Each step up
// leaves a row that is never visited again, so the whole walk is linear.
Status check_pre_order(const std::vector<std::int32_t>& parent) {
  if (parent.empty() || parent[0] != -1) return bad("nodes.parent", 0, "must be ROOT, parent -1");
  for (std::size_t row = 1; row < parent.size(); ++row) {
    if (parent[row] < 0 || static_cast<std::size_t>(parent[row]) >= row) {
      return bad("nodes.parent", row, to_string(parent[row]) + " is not an earlier row");
    }
    auto open = static_cast<std::int32_t>(row - 1);
    while (open > parent[row]) open = parent[static_cast<std::size_t>(open)];
    if (open != parent[row]) return bad("nodes.parent", row, "breaks pre-order");
  }
  return {};
}

Status check_nodes(const ReportModel& model) {
  const ReportModel::Nodes& nodes = model.nodes;
  if (Status s = check_lengths("nodes", nodes.parent.size(), nodes.method, nodes.site, nodes.calls);
      !s.ok()) {
    return s;
  }
  if (Status s = check_pre_order(nodes.parent); !s.ok()) return s;
  if (nodes.method[0] != -1 || nodes.site[0] != -1 || nodes.calls[0] != 0) {
    return bad("nodes", 0, "ROOT must have method -1, site -1 and 0 calls");
  }
  const std::size_t methods = model.methods.name.size();
  if (Status s = check_range("nodes.method", nodes.method, 1, 0, methods); !s.ok()) return s;
  return check_range("nodes.site", nodes.site, 1, -1, model.sites.method.size());
}

Status check_shown(const ReportModel& model) {
  if (model.shown == kCallsMeasure || model.find_measure(model.shown) != nullptr) return {};
  return Status::error(Fault::kMalformed, "shown: '" + model.shown + "' is none of the measures");
}

template <typename Column>
bool overflows(const Column& column) {
  std::uint64_t sum = 0;
  return std::any_of(column.begin(), column.end(), [&](std::uint64_t number) {
    return __builtin_add_overflow(sum, number, &sum);
  });
}

Status check_measures(const ReportModel& model) {
  constexpr std::array kColumns = {"parent", "method", "site", "calls", kIdColumn};
  std::set<std::string> names(kColumns.begin(), kColumns.end());
  for (const ReportModel::Measure& measure : model.measures) {
    if (measure.name.empty() || !names.insert(measure.name).second) {
      return Status::error(Fault::kMalformed,
                           "measures: '" + measure.name + "' is no name, or another column's");
    }
    if (measure.values.size() != model.nodes.parent.size()) {
      return Status::error(Fault::kMalformed,
                           "nodes." + measure.name + ": has " + to_string(measure.values.size()) +
                               " values for " + to_string(model.nodes.parent.size()) + " nodes");
    }
    if (!measure.of_threads.empty() && measure.of_threads.size() != model.threads.size()) {
      return Status::error(Fault::kMalformed, "metrics: '" + measure.name + "' has " +
                                                  to_string(measure.of_threads.size()) +
                                                  " amounts for " +
                                                  to_string(model.threads.size()) + " threads");
    }
    if (overflows(measure.values) || overflows(measure.of_threads)) {
      return Status::error(Fault::kMalformed,
                           "nodes." + measure.name + ": the sum does not fit 64 bits");
    }
  }
  return {};
}

std::uint64_t calls_in_evicted_nodes(const ReportModel& model) {
  std::vector<bool> is_evicted(model.methods.name.size());
  for (std::size_t row = 0; row < is_evicted.size(); ++row) {
    is_evicted[row] = is_evicted_method(model.methods, row);
  }
  std::uint64_t calls = 0;
  for (std::size_t node = 1; node < model.nodes.calls.size(); ++node) {
    if (is_evicted[static_cast<std::size_t>(model.nodes.method[node])]) {
      calls += model.nodes.calls[node];
    }
  }
  return calls;
}

Status check_totals(const ReportModel& model) {
  std::uint64_t calls = 0;
  for (const std::uint64_t node_calls : model.nodes.calls) {
    if (__builtin_add_overflow(calls, node_calls, &calls)) {
      return Status::error(Fault::kMalformed, "nodes.calls: the sum does not fit 64 bits");
    }
  }
  const ReportModel::Totals& totals = model.totals;
  if (totals.calls != calls) {
    return Status::error(Fault::kMalformed, "totals.calls: " + to_string(totals.calls) +
                                                ", but the nodes hold " + to_string(calls));
  }
  if (const std::uint64_t evicted = calls_in_evicted_nodes(model);
      totals.evicted_calls != evicted) {
    return Status::error(Fault::kMalformed,
                         "totals.evicted_calls: " + to_string(totals.evicted_calls) +
                             ", but nodes of evicted contexts hold " + to_string(evicted));
  }
  if (totals.contexts != model.nodes.parent.size() - 1) {
    return Status::error(Fault::kMalformed,
                         "totals.contexts: " + to_string(totals.contexts) + ", but there are " +
                             to_string(model.nodes.parent.size() - 1) + " nodes below ROOT");
  }
  return {};
}

Status check_timeline(const ReportAbout::TimeLine& line) {
  const std::size_t rows = line.program_ns.size();
  if ((rows == 0) != (line.step_ms == 0)) {
    return Status::error(Fault::kMalformed, "timeline: rows need a step_ms above 0");
  }
  return check_lengths("timeline", rows, line.compilers_ns, line.collectors_ns, line.others_ns);
}

Status check_threads(const ReportModel& model) {
  const auto nodes = static_cast<std::int64_t>(model.nodes.parent.size());
  for (std::size_t row = 0; row < model.threads.size(); ++row) {
    const std::int64_t node = model.threads[row].node;
    if (node < -1 || node >= nodes) {
      return bad("threads", row, "node " + to_string(node) + " is out of range");
    }
  }
  return {};
}

}  // namespace

Status check_invariants(const ReportModel& model) {
  const ReportModel::Methods& m = model.methods;
  const ReportModel::Sites& s = model.sites;
  if (Status status = check_lengths("methods", m.name.size(), m.class_name, m.descriptor, m.source,
                                    m.loader, m.stable_class);
      !status.ok()) {
    return status;
  }
  if (Status status = check_lengths("sites", s.method.size(), s.bci, s.line); !status.ok()) {
    return status;
  }
  if (Status status = check_range("sites.method", s.method, 0, 0, m.name.size()); !status.ok()) {
    return status;
  }
  if (Status status = check_nodes(model); !status.ok()) return status;
  if (Status status = check_threads(model); !status.ok()) return status;
  if (Status status = check_timeline(model.timeline); !status.ok()) return status;
  if (Status status = check_measures(model); !status.ok()) return status;
  if (Status status = check_shown(model); !status.ok()) return status;
  if (Status status = check_slices(model); !status.ok()) return status;
  return check_totals(model);
}

}  // namespace copse::report
