#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "agent/line/kept_folder.h"
#include "agent/line/manifest.h"
#include "agent/output_path.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/profile/attach_protocol.h"
#include "cli/profile/killed_runs.h"
#include "cli/profile/live_jvm.h"
#include "cli/profile/running_jvms.h"
#include "cli/program_options.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "report/model/quantity.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct AttachArguments {
  std::string jvm;
  agent::AgentOptions options;
  std::string duration;
  bool fail_if_empty = false;
  bool quiet = false;
};

// Which file has the name: another one once it was replaced.
std::pair<dev_t, ino_t> file_at(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {found.st_dev, found.st_ino};
}

// Folder for the run's memory, so that the report can be written when the JVM is killed.
struct KeptRun {
  agent::ManifestFile manifest;
  agent::KeptFolder folder;

  explicit KeptRun(const std::string& beside) : manifest(beside), folder(manifest.path()) {}
};

// Returns nullptr where the JVM could not write into such a folder: it is another user's, or sees another /dev/shm.
std::unique_ptr<KeptRun> kept_run_of(std::int64_t pid, const std::string& output) {
  const Result<TargetJvm> jvm = find_jvm(static_cast<pid_t>(pid));
  if (!jvm.ok() || jvm->user != geteuid()) return nullptr;
  const std::string folder = "/dev/shm";
  if (file_at(folder) != file_at(jvm->root + folder)) return nullptr;
  return std::make_unique<KeptRun>(
      std::filesystem::path(agent::path_of_pattern(output)).parent_path().string());
}

// The JVM writes its report when it ends, too.
int wait_and_end(std::int64_t pid, std::uint64_t time_ms, const std::string& report,
                 const KeptRun* kept, WaitForEnd& waiting, const AttachArguments& arguments) {
  const auto before = file_at(report);
  if (!arguments.quiet) {
    say(fmt::format("it ends in {}, or with Ctrl-C", arguments.duration));
  }
  if (waiting.wait(std::chrono::milliseconds(time_ms), pid) != WaitedFor::kEndOfJvm) {
    return end_recording(pid, arguments.fail_if_empty, arguments.quiet);
  }
  if (kept != nullptr) {
    std::vector<agent::Note> notes;
    recover_all_in(kept->folder, notes);
    if (!notes.empty()) {
      say_what_was_written(notes);
      return agent::first_of<agent::FileNote>(notes) != nullptr ? 0 : 1;
    }
  }
  const auto now = file_at(report);
  if (now == before || now == std::pair<dev_t, ino_t>()) {
    return failure(
        fmt::format("process {}: ended before the time was over, and left no report", pid));
  }
  if (!arguments.quiet) {
    say(fmt::format("process {} has ended by itself: {}", pid, report));
  }
  return 0;
}

int attach(AttachArguments& arguments) {
  agent::AgentOptions& options = arguments.options;
  if (const Status status = check_agent_options(options); !status) {
    return failure(status);
  }
  if (const Status status = report::check_report_ending(options.out); !status) {
    return failure(status);
  }
  std::uint64_t time_ms = 0;
  if (!arguments.duration.empty()) {
    const Result<std::uint64_t> time = agent::parse_period(arguments.duration);
    if (!time.ok()) return failure(time.status().behind("--duration: "));
    time_ms = *time;
  }
  const Result<std::int64_t> pid = pid_of(arguments.jvm);
  if (!pid.ok()) return failure(pid);
  // The JVM has a working directory of its own, and its standard error is the program's.
  options.out = agent::absolute_pattern(options.out);
  options.quiet = true;
  std::unique_ptr<KeptRun> kept;
  if (time_ms != 0) kept = kept_run_of(*pid, options.out);
  std::optional<WaitForEnd> waiting;
  if (time_ms != 0) waiting.emplace();
  if (kept != nullptr) options.keep = kept->folder.path();
  auto progress = std::make_unique<Progress>(
      fmt::format("putting probes into the classes of process {}", *pid));
  const Result<std::vector<agent::Note>> notes = tell_agent(*pid, AgentIs::kBroughtAlong, options);
  progress.reset();
  if (!notes.ok()) return failure(notes);
  const auto* attached = agent::first_of<agent::AttachedNote>(*notes);
  if (!arguments.quiet) {
    const std::string prepared =
        report::in_words(report::Unit::kNanoseconds, attached->prepared_ms * 1'000'000);
    say(fmt::format("recording, with probes in {}{}{}: {}",
                    counted(attached->classes, "loaded class", "loaded classes"),
                    attached->refused == 0 ? "" : " (" + grouped(attached->refused) + " refused)",
                    attached->prepared_ms < 1'000 ? "" : " after " + prepared, attached->path));
    say_what_was_written(*notes);
  }
  if (time_ms != 0)
    return wait_and_end(*pid, time_ms, attached->path, kept.get(), *waiting, arguments);
  if (!arguments.quiet) say(fmt::format("to end it: copse detach {}", *pid));
  return 0;
}

// Without a JVM: which there are. With options something is meant to happen.
int attach_or_list(AttachArguments& arguments, bool has_options) {
  if (!arguments.jvm.empty()) return attach(arguments);
  if (has_options) {
    return usage_error(
        "attach: which JVM? Give its process id or name; copse attach alone lists them");
  }
  return print_text(table_of(running_jvms()));
}

}  // namespace

void add_attach_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<AttachArguments>();
  agent::AgentOptions& options = arguments->options;
  CLI::App* command =
      app.add_subcommand("attach", "Begin to profile a running JVM; alone: list those that run");
  add_jvm_argument(*command, arguments->jvm);
  command
      ->add_option("-d,--duration", arguments->duration,
                   "Wait so long (30s, 2m) or for Ctrl-C, then end the recording")
      ->type_name("PERIOD");
  add_agent_options(*command, options,
                    {"out", "measure", "include", "exclude", "by-thread", "slice", "keep-slices",
                     "no-sites", "recursion", "memory", "max-contexts", "engine", "snapshot"});
  add_fail_if_empty(*command, arguments->fail_if_empty)->needs("--duration");
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, command, &exit_status] {
    const auto given = [](const CLI::Option* option) { return option->count() > 0; };
    exit_status = attach_or_list(*arguments, std::ranges::any_of(command->get_options(), given));
  });
}

}  // namespace copse::cli
