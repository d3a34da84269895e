// copse recover FOLDER|FILE.memory [-o REPORT]: the reports and id files of runs that were killed,
// from what they left. `copse run` does this by itself; here is for the case that it was killed too, and for
// agents that were given keep=FOLDER.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "agent/line/kept_folder.h"
#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/profile/manifest_words.h"
#include "recover/recovered_run.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct RecoverArguments {
  std::string kept;
  std::string output;  // "": where the JVM would have written it
  bool quiet = false;
};

// Returns false for another user's file: its contents name the path of the report.
bool is_own(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) != 0 || about.st_uid == geteuid();
}

Status recover_one(const agent::KeptRunFiles& files, const RecoverArguments& arguments) {
  if (!is_own(files.memory))
    return Status::error(Fault::kRefused, files.memory + ": belongs to another user");
  Result<recover::RecoveredRun> run = recover::recover_run(files, std::nullopt);
  if (!run.ok()) return run.status();
  const std::string& output = arguments.output.empty() ? run->output : arguments.output;
  if (Status status = report::check_report_ending(output); !status) return status;
  if (Status status = agent::check_writable(output); !status) return status;
  if (run->id_file) {
    if (Status status = agent::check_writable(agent::id_file_path(output)); !status) return status;
  }
  if (Status status = recover::write_recovered(*run, output); !status) return status;
  files.remove();
  if (arguments.quiet) return {};
  agent::FileNote note = recover::note_of(*run, output);
  note.kind = run->events ? agent::FileNote::Kind::kIds : agent::FileNote::Kind::kReport;
  note.program.clear();
  say(in_words(note));
  if (!run->ids_lost.empty()) say(output + ": " + run->ids_lost);
  if (note.has_ids()) say_how_to_read_ids(output);
  return {};
}

void remove_what_its_command_left(const std::string& folder) {
  if (is_own(folder)) agent::remove_abandoned(folder, agent::linked_manifest(folder));
}

int recover(const RecoverArguments& arguments) {
  std::vector<agent::KeptRunFiles> runs = {agent::KeptRunFiles::of(arguments.kept)};
  const bool is_folder = std::filesystem::is_directory(arguments.kept);
  if (is_folder) runs = agent::kept_runs_in(arguments.kept);
  const std::string folder =
      is_folder ? arguments.kept : std::filesystem::absolute(arguments.kept).parent_path().string();
  if (runs.empty()) {
    remove_what_its_command_left(folder);
    return failure(arguments.kept + ": no run left anything there");
  }
  if (runs.size() > 1 && !arguments.output.empty()) {
    return usage_error(arguments.kept + ": has " + std::to_string(runs.size()) +
                       " runs; name one of its .memory files with -o");
  }
  const agent::OtherFile memory{runs.front().memory, "the memory of the run"};
  const agent::OtherFile names{runs.front().names, "the names of the run"};
  if (const Status status = agent::check_replaces_none(arguments.output, {memory, names});
      !status) {
    return failure(status);
  }
  if (Status status =
          check_kind(runs.front().memory, {FileKind::kMemoryOfRun}, "what a killed run left");
      !is_folder && !status) {
    return failure(status);
  }
  int exit_status = 0;
  for (const agent::KeptRunFiles& run : runs) {
    if (const Status status = recover_one(run, arguments); !status) {
      exit_status = failure(status);
    }
  }
  remove_what_its_command_left(folder);
  return exit_status;
}

}  // namespace

void add_recover_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<RecoverArguments>();
  CLI::App* command =
      app.add_subcommand("recover", "Make the report, and the id file, of a JVM that was killed");
  command
      ->add_option("kept", arguments->kept,
                   "Folder that a killed run left in /dev/shm, or one run in it: its .memory file")
      ->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "Report to write. The ending decides the format; without it the report goes "
                   "where the JVM would have written it")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, &exit_status] { exit_status = recover(*arguments); });
}

}  // namespace copse::cli
