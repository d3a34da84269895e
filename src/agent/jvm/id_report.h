// From a finished run that kept context ids to its files: a report of the events' contexts, and the
// id file with which `copse decode` turns ids back into contexts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "agent/jvm/method_table.h"
#include "base/status.h"
#include "context_id/context_ids.h"
#include "events/event_kind.h"
#include "events/outside.h"
#include "report/program_tables.h"

namespace copse::jvm {

struct IdTotals {
  std::uint64_t events = 0;
  std::uint64_t contexts = 0;  // that had events
  std::uint64_t events_lost = 0;
};

// What to say of a graph that has less than half of what a program calls; "" of a better one.
std::string doubt_about_graph(const std::string& path,
                              const encoders::CodeNumbering::GraphUse& use);

// `about`: the run's program, options and notes. The report's calls are entries of marked methods;
// their callers have none. The other `kinds` of events (jvm_events.h) are measures in this order, the
// weight of each before its number. Events of ids that do not decode are lost, and the report says
// so.
// `outside`: the methods that stand for places outside any context. `max_contexts`: of the report;
// the id file has them all.
Result<IdTotals> write_id_report(const context_id::ContextIds& ids, const MethodTable& methods,
                                 std::span<const events::EventKind> kinds,
                                 const events::OutsideMethods& outside, report::ProgramTables about,
                                 const std::string& path,
                                 std::optional<std::uint64_t> max_contexts);

}  // namespace copse::jvm
