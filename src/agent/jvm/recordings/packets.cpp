#include "agent/jvm/recordings/packets.h"

#include <utility>

#include "agent/jvm/recordings/call_probes.h"
#include "agent/jvm/run_report.h"

namespace copse::jvm {

Result<std::unique_ptr<Recording>> PacketsRecording::make(const Run& run) {
  return std::unique_ptr<Recording>(std::make_unique<PacketsRecording>(run));
}

Result<classfile::Rewritten> PacketsRecording::put_probes(
    std::uint64_t, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  return put_call_probes(call_probe_options(run_.options), bytes, host, new_fields);
}

Status PacketsRecording::start(JNIEnv* jni) {
  packets_.start(kept_.start());
  return run_.jvm.runtime.start(run_.jvmti, jni, packets_.recorder(), packets_.packet_bytes());
}

void PacketsRecording::finish(const End& end) {
  RunToReport report = packets_.finish();
  report.wall_ms = end.wall_ms;
  report.notes = end.notes;
  const Result<RunTotals> written = write_run_report(report);
  if (written.ok()) kept_.finish();
  tell_of_report(run_, written);
}

}  // namespace copse::jvm
