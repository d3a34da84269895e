// Makes the files of a run with context ids that has ended, goes on, or was killed: a report of the events' contexts,
// and the id file beside it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "base/wire/sections.h"
#include "cct/cct.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/id_contexts.h"
#include "encoders/events/outside.h"
#include "encoders/ids/event_sums.h"
#include "report/model/program_tables.h"
#include "report/model/report_model.h"

namespace copse::ids {

struct IdTotals {
  std::uint64_t events = 0;
  std::uint64_t contexts = 0;  // contexts that had events
  std::uint64_t events_lost = 0;
};

// Events and contexts of a run.
struct IdRecords {
  std::function<RecordedEvents(events::EventKind)> events;
  std::optional<events::IdSteps> steps;  // std::nullopt for hashes, which do not decode
};

// The tree of all contexts that had events, with their counts.
class EventReport {
 public:
  // Entries of marked methods are the report's calls; the other `kinds` are measures in this order, each weight before
  // its number. Events whose ids do not decode are lost; unknown() gives the reasons. `outside`: methods that stand for
  // places outside any context.
  EventReport(const IdRecords& records, std::span<const events::EventKind> kinds,
              const events::OutsideMethods& outside);

  // Totals of all kinds together.
  const IdTotals& totals() const noexcept { return totals_; }
  // Names of the report's measures.
  std::vector<std::string> measures() const;
  // Reasons why ids of events did not decode, one sentence each.
  const std::vector<std::string>& unknown() const noexcept { return unknown_; }

  // Returns the report. `about`: the run's program, options and notes, and the names of all methods.
  Result<report::ReportModel> model(report::ProgramTables about) &&;

 private:
  // Calls add(node, amount) for each context of a kind's events. Returns the lost amount.
  template <typename Add>
  EventAmount distribute(events::EventKind kind, Add add);
  void add_marks();
  void add_measures(const events::EventKindInfo& kind);
  std::uint32_t node_of(std::uint64_t id);
  std::uint32_t node_outside(std::size_t place);

  const IdRecords& records_;
  const events::OutsideMethods outside_;
  cct::Cct tree_;
  events::IdContexts nodes_;
  std::vector<report::ProgramTables::Measure> measures_;
  std::vector<std::string> notes_;
  std::unordered_set<std::uint32_t> contexts_;  // nodes that had events
  std::vector<std::string> unknown_;
  IdTotals totals_;
  std::uint64_t marks_ = 0;
  std::uint64_t marks_lost_ = 0;
};

// Writes the report in the format of its path's ending, with at most `max_contexts` contexts, and the complete id file
// to `id_path`. `ids`: nullptr if there is none. Replaces each file in one step; the id file after the report has found
// room, so that an old report keeps its own id file. Leaves in `model` the report as written.
Status write_id_run(report::ReportModel& model, const std::string& path,
                    std::optional<std::uint64_t> max_contexts, const wire::SectionWriter* ids,
                    const std::string& id_path);

}  // namespace copse::ids
