// Replaces a file in one step: writes a new one beside it, for its owner only (mode 0600), and
// renames it over the old one in commit(). Without a commit, or when anything fails, the old file
// stays as it was and the new one is removed.
//
// A link is replaced, not followed. What is no regular file (a FIFO, /dev/null), and the open files
// that /dev and /proc have links to (/dev/stdout), is written directly: appended to, so that
// nothing that went there before is overwritten. Threads: one at a time.
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

  // "PATH: why" when they fail; a file that could not be opened fails in both.
  Status write(std::string_view block);
  Status commit();

  // Of the new file, for a writer that opens it itself; "" where none is made, because there is none
  // to replace or it failed: status() says.
  const std::string& temporary_path() const noexcept { return temporary_; }
  const Status& status() const noexcept { return open_status_; }

  // Whether a file could be written there now. Makes and removes one to find out; does not open
  // what would be written directly, for somebody may be waiting at the other end.
  static Status check(const std::string& path);
  // False: what stands there would be written directly, or cannot be written at all.
  static bool replaces(const std::string& path);

 private:
  void open_directly();
  void open_beside();

  const std::string path_;
  std::string temporary_;  // "" when the path itself is open
  int descriptor_ = -1;
  Status open_status_;
};

// Writes the whole block; 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view block);

}  // namespace copse
