#include "events/event_kind.h"

namespace copse::events {

std::optional<EventKind> event_kind_named(std::string_view name) noexcept {
  for (const EventKindInfo& info : kEventKindInfos) {
    if (info.name == name) return info.kind;
  }
  return std::nullopt;
}

}  // namespace copse::events
