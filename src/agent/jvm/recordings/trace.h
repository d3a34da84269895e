// Keeps the call records themselves in a file (trace/trace_sink.h).
#pragma once

#include <memory>

#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/recorder.h"
#include "trace/trace_sink.h"

namespace copse::jvm {

class TraceRecording final : public Recording {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  explicit TraceRecording(const Run& run) : run_(run) {}

  Result<classfile::Rewritten> put_probes(const LoaderIdentity& loader,
                                          std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;

  Status start(JNIEnv* jni) override;
  shadowstack::ThreadRecorder& threads() noexcept override { return *recorder_; }
  Result<agent::FileNote> write_snapshot(const SnapshotToWrite&) override {
    return no_snapshot("record");
  }
  void finish(const End& end) override;

 private:
  Status open();
  trace::EndInfo end_info(const End& end) const;

  const Run& run_;
  std::unique_ptr<shadowstack::PacketPool> pool_;  // set by start(), like the members below
  std::unique_ptr<trace::TraceSink> sink_;
  std::unique_ptr<shadowstack::Recorder> recorder_;
};

}  // namespace copse::jvm
