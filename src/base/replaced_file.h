// Replaces a file in one step: writes a new one beside it, for its owner only (mode 0600), and
// renames it over the old one in commit(). Without a commit, or when anything fails, the old file
// stays as it was and the new one is removed.
//
// A link is replaced, not followed. Files that are not regular (a FIFO, /dev/null), and the open
// files to which /dev and /proc have links (/dev/stdout), are written directly: appended to, so
// that earlier output is not overwritten. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/descriptor.h"
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

// Which file a path leads to, as it was last written. All 0: there is none, or it would be written directly.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t written_ns = 0;

  friend bool operator==(const FileState&, const FileState&) = default;
};
FileState state_of_file(const std::string& path);

// Keeps other processes that ask for the same from writing in the folder of `path` while it lives. Waits for them, 10 s at
// most, and goes on without where the file system knows no locks of folders: a file that is put in place in one step is
// whole all the same.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path) noexcept;

 private:
  Descriptor folder_;
};

// Writes the whole block. Returns 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view block);

}  // namespace copse
