#include "agent/jvm/run_trace.h"

#include <unistd.h>

#include <utility>

#include "agent/jvm/jvm_names.h"
#include "agent/run_description.h"

namespace copse {

Result<std::unique_ptr<trace::TraceSink>> start_trace(jvmtiEnv* jvmti, const AgentOptions& options,
                                                      std::int64_t started, const std::string& path,
                                                      PacketPool& pool, MethodTable& methods) {
  Result<std::unique_ptr<trace::TraceWriter>> writer = trace::TraceWriter::create(path);
  if (!writer.ok()) return writer.status();
  const trace::ProgramInfo program{command_line(options.main_stack_bytes), getpid(),
                                   runtime_name(jvmti), utc_time(started),
                                   recording_options(options)};
  if (Status status = (*writer)->write_program(program); !status) return status;
  return std::make_unique<trace::TraceSink>(std::move(writer).value(), pool,
                                            [&methods] { return methods.take_new_names(); });
}

Result<TraceTotals> finish_trace(trace::TraceSink& sink, const Recorder& recorder,
                                 const AgentOptions& options, const MethodTable& methods,
                                 const std::vector<std::string>& notes, double wall_ms) {
  trace::EndInfo end;
  end.wall_ms = wall_ms;
  end.calls_seen = recorder.calls_seen();
  end.calls_lost = recorder.calls_lost();
  end.packets = recorder.packets();
  for (const ThreadRow& thread : recorder.threads()) {
    if (thread.index != kNoThread) end.threads.push_back({thread.index, thread.calls});
  }
  ProgramTables tables;
  methods.export_to(tables);
  for (ReportModel::Skipped& row : tables.skipped) {
    end.skipped.push_back(
        {std::move(row.class_name), std::move(row.method), std::move(row.reason)});
  }
  end.notes = recording_notes(options);
  end.notes.insert(end.notes.end(), notes.begin(), notes.end());
  const trace::TraceSink::Finished finished = sink.finish(std::move(end));
  if (!finished.end_written.ok()) return finished.end_written;
  const std::uint64_t lost = recorder.calls_lost() + finished.calls_lost;
  return TraceTotals{recorder.calls_seen() - lost, lost, finished.bytes, finished.first_failure};
}

}  // namespace copse
