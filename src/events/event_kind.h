// The kinds of events of interest: how a user names them, and what they add to a report.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace copse::events {

// The numbers stand in files.
enum class EventKind : std::uint8_t {
  kMark = 0,        // an entry of a marked method
  kException = 1,   // a throw
  kAllocation = 2,  // a sampled allocation; weight: the bytes it stands for
  kContention = 3,  // a wait for a monitor; weight: ns
  kCpu = 4,         // a thread seen running; weight: ns of processor time since it was last seen
  kExactAllocation = 5,  // an allocation; weight: bytes
  kId = 6,               // a call of copse.Context.id()
};
inline constexpr std::size_t kEventKinds = 7;

struct EventKindInfo {
  EventKind kind;
  std::string_view name;    // of the option, and in texts
  std::string_view count;   // the report's column of how many there were; "": they are its calls
  std::string_view weight;  // and of the sum of their weights; "": the kind has none
  std::string_view weight_unit;
};

// By kind.
inline constexpr std::array<EventKindInfo, kEventKinds> kEventKindInfos = {{
    {EventKind::kMark, "mark", "", "", ""},
    {EventKind::kException, "exception", "exceptions", "", ""},
    {EventKind::kAllocation, "allocation", "allocation_samples", "allocated_bytes",
     "bytes (estimate)"},
    {EventKind::kContention, "contention", "contentions", "contended_ns", "ns"},
    {EventKind::kCpu, "cpu", "cpu_samples", "cpu_ns", "ns"},
    {EventKind::kExactAllocation, "allocation=exact", "allocations", "allocated_bytes", "bytes"},
    {EventKind::kId, "id", "ids_asked", "", ""},
}};

constexpr const EventKindInfo& info_of(EventKind kind) noexcept {
  return kEventKindInfos[static_cast<std::size_t>(kind)];
}

// Nothing for a name that no kind has.
std::optional<EventKind> event_kind_named(std::string_view name) noexcept;

}  // namespace copse::events
