// What a file is, by its first bytes: so that a command which is given another one than it reads
// can say what it was given, and which command takes that.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/status.h"

namespace copse::cli {

enum class FileKind {
  kUnknown,  // or not there, or no regular file: whoever reads it says what is wrong
  kEmpty,
  kReport,
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
  kMemoryOfRun,  // of a run that was killed
  kJar,
  kClassFile,
  kFlightRecording,
  kCompressed,
  kDatabase,
};

// Of the beginning of a file.
FileKind kind_of(std::string_view beginning);
FileKind kind_of_file(const std::string& path);

// Ok for the kinds that are read, and for what is not known. Else "PATH: is a page, not WANTED;
// what to type instead". `wanted`: "a trace".
Status check_kind(const std::string& path, std::initializer_list<FileKind> kinds,
                  std::string_view wanted);
// The same of --graph; "" is none. Of an id file it names the report beside it, which is taken.
Status check_call_graph_kind(const std::string& path);

}  // namespace copse::cli
