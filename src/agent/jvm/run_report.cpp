#include "agent/jvm/run_report.h"

#include <utility>

#include "agent/measure_notes.h"
#include "agent/run_description.h"
#include "base/version.h"
#include "report/model/model_builder.h"
#include "report/model/program_tables.h"
#include "report/model/report_stats.h"
#include "report/report_file.h"

namespace copse::jvm {
namespace {

std::vector<std::string> notes_of(const RunToReport& report,
                                  const std::vector<MethodName>& methods) {
  std::vector<std::string> notes =
      agent::tree_notes(report.run.options, report.tree, report.calls_without_room, methods);
  if (agent::has_source_launcher(methods)) notes.push_back(agent::source_launcher_note());
  notes.insert(notes.end(), report.notes.begin(), report.notes.end());
  if (report.run.attached) notes.push_back(agent::attach_note());
  if (report.snapshot == 0) return notes;
  notes.push_back(agent::snapshot_note());
  std::vector<std::string> measured;
  for (const report::ProgramTables::Measure& measure : report.measures) {
    measured.push_back(measure.name);
  }
  for (std::string& note : agent::notes_on_measures_so_far(measured)) {
    notes.push_back(std::move(note));
  }
  return notes;
}

report::ProgramTables tables_of(RunToReport report) {
  const agent::AgentOptions& options = report.run.options;
  report::ProgramTables tables = describe_run(report.run, report.wall_ms);
  tables.program.snapshot = report.snapshot;
  tables.options.merge(agent::tree_options(options, report.workers));
  tables.options.merge(agent::id_options(options));
  tables.with_sites = agent::has_sites(options);
  report.run.jvm.methods.export_to(tables);
  for (std::string& note : notes_of(report, tables.methods)) {
    tables.notes.push_back(std::move(note));
  }
  for (shadowstack::ThreadRow& thread : report.threads) {
    tables.threads.push_back({thread.runtime_id, std::move(thread.name), thread.first_key,
                              thread.calls, thread.threads});
  }
  tables.calls_seen = report.calls_seen;
  tables.calls_lost = report.calls_lost;
  tables.packets = report.packets;
  tables.measures = std::move(report.measures);
  tables.encoder = std::move(report.encoder);
  tables.timeline = std::move(report.timeline);
  tables.slices = std::move(report.slices);
  return tables;
}

agent::FileNote note_of_report(const Run& run, const std::string& path, const RunTotals& written) {
  return {.kind = agent::FileNote::Kind::kReport,
          .path = path,
          .count = written.calls,
          .size = written.contexts,
          .lost = written.calls_lost,
          .program = run.program,
          .merged = written.merged};
}

}  // namespace

report::ProgramTables describe_run(const Run& run, double wall_ms) {
  report::ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  trace::ProgramInfo program = run.program_info(agent::recording_options(run.options));
  tables.program = {std::move(program.command), program.pid, std::move(program.runtime),
                    std::move(program.started), wall_ms,     0};
  tables.options = std::move(program.options);
  tables.notes = agent::recording_notes(run.options);
  return tables;
}

Result<RunTotals> write_run_report(RunToReport report) {
  const Run& run = report.run;
  const cct::ContextTree& tree = report.tree;
  const std::string path = report.path;
  Result<report::ReportModel> model = report::build_model(tree, tables_of(std::move(report)));
  if (!model.ok()) return model.status();
  if (Status status = report::write_report_file(*model, path, run.options.max_contexts); !status) {
    return status;
  }
  const cct::MergedRecursion merged = tree.merged();
  return RunTotals{model->totals.calls, report::contexts_with(model->nodes.calls),
                   model->totals.calls_lost, merged.all ? 0 : merged.methods.size()};
}

void tell_of_report(const Run& run, const Result<RunTotals>& written) {
  if (!written.ok()) return run.fail_to_write(run.output_path, written.message());
  run.wrote(note_of_report(run, run.output_path, *written));
}

Result<agent::FileNote> write_tree_snapshot(const Run& run, cct::RecordingSnapshot taken,
                                            std::vector<report::ProgramTables::Measure> measures,
                                            report::ReportAbout::TimeLine timeline,
                                            const SnapshotToWrite& to_write) {
  const Result<RunTotals> written =
      write_run_report({.run = run,
                        .tree = *taken.tree,
                        .threads = std::move(taken.threads),
                        .calls_seen = taken.calls_seen,
                        .calls_lost = taken.calls_lost,
                        .calls_without_room = taken.calls_without_room,
                        .packets = taken.packets,
                        .workers = taken.workers,
                        .wall_ms = to_write.wall_ms,
                        .snapshot = to_write.number,
                        .measures = std::move(measures),
                        .timeline = std::move(timeline),
                        .slices = std::move(taken.slices),
                        .path = to_write.path});
  if (!written.ok()) return written.status();
  return note_of_report(run, to_write.path, *written);
}

}  // namespace copse::jvm
