// Sums the events of a file by context and kind, and makes a report of them: the same report that the run wrote, for
// the events in the file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "base/status.h"
#include "encoders/events/event_reader.h"
#include "report/model/report_model.h"

namespace copse::cli {

// Returns the kinds that the run was to record, besides marks, in the order in which they were asked for. `options`: of the
// report.
std::vector<events::EventKind> kinds_asked_for(const std::map<std::string, std::string>& options);

class EventSums {
 public:
  struct Kind {
    std::uint64_t events = 0;
    std::uint64_t weight = 0;
    std::uint64_t without_context = 0;  // number of events without a context
    std::uint64_t weight_without_context = 0;
    NumberColumn event_column;  // by context
    NumberColumn weight_column;
  };

  void add(const events::FileEvent& event);
  const Kind& of(events::EventKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }

  // Number of contexts with events, and of their callers.
  std::size_t contexts(const events::EventReader& file) const;
  // `file`: read to its end, or to `damage`.
  Result<report::ReportModel> report(const events::EventReader& file, const Status& damage) const;

 private:
  std::array<Kind, events::kEventKinds> kinds_;
};

}  // namespace copse::cli
