// The manifest of a command: the file in which the agents of its JVMs leave their notes, a line at
// a time. The command makes it, reads it and removes it. While the command lives it holds a lock on
// the file, so that a JVM, or `copse recover`, can tell whether it was killed and removes what it
// left.
#pragma once

#include <string>
#include <vector>

#include "agent/line/note.h"

namespace copse::agent {

// The command's side: a file of its owner's alone in TMPDIR or /tmp, removed at the end.
class ManifestFile {
 public:
  ManifestFile();
  ~ManifestFile();
  ManifestFile(const ManifestFile&) = delete;
  ManifestFile& operator=(const ManifestFile&) = delete;

  const std::string& path() const { return path_; }  // absolute; "": none could be made
  std::vector<Note> notes() const;                   // that agents left so far

 private:
  std::string path_;
  int descriptor_ = -1;  // holds the lock
};

// The answer to one command to an agent, in the same form: a file in the /tmp of a process whose
// file system begins at `root` for us.
class AnswerFile {
 public:
  explicit AnswerFile(std::string root);
  ~AnswerFile();
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  bool made() const { return made_; }
  const std::string& path() const { return path_; }  // as that process knows it
  std::vector<Note> notes() const;

 private:
  const std::string root_;
  std::string path_;
  bool made_ = false;
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
