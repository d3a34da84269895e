// What an agent knows about the profiled program beside the context tree: the names behind the ids.
//
// Filled by the agent at the end of a run (or for a snapshot) and handed to build_model(), which
// turns it with the tree into a ReportModel. Text may be modified UTF-8, as class files and JVMTI
// spell it; build_model() converts it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/call_record.h"
#include "base/program_names.h"
#include "report/model/report_model.h"

namespace copse::report {

struct ProgramTables {
  using CallSite = SiteName;
  using Method = MethodName;
  struct Thread {
    std::int64_t id = 0;  // the runtime's own thread id
    std::string name;
    ContextKey first_key = 0;   // of its first record at depth 0; 0: none
    std::uint64_t calls = 0;    // records it appended
    std::uint64_t threads = 1;  // as in ReportModel
  };

  struct Measure {
    std::string name, unit;  // as in ReportModel
    std::uint64_t lost = 0;
    std::vector<std::uint64_t> values;  // by the tree's node; nodes beyond its end have 0
  };

  std::string created_by;  // "copse 0.1.0"
  ReportModel::Program program;
  std::map<std::string, std::string> options;  // as in force, defaults included
  bool with_sites = true;                      // false: site parts of keys are ignored
  std::vector<Method> methods;                 // by raw(MethodId); element 0 is not used
  std::vector<Thread> threads;
  std::vector<Measure> measures;  // in the order in which they were asked for
  std::vector<ReportModel::Skipped> skipped;
  std::vector<std::string> notes;  // sentences on what the counts do not mean
  std::string calls_of;            // as in ReportModel
  std::uint64_t calls_seen = 0;    // records the probes appended
  std::uint64_t calls_lost = 0;    // of these, not in the tree
  std::uint64_t packets = 0;
};

}  // namespace copse::report
