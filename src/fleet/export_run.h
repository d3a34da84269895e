// Sends a report to a fleet. A report counts once, however often it is sent.
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

// Rows of a run. Each part is one INSERT; 3,000,000 contexts with a measure take more than one.
struct RunRows {
  struct Part {
    StableId id;
    std::string rows;  // measure, context, value
  };
  StableId run;     // hash of the report's content: equal for every copy
  std::string day;  // "2026-11-23", start of the run
  std::vector<Part> parts;
  std::string contexts;  // rows of the other tables
  std::string methods;
  std::string measures;
};

// Returns an error for reports that cannot be summed: a snapshot (its calls are also in its run's
// report), a sum of reports (each is a run of its own), and a report without the start of its run.
Result<RunRows> rows_of_run(const report::ReportModel& model, const RunLabels& labels,
                            std::size_t most_rows_of_part = 2'000'000);

struct Sent {
  bool was_there = false;  // the run was already there; nothing was added
  std::string server;
};
// Sends the run to the server that the run's hash chooses. `servers`: all shards of the fleet, in
// any order. Retries for `patience` while there is no answer. The error names the server and the
// problem; the run can be sent again and still counts once.
Result<Sent> send_run(std::vector<Server>& servers, const RunRows& run, const RunLabels& labels,
                      std::chrono::seconds patience);

}  // namespace copse::fleet
