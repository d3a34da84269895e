// A folder for the files that a command needs while it runs.
#pragma once

#include <optional>
#include <string>

#include "base/passing_path.h"

namespace copse::cli {

// Made in the first of temporary_folders() that takes it, and removed at the end with the files in it.
class PassingFolder {
 public:
  PassingFolder();

  // False: errno says why the last one does not take it, and path() is a pattern there.
  bool made() const { return made_.has_value(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<PassingPath> made_;
};

}  // namespace copse::cli
