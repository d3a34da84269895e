#include "recover/recovered_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "agent/engine_options.h"
#include "agent/measure_notes.h"
#include "agent/options.h"
#include "agent/run_description.h"
#include "base/grouped.h"
#include "base/version.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"
#include "report/model_builder.h"
#include "report/program_tables.h"
#include "trace/trace_reader.h"

namespace copse::recover {
namespace {

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

double milliseconds_until(WallClock::time_point ended, std::int64_t started_ms) {
  const auto end = std::chrono::duration_cast<std::chrono::milliseconds>(ended.time_since_epoch());
  return static_cast<double>(std::max<std::int64_t>(0, end.count() - started_ms));
}

report::ProgramTables tables_of(trace::ProgramInfo program, const trace::TraceReader& names,
                                const agent::AgentOptions& options, const RecoveredTree& run,
                                bool is_whole) {
  report::ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  tables.program = {std::move(program.command), program.pid, std::move(program.runtime),
                    std::move(program.started), 0};
  tables.options = std::move(program.options);
  tables.with_sites = options.sites;
  tables.notes = agent::recording_notes(options);
  tables.methods = names.methods();
  for (std::string& note : agent::tree_notes(options, *run.tree, run.calls_lost, tables.methods)) {
    tables.notes.push_back(std::move(note));
  }
  tables.notes.push_back(
      "The JVM was killed; this is every call that had been counted until then.");
  if (!is_whole) {
    tables.notes.push_back(
        "There was no room for all of the run in shared memory: calls that had no place there are "
        "missing, and counted as lost only where their threads' own counts tell of them.");
  }
  if (run.calls_of_unknown_callers != 0) {
    tables.notes.push_back("Found without their callers: " + grouped(run.calls_of_unknown_callers) +
                           " of the lost calls.");
  }
  for (const trace::SkippedInfo& row : names.skipped_so_far()) {
    tables.skipped.push_back({row.class_name, row.method, row.reason});
  }
  for (const shadowstack::ThreadRow& thread : run.threads) {
    tables.threads.push_back(
        {thread.runtime_id, thread.name, thread.first_key, thread.calls, thread.threads});
  }
  for (const RecoveredMeasure& measure : run.measures) {
    tables.measures.push_back({measure.name, measure.unit, measure.lost, measure.values});
  }
  std::vector<std::string> measured;
  for (const RecoveredMeasure& measure : run.measures) measured.push_back(measure.name);
  for (std::string& note : agent::notes_on_measures_so_far(measured)) {
    tables.notes.push_back(std::move(note));
  }
  for (const std::string& name : run.measures_lost) {
    tables.notes.push_back("The JVM was killed while contexts were evicted from " + name +
                           ": there is nothing of it.");
  }
  tables.calls_seen = run.calls_seen;
  tables.calls_lost = run.calls_lost;
  return tables;
}

}  // namespace

Result<RecoveredRun> recover_run(const agent::KeptRunFiles& files,
                                 std::optional<WallClock::time_point> ended) {
  const Result<std::unique_ptr<SharedMemoryFile>> memory = SharedMemoryFile::open(files.memory);
  if (!memory.ok()) return memory.status();
  const Result<std::unique_ptr<trace::TraceReader>> names = read_names(files.names);
  if (!names.ok()) return names.status();
  trace::ProgramInfo program = *(*names)->program();
  agent::KeptRunInfo info = agent::KeptRunInfo::take_from(program.options);
  const Result<agent::AgentOptions> options = agent::parse_agent_options(info.options);
  if (!options.ok()) {
    return Result<RecoveredRun>::error(files.names +
                                       ": options of another Copse: " + options.message());
  }
  const Result<RecoveredTree> run = recover_tree(**memory, agent::engine_options(*options));
  if (!run.ok()) return Result<RecoveredRun>::error(files.memory + ": " + run.message());
  report::ProgramTables tables =
      tables_of(std::move(program), **names, *options, *run, (*memory)->is_whole());
  if (ended) tables.program.wall_ms = milliseconds_until(*ended, info.started_ms);
  Result<report::ReportModel> report = report::build_model(*run->tree, std::move(tables));
  if (!report.ok()) return report.status();
  return RecoveredRun{std::move(report).value(), std::move(info.output), std::move(info.program),
                      options->max_contexts};
}

}  // namespace copse::recover
