// Facts about reports for answers, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::cli {

// "`a.json`, process 997, recorded for 132 ms from 2026-11-26T09:14:14Z"
std::string facts_of(const std::string& file, const report::ReportModel& model);
// "613 calls seen = 613 in contexts + 0 lost; cpu time is an estimate, by 2 samples"
std::string exactness_of(const report::ReportModel& model);

// Returns the method, "shop.Db.query", with the largest exclusive amount of the shown measure; "" if none has any.
std::string hottest_method(const report::ReportModel& model);
// Returns the method whose calls have changed most from one report to the other; "" if none have.
std::string most_changed_method(const report::ReportModel& before, const report::ReportModel& now);

// Returns the number and the sum of what rankings with `top` rows leave out: "9 of 19 contexts, with 213 of 613 calls
// (34.7 %)"; "" if nothing.
std::string left_out_of_rankings(const report::ReportModel& model, std::size_t top);

// Returns a table for each of the methods, at most `top`: all measures, with the amounts of the method and of one call.
// `left_out` gets the words about other methods. The error says that the glob matches nothing.
Result<std::string> costs_of(const report::ReportModel& model,
                             const std::vector<std::string>& globs, std::size_t top,
                             std::string& left_out);

}  // namespace copse::cli
