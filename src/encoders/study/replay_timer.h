// Nanoseconds per call of one encoder, and of the bare replay to subtract.
//
// The loop is compiled once per encoder, so that its call() is inlined. Events are decoded into a chunk of operations
// first; only the loop over the chunk is timed. The bare replay is the same loop with only the shadow stack, which
// stands for the frames that compiled code has anyway.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "encoders/replay/registry.h"
#include "encoders/study/op_stream.h"

namespace copse::study {

// Runs one pass with a fresh encoder, up to `operations`, without tokens.
Result<double> replay_ns_per_call(OpStream& stream, std::string_view encoder,
                                  const encoders::EncoderConfig& config, std::uint64_t operations);
Result<double> bare_ns_per_call(OpStream& stream, std::uint64_t operations);

// Returns the middle value, or the mean of the two middle values.

// REQUIRES: at least one value.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

}  // namespace copse::study
