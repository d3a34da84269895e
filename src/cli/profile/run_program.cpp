#include "cli/profile/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "agent/engine_options.h"
#include "agent/line/kept_folder.h"
#include "agent/line/manifest.h"
#include "agent/output_path.h"
#include "agent/stack_scale.h"
#include "cli/messages.h"
#include "cli/preload/java_command.h"
#include "cli/profile/c_library.h"
#include "cli/profile/carried_files.h"
#include "cli/profile/class_archives.h"
#include "cli/profile/killed_runs.h"
#include "cli/profile/launcher_options.h"
#include "cli/profile/launcher_stack.h"
#include "cli/program_options.h"
#include "cli/progress.h"

namespace copse::cli {
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
  const Result<fs::path> carried = carried_files();
  if (carried.ok()) return *carried / "libcopse.so";
  if (carried.fault() != Fault::kNotFound) return carried.status();
  return Result<fs::path>::error(Fault::kNotFound,
                                 "libcopse.so: not found beside " + self.string());
}

// JAVA_TOOL_OPTIONS is split at white space outside quotes; there is no escape inside them.
Result<std::string> quoted_for_environment(const std::string& option) {
  for (const char quote : {'"', '\''}) {
    if (option.find(quote) == std::string::npos) return quote + option + quote;
  }
  return Result<std::string>::error(Fault::kUnsupported,
                                    option + ": cannot be passed on, it has both kinds of quotes");
}

// Returns the value of LD_PRELOAD that keeps JVMs below a launcher silent about Copse (preload/launch_library.cpp); "" where
// the command is a tool of a JDK, or does not take the library, or the library's path cannot stand in that variable.
std::string preloaded_for(const std::vector<std::string>& command, const fs::path& agent) {
  const fs::path library = agent.parent_path() / kLaunchLibrary;
  std::error_code error;
  if (is_jdk_tool(command[0]) || !takes_preloaded(file_of_program(command[0])) ||
      library.string().find_first_of(" :") != std::string::npos ||
      !fs::is_regular_file(library, error)) {
    return "";
  }
  const char* const others = std::getenv("LD_PRELOAD");
  return library.string() + (others != nullptr && *others != '\0' ? ":" + std::string(others) : "");
}

// "checking the ids of x.json", of JVMs whose recording has ended and whose ids are being compared again; "" if there
// is none.
std::string reports_in_check(const std::vector<agent::Note>& notes) {
  std::vector<std::string> paths;
  for (const agent::Note& note : notes) {
    const auto* path = std::get_if<agent::PathNote>(&note);
    if (path != nullptr && path->kind == agent::PathNote::Kind::kChecking) {
      paths.push_back(path->path);
    }
    if (const auto* check = std::get_if<agent::CheckNote>(&note)) std::erase(paths, check->path);
  }
  return paths.empty() ? "" : "checking the ids of " + paths.front();
}

// Returns why the command runs without Copse, one line; "" if it does not.
std::string why_unrecorded(const std::vector<std::string>& command) {
  const JvmVariables variables{std::getenv("JDK_JAVA_OPTIONS"), std::getenv("JAVA_TOOL_OPTIONS")};
  // The program is left as it is rather than its archive unmade.
  if (const std::string archive = option_that_makes_archive(command, variables); !archive.empty()) {
    return archive +
           ": a class archive is made without Copse: with an agent the JVM refuses, or leaves the "
           "recorded classes out";
  }
  if (!is_java_launcher(command[0]) && !is_jdk_tool(command[0])) return "";
  const std::string file = file_of_program(command[0]);
  const std::string why = why_agent_does_not_fit(file);
  return why.empty() ? "" : file + ": runs without Copse: it " + why;
}

Result<RunEnd> run_unrecorded(const RunRequest& request, const std::string& why) {
  if (!request.quiet) say(why);
  const Result<CommandEnd> ended = run_command(request.command, request.output, {});
  if (!ended.ok()) return ended.status();
  RunEnd end;
  end.command = *ended;
  end.is_empty = true;
  end.notes.push_back(agent::TextNote{agent::TextNote::Kind::kFailed, why});
  return end;
}

// Makes the paths in the options absolute, because the command may change its working directory before a JVM starts.
// Returns why a file of the run could not be written.
Status settle_paths(agent::AgentOptions& options) {
  if (auto* ids = agent::part<agent::IdOptions>(options);
      ids != nullptr && !ids->event_file.empty()) {
    ids->event_file = agent::absolute_pattern(ids->event_file);
    if (Status status = agent::check_replaceable(agent::path_of_pattern(ids->event_file)); !status)
      return status;
  }
  if (auto* ids = agent::part<agent::EncoderOptions>(options);
      ids != nullptr && !ids->graph.empty()) {
    ids->graph = fs::absolute(ids->graph).string();
  }
  if (!agent::writes_file(options)) return {};
  options.out = agent::absolute_pattern(options.out);
  const std::string path = agent::path_of_pattern(options.out);
  const bool is_regular_file = !agent::writes_report(options) || options.snapshot_ms != 0;
  return is_regular_file ? agent::check_replaceable(path) : agent::check_writable(path);
}

