#include "agent/jvm/run_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <ctime>

#include "agent/jvm/jvm_names.h"
#include "base/version.h"
#include "report/json_writer.h"
#include "report/model_builder.h"
#include "report/program_tables.h"

namespace copse {
namespace {

std::string utc_time(std::int64_t seconds) {
  const std::time_t time = static_cast<std::time_t>(seconds);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

std::string joined(const std::vector<std::string>& globs) {
  std::string text;
  for (const std::string& glob : globs) {
    if (!text.empty()) text += ' ';
    text += glob;
  }
  return text;
}

std::map<std::string, std::string> option_table(const FinishedRun& run) {
  const AgentOptions& options = run.options;
  const auto yes_no = [](bool value) { return std::string(value ? "true" : "false"); };
  return {
      {"jdk", yes_no(options.jdk)},
      {"sites", yes_no(options.sites)},
      {"fold-recursion", yes_no(options.fold_recursion)},
      {"engine", std::string(engine_name(options.engine))},
      {"event-every", std::to_string(options.event_every)},
      {"workers", std::to_string(run.engine.stats().workers)},
      {"packet", std::to_string(options.packet_slots)},
      {"memory", std::to_string(options.memory_bytes)},
      {"include", joined(options.include)},
      {"exclude", joined(options.exclude)},
  };
}

std::vector<std::string> notes_on(const AgentOptions& options) {
  std::vector<std::string> notes;
  if (options.fold_recursion) {
    notes.push_back(
        "Recursion is folded: a call of a method that is already on the path counts at that "
        "method's first node, so contexts are not exact.");
  }
  if (options.event_every != 0) {
    notes.push_back("Only every " + std::to_string(options.event_every) +
                    "th call of a thread is in the tree; counts are of those events.");
  }
  if (options.jdk) {
    notes.push_back(
        "Recording starts when the JVM is initialised: JDK frames that were live then are not in "
        "the tree, what they call hangs under ROOT.");
  }
  return notes;
}

ProgramTables tables_of(const FinishedRun& run) {
  ProgramTables tables;
  tables.created_by = std::string("copse ") + kVersion;
  tables.program.command = command_line();
  tables.program.pid = getpid();
  tables.program.runtime = system_property(run.jvmti, "java.vm.name") + " " +
                           system_property(run.jvmti, "java.vm.version");
  tables.program.started = utc_time(run.started);
  tables.program.wall_ms = run.wall_ms;
  tables.options = option_table(run);
  tables.with_sites = run.options.sites;
  tables.notes = notes_on(run.options);
  run.methods.export_to(tables);
  for (const Recorder::ThreadRow& thread : run.recorder.threads()) {
    tables.threads.push_back({thread.runtime_id, thread.name, thread.first_key, thread.calls});
  }
  if (const std::uint64_t lost = run.engine.stats().calls_lost; lost != 0) {
    tables.notes.push_back(
        std::to_string(lost) + " calls were made in contexts that found no room in " +
        std::to_string(run.options.memory_bytes >> 20) +
        " MiB; --memory gives the tree more, --fold-recursion or --no-sites make it smaller.");
  }
  tables.calls_seen = run.recorder.calls_seen();
  tables.calls_lost = run.recorder.calls_lost() + run.engine.stats().calls_lost;
  tables.packets = run.recorder.packets();
  return tables;
}

}  // namespace

Result<RunTotals> write_run_report(const FinishedRun& run) {
  const ContextTree& tree = run.engine.finish();
  const Result<ReportModel> model = build_model(tree, tables_of(run));
  if (!model.ok()) return model.status();
  if (Status status = write_json_file(*model, run.path); !status) return status;
  return RunTotals{model->totals.calls, model->totals.contexts, model->totals.calls_lost};
}

void note_in_manifest(const AgentOptions& options, const std::string& line) {
  if (options.manifest.empty()) return;
  // One write of one line: several JVMs under one command share the file.
  const int file = open(options.manifest.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;  // the command that wanted to know is gone
  const std::string text = line + "\n";
  [[maybe_unused]] const ssize_t written = write(file, text.data(), text.size());
  close(file);
}

}  // namespace copse
