// Files and folders that are removed when the process ends, by a signal too.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <csignal>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace copse {

// Returns the folders for such files, the best first: TMPDIR, /tmp, /dev/shm, then `beside` ("" means none). Absolute.
std::vector<std::string> temporary_folders(const std::string& beside = "");

// Returns a file that is in no folder, for reading and writing: in memory or, where the system refuses that, in one of
// temporary_folders(). None: errno says why.
Descriptor nameless_file() noexcept;

// A file or folder that its user has made. The destructor removes it. So does a signal that ends the process, once
// remove_passing_paths_by_signals() has been called.
//
// Thread-safe. Signals remove at most 64 at a time.
class PassingPath {
 public:
  enum class Kind {
    kFile,
    kFolder,      // removed with its files; stays if it has folders
    kLinkFolder,  // removed with its links; stays if it has anything else
  };
  PassingPath(std::string path, Kind kind);
  ~PassingPath();
  PassingPath(const PassingPath&) = delete;
  PassingPath& operator=(const PassingPath&) = delete;

  const std::string& path() const noexcept { return path_; }
  // Async-signal-safe.
  void remove() const noexcept;
  // Leaves the path where it is.
  void keep() noexcept { is_kept_ = true; }

 private:
  const std::string path_;
  const Kind kind_;
  std::atomic<bool> is_kept_ = false;
  int slot_ = -1;  // -1: not known to signals
};

// Sets the child that such a signal also ends (SIGTERM); 0 means none. The caller resets it before
// it takes the child's exit status, because another process may then get the number.
void set_passing_child(pid_t child) noexcept;

// Holds back all signals of this thread while it lives: from the making of a path until a
// PassingPath knows it.
class SignalsHeldBack {
 public:
  SignalsHeldBack() noexcept;
  ~SignalsHeldBack();
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_;
};

// Makes SIGHUP, SIGINT, SIGQUIT, SIGTERM and SIGXCPU remove all passing paths before they end the
// process. A signal that is ignored stays ignored. Called by: main(), once.
void remove_passing_paths_by_signals() noexcept;

}  // namespace copse
