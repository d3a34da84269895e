#include "cli/file_kind.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/grouped.h"
#include "base/shell_word.h"
#include "cli/messages.h"
#include "compare/baseline/baseline.h"
#include "report/text/text_formats.h"

namespace copse::cli {
namespace {

constexpr std::size_t kBeginningBytes = 1 << 14;
// Enough for the header of a report, up to its methods.
constexpr std::size_t kHeaderBytes = 1 << 20;

struct Signature {
  std::string_view bytes;
  FileKind kind;
};
constexpr std::array kSignatures = {
    Signature{"copse.trace/", FileKind::kTrace},
    Signature{"copse trace text ", FileKind::kTrace},
    Signature{baseline::kSignature, FileKind::kBaseline},
    Signature{"copse.event/", FileKind::kEventFile},
    Signature{"copse.value/", FileKind::kValueRecording},
    Signature{"copse.ids/", FileKind::kIdFile},
    Signature{"copse.state/", FileKind::kStateFile},
    Signature{"copse.graph/", FileKind::kOldStateFile},
    Signature{"copse.m1", FileKind::kMemoryOfRun},
    Signature{"PK\x03\x04", FileKind::kJar},
    Signature{"\xca\xfe\xba\xbe", FileKind::kClassFile},
    Signature{std::string_view("FLR\0", 4), FileKind::kFlightRecording},
    Signature{"\x1f\x8b", FileKind::kCompressed},
    Signature{"\x28\xb5\x2f\xfd", FileKind::kCompressed},  // zstd
    Signature{std::string_view("SQLite format 3\0", 16), FileKind::kDatabase},
    Signature{"BZh", FileKind::kCompressed},
    Signature{"\xfd"
              "7zXZ",
              FileKind::kCompressed},
};
constexpr std::array kSchemas = {
    Signature{"copse.cct/", FileKind::kReport},
    Signature{"copse.callgraph/", FileKind::kCallGraph},
    Signature{"copse.compare/", FileKind::kComparison},
};

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? "" : text.substr(first);
}

// JSON with the key "schema" in front, as Copse writes it.
FileKind kind_of_json(std::string_view text) {
  const std::size_t key = text.find("\"schema\"");
  if (key == std::string_view::npos) return FileKind::kUnknown;
  text = without_blanks(text.substr(key + std::string_view("\"schema\"").size()));
  if (!text.starts_with(':')) return FileKind::kUnknown;
  text = without_blanks(text.substr(1));
  for (const Signature& schema : kSchemas) {
    if (text.size() > 1 && text.substr(1).starts_with(schema.bytes)) return schema.kind;
  }
  return FileKind::kUnknown;
}

bool is_page(std::string_view text) {
  std::string begin(text.substr(0, std::min<std::size_t>(text.size(), 15)));
  std::transform(begin.begin(), begin.end(), begin.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

// "frame;frame COUNT".
bool is_collapsed_line(std::string_view line) {
  const std::size_t blank = line.rfind(' ');
  if (blank == std::string_view::npos || blank == 0 || blank + 1 == line.size()) return false;
  const std::string_view count = line.substr(blank + 1);
  return count.find_first_not_of("0123456789") == std::string_view::npos && line.front() != ' ' &&
         line.front() != '#';
}

bool is_collapsed(std::string_view text) {
  bool any = false;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;
       text.remove_prefix(end + 1)) {
    if (!is_collapsed_line(text.substr(0, end))) return false;
    any = true;
  }
  return any;
}

bool is_report_text(std::string_view text) {
  const std::string_view heading = text.substr(0, text.find('\n'));
  return text.find("\n  " + std::string(report::kSummaryProof)) != std::string_view::npos ||
         heading.ends_with(report::kTreeHeading) || heading.ends_with(report::kCallersHeading);
}

bool is_for_other_tools(std::string_view text) {
  constexpr std::size_t kKeys = 200;
  return text.starts_with("# callgrind format") || text.starts_with("row,parent,depth,") ||
         (text.starts_with('{') &&
          text.substr(0, kKeys).find("speedscope.app/file-format-schema") !=
              std::string_view::npos);
}

// The first line that is no comment of a text trace.
std::string_view without_comments(std::string_view text) {
  while (text.starts_with('#')) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  return text;
}

std::string_view what_it_is(FileKind kind) {
  switch (kind) {
    case FileKind::kReport:
      return "a report";
    case FileKind::kBaseline:
      return "a baseline";
    case FileKind::kCallGraph:
      return "a call graph";
    case FileKind::kComparison:
      return "a comparison, as copse compare writes it";
    case FileKind::kPage:
      return "a page for a browser";
    case FileKind::kCollapsed:
      return "collapsed text, for flame graph tools";
    case FileKind::kReportText:
      return "a report as text";
    case FileKind::kForOtherTools:
      return "a report for other tools";
    case FileKind::kTrace:
      return "a trace";
    case FileKind::kEventFile:
      return "an event file";
    case FileKind::kValueRecording:
      return "a recording of values";
    case FileKind::kIdFile:
      return "the id file of a run";
    case FileKind::kStateFile:
      return "the saved state of an encoder";
    case FileKind::kOldStateFile:
      return "a graph file of tokens, as an older copse saved it";
    case FileKind::kMemoryOfRun:
      return "the memory of a run that was killed";
    case FileKind::kJar:
      return "a jar";
    case FileKind::kClassFile:
      return "a class file";
    case FileKind::kFlightRecording:
      return "a flight recording";
    case FileKind::kCompressed:
      return "compressed";
    case FileKind::kDatabase:
      return "a database of SQLite";
    case FileKind::kEmpty:
    case FileKind::kUnknown:
      break;
  }
  return "";
}

// Returns the words that say which command takes a file of that kind.
std::string what_takes_it(FileKind kind, const std::string& path) {
  const std::string word = shell_path(path);
  switch (kind) {
    case FileKind::kReport:
      return "copse report " + word + " shows it";
    case FileKind::kBaseline:
      return "copse baseline check " + word + " NEW compares a report with it";
    case FileKind::kCallGraph:
      return "copse ids --encoder pcce --graph " + word + " takes it";
    case FileKind::kCollapsed:
      return "copse import " + word + " -o REPORT.json makes a report of it";
    case FileKind::kPage:
    case FileKind::kReportText:
    case FileKind::kForOtherTools:
      return "it cannot be read again; copse run -o FILE.json writes a report that can";
    case FileKind::kTrace:
      return "copse replay " + word + " makes its report";
    case FileKind::kEventFile:
      return "copse events " + word + " shows it, and makes a report with --report FILE";
    case FileKind::kValueRecording:
      return "copse ptql QUERY " + word + " answers a query of it";
    case FileKind::kIdFile:
      return "copse decode " + word + " NUMBER... reads ids with it";
    case FileKind::kStateFile:
      return "copse decode " + word + " TOKEN... reads tokens with it";
    case FileKind::kOldStateFile:
      return "copse validate TRACE --save FOLDER writes it anew";
    case FileKind::kMemoryOfRun:
      return "copse recover " + word + " makes its report";
    case FileKind::kJar:
      return "copse run -- java -jar " + word + " profiles what it runs";
    case FileKind::kClassFile:
      return "copse graph takes the folder in which its packages begin";
    case FileKind::kFlightRecording:
      return "copse join REPORT " + word + " -o JOINED.json lays its samples on a report, copse " +
             "import makes one of them";
    case FileKind::kCompressed:
      if (path.ends_with(".pb.gz") || path.ends_with(".pprof")) {
        return "if it is a profile of pprof: copse import " + word +
               " -o REPORT.json makes a report of it";
      }
      return "decompress it first";
    case FileKind::kDatabase:
      return "copse query " + word + " QUERY asks it, without other files";
    case FileKind::kComparison:
    case FileKind::kEmpty:
    case FileKind::kUnknown:
      break;
  }
  return "no command reads it";
}

// Returns the beginning of a file; std::nullopt if it cannot be read, or is no ordinary file.
std::optional<std::string> beginning_of(const std::string& path, std::size_t most) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return std::nullopt;
  std::string beginning(most, '\0');
  const ssize_t bytes = read(file, beginning.data(), beginning.size());
  close(file);
  if (bytes < 0) return std::nullopt;
  beginning.resize(static_cast<std::size_t>(bytes));
  return beginning;
}

// Returns the number of methods whose recursion is merged in a report, as its header tells.
std::uint64_t merged_methods_of(const std::string& path) {
  constexpr std::string_view kKey = "\"merged_methods\":";
  const std::string header = beginning_of(path, kHeaderBytes).value_or("");
  const std::size_t at = header.find(kKey);
  if (at == std::string::npos) return 0;
  std::size_t digits = at + kKey.size();
  while (digits < header.size() && header[digits] == ' ') ++digits;
  std::uint64_t methods = 0;
  std::from_chars(header.data() + digits, header.data() + header.size(), methods);
  return methods;
}

}  // namespace

