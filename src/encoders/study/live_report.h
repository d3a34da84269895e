// The part of a comparison that was measured on a running program, in all formats; and, where no
// trace was compared, the whole.
#pragma once

#include <string>
#include <string_view>

#include "encoders/study/live_comparison.h"
#include "report/exports/json_text.h"

namespace copse::study {

// The table, and what its rows leave out.
std::string live_text(const LiveComparison& live);

// Key `live` of the object that is being written.
void put_live(report::JsonText& json, const LiveComparison& live);
// Schema copse.compare/2 without what a trace gives.
std::string live_json(const LiveComparison& live);

// "1.93x"; "-" of an encoder that was not measured.
std::string slowdown_text(const LiveComparison& live, std::string_view encoder);
std::string ratio_text(double ratio);

}  // namespace copse::study
