// Replaces a file in one step: writes a new one beside it, for its owner only (mode 0600), and
// renames it over the old one in commit(). Without a commit, or when anything fails, the old file
// stays as it was and the new one is removed.
//
// A link is replaced, not followed. Files that are not regular (a FIFO, /dev/null), and the open
// files to which /dev and /proc have links (/dev/stdout), are written directly: appended to, so
// that earlier output is not overwritten. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace copse {

class ReplacedFile {
 public:
  explicit ReplacedFile(std::string path);
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;
  ~ReplacedFile();

  // Return "PATH: why" on failure. Both fail for a file that could not be opened.
  Status write(std::string_view block);
  Status commit();

  // Path of the new file, for a writer that opens it itself. "" if the file is written directly or
  // could not be made; status() tells which.
  const std::string& temporary_path() const noexcept { return temporary_; }
  const Status& status() const noexcept { return open_status_; }

  // Returns an error if no file could be written there now. Makes and removes one to find out. Does
  // not open a file that would be written directly, because a process may wait at the other end.
  static Status check(const std::string& path);
  // Returns false if the file would be written directly or cannot be written at all.
  static bool replaces(const std::string& path);

 private:
  void open_directly();
  void open_beside();

  const std::string path_;
  std::string temporary_;  // "" when the path itself is open
  int descriptor_ = -1;
  Status open_status_;
};

// Writes the whole block. Returns 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view block);

}  // namespace copse
