#include "cli/research/live_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "agent/line/figure_notes.h"
#include "base/joined_text.h"
#include "base/printable.h"
#include "cli/passing_folder.h"
#include "cli/profile/run_program.h"

namespace copse::cli {
namespace {

bool was_interrupted(int exit_status) {
  return std::ranges::any_of(std::array{SIGHUP, SIGINT, SIGQUIT, SIGTERM},
                             [&](int signal) { return exit_status == 128 + signal; });
}

study::LiveRun run_of(const CommandEnd& end) {
  return {end.wall_seconds, end.peak_bytes, end.exit_status};
}

std::string words_of_command(const std::vector<std::string>& command) {
  return printable(joined_text(command, " "));
}

class Rounds {
 public:
  Rounds(const LiveRequest& request, Progress& progress) : request_(request), progress_(progress) {
    live_.command = words_of_command(request.command);
    live_.rounds = request.rounds;
    for (const std::string& name : request.encoders) {
      live_.schemes.push_back({name, {}, why_left_out(name), ""});
    }
  }

  Result<study::LiveComparison> run() {
    if (!folder_.made()) {
      return Status::error(Fault::kSystem,
                           folder_.path() + ": cannot be made: " + std::strerror(errno));
    }
    progress_.now("first run, which does not count");
    if (Status status = run_bare(); !status.ok()) return status;
    live_.bare.clear();
    for (std::uint64_t round = 1; round <= request_.rounds; ++round) {
      progress_.now(fmt::format("round {} of {}: bare", round, request_.rounds));
      if (Status status = run_bare(); !status.ok()) return status;
      for (study::LiveScheme& scheme : live_.schemes) {
        if (!scheme.left_out.empty() || !scheme.failure.empty()) continue;
        progress_.now(fmt::format("round {} of {}: {}", round, request_.rounds, scheme.name));
        if (Status status = run_with(scheme); !status.ok()) return status;
      }
      check_exit_statuses(live_);
    }
    return std::move(live_);
  }

 private:
  std::string why_left_out(const std::string& encoder) const {
    if (agent::needs_graph(encoder) && request_.graph.empty()) {
      return "needs --graph, the report of an earlier run or what copse graph wrote";
    }
    if (encoder == agent::kStackWalk &&
        std::get<agent::IdOptions>(request_.options.mode).marks.empty()) {
      return "needs --mark: it walks the stack at entries of marked methods";
    }
    return "";
  }

  Status run_bare() {
    const Result<CommandEnd> end = run_command(request_.command, CommandOutput::kOnlyItsMessages);
    if (!end.ok()) return end.status();
    if (!end->not_started.empty()) return Status::error(Fault::kSystem, end->not_started);
    if (was_interrupted(end->exit_status)) return interrupted();
    if (bare_status_ != end->exit_status && bare_runs_ > 0) {
      return Status::error(
          Fault::kRefused,
          fmt::format("compare: the command's exit status is now {}, now {}, without an encoder",
                      bare_status_, end->exit_status));
    }
    bare_status_ = end->exit_status;
    ++bare_runs_;
    live_.bare.push_back(run_of(*end));
    return {};
  }

  Status run_with(study::LiveScheme& scheme) {
    RunRequest request;
    request.command = request_.command;
    request.options = request_.options;
    auto& ids = std::get<agent::IdOptions>(request.options.mode);
    ids.encoder = scheme.name;
    if (agent::needs_graph(scheme.name)) ids.graph = request_.graph;
    request.options.out = folder_.path() + "/" + scheme.name + "-%p.json";
    request.quiet = true;
    request.output = CommandOutput::kOnlyItsMessages;
    const Result<RunEnd> end = run_program(std::move(request));
    if (!end.ok()) return end.status();
    if (was_interrupted(end->command.exit_status)) return interrupted();
    scheme.runs.push_back(run_of(end->command));
    scheme.jvms = agent::figures_in(end->notes);
    if (end->jvms_with_ids == 0 && end->command.exit_status == bare_status_) {
      scheme.failure = "no JVM kept ids to its end";
    }
    return {};
  }

  static Status interrupted() {
    return Status::error(Fault::kSystem, "compare: the command was interrupted");
  }

  const LiveRequest& request_;
  Progress& progress_;
  PassingFolder folder_;  // for the reports of agents, which are not read
  study::LiveComparison live_;
  int bare_status_ = 0;
  std::uint64_t bare_runs_ = 0;
};

}  // namespace

std::vector<std::string> inline_encoders(const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string_view name : agent::encoder_names()) {
    if (asked.empty() || std::ranges::find(asked, name) != asked.end()) names.emplace_back(name);
  }
  return names;
}

Result<study::LiveComparison> run_live_rounds(const LiveRequest& request, Progress& progress) {
  return Rounds(request, progress).run();
}

}  // namespace copse::cli
