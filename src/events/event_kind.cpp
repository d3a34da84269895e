#include "events/event_kind.h"

#include <algorithm>

namespace copse::events {

std::vector<EventKind> event_kinds_of(std::string_view option) {
  if (option == "wall") {
    return {EventKind::kRunning, EventKind::kNative, EventKind::kBlocked,
            EventKind::kWaiting, EventKind::kParked, EventKind::kSleeping};
  }
  for (const EventKindInfo& info : kEventKindInfos) {
    if (info.name == option) return {info.kind};
  }
  return {};
}

std::vector<EventKind> event_kinds_of(const std::vector<std::string>& options) {
  std::vector<EventKind> kinds;
  for (const std::string& option : options) {
    for (const EventKind kind : event_kinds_of(std::string_view(option))) {
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
  }
  return kinds;
}

}  // namespace copse::events
