// From a finished run, or a snapshot of one, to the report file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/run.h"
#include "base/status.h"
#include "cct/context_tree.h"
#include "report/program_tables.h"
#include "shadowstack/thread_recorder.h"

namespace copse {

struct RunToReport {
  const Run& run;
  const ContextTree& tree;
  std::vector<ThreadRow> threads = {};
  std::uint64_t calls_seen = 0;
  std::uint64_t calls_lost = 0;
  std::uint64_t calls_without_room = 0;  // of these, that the recorder saw and the tree lacks
  std::uint64_t packets = 0;
  unsigned workers = 0;
  double wall_ms = 0;
  std::int64_t snapshot = 0;            // its number, 0: recording has ended
  std::vector<std::string> notes = {};  // beside those of the tree
  std::string path = {};
};

struct RunTotals {
  std::uint64_t calls = 0;
  std::uint64_t contexts = 0;
  std::uint64_t calls_lost = 0;
};

// The run's program, options and notes, for a report that is not of a tree.
ProgramTables describe_run(const Run& run, double wall_ms);

// Builds the report and writes it as the ending of `path` says. Any thread, also one that the JVM
// does not know.
Result<RunTotals> write_run_report(const RunToReport& report);
// Notes and says that the run's own one is written, or why it is not.
void tell_of_report(const Run& run, const Result<RunTotals>& written);

// Adds a line to the manifest, unless its path is "". False: there is none, or whoever wanted to
// know has removed it. Lines, their fields separated by tabs:
//
//   report PATH CALLS CONTEXTS LOST PROGRAM    ids PATH EVENTS CONTEXTS LOST PROGRAM
//   trace PATH CALLS BYTES LOST PROGRAM        events PATH EVENTS BYTES LOST PROGRAM
//   validated PATH TOKENS WITHOUT_ID IDS WRONG_AT_ONCE WRONG_AT_END COLLISIONS STACKS WRONG_STACKS
//   wrong WHY             a mismatch among those
//   snapshot PATH         the first of several
//   appending PATH        events go there from now on
//   unkept WHY            nothing will be left of a killed JVM
//   attached PATH CLASSES REFUSED              restored CLASSES REFUSED
//   unmatched KEY=GLOB WHY                     a glob of an option that matched nothing
//   empty WHY             no calls and no events were recorded
//   warning WHY           failed WHY
bool note_in_manifest(const std::string& manifest, const std::string& line);

// One of the first four; `program`: program_name() of the JVM.
std::string line_of_file(std::string_view kind, const std::string& path,
                         const std::array<std::uint64_t, 3>& figures, const std::string& program);

}  // namespace copse