FileKind kind_of(std::string_view beginning) {
  if (beginning.empty()) return FileKind::kEmpty;
  if (is_for_other_tools(beginning)) return FileKind::kForOtherTools;
  const std::string_view text = without_comments(beginning);
  for (const Signature& signature : kSignatures) {
    if (text.starts_with(signature.bytes)) return signature.kind;
  }
  const std::string_view inside = without_blanks(beginning);
  if (inside.starts_with('{')) return kind_of_json(inside);
  if (is_page(inside)) return FileKind::kPage;
  if (is_report_text(beginning)) return FileKind::kReportText;
  return is_collapsed(beginning) ? FileKind::kCollapsed : FileKind::kUnknown;
}

FileKind kind_of_file(const std::string& path) {
  const std::optional<std::string> beginning = beginning_of(path, kBeginningBytes);
  return beginning ? kind_of(*beginning) : FileKind::kUnknown;
}

Status check_kind(const std::string& path, std::initializer_list<FileKind> kinds,
                  std::string_view wanted) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::kUnknown || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
    return {};
  }
  if (kind == FileKind::kEmpty) return Status::error(Fault::kMalformed, path + ": is empty");
  return Status::error(Fault::kMalformed, path + ": is " + std::string(what_it_is(kind)) +
                                              ", not " + std::string(wanted) + "; " +
                                              what_takes_it(kind, path));
}

