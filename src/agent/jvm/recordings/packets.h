// Call records in packets, folded by an engine beside the program.
#pragma once

#include <memory>

#include "agent/jvm/recordings/folded_packets.h"
#include "agent/jvm/recordings/kept_memory.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"

namespace copse::jvm {

class PacketsRecording final : public Recording {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  explicit PacketsRecording(const Run& run) : run_(run), kept_(run), packets_(run) {}

  Result<classfile::Rewritten> put_probes(std::uint64_t loader, std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;
  void has_new_names() override { kept_.add_names(); }

  Status start(JNIEnv* jni) override;
  shadowstack::ThreadRecorder& threads() noexcept override { return packets_.recorder(); }
  Result<cct::RecordingSnapshot> snapshot() override { return packets_.snapshot(); }
  void finish(const End& end) override;

 private:
  const Run& run_;
  KeptMemory kept_;
  FoldedPackets packets_;
};

}  // namespace copse::jvm
