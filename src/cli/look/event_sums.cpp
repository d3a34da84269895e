#include "cli/look/event_sums.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "base/version.h"
#include "cct/context_tree.h"
#include "report/model/model_builder.h"
#include "report/model/program_tables.h"
#include "report/model/summed_measures.h"
#include "shadowstack/thread_rows.h"

namespace copse::cli {
namespace {

void add_to(NumberColumn& column, std::uint32_t row, std::uint64_t value) {
  if (row >= column.size()) column.resize(row + std::size_t{1});
  column[row] += value;
}

// Contexts that have events, and their callers. A file has those of starts of threads, too.
class ReportedContexts {
 public:
  // REQUIRES: `file` outlives this.
  ReportedContexts(const std::vector<events::FileContext>& file,
                   const std::array<EventSums::Kind, events::kEventKinds>& kinds)
      : file_(file), numbers_(file.size()) {
    for (const EventSums::Kind& kind : kinds) {
      keep(kind.event_column);
      keep(kind.weight_column);
    }
    close();
  }

  const std::vector<events::FileContext>& contexts() const { return contexts_; }
  NumberColumn column(const NumberColumn& of_file) const {
    NumberColumn column;
    for (std::uint32_t i = 1; i < of_file.size(); ++i) {
      if (of_file[i] != 0) add_to(column, numbers_[i], of_file[i]);
    }
    return column;
  }

 private:
  void keep(const NumberColumn& events) {
    for (std::uint32_t i = 1; i < events.size(); ++i) {
      if (events[i] == 0) continue;
      for (std::uint32_t at = i; at != 0 && numbers_[at] == 0; at = file_[at].parent) {
        numbers_[at] = 1;
      }
    }
  }
  // Numbers the contexts that are kept, in the file's order.
  void close() {
    contexts_.emplace_back();
    for (std::uint32_t i = 1; i < numbers_.size(); ++i) {
      if (numbers_[i] == 0) continue;
      numbers_[i] = static_cast<std::uint32_t>(contexts_.size());
      contexts_.push_back({numbers_[file_[i].parent], file_[i].key, file_[i].id});
    }
  }

  const std::vector<events::FileContext>& file_;
  std::vector<std::uint32_t> numbers_;  // by number in the file; 0: not kept, or ROOT
  std::vector<events::FileContext> contexts_;
};

// Contexts called as often as they have marks.
class MarkedContexts final : public cct::ContextTree {
 public:
  MarkedContexts(const std::vector<events::FileContext>& contexts, const NumberColumn& marks)
      : contexts_(contexts), marks_(marks) {}

  std::uint32_t node_count() const noexcept override {
    return static_cast<std::uint32_t>(contexts_.size());
  }
  cct::ContextNode node(NodeIndex index) const noexcept override {
    const events::FileContext& context = contexts_[raw(index)];
    const std::uint64_t marks = raw(index) < marks_.size() ? marks_[raw(index)] : 0;
    return {NodeIndex{context.parent}, context.key, marks};
  }

 private:
  const std::vector<events::FileContext>& contexts_;
  const NumberColumn& marks_;
};

bool has(const std::vector<events::EventKind>& kinds, events::EventKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

// Those that had an event.
void add_threads(const events::EventReader& file, report::ProgramTables& tables) {
  shadowstack::ThreadRows rows(shadowstack::ThreadRows::Listed::kAll);
  for (const trace::ThreadInfo& thread : file.threads()) {
    (void)rows.add(thread.runtime_id, thread.name);
  }
  for (shadowstack::ThreadRow& row : rows.list()) {
    tables.threads.push_back({row.runtime_id, std::move(row.name), 0, 0, row.threads});
  }
}

}  // namespace

std::vector<events::EventKind> kinds_asked_for(const std::map<std::string, std::string>& options) {
  std::vector<events::EventKind> kinds;
  const auto asked = options.find("measure");
  std::istringstream names(asked == options.end() ? "" : asked->second);
  for (std::string name; names >> name;) {
    for (const events::EventKind kind : events::kinds_of_measure(name.substr(0, name.find(':')))) {
      if (!has(kinds, kind)) kinds.push_back(kind);
    }
  }
  return kinds;
}

void EventSums::add(const events::FileEvent& event) {
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

std::size_t EventSums::contexts(const events::EventReader& file) const {
  return ReportedContexts(file.contexts(), kinds_).contexts().size() - 1;
}

Result<report::ReportModel> EventSums::report(const events::EventReader& file,
                                              const Status& damage) const {
  report::ProgramTables tables;
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
  tables.calls_of = report::kMarkedMethods;
  tables.notes.push_back("Made from an event file: of calls there are those of marked methods.");
  events::EventFileEnd end;
  if (damage.ok() && file.end()) {
    end = *file.end();
    tables.program.wall_ms = end.wall_ms;
    for (const std::string& note : end.notes) tables.notes.push_back(note);
  } else {
    tables.notes.push_back("The event file is damaged, this is of the part before that. " +
                           damage.message());
  }
  std::vector<events::EventKind> kinds = kinds_asked_for(tables.options);
  const ReportedContexts contexts(file.contexts(), kinds_);
  const bool has_all_states = has(kinds, events::EventKind::kRunnable);
  for (const events::EventKindInfo& info : events::kEventKindInfos) {
    if (!has(kinds, info.kind)) kinds.push_back(info.kind);
  }
  for (const events::EventKind known : kinds) {
    const events::EventKindInfo& info = events::info_of(known);
    const Kind& kind = of(info.kind);
    const events::EventTotals& totals = end.totals[static_cast<std::size_t>(info.kind)];
    const std::uint64_t lost = kind.without_context + totals.seen - totals.in_file;
    const std::uint64_t lost_weight =
        kind.weight_without_context + totals.seen_weight - totals.in_file_weight;
    if (info.kind == events::EventKind::kMark) {
      tables.calls_seen = kind.events + totals.seen - totals.in_file;
      tables.calls_lost = lost;
      continue;
    }
    if (kind.events == 0 && lost == 0 && lost_weight == 0) continue;
    if (!info.weight.empty()) {
      tables.measures.push_back({std::string(info.weight), std::string(info.weight_unit),
                                 lost_weight, contexts.column(kind.weight_column)});
    }
    if (info.count.empty()) continue;
    tables.measures.push_back(
        {std::string(info.count), "events", lost, contexts.column(kind.event_column)});
  }
  if (has_all_states) {
    report::insert_sum(tables.measures, std::string(events::kWallColumn), events::kStateColumns,
                       events::kStateColumns);
    report::insert_sum(tables.measures, std::string(events::kWallSamplesColumn),
                       events::kStateSamplesColumns, events::kStateColumns);
  }
  const NumberColumn marks = contexts.column(of(events::EventKind::kMark).event_column);
  return report::build_model(MarkedContexts(contexts.contexts(), marks), std::move(tables));
}

}  // namespace copse::cli
