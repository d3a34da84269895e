// The manifest of a command: the file in which the agents of its JVMs leave their notes, one a line. The
// command makes it, reads it and removes it. The command holds a lock on the file while it lives. A JVM or
// `copse recover` can thus tell that the command was killed, and removes its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/line/note.h"
#include "base/descriptor.h"
#include "base/passing_path.h"
#include "base/status.h"

namespace copse::agent {

// The command's side: a file that only its owner may access, removed at the end. Room for its notes is reserved
// from the start.
class ManifestFile {
 public:
  // Makes the file in the first of temporary_folders() that has room. `beside`: the folder of the output.
  explicit ManifestFile(const std::string& beside);

  // The error names each folder and why it does not take the file.
  const Status& status() const { return status_; }
  const std::string& path() const { return path_; }  // absolute; "" after an error
  // Returns the notes that agents left so far.
  std::vector<Note> notes() const;

 private:
  Status status_;
  std::string path_;
  Descriptor file_;  // holds the lock
  std::optional<PassingPath> passing_;
};

// Answer to one command to an agent, in the format of a manifest: a file in the /tmp or /dev/shm of a process
// whose file system begins at `root` for this process. The file can be read and is removed even after the
// process has ended.
class AnswerFile {
 public:
  explicit AnswerFile(const std::string& root);

  bool made() const { return passing_.has_value(); }
  const std::string& path() const { return path_; }  // in the process's own file system
  std::vector<Note> notes() const;

 private:
  std::string path_;
  Descriptor folder_;  // reaches the file when the process, and with it `root`, is gone
  std::optional<PassingPath> passing_;
};

// Result of add_note().
enum class Noted {
  kYes,
  kNo,    // the file cannot be written, or its path is something else
  kGone,  // its reader has removed the file
};
// The agent's side: adds a note to a manifest or an answer, in one write, since several JVMs may share the
// file. Does nothing for "".
Noted add_note(const std::string& path, const Note& note);
std::vector<Note> read_notes(const std::string& path);

// Returns whether the manifest has no reader any more: it is gone, or its command was killed. False if unknown.
bool is_abandoned(const std::string& manifest) noexcept;

}  // namespace copse::agent
