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
        "Processor time is that of threads in which calls were recorded, up to their last samples, "
        "a "
        "tenth of a second before at most. What the rest of the process used, (threads without "
        "recorded calls), is known at the end of a recording alone, and missing. The standard "
        "error of "
        "a context's processor time is that time by the square root of its samples.");
  }
  if (has("wall_ns") || has("parked_ns")) {
    notes.push_back(std::string(has("wall_ns") ? "Time by the wall clock" : "Time parked") +
                    " is that of threads in which calls were recorded, up to a second before at "
                    "most. The standard "
                    "error of such a time is that time by the square root of its samples.");
  }
  return notes;
}

}  // namespace copse::agent
