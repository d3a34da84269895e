// Records calls in packets, which an engine folds beside the program, and other measures.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/jvm_events.h"
#include "agent/jvm/measures/tree_measures.h"
#include "agent/jvm/recordings/folded_packets.h"
#include "agent/jvm/recordings/kept_memory.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "cct/packets/measured_packets.h"

namespace copse::jvm {

class PacketsRecording final : public Recording {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  explicit PacketsRecording(const Run& run);

  Status add_capabilities() override { return events_.add_capabilities(run_.jvmti); }

  Result<classfile::Rewritten> put_probes(const LoaderIdentity& loader,
                                          std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;
  void has_new_names() override { kept_.add_names(); }

  Status start(JNIEnv* jni) override;
  Status begin(JNIEnv* jni) override;
  shadowstack::ThreadRecorder& threads() noexcept override { return measures_; }
  JvmEvents* jvm_events() noexcept override { return &events_; }
  Result<agent::FileNote> write_snapshot(const SnapshotToWrite& to_write) override;
  void close(JNIEnv* jni) override;
  void stop(double) override { events_.disable(run_.jvmti); }
  void finish(const End& end) override;
  void abandon() noexcept override { kept_.finish(); }

 private:
  const Run& run_;
  KeptMemory kept_;
  TreeMeasures measures_;
  RecordedMethods methods_;
  JvmEvents events_;
  FoldedPackets packets_;
  std::unique_ptr<cct::MeasuredPackets> contexts_;  // set by start()
};

}  // namespace copse::jvm
