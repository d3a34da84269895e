// Reads samples of a flight recording from the output of `jfr print --json`. The output can have
// gigabytes, so it is read as a stream.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// Values, named for --value after events of a recording, without `jdk.` or `profiler.`. Samples of
// CPUTimeSample (JDK 25) include their CPU time. Other events are sampled at a period:
// ExecutionSample has threads that run Java code; NativeMethodSample has threads in native code,
// running or waiting; WallClockSample, by async-profiler, has all threads by the wall clock. Only
// WallClockSample gets samples of threads that did not run, also those of other events.
inline constexpr const char* kCpuTimeSample = "CPUTimeSample";
inline constexpr const char* kExecutionSample = "ExecutionSample";
inline constexpr const char* kNativeMethodSample = "NativeMethodSample";
inline constexpr const char* kWallClockSample = "WallClockSample";
// Events for `jfr print --events`.
inline constexpr const char* kJfrEvents =
    "jdk.CPUTimeSample,jdk.ExecutionSample,jdk.NativeMethodSample,profiler.WallClockSample,"
    "jdk.ActiveSetting,jdk.CPUTimeSamplesLost";
// Default depth of `jfr print`, which cuts stacks without a mark.
inline constexpr std::size_t kDefaultPrintedDepth = 5;

// Numbers of events in a recording's settings: "ExecutionSample" -> 109. They are in the output of
// `jfr metadata --ids`, not in the JSON. Without them periods are unknown, and samples are counted.
using JfrEventNumbers = std::map<std::string, std::int64_t, std::less<>>;
JfrEventNumbers jfr_event_numbers(std::string_view metadata);

struct JfrReading {
  JfrEventNumbers numbers;
  bool is_printed_whole = false;  // false means that kDefaultPrintedDepth may have cut the stacks
};

// A chunk of a recording, as `jfr` prints it.
struct JfrChunk {
  std::unique_ptr<SampleBytes> json;
  JfrReading reading;
};

// Reads the chunks of a recording, until `next` returns none. `name`: the recording's. Memory: the stacks. The error is
// that of `next`, or "NAME: why".
Status read_jfr_chunks(const std::string& name,
                       const std::function<Result<std::optional<JfrChunk>>()>& next,
                       SampledStacks& stacks);
// Reads a recording that `jfr` printed as a whole.
Status read_jfr_json(SampleBytes& bytes, const JfrReading& reading, SampledStacks& stacks);

}  // namespace copse::join
