// Paths of a run's files.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/replaced_file.h"
#include "base/status.h"

namespace copse::agent {

// Values for the words of an output path.
struct OutputWords {
  std::string program;  // program_name()
  std::int64_t pid = 0;
  std::int64_t started = 0;  // seconds since the epoch
};
// Returns the path with %c (the program that the JVM runs), %p (process id), %t (start time, UTC,
// YYYYMMDD-hhmmss) and %% filled in.
std::string expand_output_path(std::string_view pattern, const OutputWords& words);

// Returns the pattern of the same file for a process with another working directory.
std::string absolute_pattern(const std::string& pattern);
// Returns the path as it can be checked before a JVM exists: %% filled in, the words left as they are.
std::string path_of_pattern(std::string_view pattern);

// Checks that a file can be written at `path`; the error is "PATH: why". Called before the run, so that the
// report of a run is not lost. Line breaks and tabs are refused, because commands pass paths to each other one
// per line.
Status check_writable(const std::string& path);
// Like check_writable(), for a path that must be a regular file: a trace must be readable although the program
// was killed, and snapshots replace a report.
Status check_replaceable(const std::string& path);

// Returns whether both paths lead to one file, through any links: the regular file that exists, or the one that
// would be made.
bool is_same_file(const std::string& one, const std::string& other);
// A file that is read, or written besides the output. A path "" means none.
struct OtherFile {
  std::string path;
  std::string_view what;  // "the trace that is read"
};
// Returns the error "OUTPUT: is WHAT" if `output` is one of the `others`.
Status check_replaces_none(const std::string& output, std::initializer_list<OtherFile> others);

// Returns the path that this process may write. Several JVMs under one command share a manifest. The first of
// them keeps `path`. Every other puts its process id before the extension, so that no report replaces another.
// A process that cannot write to the manifest does the same, because others may have been there before. Without
// a manifest ("") the path stays.
std::string claim_output_path(const std::string& manifest, const std::string& path,
                              std::int64_t pid);

// The path of a file that a run writes at its end. Where another file has come there since, of a run beside this one, the
// file gets a name of its own, so that neither is lost.
class OutputPlace {
 public:
  OutputPlace() = default;
  OutputPlace(std::string path, std::int64_t pid);
  // `state`: state() of the same place in another process.
  OutputPlace(std::string path, std::int64_t pid, std::string_view state);

  const std::string& path() const noexcept { return path_; }
  std::string state() const;
  // Puts the process id into the path if another file is there. Returns a sentence that says so; "" means that the path
  // stays. Called under a FolderLock, right before the file is written.
  std::string settle();
  // Called when a file of the run was written there.
  void was_written();

 private:
  std::string path_;
  std::int64_t pid_ = 0;
  FileState there_;
};

// Returns the path for a file that is written from now on: `path`, or one with the process id while another process writes
// such a file there.
std::string free_stream_path(const std::string& path, std::int64_t pid);

// Returns a sentence that a file has this name, because of another file at `path`.
std::string other_file_sentence(const std::string& path, const std::string& name);

// Checks that the files of one run, or patterns of their names, differ: the report, the id file beside it (if
// `has_id_file`), the event file and the call graph that is read. "" means none.
Status check_run_files(const std::string& report, bool has_id_file, const std::string& event_file,
                       const std::string& call_graph);

// Returns the path of the id file of a run that keeps context ids: its report's path, ending in .ids.
std::string id_file_path(const std::string& report_path);

}  // namespace copse::agent
