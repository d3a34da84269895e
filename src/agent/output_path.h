// Where a run's report goes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/status.h"

namespace copse::agent {

// The path with %c (what the JVM runs), %p (process id), %t (start time, UTC, YYYYMMDD-hhmmss) and
// %% filled in.
struct OutputWords {
  std::string program;  // program_name()
  std::int64_t pid = 0;
  std::int64_t started = 0;  // seconds since the epoch
};
std::string expand_output_path(std::string_view pattern, const OutputWords& words);

// The pattern of the same file for whoever has another working directory.
std::string absolute_pattern(const std::string& pattern);
// The path as it can be looked at before there is a JVM: %% filled in, the words left as they are.
std::string path_of_pattern(std::string_view pattern);

// Whether a file can be written there, "PATH: why" if not: a report that cannot be written should
// be known before the run, not after it. Line breaks and tabs are refused too: commands tell each
// other of paths a line at a time.
Status check_writable(const std::string& path);
// The same of what has to be a regular file: a trace, which must be readable although the program
// was killed, and a report that snapshots replace.
Status check_replaceable(const std::string& path);

// Whether both paths lead to one file, through whatever links: the regular file that is there, or
// the one that would be made.
bool is_same_file(const std::string& one, const std::string& other);
// "OUTPUT: is WHAT" when it is one of the `others`: files that are read, or written besides. A path
// "" is none.
struct OtherFile {
  std::string path;
  std::string_view what;  // "the trace that is read"
};
Status check_replaces_none(const std::string& output, std::initializer_list<OtherFile> others);

// Returns the path that this process may write. Several JVMs under one command share a manifest: the first of them keeps
// `path`, every other gets its process id put before the extension, so that no report replaces another. So does one that
// cannot write to the manifest: others may have been there before. Without a manifest ("") the path stays.
std::string claim_output_path(const std::string& manifest, const std::string& path,
                              std::int64_t pid);

// The files of one run, or patterns of their names, each one its own: its report, the id file beside
// it (where `has_id_file`), the event file ("": none) and the call graph that is read ("": none).
Status check_run_files(const std::string& report, bool has_id_file, const std::string& event_file,
                       const std::string& call_graph);

// Where the id file of a run that keeps context ids lies: its report's path, ending in .ids.
std::string id_file_path(const std::string& report_path);

}  // namespace copse::agent
