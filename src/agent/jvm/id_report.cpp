#include "agent/jvm/id_report.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "agent/output_path.h"
#include "cct/cct.h"
#include "report/json_writer.h"
#include "report/model_builder.h"

namespace copse {
namespace {

using encoders::CallPath;
using encoders::EdgeKey;
using EventKind = ContextIds::EventKind;

// What a kind of events adds to a report: how many there were, and the sum of their weights.
struct KindColumns {
  EventKind kind;
  const char* count;
  const char* weight;  // null: the kind has none
  const char* weight_unit;
};
constexpr std::array kColumns = {
    KindColumns{EventKind::kException, "exceptions", nullptr, nullptr},
    KindColumns{EventKind::kAllocation, "allocation_samples", "allocated_bytes",
                "bytes (estimate)"},
    KindColumns{EventKind::kContention, "contentions", "contended_ns", "ns"},
};

// The tree of all contexts that had events, and what was counted in them.
class EventTree {
 public:
  EventTree(const ContextIds& ids, ProgramTables& tables) : ids_(ids), tables_(tables) {}

  // Marks are calls; the other kinds are metrics.
  void add_marks();
  void add_metrics(const KindColumns& columns);

  const Cct& tree() const noexcept { return tree_; }
  IdTotals totals() const noexcept { return totals_; }

 private:
  std::uint32_t node_of(std::uint64_t id);
  static void add(std::vector<std::uint64_t>& values, std::uint32_t node, std::uint64_t value);

  const ContextIds& ids_;
  ProgramTables& tables_;
  Cct tree_;
  IdTotals totals_;
};

// kOverflowNode when the id has no node.
std::uint32_t EventTree::node_of(std::uint64_t id) {
  const Result<CallPath> context = ids_.tables()->decode(id);
  if (!context.ok()) {
    tables_.notes.push_back("DEFECT: " + context.message());
    return Cct::kOverflowNode;
  }
  std::uint32_t node = raw(kRootNode);
  for (const EdgeKey edge : *context) {
    node =
        tree_.child(node, context_key(encoders::site_of(edge).ordinal, encoders::callee_of(edge)));
    if (node == Cct::kOverflowNode) break;
  }
  return node;
}

void EventTree::add_marks() {
  const ContextIds::Events events = ids_.events(EventKind::kMark);
  totals_ = {events.seen, events.sums.size(), events.lost};
  for (const ContextIds::EventSum& sum : events.sums) {
    const std::uint32_t node = node_of(sum.id);
    if (node == Cct::kOverflowNode) {
      totals_.events_lost += sum.count;
    } else {
      tree_.add_calls(node, sum.count);
    }
  }
}

void EventTree::add(std::vector<std::uint64_t>& values, std::uint32_t node, std::uint64_t value) {
  if (node >= values.size()) values.resize(node + std::size_t{1});
  values[node] += value;
}

void EventTree::add_metrics(const KindColumns& columns) {
  const ContextIds::Events events = ids_.events(columns.kind);
  ProgramTables::Metric counts{columns.count, "events", events.lost, {}};
  ProgramTables::Metric weights{"", "", events.lost_weight, {}};
  for (const ContextIds::EventSum& sum : events.sums) {
    const std::uint32_t node = node_of(sum.id);
    if (node == Cct::kOverflowNode) {
      counts.lost += sum.count;
      weights.lost += sum.weight;
    } else {
      add(counts.values, node, sum.count);
      add(weights.values, node, sum.weight);
    }
  }
  tables_.metrics.push_back(std::move(counts));
  if (columns.weight == nullptr) return;
  weights.name = columns.weight;
  weights.unit = columns.weight_unit;
  tables_.metrics.push_back(std::move(weights));
}

std::string in_words(const IdTables::Stats& stats) {
  std::string text = "Ids: " + std::to_string(stats.records) + " records, " +
                     std::to_string(stats.pieces) + " pieces, largest code " +
                     std::to_string(stats.largest_code) + ", " + std::to_string(stats.bytes) +
                     " bytes; probes asked " + std::to_string(stats.slow_entries) + " times";
  if (stats.epochs > 1) text += ", numbered " + std::to_string(stats.epochs) + " times";
  if (stats.lost_entries != 0) {
    text += ", " + std::to_string(stats.lost_entries) + " of them in vain: no memory";
  }
  return text + ".";
}

void note_what_hashes_saw(const ContextIds& ids, ProgramTables& about) {
  const ContextIds::Events marks = ids.events(EventKind::kMark);
  about.notes.push_back("Ids of pcc are hash values: " + std::to_string(marks.sums.size()) +
                        " different ones were seen at events, none can be decoded.");
}

}  // namespace

Result<IdTotals> write_id_report(const ContextIds& ids, const MethodTable& methods,
                                 const std::vector<std::string>& kinds, ProgramTables about,
                                 const std::string& path) {
  EventTree events(ids, about);
  IdTotals totals;
  if (ids.tables() != nullptr) {
    events.add_marks();
    for (const KindColumns& columns : kColumns) {
      const bool wanted = std::any_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
        return ContextIds::event_named(kind) == columns.kind;
      });
      if (wanted) events.add_metrics(columns);
    }
    totals = events.totals();
    about.notes.push_back(in_words(ids.tables()->stats()));
  } else {
    const ContextIds::Events marks = ids.events(EventKind::kMark);
    totals = {marks.seen, marks.sums.size(), marks.seen};
    note_what_hashes_saw(ids, about);
  }
  if (const std::uint64_t missing = ids.methods_without_place(); missing != 0) {
    about.notes.push_back("The numbers of call sites were used up: " + std::to_string(missing) +
                          " methods are missing from contexts.");
  }
  methods.export_to(about);
  about.calls_seen = totals.events;
  about.calls_lost = totals.events_lost;
  const std::vector<MethodName> names = about.methods;
  const Result<ReportModel> model = build_model(events.tree(), std::move(about));
  if (!model.ok()) return model.status();
  // The graph file is replaced when the report has found room: an old report keeps its own.
  AtomicFile report(path);
  write_json(*model, report);
  if (Status status = report.finish(); !status) return status;
  if (ids.tables() != nullptr) {
    if (Status status = ids.save(graph_path(path), names); !status) return status;
  }
  if (Status status = report.commit(); !status) return status;
  return totals;
}

}  // namespace copse
