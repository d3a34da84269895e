// A flight recording under a name that the JDK's `jfr` takes: a regular file whose name ends in .jfr.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "cli/passing_folder.h"
#include "import/sample_bytes.h"

namespace copse::cli {

class RecordingFile {
 public:
  // Takes the file at `path` itself where its name will do, else a link to it. "" is standard input. `bytes` are its bytes, none of
  // them taken: they are copied where the file is compressed, or no regular file. Link and copy lie in a
  // PassingFolder. An error: "NAME: why".
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
  std::unique_ptr<PassingFolder> folder_;  // null where the file itself is taken
};

}  // namespace copse::cli
