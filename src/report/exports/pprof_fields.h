// Field numbers of pprof's messages, as far as Copse writes them or copse join and import read
// them: profile.proto of github.com/google/pprof.
#pragma once

#include <cstdint>

namespace copse::report::pprof {

enum class ProfileField : std::uint32_t {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kComment = 13,
  kDefaultSampleType = 14,
};
// Follows the name of calls in a comment when only some calls were counted.
inline constexpr const char* kCallsOf = " are calls of ";
// Follow a measure's name in comments: the lost amount, and the mark of an estimate.
inline constexpr const char* kLost = " lost: ";
inline constexpr const char* kIsEstimate = " is an estimate";
// Label key for the thread of a sample (--by-thread).
inline constexpr const char* kThreadLabel = "thread";

enum class ValueTypeField : std::uint32_t { kType = 1, kUnit = 2 };
enum class SampleField : std::uint32_t { kLocationId = 1, kValue = 2, kLabel = 3 };
enum class LabelField : std::uint32_t { kKey = 1, kStr = 2 };
enum class MappingField : std::uint32_t {
  kId = 1,
  kFilename = 5,
  kHasFunctions = 7,
  kHasFilenames = 8,
  kHasLineNumbers = 9,
  kHasInlineFrames = 10,
};
enum class LocationField : std::uint32_t { kId = 1, kMappingId = 2, kAddress = 3, kLine = 4 };
enum class LineField : std::uint32_t { kFunctionId = 1, kLine = 2 };
enum class FunctionField : std::uint32_t {
  kId = 1,
  kName = 2,
  kSystemName = 3,
  kFilename = 4,
};

}  // namespace copse::report::pprof
