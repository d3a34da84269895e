// Recognizes a file by its first bytes, so that a command given the wrong kind can say what the file is and which
// command takes it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/status.h"

namespace copse::cli {

enum class FileKind {
  kUnknown,  // unknown, missing or no regular file: its reader reports the problem
  kEmpty,
  kReport,
  kBaseline,
  kCallGraph,
  kComparison,
  kPage,
  kCollapsed,
  kReportText,     // a report's summary or tree
  kForOtherTools,  // a report as speedscope, callgrind or rows
  kTrace,          // binary or text
  kEventFile,
  kValueRecording,
  kIdFile,
  kStateFile,
  kOldStateFile,
  kMemoryOfRun,  // left by a run that was killed
  kJar,
  kClassFile,
  kFlightRecording,
  kCompressed,
  kDatabase,
};

// Returns the kind of a file with this beginning.
FileKind kind_of(std::string_view beginning);
FileKind kind_of_file(const std::string& path);

// Returns OK for the given kinds and for an unknown one. Else the error "PATH: is a page, not WANTED; what to type
// instead". `wanted`: "a trace".
Status check_kind(const std::string& path, std::initializer_list<FileKind> kinds,
                  std::string_view wanted);
// Does the same for --graph; "" means none. For an id file the error names the report beside it, which is accepted.
// Warns of a report in which recursion is merged: it lacks calls. A file that cannot be read is an error.
Status check_call_graph_kind(const std::string& path);

}  // namespace copse::cli