struct CommandWithAgent {
  std::vector<std::string> words;
  std::vector<std::string> environment;  // NAME=VALUE, to be set for it
  bool is_reached_by_environment = false;
};

// Brings the agent into the JVMs of the command. Sets the options that depend on how that is done.
Result<CommandWithAgent> with_agent(RunRequest& request, const fs::path& agent) {
  MoreStack more{request.command, {}, 0};
  if (agent::stacks_scale(request.options)) {
    more = with_more_stack(request.command, std::getenv("JDK_JAVA_OPTIONS"));
    request.options.main_stack_bytes = more.bytes;
  }
  const std::string option =
      "-agentpath:" + agent.string() + "=" + agent::format_agent_options(request.options);
  CommandWithAgent command{std::move(more.words), std::move(more.environment), false};
  if (is_java_launcher(command.words[0])) {
    // As an argument the JVM takes it silently; the environment makes it print a line.
    command.words.insert(command.words.begin() + 1, option);
    return command;
  }
  const Result<std::string> quoted = quoted_for_environment(option);
  if (!quoted.ok()) return quoted.status();
  const char* before = std::getenv("JAVA_TOOL_OPTIONS");
  const std::string others = before != nullptr && *before != '\0' ? std::string(before) + " " : "";
  command.environment.push_back("JAVA_TOOL_OPTIONS=" + others + *quoted);
  if (const std::string preloaded = preloaded_for(request.command, agent); !preloaded.empty()) {
    command.environment.push_back("LD_PRELOAD=" + preloaded);
  }
  command.is_reached_by_environment = true;
  return command;
}

}  // namespace

Result<std::string> agent_library() {
  const Result<fs::path> agent = find_agent();
  if (!agent.ok()) return agent.status();
  return agent->string();
}

Result<RunEnd> run_program(RunRequest request) {
  const Result<fs::path> agent = find_agent();
  if (!agent.ok()) return agent.status();
  if (Status status = agent::load_workers(request.options, agent->parent_path().string(),
                                          agent::Spelling::kCommandLine);
      !status) {
    return status;
  }
  if (Status status = settle_paths(request.options); !status) return status;
  leave_archives_as_they_are(request.command);
  if (const std::string why = why_unrecorded(request.command); !why.empty()) {
    return run_unrecorded(request, why);
  }
  const std::string path = agent::path_of_pattern(request.options.out);
  const agent::ManifestFile manifest(fs::path(path).parent_path().string());
  if (!manifest.status()) return manifest.status();
  std::optional<agent::Note> unkept;
  const agent::KeptFolder kept(manifest.path());
  if (kept.path().empty())
    unkept = agent::TextNote{agent::TextNote::Kind::kUnkept,
                             std::string("/dev/shm: ") + std::strerror(errno)};
  if (agent::can_be_kept(request.options)) request.options.keep = kept.path();
  request.options.manifest = manifest.path();
  request.options.quiet = true;
  const Result<CommandWithAgent> command = with_agent(request, *agent);
  if (!command.ok()) return command.status();

  const Result<CommandEnd> ended = [&] {
    // While the program runs the terminal is its own.
    std::optional<Progress> progress;
    if (agent::part<agent::ValidateOptions>(request.options) != nullptr) {
      progress.emplace([&manifest] { return reports_in_check(manifest.notes()); });
    }
    return run_command(command->words, request.output, command->environment);
  }();
  if (!ended.ok()) return ended.status();
  RunEnd end;
  end.command = *ended;
  if (!ended->not_started.empty()) return end;
  std::vector<agent::Note> notes = manifest.notes();
  recover_all_in(kept, notes);
  if (unkept) notes.push_back(*std::move(unkept));
  end.words = {.recorded = !agent::writes_report(request.options),
               .of_values = agent::part<agent::ValueOptions>(request.options) != nullptr,
               .is_reached_by_environment = command->is_reached_by_environment,
               .agent = agent->string()};
  end.quiet = request.quiet;
  if (!request.quiet) say_end_of_command(notes, end.words);
  end.is_empty = tell_of_nothing(notes);
  for (const agent::Note& note : notes) {
    if (const auto* check = std::get_if<agent::CheckNote>(&note)) end.checked += check->ids;
    const auto* file = std::get_if<agent::FileNote>(&note);
    if (file != nullptr && file->kind == agent::FileNote::Kind::kIds) ++end.jvms_with_ids;
  }
  end.notes = std::move(notes);
  return end;
}

int exit_status_of(const Result<RunEnd>& ended, bool fail_if_empty) {
  if (!ended.ok()) return failure(ended);
  const CommandEnd& command = ended->command;
  if (!command.not_started.empty()) {
    failure(command.not_started);
    return command.exit_status;
  }
  bool is_written = true;
  for (const agent::Note& note : ended->notes) {
    const auto* unwritten = std::get_if<agent::UnwrittenNote>(&note);
    if (unwritten == nullptr) continue;
    if (ended->quiet) say(in_words(note));
    is_written = false;
  }
  if (!is_written && command.exit_status == 0) return 1;
  if (fail_if_empty && ended->is_empty && command.exit_status == 0) {
    return failure(kFailedAsEmpty);
  }
  return command.exit_status;
}

}  // namespace copse::cli
