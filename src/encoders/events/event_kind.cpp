#include "encoders/events/event_kind.h"

#include <algorithm>

namespace copse::events {
std::vector<EventKind> kinds_of_measure(std::string_view measure) {
  for (const Measure& known : kMeasures) {
    if (known.name == measure) return known.kinds;
  }
  return {};
}

std::vector<EventKind> kinds_of_measures(const std::vector<std::string>& measures) {
  std::vector<EventKind> kinds;
  for (const std::string& measure : measures) {
    for (const EventKind kind : kinds_of_measure(measure)) {
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
  }
  return kinds;
}

}  // namespace copse::events
