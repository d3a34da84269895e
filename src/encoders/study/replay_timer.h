// Nanoseconds per call of one encoder, and of the bare replay to subtract.
//
// The loop is compiled once per encoder, so that its call() is inlined. Events are decoded into a chunk of operations
// first; only the loop over the chunk is timed. The bare replay is the same loop with only the shadow stack, which
// stands for the frames that compiled code has anyway.
#pragma once

#include <cstdint>
#include <string_view>

#include "encoders/replay/registry.h"
#include "encoders/study/op_stream.h"

namespace copse::study {

// Runs one pass with a fresh encoder, up to `operations`, without tokens.
Result<double> replay_ns_per_call(OpStream& stream, std::string_view encoder,
                                  const encoders::EncoderConfig& config, std::uint64_t operations);
Result<double> bare_ns_per_call(OpStream& stream, std::uint64_t operations);

}  // namespace copse::study
