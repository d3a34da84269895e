// The manifest of a command: the file in which the agents of its JVMs note what they wrote, a line
// at a time. The command makes it, reads it and removes it. While the command lives it holds a lock
// on the file, so that a JVM, or `copse recover`, can tell whether it was killed and removes what
// it left.
#pragma once

#include <string>
#include <vector>

namespace copse {

// The command's side: a file of its owner's alone in TMPDIR or /tmp, removed at the end.
class ManifestFile {
 public:
  ManifestFile();
  ~ManifestFile();
  ManifestFile(const ManifestFile&) = delete;
  ManifestFile& operator=(const ManifestFile&) = delete;

  const std::string& path() const { return path_; }  // absolute; "": none could be made
  std::vector<std::string> lines() const;            // that agents wrote so far

 private:
  std::string path_;
  int descriptor_ = -1;  // holds the lock
};

// A manifest, to add lines to; below 0 when it is gone (errno is ENOENT), or something else lies in
// its place: who wanted to know has removed it, and others may make files there.
int open_manifest(const std::string& path) noexcept;

// Whether nobody will read it any more: it is gone, or its command was killed. False where that
// cannot be known.
bool is_abandoned(const std::string& manifest) noexcept;

}  // namespace copse
