// A lock on a file that a process writes as a stream, from its beginning to its end. Another process that is given the same
// path sees the lock, and leaves the file alone.
#pragma once

#include <string>

namespace copse {

// Locks an open file until its descriptor is closed. Returns false if it is locked already; true where the file system knows
// no locks.
bool lock_stream(int descriptor) noexcept;

// Opens the file at `path` to be locked; -1 if there is none, or it is not a regular file.
int open_to_lock(const std::string& path) noexcept;

// Returns true while a process has locked the file at `path`.
bool is_locked_stream(const std::string& path) noexcept;

}  // namespace copse