Status check_call_graph_kind(const std::string& path) {
  if (path.empty()) return {};
  // Without opening it, since a pipe gives its bytes once.
  struct stat about {};
  const bool is_there = access(path.c_str(), R_OK) == 0 && stat(path.c_str(), &about) == 0;
  if (!is_there || S_ISDIR(about.st_mode)) {
    return Status::error(Fault::kSystem,
                         path + ": " + std::strerror(is_there ? EISDIR : errno) +
                             "; give --graph a report, or a call graph as copse graph writes it");
  }
  const std::string report = std::filesystem::path(path).replace_extension("json").string();
  if (kind_of_file(path) == FileKind::kIdFile && kind_of_file(report) == FileKind::kReport) {
    return Status::error(Fault::kMalformed,
                         path + ": is the id file of a run, not a report or a call graph; give " +
                             "--graph the report beside it, " + report);
  }
  if (const Status status = check_kind(path, {FileKind::kReport, FileKind::kCallGraph},
                                       "a report or a call graph, as copse graph writes it");
      !status) {
    return status;
  }
  if (const std::uint64_t methods = merged_methods_of(path); methods != 0) {
    say("--graph: " + path + ": the recursion of " + counted(methods, "method") +
        " is merged in it, so it lacks calls that recurse, and they count as unexpected; copse run "
        "--recursion full, or copse graph, has them");
  }
  return {};
}

}  // namespace copse::cli
