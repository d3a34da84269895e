#include "events/event_kind.h"

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

}  // namespace copse::events
