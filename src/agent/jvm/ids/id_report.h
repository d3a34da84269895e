// Files of a run that keeps context ids: a report of the events' contexts, and the id file with which `copse
// decode` turns ids back into contexts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "agent/jvm/hook/method_table.h"
#include "base/scheme_facts.h"
#include "base/status.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/outside.h"
#include "encoders/ids/context_ids.h"
#include "encoders/ids/id_report.h"
#include "report/model/program_tables.h"

namespace copse::jvm {

// Returns a warning about a graph that has less than half of a program's calls; "" for a better one.
std::string doubt_about_graph(const std::string& path,
                              const encoders::CodeNumbering::GraphUse& use);

// Returns the figures of an encoder, with the stacks of the ids of all events.
EncoderFigures figures_of(const ids::ContextIds& ids, std::string encoder);

struct IdRunToReport {
  const ids::ContextIds& ids;
  const MethodTable& methods;
  std::span<const events::EventKind> kinds;  // besides marks (encoders/ids/id_report.h)
  const events::OutsideMethods& outside;
  report::ProgramTables about;  // the run's program, options, notes and threads
  std::string path;
  std::optional<std::uint64_t> max_contexts;  // in the report; the id file has all
};
// Writes the report and, if ids decode, the id file beside it. The report is a snapshot if `about` has the
// number of one.
Result<ids::IdTotals> write_id_report(IdRunToReport run);

}  // namespace copse::jvm
