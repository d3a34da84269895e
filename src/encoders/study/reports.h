// Output of validate and compare, as text and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encoders/study/comparison.h"
#include "encoders/study/live_comparison.h"
#include "report/exports/json_text.h"

namespace copse::study {

// Returns the stream, one row per encoder, and below the table the first failure of each failing encoder.
std::string validation_text(const StreamFigures& stream, const std::vector<EncoderCheck>& rows);

// Returns costs and sizes, and the growth of the sizes.
// `details`: also the entries on stacks and what the papers' own tables have.
std::string comparison_text(const Comparison& comparison, bool details);

// Writes a comparison as JSON, schema copse.compare/2 (reports/copse.compare.schema.json).
std::string comparison_json(const Comparison& comparison);

// Formats the part of a comparison that was measured on a running program, in all formats; without a trace, it is the
// whole report.

// Returns the table and the notes on its gaps. `details`: also the figures that the papers' own tables have.
std::string live_text(const LiveComparison& live, bool details = false);

// Writes the key `live` of the current object.
void put_live(report::JsonText& json, const LiveComparison& live);
// Returns schema copse.compare/2 without the data of a trace.
std::string live_json(const LiveComparison& live);

// Returns "1.93x"; "-" for an encoder that was not measured.
std::string slowdown_text(const LiveComparison& live, std::string_view encoder);

}  // namespace copse::study
