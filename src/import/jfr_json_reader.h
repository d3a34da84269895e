// The samples of a flight recording, as `jfr print --json` writes them: gigabytes for a long one, so
// they are read as a stream.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// The values, as they are named for --value: events of a recording, without the `jdk.` or `profiler.` before
// them. CPUTimeSample (JDK 25) says how much processor time it stands for. The others are taken at a
// period: of threads that run Java code; of threads in native code, whether they use the processor or
// wait there; and of all threads by the wall clock, which async-profiler has. Samples of threads that did
// not run are in WallClockSample alone, also those of other events.
inline constexpr const char* kCpuTimeSample = "CPUTimeSample";
inline constexpr const char* kExecutionSample = "ExecutionSample";
inline constexpr const char* kNativeMethodSample = "NativeMethodSample";
inline constexpr const char* kWallClockSample = "WallClockSample";
// The list for `jfr print --events`.
inline constexpr const char* kJfrEvents =
    "jdk.CPUTimeSample,jdk.ExecutionSample,jdk.NativeMethodSample,profiler.WallClockSample,"
    "jdk.ActiveSetting,jdk.CPUTimeSamplesLost";
// `jfr print` cuts stacks to so many frames when it is not told otherwise, and does not say so.
inline constexpr std::size_t kDefaultPrintedDepth = 5;

// Which numbers stand for which events in a recording's settings: "ExecutionSample" -> 109. The JSON
// does not have them, `jfr metadata --ids` does; without them periods are not known, and samples
// are counted.
using JfrEventNumbers = std::map<std::string, std::int64_t, std::less<>>;
JfrEventNumbers jfr_event_numbers(std::string_view metadata);

struct JfrReading {
  JfrEventNumbers numbers;
  bool is_printed_whole = false;  // false: kDefaultPrintedDepth may have cut the stacks
};

// Memory: the stacks. An error: "NAME: why".
Status read_jfr_json(SampleBytes& bytes, const JfrReading& reading, SampledStacks& stacks);

// "10 ms" or "10ms", as settings and options have it, and "PT0.01S", as events have it; 0: neither.
std::uint64_t ns_of_period(std::string_view setting) noexcept;
std::uint64_t ns_of_duration(std::string_view iso) noexcept;

}  // namespace copse::join
