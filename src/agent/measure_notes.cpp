#include "agent/measure_notes.h"

#include <algorithm>

namespace copse::agent {

std::vector<std::string> notes_on_measures_so_far(std::span<const std::string> measures) {
  const auto has = [measures](const char* name) {
    return std::find(measures.begin(), measures.end(), name) != measures.end();
  };
  std::vector<std::string> notes;
  if (has("cpu_ns")) {
    notes.push_back(
        "CPU time is that of threads in which calls were recorded, up to their last samples, at "
        "most a "
        "tenth of a second before. What the rest of the process used, (threads without recorded "
        "calls), is "
        "known only at the end of a recording, and is missing. " +
        std::string(kErrorOfSamples));
  }
  if (has("wall_ns") || has("parked_ns")) {
    notes.push_back(std::string(has("wall_ns") ? "Wall-clock time" : "Time parked") +
                    " is that of threads in which calls were recorded, up to a second before at "
                    "most. " +
                    std::string(kErrorOfSamples));
  }
  return notes;
}

}  // namespace copse::agent
