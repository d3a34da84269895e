#include "cli/look/event_sums.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "base/version.h"
#include "cct/context_tree.h"
#include "report/model_builder.h"
#include "report/program_tables.h"
#include "shadowstack/thread_rows.h"

namespace copse {
namespace {

void add_to(std::vector<std::uint64_t>& column, std::uint32_t row, std::uint64_t value) {
  if (row >= column.size()) column.resize(row + std::size_t{1});
  column[row] += value;
}

// The contexts of a file, called as often as they have marks.
class MarkedContexts final : public ContextTree {
 public:
  MarkedContexts(const std::vector<FileContext>& contexts, const std::vector<std::uint64_t>& marks)
      : contexts_(contexts), marks_(marks) {}

  std::uint32_t node_count() const noexcept override {
    return static_cast<std::uint32_t>(contexts_.size());
  }
  ContextNode node(NodeIndex index) const noexcept override {
    const FileContext& context = contexts_[raw(index)];
    const std::uint64_t marks = raw(index) < marks_.size() ? marks_[raw(index)] : 0;
    return {NodeIndex{context.parent}, context.key, marks};
  }

 private:
  const std::vector<FileContext>& contexts_;
  const std::vector<std::uint64_t>& marks_;
};

// As in the report of the run: in the order in which they were asked for, separated by spaces.
std::vector<EventKind> kinds_in_order(const std::map<std::string, std::string>& options) {
  std::vector<EventKind> kinds;
  const auto add = [&](EventKind kind) {
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
  };
  const auto asked = options.find("event");
  std::istringstream names(asked == options.end() ? "" : asked->second);
  for (std::string name; names >> name;) {
    if (const auto kind = event_kind_named(name)) add(*kind);
  }
  for (const EventKindInfo& info : kEventKindInfos) add(info.kind);
  return kinds;
}

// Those that had an event.
void add_threads(const EventReader& file, ProgramTables& tables) {
  ThreadRows rows(ThreadRows::Listed::kAll);
  for (const trace::ThreadInfo& thread : file.threads()) {
    (void)rows.add(thread.runtime_id, thread.name);
  }
  for (ThreadRow& row : rows.list()) {
    tables.threads.push_back({row.runtime_id, std::move(row.name), 0, 0, row.threads});
  }
}

}  // namespace

void EventSums::add(const FileEvent& event) {
  Kind& kind = kinds_[static_cast<std::size_t>(event.kind)];
  kind.events += event.count;
  kind.weight += event.weight;
  if (event.context == 0) {
    kind.without_context += event.count;
    kind.weight_without_context += event.weight;
    return;
  }
  add_to(kind.event_column, event.context, event.count);
  add_to(kind.weight_column, event.context, event.weight);
}

Result<ReportModel> EventSums::report(const EventReader& file, const Status& damage) const {
  ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  if (file.program()) {
    const trace::ProgramInfo& program = *file.program();
    tables.program = {program.command, program.pid, program.runtime, program.started, 0};
    tables.options = program.options;
  }
  tables.methods = file.methods();
  add_threads(file, tables);
  for (const trace::SkippedInfo& row : file.skipped()) {
    tables.skipped.push_back({row.class_name, row.method, row.reason});
  }
  tables.calls_of = kMarkedMethods;
  tables.notes.push_back("Made from an event file: of calls there are those of marked methods.");
  EventFileEnd end;
  if (damage.ok() && file.end()) {
    end = *file.end();
    tables.program.wall_ms = end.wall_ms;
    for (const std::string& note : end.notes) tables.notes.push_back(note);
  } else {
    tables.notes.push_back("The event file is damaged, this is of the part before that. " +
                           damage.message());
  }
  for (const EventKind asked : kinds_in_order(tables.options)) {
    const EventKindInfo& info = info_of(asked);
    const Kind& kind = of(info.kind);
    const EventTotals& totals = end.totals[static_cast<std::size_t>(info.kind)];
    const std::uint64_t lost = kind.without_context + totals.seen - totals.in_file;
    const std::uint64_t lost_weight =
        kind.weight_without_context + totals.seen_weight - totals.in_file_weight;
    if (info.kind == EventKind::kMark) {
      tables.calls_seen = kind.events + totals.seen - totals.in_file;
      tables.calls_lost = lost;
      continue;
    }
    if (kind.events == 0 && lost == 0 && lost_weight == 0) continue;
    if (!info.weight.empty()) {
      tables.metrics.push_back({std::string(info.weight), std::string(info.weight_unit),
                                lost_weight, kind.weight_column});
    }
    tables.metrics.push_back({std::string(info.count), "events", lost, kind.event_column});
  }
  return build_model(MarkedContexts(file.contexts(), of(EventKind::kMark).event_column),
                     std::move(tables));
}

}  // namespace copse
