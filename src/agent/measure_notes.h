// What the measures of a report do not have that was made before the end of its recording: a snapshot, or
// that of a JVM that was killed.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace copse::agent {

// Sentences; `measures`: the names of the report's.
std::vector<std::string> notes_on_measures_so_far(std::span<const std::string> measures);

}  // namespace copse::agent
