#include "agent/jvm/recordings/packets.h"

#include <utility>

#include "agent/jvm/hook/class_hook.h"
#include "agent/jvm/recordings/call_probes.h"
#include "agent/jvm/recordings/packet_probes.h"
#include "agent/jvm/run_report.h"
#include "agent/jvm/stopped_threads.h"

namespace copse::jvm {

Result<std::unique_ptr<Recording>> PacketsRecording::make(const Run& run) {
  return std::unique_ptr<Recording>(std::make_unique<PacketsRecording>(run));
}

PacketsRecording::PacketsRecording(const Run& run)
    : run_(run),
      kept_(run),
      measures_(run, [this] { kept_.add_names(); }),
      methods_(run.jvmti, run.jvm.methods,
               [&loaders = run.jvm.loaders](JNIEnv* jni, jobject loader) {
                 return loaders.identify(jni, loader).id;
               }),
      events_(run.jvmti, measures_, run.jvm.runtime, methods_, measures_.event_kinds()),
      packets_(run) {}

Result<classfile::Rewritten> PacketsRecording::put_probes(
    const LoaderIdentity& loader, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  return put_measured_probes(call_probe_options(run_.options), measures_, loader.id, bytes, host,
                             new_fields);
}

Status PacketsRecording::start(JNIEnv* jni) {
  packets_.start(kept_.start());
  if (run_.attached) packets_.recorder().wait_to_begin();
  contexts_ = std::make_unique<cct::MeasuredPackets>(packets_.recorder(), packets_.engine(),
                                                     agent::has_sites(run_.options));
  if (Status status = measures_.start(jni, packets_.recorder(), *contexts_, methods_); !status) {
    return status;
  }
  const PacketRun run = {.recorder = packets_.recorder(),
                         .methods = run_.jvm.methods,
                         .packet_bytes = packets_.packet_bytes(),
                         .words_are_read = measures_.any()};
  if (Status status = start_packet_probes(run_.jvm.runtime, jni, run, measures_.threads_to_start());
      !status) {
    return status;
  }
  if (Status status = measures_.start_counting(jni); !status) return status;
  return run_.attached ? Status() : events_.enable(run_.jvmti);
}

Status PacketsRecording::begin(JNIEnv* jni) {
  {
    const StoppedThreads stopped(run_.jvmti, jni);
    measures_.forget();
    packets_.recorder().begin();
  }
  if (Status status = measures_.begin(jni); !status) return status;
  return events_.enable(run_.jvmti);
}

Result<agent::FileNote> PacketsRecording::write_snapshot(const SnapshotToWrite& to_write) {
  measures_.count_waiting();
  Result<cct::RecordingSnapshot> taken = packets_.snapshot();
  if (!taken.ok()) return taken.status();
  std::vector<report::ProgramTables::Measure> measured =
      measures_.measures(std::move(taken->measured), *taken->tree, taken->threads);
  return write_tree_snapshot(run_, std::move(*taken), std::move(measured), measures_.timeline(),
                             to_write);
}

void PacketsRecording::close(JNIEnv* jni) {
  measures_.stop();
  const StoppedThreads stopped(run_.jvmti, jni);
  measures_.close_threads();
}

void PacketsRecording::finish(const End& end) {
  RunToReport report = packets_.finish();
  report.wall_ms = end.wall_ms;
  report.notes = measures_.notes();
  report.notes.insert(report.notes.end(), end.notes.begin(), end.notes.end());
  report.measures =
      measures_.measures(packets_.engine().lay_measured(), report.tree, report.threads);
  report.timeline = measures_.timeline();
  const Result<RunTotals> written = write_run_report(std::move(report));
  if (written.ok()) kept_.finish();
  tell_of_report(run_, written);
}

}  // namespace copse::jvm
