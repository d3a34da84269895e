// The manifest of a command: the file in which the agents of its JVMs leave their notes, a line at
// a time. The command makes it, reads it and removes it. While the command lives it holds a lock on
// the file, so that a JVM, or `copse recover`, can tell whether it was killed and removes what it
// left.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/line/note.h"
#include "base/descriptor.h"
#include "base/passing_path.h"
#include "base/status.h"

namespace copse::agent {

// The command's side: a file of its owner's alone, removed at the end. It has room for its notes from the start.
class ManifestFile {
 public:
  // In the first of temporary_folders() that has room. `beside`: the folder of the output.
  explicit ManifestFile(const std::string& beside);

  // An error names each folder and why it does not take the file.
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

// The answer to one command to an agent, in the same form: a file in the /tmp or /dev/shm of a process whose file system
// begins at `root` for us. It can be read, and is removed, also when the process has ended.
class AnswerFile {
 public:
  explicit AnswerFile(const std::string& root);

  bool made() const { return passing_.has_value(); }
  const std::string& path() const { return path_; }  // in the process's own file system
  std::vector<Note> notes() const;

 private:
  std::string path_;
  Descriptor folder_;  // reached through it when the process, and with it `root`, is gone
  std::optional<PassingPath> passing_;
};

// The agent's side: adds a note to either file, in one write, since several JVMs may share it.
// Nothing is done for "".
enum class Noted {
  kYes,
  kNo,    // it cannot be written to, or something else lies in its place
  kGone,  // whoever wanted to know has removed it
};
Noted add_note(const std::string& path, const Note& note);
std::vector<Note> read_notes(const std::string& path);

// Whether nobody will read the manifest any more: it is gone, or its command was killed. False
// where that cannot be known.
bool is_abandoned(const std::string& manifest) noexcept;

}  // namespace copse::agent
