#include "recover/recovered_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "agent/engine_options.h"
#include "agent/measure_notes.h"
#include "agent/options.h"
#include "agent/output_path.h"
#include "agent/run_description.h"
#include "base/grouped.h"
#include "base/version.h"
#include "encoders/ids/id_file.h"
#include "encoders/numbering/id_decode.h"
#include "recover/recovered_ids.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"
#include "report/model/model_builder.h"
#include "report/model/program_tables.h"
#include "report/model/report_stats.h"
#include "trace/trace_reader.h"

namespace copse::recover {
namespace {

// Reads the names, which the JVM wrote besides the trees. The last block may be half written.
Result<std::unique_ptr<trace::TraceReader>> read_names(const std::string& path) {
  using Read = Result<std::unique_ptr<trace::TraceReader>>;
  Result<std::unique_ptr<wire::ByteSource>> bytes = wire::open_file(path);
  if (!bytes.ok()) return bytes.status();
  auto names = std::make_unique<trace::TraceReader>(std::move(bytes).value());
  for (;;) {
    const Result<std::optional<trace::EventBatch>> batch = names->next();
    if (!batch.ok() || !batch->has_value()) break;
  }
  if (!names->program())
    return Read::error(Fault::kMalformed, path + ": does not say what program it is of");
  return names;
}

void add_threads(const std::vector<shadowstack::ThreadRow>& threads,
                 report::ProgramTables& tables) {
  for (const shadowstack::ThreadRow& thread : threads) {
    tables.threads.push_back(
        {thread.runtime_id, thread.name, thread.first_key, thread.calls, thread.threads});
  }
}

double milliseconds_until(WallClock::time_point ended, std::int64_t started_ms) {
  const auto end = std::chrono::duration_cast<std::chrono::milliseconds>(ended.time_since_epoch());
  return static_cast<double>(std::max<std::int64_t>(0, end.count() - started_ms));
}

report::ProgramTables tables_of(trace::ProgramInfo program, const trace::TraceReader& names,
                                const agent::AgentOptions& options) {
  report::ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  tables.program = {std::move(program.command), program.pid, std::move(program.runtime),
                    std::move(program.started), 0};
  tables.options = std::move(program.options);
  tables.with_sites = agent::has_sites(options);
  tables.notes = agent::recording_notes(options);
  tables.methods = names.methods();
  for (const trace::SkippedInfo& row : names.skipped_so_far()) {
    tables.skipped.push_back({row.class_name, row.method, row.reason});
  }
  return tables;
}

void add_notes_on_measures(const std::vector<std::string>& measures,
                           report::ProgramTables& tables) {
  for (std::string& note : agent::notes_on_measures_so_far(measures)) {
    tables.notes.push_back(std::move(note));
  }
}

// Facts that the JVM has in its own memory alone.
void add_note_on_what_went(const std::vector<std::string>& measures, bool has_amounts_of_threads,
                           report::ProgramTables& tables) {
  std::string what;
  if (has_amounts_of_threads && !measures.empty()) {
    what = "What each thread had of measures besides calls";
  }
  if (std::ranges::find(measures, "cpu_ns") != measures.end()) {
    what += (what.empty() ? "The" : ", and the") + std::string(" time line of CPU time");
  }
  if (!what.empty()) tables.notes.push_back(what + " went with the JVM.");
}

void add_tree(const agent::AgentOptions& options, const RecoveredTree& run, bool is_whole,
              report::ProgramTables& tables) {
  for (std::string& note : agent::tree_notes(options, *run.tree, run.calls_lost, tables.methods)) {
    tables.notes.push_back(std::move(note));
  }
  tables.notes.push_back(
      "The JVM was killed; this is every call that had been counted until then.");
  if (run.slices_lost != 0) {
    tables.notes.push_back(
        "Slices do not outlive a killed JVM: " + counted(run.slices_lost, "slice") +
        " had begun. Their calls are in the tree of all calls.");
  }
  if (!is_whole) {
    tables.notes.push_back(
        "There was no room for all of the run in shared memory: calls that had no place there are "
        "missing, and counted as lost only where their threads' own counts tell of them.");
  }
  if (run.calls_of_unknown_callers != 0) {
    tables.notes.push_back("Found without their callers: " + grouped(run.calls_of_unknown_callers) +
                           " of the lost calls.");
  }
  add_threads(run.threads, tables);
  for (const RecoveredMeasure& measure : run.measures) {
    tables.measures.push_back({measure.name, measure.unit, measure.lost, measure.values});
  }
  std::vector<std::string> measured;
  for (const RecoveredMeasure& measure : run.measures) measured.push_back(measure.name);
  add_notes_on_measures(measured, tables);
  add_note_on_what_went(measured, true, tables);
  for (const std::string& name : run.measures_lost) {
    tables.notes.push_back("The JVM was killed while contexts were evicted from " + name +
                           ": there is nothing of it.");
  }
  tables.calls_seen = run.calls_seen;
  tables.calls_lost = run.calls_lost;
}

Status recover_calls(const SharedMemoryFile& memory, const agent::AgentOptions& options,
                     report::ProgramTables tables, RecoveredRun& recovered) {
  const Result<RecoveredTree> run = recover_tree(memory, agent::engine_options(options));
  if (!run.ok()) return run.status();
  add_tree(options, *run, memory.is_whole(), tables);
  Result<report::ReportModel> report = report::build_model(*run->tree, std::move(tables));
  if (!report.ok()) return report.status();
  recovered.report = std::move(report).value();
  return {};
}

std::string words_on_lost_ids(const RecoveredIds& ids) {
  if (ids.changes_lost == 0) return "";
  return "There was no room in shared memory for " + counted(ids.changes_lost, "change") +
         " of the tables of context ids: ids of contexts that the program reached later do not "
         "decode";
}

// Methods whose names could not be written have ids beyond the names.
MethodId last_method(const std::vector<MethodName>& names) {
  constexpr std::size_t kWithoutNames = std::size_t{1} << 20;
  const std::size_t last =
      std::min<std::size_t>(std::max(names.size(), kWithoutNames), kMaxMethodId);
  return MethodId{static_cast<std::uint32_t>(last)};
}

Status recover_events(const SharedMemoryFile& memory, const agent::AgentOptions& options,
                      report::ProgramTables tables, RecoveredRun& recovered) {
  const Result<RecoveredIds> ids =
      recover_ids(memory, agent::encoder_of(options), last_method(tables.methods));
  if (!ids.ok()) return ids.status();
  recovered.ids_lost = words_on_lost_ids(*ids);
  ids::IdRecords records{
      .events = [&](events::EventKind kind) { return ids->events[static_cast<std::size_t>(kind)]; },
      .steps = std::nullopt};
  if (ids->numbering != nullptr) {
    records.steps = {
        .last_call = [&](std::uint64_t id) -> std::optional<events::IdSteps::LastCall> {
          const auto last = encoders::last_call(*ids->numbering, ids->pieces, id);
          if (!last) return std::nullopt;
          return events::IdSteps::LastCall{last->edge, last->caller};
        },
        .is_root = [&](std::uint64_t id) { return encoders::is_root_id(ids->pieces, id); }};
    recovered.id_file.emplace(id_file_without_names(ids->key, *ids->numbering, ids->pieces));
    add_threads(ids->origins, *recovered.id_file);
    ids::add_names(tables.methods, *recovered.id_file);
  }
  ids::EventReport events(
      records, events::kinds_of_measures(agent::part<agent::IdOptions>(options)->measures),
      ids->outside);
  tables.notes.push_back(agent::id_note(options));
  tables.notes.push_back(
      "The JVM was killed; this is every event that had been counted until then, and every "
      "context that had an id.");
  if (!recovered.ids_lost.empty()) tables.notes.push_back(recovered.ids_lost + '.');
  if (!memory.is_whole()) {
    tables.notes.push_back(
        "There was no room for all of the run in shared memory: events that had no place there "
        "are missing.");
  }
  for (const std::string& why : events.unknown()) {
    tables.notes.push_back((recovered.ids_lost.empty() ? "DEFECT: " : "Lost: ") + why);
  }
  if (ids->entries_lost != 0) {
    tables.notes.push_back("The program gave " + counted(ids->entries_lost, "call") +
                           " no id: no memory.");
  }
  add_notes_on_measures(events.measures(), tables);
  add_note_on_what_went(events.measures(), false, tables);
  add_threads(ids->threads, tables);
  recovered.events = events.totals();
  Result<report::ReportModel> report = std::move(events).model(std::move(tables));
  if (!report.ok()) return report.status();
  recovered.report = std::move(report).value();
  return {};
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
    return Result<RecoveredRun>::error(
        Fault::kMalformed, files.names + ": options of another Copse: " + options.message());
  }
  report::ProgramTables tables = tables_of(std::move(program), **names, *options);
  if (ended) tables.program.wall_ms = milliseconds_until(*ended, info.started_ms);
  RecoveredRun run;
  run.output = std::move(info.output);
  if (options->snapshot_ms == 0) run.output_state = std::move(info.output_state);
  run.program = std::move(info.program);
  run.max_contexts = options->max_contexts;
  const auto recover = is_of_ids(**memory) ? recover_events : recover_calls;
  if (const Status status = recover(**memory, *options, std::move(tables), run); !status) {
    return status.behind(files.memory + ": ");
  }
  return run;
}

Status write_recovered(RecoveredRun& run, const std::string& path) {
  return ids::write_id_run(run.report, path, run.max_contexts,
                           run.id_file ? &*run.id_file : nullptr, agent::id_file_path(path));
}

agent::FileNote note_of(const RecoveredRun& run, const std::string& path) {
  const report::ReportModel::Totals& totals = run.report.totals;
  agent::FileNote note{.kind = agent::FileNote::Kind::kKilled,
                       .path = path,
                       .count = totals.calls,
                       .size = report::contexts_with(run.report.nodes.calls),
                       .lost = totals.calls_lost,
                       .program = run.program};
  if (run.events) {
    note.kind = agent::FileNote::Kind::kKilledIds;
    note.count = run.events->events;
    note.size = run.events->contexts;
    note.lost = run.events->events_lost;
  }
  return note;
}

}  // namespace copse::recover
