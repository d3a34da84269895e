// Kinds of events of interest: their names for users, and their columns in a report.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace copse::events {

// The values are stored in files.
enum class EventKind : std::uint8_t {
  kMark = 0,        // an entry of a marked method
  kException = 1,   // a throw
  kAllocation = 2,  // a sampled allocation; weight: the bytes it stands for
  kContention = 3,  // a wait for a monitor; weight: ns
  kCpu = 4,         // a thread seen running; weight: ns of processor time since it was last seen
  kExactAllocation = 5,  // an allocation; weight: bytes
  kId = 6,               // a call of copse.Context.id()
  // A thread was sampled in that state. Weight: ns since the sample before.
  kRunnable = 7,
  kNative = 8,
  kBlocked = 9,
  kWaiting = 10,
  kParked = 11,
  kSleeping = 12,
  // Like kCpu, and counted in addition to it: threads outside Copse's own code; threads outside Java code as well.
  kCpuCorrected = 13,
  kCpuNative = 14,
};
inline constexpr std::size_t kEventKinds = 15;

struct EventKindInfo {
  EventKind kind;
  std::string_view name;    // in texts
  std::string_view count;   // the report's column of their number; "": it has none
  std::string_view weight;  // the report's column of the sum of weights; "": the kind has none
  std::string_view weight_unit;
};

// A report's columns of time and samples by thread state, for the kinds from kRunnable on, and the columns of their
// sums.
inline constexpr std::array<std::string_view, 6> kStateColumns = {
    "runnable_ns", "native_ns", "blocked_ns", "waiting_ns", "parked_ns", "sleeping_ns"};
inline constexpr std::array<std::string_view, 6> kStateSamplesColumns = {
    "runnable_samples", "native_samples", "blocked_samples",
    "waiting_samples",  "parked_samples", "sleeping_samples"};
inline constexpr std::string_view kWallColumn = "wall_ns";
inline constexpr std::string_view kWallSamplesColumn = "wall_samples";

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
    {EventKind::kRunnable, "runnable", kStateSamplesColumns[0], kStateColumns[0], "ns"},
    {EventKind::kNative, "native", kStateSamplesColumns[1], kStateColumns[1], "ns"},
    {EventKind::kBlocked, "blocked", kStateSamplesColumns[2], kStateColumns[2], "ns"},
    {EventKind::kWaiting, "waiting", kStateSamplesColumns[3], kStateColumns[3], "ns"},
    {EventKind::kParked, "parked", kStateSamplesColumns[4], kStateColumns[4], "ns"},
    {EventKind::kSleeping, "sleeping", kStateSamplesColumns[5], kStateColumns[5], "ns"},
    {EventKind::kCpuCorrected, "cpu=corrected", "cpu_corrected_samples", "cpu_corrected_ns", "ns"},
    {EventKind::kCpuNative, "cpu=native", "cpu_native_samples", "cpu_native_ns", "ns"},
}};

constexpr const EventKindInfo& info_of(EventKind kind) noexcept {
  return kEventKindInfos[static_cast<std::size_t>(kind)];
}

// A value of the option `measure`.
struct Measure {
  enum class Of : std::uint8_t { kTrees, kIds, kBoth };

  std::string_view name;
  Of of;
  bool reads_words;                        // its clock reads the context words of running threads
  std::initializer_list<EventKind> kinds;  // in the order of a report
};
// In the order of a report.
inline constexpr Measure kMeasures[] = {
    {"calls", Measure::Of::kTrees, false, {}},
    {"cpu", Measure::Of::kBoth, true, {EventKind::kCpu}},
    {"cpu=corrected", Measure::Of::kBoth, false, {EventKind::kCpuCorrected}},
    {"cpu=native", Measure::Of::kBoth, false, {EventKind::kCpuNative}},
    {"wall",
     Measure::Of::kBoth,
     true,
     {EventKind::kRunnable, EventKind::kNative, EventKind::kBlocked, EventKind::kWaiting,
      EventKind::kParked, EventKind::kSleeping}},
    {"alloc", Measure::Of::kBoth, false, {EventKind::kAllocation}},
    {"alloc=exact", Measure::Of::kBoth, false, {EventKind::kExactAllocation}},
    {"exceptions", Measure::Of::kBoth, false, {EventKind::kException}},
    {"locks", Measure::Of::kBoth, true, {EventKind::kContention, EventKind::kParked}},
    {"ids", Measure::Of::kIds, false, {EventKind::kId}},
};

// Returns whether the kind is a state in which a thread was seen. A report lists states last.
constexpr bool is_state(EventKind kind) noexcept {
  return kind >= EventKind::kRunnable && kind <= EventKind::kSleeping;
}

// Returns the kinds of a measure of the option `measure`, in the order of a report; none for an unknown name.
std::vector<EventKind> kinds_of_measure(std::string_view measure);
// Returns the kinds of several measures, each once.
std::vector<EventKind> kinds_of_measures(const std::vector<std::string>& measures);

}  // namespace copse::events
