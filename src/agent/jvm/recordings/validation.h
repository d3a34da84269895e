// Records calls and context ids at once, and checks an encoder against the calls (run_validation.h).
#pragma once

#include <memory>

#include "agent/jvm/ids/run_validation.h"
#include "agent/jvm/recordings/folded_packets.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/recordings/run_ids.h"
#include "agent/jvm/run.h"

namespace copse::jvm {

class ValidationRecording final : public Recording {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  ValidationRecording(const Run& run, std::unique_ptr<RunIds> ids);

  bool has_id_file() const noexcept override { return ids_->decode(); }

  Result<classfile::Rewritten> put_probes(const LoaderIdentity& loader,
                                          std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;
  bool answers_context_api() const noexcept override { return true; }
  std::optional<NativeEntry> native_entry(MethodId method, std::string_view class_name,
                                          std::string_view name) override;
  bool wants_thread_starts() const noexcept override { return ids_->decode(); }
  std::vector<std::string> unused_marks() const override { return ids_->places.marks().unused(); }

  Status start(JNIEnv* jni) override;
  shadowstack::ThreadRecorder& threads() noexcept override { return packets_.recorder(); }
  Result<agent::FileNote> write_snapshot(const SnapshotToWrite&) override {
    return no_snapshot("check-every");
  }

  void stop(double wall_ms) override;
  void finish(const End& end) override;

 private:
  const Run& run_;
  const std::unique_ptr<RunIds> ids_;
  RunValidation validation_;
  FoldedPackets packets_;
};

}  // namespace copse::jvm
