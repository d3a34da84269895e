// A report sent to a fleet, where it counts once, however often it is sent.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/stable_id.h"
#include "base/status.h"
#include "fleet/clickhouse.h"
#include "report/model/report_model.h"

namespace copse::fleet {

struct RunLabels {
  std::string service;
  std::string version;
};

// A run as rows. Parts are those of one INSERT each, for 3,000,000 contexts and a measure more than one.
struct RunRows {
  struct Part {
    StableId id;
    std::string rows;  // measure, context, value
  };
  StableId run;     // a hash of what the report says: the same of every copy of it
  std::string day;  // "2026-11-23", on which the run began
  std::vector<Part> parts;
  std::string contexts;  // rows of the other tables
  std::string methods;
  std::string measures;
};

// Fails for what cannot be summed: a snapshot, whose calls are in its run's report again, a sum of
// reports, which are runs of their own, and a report that does not say when its run began.
Result<RunRows> rows_of_run(const report::ReportModel& model, const RunLabels& labels,
                            std::size_t most_rows_of_part = 2'000'000);

struct Sent {
  bool was_there = false;  // before: nothing was added
  std::string server;
};
// To the one of `servers`, all shards of the fleet in any order, that the run's hash chooses. Tries again
// for so long while there is no answer. The error says what is wrong with which server; the run can be
// sent again, and counts once.
Result<Sent> send_run(std::vector<Server>& servers, const RunRows& run, const RunLabels& labels,
                      std::chrono::seconds patience);

}  // namespace copse::fleet
