// A run told as a text of events (docs/binary-formats.md), and the answers of a query.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "ptql/engine/engines.h"
#include "ptql/engine/event_text.h"
#include "support/ptql_queries.h"

namespace copse::ptql::testing {

struct AskedRun {
  std::vector<std::string> answers;  // such as "5, 7", in order of arrival
  std::vector<std::uint64_t> times;
  EngineTotals totals;
  std::vector<std::string> beside_other_types;  // Engine::values_of_other_types()
  Status failure;
};

// Runs a query on `events`, which lack the first line.
inline AskedRun ask_run(const std::string& query, const std::string& events,
                        const EngineOptions& options = {}, PartSet without = 0) {
  const std::vector<Plan> plans = {make_plan(query_of(query), without)};
  AskedRun asked;
  Engines engines(plans, options, [&asked](std::size_t, const Answer& answer) {
    std::string text;
    for (const Value& value : answer.values) text += (text.empty() ? "" : ", ") + to_text(value);
    asked.answers.push_back(text);
    asked.times.push_back(answer.event.time);
  });
  std::istringstream text("copse ptql events 1\n" + events);
  asked.failure = feed_events(text, "events", engines);
  if (!asked.failure) asked.answers.push_back("failed: " + asked.failure.message());
  asked.totals = engines.totals(0);
  asked.beside_other_types = engines.values_of_other_types(0);
  return asked;
}

}  // namespace copse::ptql::testing
