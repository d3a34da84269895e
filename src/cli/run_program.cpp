#include "cli/run_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "agent/output_path.h"
#include "agent/stack_scale.h"
#include "base/printable.h"
#include "cli/kept_runs.h"
#include "cli/launcher_stack.h"
#include "cli/messages.h"
#include "report/json_writer.h"
#include "shadowstack/shared_memory.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

Result<fs::path> find_agent() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = self.parent_path();
  for (const char* candidate :
       {"libcopse.so", "../libcopse.so", "../../libcopse.so", COPSE_AGENT_INSTALLED}) {
    const fs::path path = folder / candidate;
    if (fs::is_regular_file(path, error)) return fs::weakly_canonical(path, error);
  }
  return Result<fs::path>::error("libcopse.so: not found beside " + self.string());
}

// The file in which agents name their reports. Removed when the run is over.
class Manifest {
 public:
  Manifest() {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/copse-XXXXXX";
    const int file = mkstemp(path_.data());
    if (file < 0) {
      path_.clear();
    } else {
      close(file);
    }
  }
  ~Manifest() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;

  const std::string& path() const { return path_; }
  std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::string path_;
};

// JAVA_TOOL_OPTIONS is split at white space outside quotes; there is no escape inside them.
Result<std::string> quoted_for_environment(const std::string& option) {
  for (const char quote : {'"', '\''}) {
    if (option.find(quote) == std::string::npos) return quote + option + quote;
  }
  return Result<std::string>::error(option + ": cannot be passed on, it has both kinds of quotes");
}

bool is_java_launcher(const std::string& word) { return fs::path(word).filename() == "java"; }

std::vector<std::string> tab_separated(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

bool tells_of_checks(const std::vector<std::string>& fields) {
  return fields.size() == 10 && fields[0] == "validated";
}

void add_checked(const std::vector<std::string>& fields, CheckedIds& sum) {
  if (!tells_of_checks(fields)) return;
  auto field = fields.begin() + 2;
  for (std::uint64_t* number :
       {&sum.tokens, &sum.without_id, &sum.ids, &sum.wrong, &sum.wrong_at_end, &sum.collisions,
        &sum.stacks, &sum.stacks_wrong}) {
    *number += std::strtoull((field++)->c_str(), nullptr, 10);
  }
}

std::string in_words(const CheckedIds& ids) {
  std::string text = fmt::format("{} tokens, {} of them without an id; {} different ids, ",
                                 with_thousands(ids.tokens), with_thousands(ids.without_id),
                                 with_thousands(ids.ids));
  text +=
      fmt::format("wrong {} at once and {} at the end, {} collisions", with_thousands(ids.wrong),
                  with_thousands(ids.wrong_at_end), with_thousands(ids.collisions));
  if (ids.stacks != 0) {
    text += fmt::format("; {} ids checked against the JVM's own stack, {} wrong",
                        with_thousands(ids.stacks), with_thousands(ids.stacks_wrong));
  }
  return text;
}

// Reports of JVMs that were killed, as lines of a manifest.
std::vector<std::string> recover_from(const KeptFolder& folder) {
  std::vector<std::string> lines;
  if (folder.path().empty()) return lines;
  const auto now = std::chrono::system_clock::now();
  for (const std::string& memory : kept_runs_in(folder.path())) {
    if (SharedMemoryFile::is_in_use(memory)) {
      lines.push_back("alive\ta JVM outlives the command, and will write its report by itself");
      continue;
    }
    const Result<RecoveredRun> run = recover_run(memory, now);
    const Status written = run.ok() ? write_json_file(run->report, run->output) : run.status();
    if (!written) {
      lines.push_back("failed\t" + written.message() + "; when that is set right: copse recover " +
                      memory);
      continue;
    }
    remove_kept_run(memory);
    const ReportModel::Totals& totals = run->report.totals;
    lines.push_back(fmt::format("killed\t{}\t{}\t{}\t{}", run->output, totals.calls,
                                totals.contexts, totals.calls_lost));
  }
  return lines;
}

// Kinds of lines that are said as they are.
bool is_plain_text(std::string_view kind) {
  return kind == "failed" || kind == "alive" || kind == "warning";
}

// A line of the manifest in words for a person; "" when it says nothing to one.
std::string in_words(const std::vector<std::string>& fields) {
  if (tells_of_checks(fields)) {
    CheckedIds ids;
    add_checked(fields, ids);
    return in_words(ids) + ": " + fields[1];
  }
  if (fields.size() == 2 && fields[0] == "wrong") return "wrong: " + fields[1];
  if (fields.size() == 2 && is_plain_text(fields[0])) return fields[1];
  const bool killed = fields[0] == "killed";
  const bool in_bytes = fields[0] == "trace" || fields[0] == "events";
  const bool known = fields[0] == "report" || fields[0] == "ids" || in_bytes || killed;
  if (fields.size() != 5 || !known) return "";
  const auto number = [&](std::size_t field) {
    return with_thousands(std::strtoull(fields[field].c_str(), nullptr, 10));
  };
  return fmt::format("{}{} {} in {} {}, {} lost: {}", killed ? "killed JVM: " : "", number(2),
                     fields[0] == "ids" || fields[0] == "events" ? "events" : "calls", number(3),
                     in_bytes ? "bytes" : "contexts", number(4), fields[1]);
}

void say_what_was_written(const std::vector<std::string>& lines, bool recorded) {
  std::string first_file;
  bool ids = false;
  bool heard = false;
  std::string snapshot;
  std::string unkept;
  std::vector<std::string> event_files;  // without an end
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    if (fields.size() == 2 && fields[0] == "snapshot") snapshot = fields[1];
    if (fields.size() == 2 && fields[0] == "unkept") unkept = " (" + fields[1] + ")";
    if (fields.size() == 2 && fields[0] == "appending") event_files.push_back(fields[1]);
    if (fields[0] == "events") std::erase(event_files, fields[1]);
    const std::string words = in_words(fields);
    if (words.empty()) continue;
    fmt::print(stderr, "copse: {}\n", printable(words));
    heard = true;
    const bool names_file =
        !is_plain_text(fields[0]) && fields[0] != "events" && fields[0] != "wrong";
    if (first_file.empty() && names_file) first_file = fields[1];
    ids =
        ids || fields[0] == "ids" || (tells_of_checks(fields) && fs::exists(graph_path(fields[1])));
  }
  for (const std::string& path : event_files) {
    fmt::print(stderr, "copse: killed JVM: its events up to the last block: copse events {}\n",
               printable(path));
    heard = true;
  }
  if (!heard && !snapshot.empty()) {
    fmt::print(stderr, "copse: no JVM ran to its end under this command; its last snapshot: {}{}\n",
               printable(snapshot), printable(unkept));
  } else if (!heard) {
    fmt::print(stderr, "copse: no {}: no JVM ran to its end under this command{}\n",
               recorded ? "whole trace" : "report", printable(unkept));
  } else if (!first_file.empty() && recorded) {
    fmt::print(stderr, "copse: to get its report: copse replay {}\n", printable(first_file));
  } else if (!first_file.empty()) {
    fs::path html = first_file;
    html.replace_extension(".html");
    fmt::print(stderr, "copse: to look at it: copse report {} --format html -o {}\n",
               printable(first_file), printable(html.string()));
    if (ids) {
      fmt::print(stderr, "copse: to read ids: copse decode --graph {} --ids NUMBER...\n",
                 printable(graph_path(first_file)));
    }
  }
}

}  // namespace

