// A file of another profiler's samples, opened as the readers of src/join want it.
#pragma once

#include <string>

#include "base/status.h"
#include "join/sampled_stacks.h"

namespace copse::cli {

// A flight recording goes through the JDK's `jfr`, of JAVA_HOME or on the PATH. An error: "PATH: why".
Result<join::SampledStacks> read_samples_file(
    const std::string& path, join::FrameReading reading = join::FrameReading::kToCompare);

}  // namespace copse::cli
