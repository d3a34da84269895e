// Words for changes, shared by the text and the Markdown of a comparison.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "report/text/quantity.h"

namespace copse::diff {

// Returns the name of a measure as people read it, "cpu time" for "cpu_ns"; printable.
std::string measure_in_words(const Comparison& comparison, const std::string& name);

// "+200,000", "-8.00 ms".
std::string signed_in_words(report::Unit unit, double amount);
// The same for a difference; "0" if there is none.
std::string change_in_words(report::Unit unit, std::uint64_t before, std::uint64_t now);
// "+64.8 %"; "" without a difference, and where OLD has nothing.
std::string change_in_percent(std::uint64_t before, std::uint64_t now);

// Returns the kind of a change as people read it, "fewer calls per caller". `of_calls`: the measure is calls.
std::string kind_in_words(const Comparison& comparison, const Change& change, bool of_calls);

// Returns the name of a change of the root: outside of all contexts, or spread over too many to be told.
std::string words_of_root(const Comparison& comparison, std::size_t measure);

// Returns sentences about losses, merged recursion, and measures in one report only. `shown`: index of the measure by
// which contexts are compared.
std::vector<std::string> notes_on(const Comparison& comparison, std::size_t shown);

}  // namespace copse::diff
