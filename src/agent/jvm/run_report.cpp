#include "agent/jvm/run_report.h"

#include <unistd.h>

#include <utility>

#include "agent/jvm/jvm_names.h"
#include "agent/manifest.h"
#include "agent/run_description.h"
#include "base/version.h"
#include "report/model_builder.h"
#include "report/program_tables.h"
#include "report/report_file.h"

namespace copse {
namespace {

std::vector<std::string> notes_of(const RunToReport& run) {
  const Evicted evicted = run.tree.evicted();
  std::vector<std::string> notes =
      tree_notes(run.options, {run.calls_without_room, evicted.calls, evicted.contexts});
  notes.insert(notes.end(), run.notes.begin(), run.notes.end());
  if (run.attached) notes.push_back(attach_note());
  if (run.snapshot != 0) notes.push_back(snapshot_note());
  return notes;
}

ProgramTables tables_of(const RunToReport& run) {
  ProgramTables tables = describe_run(run.runtime, run.options, run.started, run.wall_ms);
  tables.program.snapshot = run.snapshot;
  tables.options.merge(tree_options(run.options, run.workers));
  if (!run.options.encoder.empty()) tables.options.merge(id_options(run.options));
  tables.with_sites = run.options.sites;
  for (std::string& note : notes_of(run)) tables.notes.push_back(std::move(note));
  run.methods.export_to(tables);
  for (const ThreadRow& thread : run.threads) {
    tables.threads.push_back(
        {thread.runtime_id, thread.name, thread.first_key, thread.calls, thread.threads});
  }
  tables.calls_seen = run.calls_seen;
  tables.calls_lost = run.calls_lost;
  tables.packets = run.packets;
  return tables;
}

}  // namespace

ProgramTables describe_run(const std::string& runtime, const AgentOptions& options,
                           std::int64_t started, double wall_ms) {
  ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  tables.program = {
      command_line(options.main_stack_bytes), getpid(), runtime, utc_time(started), wall_ms, 0};
  tables.options = recording_options(options);
  tables.notes = recording_notes(options);
  return tables;
}

Result<RunTotals> write_run_report(const RunToReport& run) {
  Result<ReportModel> model = build_model(run.tree, tables_of(run));
  if (!model.ok()) return model.status();
  const RunTotals totals{model->totals.calls, model->totals.contexts, model->totals.calls_lost};
  if (Status status = write_report_file(*model, run.path); !status) return status;
  return totals;
}

std::string line_of_file(std::string_view kind, const std::string& path,
                         const std::array<std::uint64_t, 3>& figures, const std::string& program) {
  std::string line = std::string(kind) + "\t" + path;
  for (const std::uint64_t figure : figures) line += "\t" + std::to_string(figure);
  return line + "\t" + program;
}

bool note_in_manifest(const std::string& manifest, const std::string& line) {
  if (manifest.empty()) return false;
  // One write of one line: several JVMs under one command share the file.
  const int file = open_manifest(manifest);
  if (file < 0) return false;
  const std::string text = line + "\n";
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return written;
}

}  // namespace copse
