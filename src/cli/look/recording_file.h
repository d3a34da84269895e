// A flight recording under a name that the JDK's `jfr` accepts: a regular file whose name ends in .jfr.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "cli/passing_folder.h"
#include "import/sample_bytes.h"

namespace copse::cli {

class RecordingFile {
 public:
  // Uses the file at `path` itself if its name will do, else a link to it. "" means standard input. `bytes` are the
  // file's bytes, all unread; they are copied if the file is compressed or no regular file. Link and copy lie in a
  // PassingFolder. Error: "NAME: why".
  static Result<std::unique_ptr<RecordingFile>> of(const std::string& path,
                                                   join::SampleBytes& bytes);
  RecordingFile(const RecordingFile&) = delete;
  RecordingFile& operator=(const RecordingFile&) = delete;
  ~RecordingFile();

  const std::string& path() const noexcept { return path_; }

 private:
  RecordingFile() = default;
  Status put_into_folder(const std::string& linked, join::SampleBytes& bytes);

  std::string path_;
  std::unique_ptr<PassingFolder> folder_;  // nullptr if the file itself is used
};

}  // namespace copse::cli
