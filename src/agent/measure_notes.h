// Notes on the measures of a report made before the end of its recording: a snapshot, or the report of a killed
// JVM.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::agent {

// Ends a note on amounts of samples.
inline constexpr std::string_view kErrorOfSamples = "Standard error: time / √samples.";

// Returns sentences on what the measures lack. `measures`: names of the report's measures.
std::vector<std::string> notes_on_measures_so_far(std::span<const std::string> measures);

}  // namespace copse::agent
