// Names behind the ids of a context tree, and other facts about the profiled program.
//
// The agent fills the tables at the end of a run or for a snapshot; build_model() makes a
// ReportModel of them and the tree. Text may be modified UTF-8, the spelling of class files and
// JVMTI; build_model() converts it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/call_record.h"
#include "base/number_column.h"
#include "base/program_names.h"
#include "cct/inplace/laid_slices.h"
#include "report/model/report_model.h"

namespace copse::report {

// `shown` and `merged` are not used.
struct ProgramTables : ReportAbout {
  using CallSite = SiteName;
  using Method = MethodName;
  struct Thread {
    std::int64_t id = 0;  // the runtime's own thread id
    std::string name;
    ContextKey first_key = 0;   // of its first record at depth 0; 0 means none
    std::uint64_t calls = 0;    // records appended by the thread
    std::uint64_t threads = 1;  // as in ReportModel
  };

  struct Measure {
    std::string name, unit;  // as in ReportModel
    std::uint64_t lost = 0;
    NumberColumn values;                         // by node of the tree; 0 for nodes beyond the end
    std::vector<std::uint64_t> of_threads = {};  // as in ReportModel
  };

  bool with_sites = true;       // false: site parts of keys are ignored
  std::vector<Method> methods;  // by raw(MethodId); element 0 is not used
  std::vector<Thread> threads;
  std::vector<Measure> measures;  // in the order of the request
  std::optional<cct::LaidSlices> slices;
  std::string calls_of;          // as in ReportModel
  std::uint64_t calls_seen = 0;  // records appended by probes
  std::uint64_t calls_lost = 0;  // records of calls_seen that are not in the tree
  std::uint64_t packets = 0;

  ReportAbout& about() noexcept { return *this; }
};

}  // namespace copse::report
