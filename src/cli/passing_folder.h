// A folder for files that are read and then gone, in TMPDIR or /tmp; removed with all that is in it.
#pragma once

#include <string>

namespace copse::cli {

class PassingFolder {
 public:
  PassingFolder();
  ~PassingFolder();
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;

  // False: errno says why, and the path is that of the pattern.
  bool made() const { return made_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

}  // namespace copse::cli
