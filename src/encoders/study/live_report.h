// Formats the part of a comparison that was measured on a running program, in all formats; without a trace, it is the
// whole report.
#pragma once

#include <string>
#include <string_view>

#include "encoders/study/live_comparison.h"
#include "report/exports/json_text.h"

namespace copse::study {

// Returns the table and the notes on its gaps. `details`: also the figures that the papers' own tables have.
std::string live_text(const LiveComparison& live, bool details = false);

// Writes the key `live` of the current object.
void put_live(report::JsonText& json, const LiveComparison& live);
// Returns schema copse.compare/2 without the data of a trace.
std::string live_json(const LiveComparison& live);

// Returns "1.93x"; "-" for an encoder that was not measured.
std::string slowdown_text(const LiveComparison& live, std::string_view encoder);

}  // namespace copse::study