Result<std::string> agent_library() {
  const Result<fs::path> agent = find_agent();
  if (!agent.ok()) return agent.status();
  return agent->string();
}

std::string manifest_line_in_words(const std::string& line) {
  return in_words(tab_separated(line));
}

Result<RunEnd> run_program(RunRequest request) {
  const Result<fs::path> agent = find_agent();
  if (!agent.ok()) return agent.status();
  // The command may change its working directory before a JVM starts.
  const bool recorded = !request.options.record.empty();
  std::string& output = recorded ? request.options.record : request.options.out;
  output = fs::absolute(output).string();
  if (std::string& events = request.options.event_file; !events.empty()) {
    events = fs::absolute(events).string();
    if (Status status = check_replaceable(events); !status) return status;
  }
  // Every JVM that the command starts reads it, wherever it is started.
  if (std::string& graph = request.options.graph; !graph.empty()) {
    graph = fs::absolute(graph).string();
  }
  const bool is_regular_file = recorded || request.options.snapshot_ms != 0;
  if (Status status = is_regular_file ? check_replaceable(output) : check_writable(output);
      !status) {
    return status;
  }
  const Manifest manifest;
  const KeptFolder kept;
  if (can_be_kept(request.options)) request.options.keep = kept.path();
  request.options.manifest = manifest.path();
  request.options.quiet = true;
  MoreStack more{request.command, {}, 0};
  if (stacks_scale(request.options)) {
    more = with_more_stack(request.command, std::getenv("JDK_JAVA_OPTIONS"));
    request.options.main_stack_bytes = more.bytes;
  }
  const std::string option =
      "-agentpath:" + agent->string() + "=" + format_agent_options(request.options);

  std::vector<std::string> words = std::move(more.words);
  std::vector<std::string> environment = std::move(more.environment);
  if (is_java_launcher(words[0])) {
    // As an argument the JVM takes it silently; the environment makes it print a line.
    words.insert(words.begin() + 1, option);
  } else {
    const Result<std::string> quoted = quoted_for_environment(option);
    if (!quoted.ok()) return quoted.status();
    const char* before = std::getenv("JAVA_TOOL_OPTIONS");
    const std::string others =
        before != nullptr && *before != '\0' ? std::string(before) + " " : "";
    environment.push_back("JAVA_TOOL_OPTIONS=" + others + *quoted);
  }

  const Result<CommandEnd> ended = run_command(words, request.output, environment);
  if (!ended.ok()) return ended.status();
  std::vector<std::string> lines = manifest.lines();
  for (std::string& line : recover_from(kept)) lines.push_back(std::move(line));
  if (!request.quiet) say_what_was_written(lines, recorded);
  RunEnd end;
  end.command = *ended;
  for (const std::string& line : lines) {
    const std::vector<std::string> fields = tab_separated(line);
    add_checked(fields, end.checked);
    if (fields.size() == 5 && fields[0] == "ids") ++end.jvms_with_ids;
  }
  return end;
}

}  // namespace copse
