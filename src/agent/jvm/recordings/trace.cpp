#include "agent/jvm/recordings/trace.h"

#include <utility>

#include "agent/jvm/recordings/call_probes.h"
#include "agent/jvm/recordings/packet_probes.h"
#include "agent/run_description.h"
#include "report/model/program_tables.h"

namespace copse::jvm {

Result<std::unique_ptr<Recording>> TraceRecording::make(const Run& run) {
  return std::unique_ptr<Recording>(std::make_unique<TraceRecording>(run));
}

Result<classfile::Rewritten> TraceRecording::put_probes(
    const LoaderIdentity&, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  return put_call_probes(call_probe_options(run_.options), bytes, host, new_fields);
}

Status TraceRecording::open() {
  Result<std::unique_ptr<trace::TraceWriter>> writer = trace::TraceWriter::create(run_.output_path);
  if (!writer.ok()) return writer.status();
  const trace::ProgramInfo program = run_.program_info(agent::recording_options(run_.options));
  if (Status status = (*writer)->write_program(program); !status) return status;
  sink_ = std::make_unique<trace::TraceSink>(
      std::move(writer).value(), *pool_,
      [&methods = run_.jvm.methods] { return methods.take_new_names(); });
  return {};
}

Status TraceRecording::start(JNIEnv* jni) {
  pool_ = std::make_unique<shadowstack::PacketPool>(shadowstack::PacketPoolOptions{
      .slots = std::get<agent::TraceOptions>(run_.options.mode).packet_slots});
  if (Status status = open(); !status) return status;
  recorder_ = std::make_unique<shadowstack::Recorder>(*pool_, *sink_);
  return start_packet_probes(
      run_.jvm.runtime, jni,
      {.recorder = *recorder_, .methods = run_.jvm.methods, .packet_bytes = pool_->packet_bytes()},
      {.recorder = *recorder_});
}

trace::EndInfo TraceRecording::end_info(const End& end) const {
  trace::EndInfo info;
  info.wall_ms = end.wall_ms;
  info.calls_seen = recorder_->calls_seen();
  info.calls_lost = recorder_->calls_lost();
  info.packets = recorder_->packets();
  for (const shadowstack::ThreadRow& thread : recorder_->threads()) {
    if (thread.index != shadowstack::kNoThread)
      info.threads.push_back({thread.index, thread.calls});
  }
  report::ProgramTables tables;
  run_.jvm.methods.export_to(tables);
  for (report::ReportModel::Skipped& row : tables.skipped) {
    info.skipped.push_back(
        {std::move(row.class_name), std::move(row.method), std::move(row.reason)});
  }
  info.notes = agent::recording_notes(run_.options);
  info.notes.insert(info.notes.end(), end.notes.begin(), end.notes.end());
  return info;
}

void TraceRecording::finish(const End& end) {
  const trace::TraceSink::Finished finished = sink_->finish(end_info(end));
  if (!finished.end_written.ok())
    return run_.fail_to_write(run_.output_path, finished.end_written.message());
  if (!finished.first_failure.ok())
    run_.fail_to_write(run_.output_path, finished.first_failure.message());
  const std::uint64_t lost = recorder_->calls_lost() + finished.calls_lost;
  run_.wrote({.kind = agent::FileNote::Kind::kTrace,
              .path = run_.output_path,
              .count = recorder_->calls_seen() - lost,
              .size = finished.bytes,
              .lost = lost,
              .program = run_.program});
}

}  // namespace copse::jvm
