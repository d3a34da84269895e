// Opens a file of another profiler's samples for the readers of src/import.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/passing_folder.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::cli {

// A flight recording in files that the JDK's `jfr` accepts: regular files whose names end in .jfr, with one chunk each.
// A chunk begins with its size and has constants of its own. Recordings may be put one behind the other, and `jfr` then takes
// the constants of one for those of the next.
class RecordingFile {
 public:
  // `path`: the recording; "" means standard input. `bytes`: its bytes, all unread. REQUIRES: they outlive this.
  RecordingFile(std::string path, join::SampleBytes& bytes)
      : recording_(std::move(path)), bytes_(bytes) {}
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;

  // Makes the file of the next chunk, in the place of the last one's. It is the recording itself if that has one chunk and
  // its name will do, a link to it if the name will not, and else a copy. Link and copy lie in a PassingFolder. Returns
  // false behind the last chunk. Error: "NAME: why".
  Result<bool> next();
  // REQUIRES: next() returned true.
  const std::string& path() const noexcept { return path_; }

 private:
  Status use(const std::string& place);
  Status make_folder();

  const std::string recording_;
  join::SampleBytes& bytes_;
  bool has_begun_ = false;
  bool is_copied_ = false;  // chunk by chunk
  std::string path_;
  std::unique_ptr<PassingFolder> folder_;  // nullptr if the recording itself is used
};

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
