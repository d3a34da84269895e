// Opens a file of another profiler's samples for the readers of src/import.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "import/sampled_stacks.h"

namespace copse::cli {

// Name of standard input among the files of samples.
inline constexpr std::string_view kStandardInput = "-";
// Returns the name of the file for messages.
std::string name_of_samples(const std::string& path);

// Returns an error if the file begins like another kind of file, naming the command that takes it: check_kind().
Status check_samples_kind(const std::string& path, std::string_view wanted);

// Reads a file of any name, or standard input, plain or compressed by gzip. A flight recording is read through the
// JDK's `jfr`, from JAVA_HOME or the PATH. Error: "NAME: why".
Result<join::SampledStacks> read_samples_file(
    const std::string& path, join::FrameReading reading = join::FrameReading::kToCompare);

}  // namespace copse::cli
