#include "agent/jvm/id_report.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "cct/cct.h"
#include "report/model_builder.h"
#include "report/report_file.h"
#include "report/summed_measures.h"

namespace copse::jvm {
namespace {

// The tree of all contexts that had events, and what was counted in them.
class EventTree {
 public:
  EventTree(const context_id::ContextIds& ids, const events::OutsideMethods& outside,
            report::ProgramTables& tables)
      : ids_(ids), outside_(outside), tables_(tables) {}

  // Marks are calls; the other kinds are measures.
  void add_marks();
  void add_measures(const events::EventKindInfo& kind);

  const cct::Cct& tree() const noexcept { return tree_; }
  // Of all kinds together.
  IdTotals totals() const noexcept { return {events_, contexts_.size(), events_lost_}; }
  std::uint64_t marks_lost() const noexcept { return marks_lost_; }

 private:
  // What a kind's events come to: add(node, amount) in each context, the rest is returned.
  template <typename Add>
  context_id::EventAmount distribute(events::EventKind kind, Add add);
  std::uint32_t node_of(std::uint64_t id);
  std::uint32_t node_outside(std::size_t place);
  static void add(std::vector<std::uint64_t>& values, std::uint32_t node, std::uint64_t value);

  const context_id::ContextIds& ids_;
  const events::OutsideMethods& outside_;
  report::ProgramTables& tables_;
  cct::Cct tree_;
  std::unordered_set<std::uint32_t> contexts_;  // nodes that had events
  std::uint64_t events_ = 0;
  std::uint64_t events_lost_ = 0;
  std::uint64_t marks_lost_ = 0;
};

// kOverflowNode when the id has no node.
std::uint32_t EventTree::node_of(std::uint64_t id) {
  const Result<CallPath> context = ids_.tables()->decode(id);
  if (!context.ok()) {
    tables_.notes.push_back("DEFECT: " + context.message());
    return cct::Cct::kOverflowNode;
  }
  std::uint32_t node = raw(kRootNode);
  for (const EdgeKey edge : *context) {
    node = tree_.child(node, context_key(site_of(edge).ordinal, callee_of(edge)));
    if (node == cct::Cct::kOverflowNode) break;
  }
  return node;
}

std::uint32_t EventTree::node_outside(std::size_t place) {
  if (outside_[place] == kNoMethod) return cct::Cct::kOverflowNode;
  return tree_.child(raw(kRootNode), context_key(kNoSite, outside_[place]));
}

template <typename Add>
context_id::EventAmount EventTree::distribute(events::EventKind kind, Add add) {
  const context_id::ContextIds::Events events = ids_.events(kind);
  context_id::EventAmount lost{events.lost_weight, events.lost};
  const auto add_at = [&](std::uint32_t node, const context_id::EventAmount& amount) {
    if (node == cct::Cct::kOverflowNode) {
      lost.count += amount.count;
      lost.weight += amount.weight;
    } else {
      contexts_.insert(node);
      add(node, amount);
    }
  };
  for (const context_id::ContextIds::EventSum& sum : events.sums) {
    add_at(node_of(sum.id), {sum.weight, sum.count});
  }
  for (std::size_t place = 0; place < events::kOutsidePlaces; ++place) {
    const context_id::ContextIds::EventSum& sum = events.outside[place];
    if (sum.count != 0 || sum.weight != 0) add_at(node_outside(place), {sum.weight, sum.count});
  }
  events_ += events.seen;
  events_lost_ += lost.count;
  return lost;
}

void EventTree::add_marks() {
  const context_id::EventAmount lost = distribute(
      events::EventKind::kMark, [this](std::uint32_t node, const context_id::EventAmount& amount) {
        tree_.add_calls(node, amount.count);
      });
  marks_lost_ = lost.count;
}

void EventTree::add(std::vector<std::uint64_t>& values, std::uint32_t node, std::uint64_t value) {
  if (node >= values.size()) values.resize(node + std::size_t{1});
  values[node] += value;
}

void EventTree::add_measures(const events::EventKindInfo& kind) {
  report::ProgramTables::Measure counts{std::string(kind.count), "events", 0, {}};
  report::ProgramTables::Measure weights{
      std::string(kind.weight), std::string(kind.weight_unit), 0, {}};
  const context_id::EventAmount lost =
      distribute(kind.kind, [&](std::uint32_t node, const context_id::EventAmount& amount) {
        add(counts.values, node, amount.count);
        add(weights.values, node, amount.weight);
      });
  counts.lost = lost.count;
  weights.lost = lost.weight;
  if (!kind.weight.empty()) tables_.measures.push_back(std::move(weights));
  if (!kind.count.empty()) tables_.measures.push_back(std::move(counts));
}

// And not that in which threads are parked alone.
bool has_all_states(std::span<const events::EventKind> kinds) {
  return std::find(kinds.begin(), kinds.end(), events::EventKind::kRunning) != kinds.end();
}

std::string in_words(const context_id::IdTables::Stats& stats) {
  std::string text = "The tables of context ids took " + counted(stats.bytes, "byte") + ": " +
                     counted(stats.mappings, "mapping") + ", " + counted(stats.pieces, "piece") +
                     ", largest code " + std::to_string(stats.largest_code) + "; probes asked " +
                     counted(stats.slow_entries, "time");
  if (stats.graph.edges != 0) {
    text += ", the graph has " + grouped(stats.graph.known) + " of " +
            counted(stats.graph.edges, "call");
  }
  if (stats.epochs > 1) text += ", numbered " + counted(stats.epochs, "time");
  if (stats.lost_entries != 0) {
    text += ", " + grouped(stats.lost_entries) + " of them in vain: no memory";
  }
  return text + ".";
}

void note_what_hashes_saw(const context_id::ContextIds& ids, report::ProgramTables& about) {
  const context_id::ContextIds::Events marks = ids.events(events::EventKind::kMark);
  about.notes.push_back(
      "Ids of pcc are hash values: " + counted(marks.sums.size(), "different one") +
      " at events, none can be decoded.");
}

}  // namespace

std::string doubt_about_graph(const std::string& path,
                              const encoders::CodeNumbering::GraphUse& use) {
  if (use.known >= use.edges - use.known) return "";
  return path + ": has " + grouped(use.known) + " of the " + counted(use.edges, "call") +
         " between methods that the program made: of another program? Ids are right all the same, "
         "but slower";
}

Result<IdTotals> write_id_report(const context_id::ContextIds& ids, const MethodTable& methods,
                                 std::span<const events::EventKind> kinds,
                                 const events::OutsideMethods& outside, report::ProgramTables about,
                                 const std::string& path,
                                 std::optional<std::uint64_t> max_contexts) {
  EventTree events(ids, outside, about);
  IdTotals totals;
  std::uint64_t marks_lost = 0;
  const std::uint64_t marks = ids.events(events::EventKind::kMark).seen;
  if (ids.tables() != nullptr) {
    events.add_marks();
    for (const events::EventKind kind : kinds) events.add_measures(events::info_of(kind));
    if (has_all_states(kinds)) {
      report::insert_sum(about.measures, std::string(events::kWallColumn), events::kStateColumns,
                         events::kStateColumns);
      report::insert_sum(about.measures, std::string(events::kWallSamplesColumn),
                         events::kStateSamplesColumns, events::kStateColumns);
    }
    totals = events.totals();
    marks_lost = events.marks_lost();
    about.notes.push_back(in_words(ids.tables()->stats()));
  } else {
    totals = {marks, ids.events(events::EventKind::kMark).sums.size(), marks};
    marks_lost = marks;
    note_what_hashes_saw(ids, about);
  }
  if (const std::uint64_t missing = ids.methods_without_place(); missing != 0) {
    about.notes.push_back("The numbers of call sites were used up: contexts lack " +
                          counted(missing, "method") + ".");
  }
  methods.export_to(about);
  about.calls_of = report::kMarkedMethods;
  about.calls_seen = marks;
  about.calls_lost = marks_lost;
  const std::vector<MethodName> names = about.methods;
  Result<report::ReportModel> model = report::build_model(events.tree(), std::move(about));
  if (!model.ok()) return model.status();
  // The id file is replaced when the report has found room: an old report keeps its own.
  report::AtomicFile report(path);
  if (Status status = report::put_report(*model, path, max_contexts, report); !status)
    return status;
  if (Status status = report.finish(); !status) return status;
  if (ids.tables() != nullptr) {
    if (Status status = ids.save(agent::id_file_path(path), names); !status) return status;
  }
  if (Status status = report.commit(); !status) return status;
  return totals;
}

}  // namespace copse::jvm
