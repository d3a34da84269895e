#include "cli/kept_runs.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "agent/engine_options.h"
#include "agent/kept_run.h"
#include "agent/manifest.h"
#include "agent/run_description.h"
#include "base/version.h"
#include "cct/recovered_tree.h"
#include "report/model_builder.h"
#include "report/program_tables.h"
#include "shadowstack/shared_memory.h"
#include "trace/trace_reader.h"

namespace copse {
namespace {

namespace fs = std::filesystem;

// Files in memory: a kept run is written to as fast as memory is.
constexpr const char* kMemoryFiles = "/dev/shm";

// What the JVM wrote besides the trees. The last block may be half written.
Result<std::unique_ptr<trace::TraceReader>> read_names(const std::string& path) {
  using Read = Result<std::unique_ptr<trace::TraceReader>>;
  Result<std::unique_ptr<wire::ByteSource>> bytes = wire::open_file(path);
  if (!bytes.ok()) return bytes.status();
  auto names = std::make_unique<trace::TraceReader>(std::move(bytes).value());
  for (;;) {
    const Result<std::optional<trace::EventBatch>> batch = names->next();
    if (!batch.ok() || !batch->has_value()) break;
  }
  if (!names->program()) return Read::error(path + ": does not say what program it is of");
  return names;
}

std::string option(const trace::ProgramInfo& program, const char* key) {
  const auto found = program.options.find(key);
  return found == program.options.end() ? "" : found->second;
}

double milliseconds_until(WallClock::time_point ended, const trace::ProgramInfo& program) {
  const std::string text = option(program, kKeptStart);
  std::int64_t start = 0;
  std::from_chars(text.data(), text.data() + text.size(), start);
  const auto end = std::chrono::duration_cast<std::chrono::milliseconds>(ended.time_since_epoch());
  return static_cast<double>(std::max<std::int64_t>(0, end.count() - start));
}

ProgramTables tables_of(const trace::TraceReader& names, const Result<AgentOptions>& options,
                        const RecoveredTree& run, bool is_whole) {
  const trace::ProgramInfo& program = *names.program();
  ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  tables.program = {program.command, program.pid, program.runtime, program.started, 0};
  tables.options = program.options;
  tables.options.erase(kKeptOptions);
  tables.options.erase(kKeptStart);
  tables.options.erase(kKeptOutput);
  tables.options.erase(kKeptProgram);
  if (options.ok()) {
    tables.with_sites = options->sites;
    tables.notes = recording_notes(*options);
    const Folded folded = run.tree->folded();
    for (std::string& note :
         folding_notes(*options, {run.calls_lost, folded.calls, folded.contexts})) {
      tables.notes.push_back(std::move(note));
    }
  }
  tables.notes.push_back(
      "The JVM was killed; this is every call that had been counted until then.");
  if (!is_whole) {
    tables.notes.push_back(
        "There was no room for all of the run in shared memory: calls that had no place there are "
        "missing, and counted as lost only where their threads' own counts tell of them.");
  }
  if (run.calls_of_unknown_callers != 0) {
    tables.notes.push_back(std::to_string(run.calls_of_unknown_callers) +
                           " of the lost calls were found without their callers.");
  }
  tables.methods = names.methods();
  for (const trace::SkippedInfo& row : names.skipped_so_far()) {
    tables.skipped.push_back({row.class_name, row.method, row.reason});
  }
  for (const ThreadRow& thread : run.threads) {
    tables.threads.push_back(
        {thread.runtime_id, thread.name, thread.first_key, thread.calls, thread.threads});
  }
  tables.calls_seen = run.calls_seen;
  tables.calls_lost = run.calls_lost;
  return tables;
}

}  // namespace

Result<RecoveredRun> recover_run(const std::string& memory_path,
                                 std::optional<WallClock::time_point> ended) {
  const Result<std::unique_ptr<SharedMemoryFile>> memory = SharedMemoryFile::open(memory_path);
  if (!memory.ok()) return memory.status();
  const Result<std::unique_ptr<trace::TraceReader>> names = read_names(names_path(memory_path));
  if (!names.ok()) return names.status();
  const Result<AgentOptions> options =
      parse_agent_options(option(*(*names)->program(), kKeptOptions));
  const Result<RecoveredTree> run =
      recover_tree(**memory, options.ok() ? engine_options(*options) : EngineOptions{});
  if (!run.ok()) return Result<RecoveredRun>::error(memory_path + ": " + run.message());
  ProgramTables tables = tables_of(**names, options, *run, (*memory)->is_whole());
  if (ended) tables.program.wall_ms = milliseconds_until(*ended, *(*names)->program());
  Result<ReportModel> report = build_model(*run->tree, std::move(tables));
  if (!report.ok()) return report.status();
  const trace::ProgramInfo& program = *(*names)->program();
  return RecoveredRun{std::move(report).value(), option(program, kKeptOutput),
                      option(program, kKeptProgram)};
}

std::vector<std::string> kept_runs_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == kKeptMemory) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string names_path(const std::string& memory_path) {
  return fs::path(memory_path).replace_extension(kKeptNames).string();
}

void remove_kept_run(const std::string& memory_path) {
  unlink(memory_path.c_str());
  unlink(names_path(memory_path).c_str());
}

KeptFolder::KeptFolder(const std::string& manifest) {
  std::string path = std::string(kMemoryFiles) + "/copse-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return;
  path_ = path;
  link_manifest(path_, manifest);
}

KeptFolder::~KeptFolder() {
  if (!path_.empty() && !remove_kept_folder(path_)) rmdir(path_.c_str());
}

}  // namespace copse
