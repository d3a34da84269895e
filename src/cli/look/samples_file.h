// A file of another profiler's samples, opened as the readers of src/import want it.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "import/sampled_stacks.h"

namespace copse::cli {

// Stands for standard input among the files of samples.
inline constexpr std::string_view kStandardInput = "-";
// Returns the name of the file for messages.
std::string name_of_samples(const std::string& path);

// Returns an error where the file begins as one of another kind, and says what takes that: check_kind().
Status check_samples_kind(const std::string& path, std::string_view wanted);

// Reads a file, whatever its name, or standard input: compressed by gzip or not. A flight recording goes
// through the JDK's `jfr`, of JAVA_HOME or on the PATH. An error: "NAME: why".
Result<join::SampledStacks> read_samples_file(
    const std::string& path, join::FrameReading reading = join::FrameReading::kToCompare);

}  // namespace copse::cli
