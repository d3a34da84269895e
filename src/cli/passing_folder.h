// Folder for the files that a command needs while it runs.
#pragma once

#include <optional>
#include <string>

#include "base/passing_path.h"

namespace copse::cli {

// Created in the first of temporary_folders() that accepts it, and removed at the end with its files.
class PassingFolder {
 public:
  PassingFolder();

  // False: errno says why the last folder refused, and path() is a pattern in that folder.
  bool made() const { return made_.has_value(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<PassingPath> made_;
};

}  // namespace copse::cli
